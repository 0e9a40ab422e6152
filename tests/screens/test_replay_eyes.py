"""Replays and watching: from which side, in which numbers, and to whom "you" is said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from game.contract import Seat, Viewer, Watcher
from game.rainet.board import NORTH, SOUTH
from server.boards import eventlog, panel
from server.boards.board import board
from server.boards.games.netrunner import tiles
from server.boards.games.rainet.selection import nearest
from server.matches.model import AnyViewerState, SeenEvent
from server.screens import endcard
from server.screens.replay import ReplayPage, looked_back_at
from server.screens.watch import WatchPage
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.conformance.boards import shown
from tests.conformance.play import Case, played
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import At, ended
from tests.screens.test_archive import PlayedMatch, on_page
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch
from tests.texts import en

YOU = {"en": re.compile(r"\b(you|your|yours)\b", re.IGNORECASE), "zh_CN": re.compile("[你您]")}
YOU["zh_TW"] = YOU["zh_CN"]
TRUE = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
GAMES = [Case("rainet", 2), Case("relati", 3), Case("passage", 3), Case("netrunner", 2)]


@dataclass(frozen=True, slots=True)
class Cardless(Look):
    """A look in which cards say nothing: their own words speak to whoever plays them."""

    def t(self, key: str, **params: object) -> str:
        return "-" if key.startswith("passage.does.") else Look.t(self, key, **params)


def texts(shot: AnyViewerState, seen: list[SeenEvent], look: Look) -> list[str]:
    """Return everything that a replay shows of a board."""
    shown_by, found = board(shot.game), list[str]()
    chosen = shown_by.start(shot, bytes(16))
    for cols, rows in ((80, 19), (120, 35)):
        area = shown_by.area(shot, cols, rows)
        found += map(text_of, shown_by.render(shot, chosen, look, area.cols, area.rows, seen))
        beside = [*shown_by.seats(shot, look, 60, NOON), *panel.log_lines(shown_by, shot, seen, look, 60, 35)]
        found += map(text_of, beside)
    return found


@pytest.mark.parametrize("language", YOU)
@pytest.mark.parametrize("case", GAMES, ids=str)
def test_nobody_is_called_you_through_another_one_s_eyes(
    case: Case, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay said "Your hand", and "you (Corp) to act" to who was nobody there."""
    monkeypatch.setattr(tiles, "text_lines", lambda code, look: ("-",))  # a card of a hand that is written out
    moments, look = played(case), Cardless(language=language)
    viewers: list[Viewer] = [Watcher.PUBLIC, Watcher.OMNISCIENT, *map(Seat, range(case.n_seats))]
    wrong = set[str]()
    for viewer in viewers:
        seen = list[SeenEvent]()
        for at, moment in enumerate(moments):
            told = ((event.kind, event.seen_by(viewer)) for event in moment.events)
            seen += [SeenEvent(at, kind, dict(params)) for kind, params in told if params is not None]
            if at % max(1, len(moments) // 12) == 0:
                looked_at = looked_back_at(replace(shown(case, moment, viewer), seq=at), None)
                wrong |= {text.strip() for text in texts(looked_at, seen, look) if YOU[language].search(text)}
                seen = seen[-20:]
    own = {look.t("passage.hand.watch")}  # who only looks on is told so
    assert {text for text in wrong if not any(said in text for said in own)} == set()


class Sat(PlayedMatch):
    """The same match, with the person who looks on the north side."""

    def __init__(self) -> None:
        super().__init__()
        self.players = (person("tarn"), person("mira"))


@pytest.mark.parametrize(("match", "side"), [(PlayedMatch, SOUTH), (Sat, NORTH)])
async def test_a_replay_of_one_s_own_match_opens_from_one_s_own_side(server: FakeServer, match: Any, side: int) -> None:
    """North's player saw the board upside down."""
    seated = await on_page(server, lambda session: ReplayPage(session, match()))
    page: Any = seated.session.pages.top
    assert nearest(page.snapshot) == side
    await seated.type("end")
    assert nearest(page.snapshot) == side
    await seated.type("f")
    assert nearest(page.snapshot) == 1 - side
    await seated.type("home")
    assert nearest(page.snapshot) == 1 - side, "it stays turned"
    assert _ranks(seated) == ("18" if page.snapshot.nearest == NORTH else "81")
    await seated.type("f", "e")
    assert nearest(page.snapshot) == SOUTH, "through South's eyes"


def _ranks(seated: Seated) -> str:
    """Return the ranks at the top and at the bottom of the board."""
    ranks = [row[1] for row in seated.rows if re.match(r" [1-8] ", row)]
    return ranks[0] + ranks[-1]


async def test_who_watches_may_turn_the_board_round(server: FakeServer) -> None:
    match = StagedMatch("rainet", (person("tarn"), person("lio")), "m5")
    match.play(0, "setup LLVVLVLV")
    match.play(1, "setup LLVVLVLV")
    server.matches.add(match)
    one = await on_page(server, lambda session: WatchPage(session, match, Watcher.PUBLIC))
    assert _ranks(one) == "81"
    assert one.says("keys.match.turn-round")
    await one.type("f")
    assert _ranks(one) == "18"
    match.play(0, "d2d3")
    await one.settle()
    assert _ranks(one) == "18", "also after a move"
    await one.type("f")
    assert _ranks(one) == "81"


async def test_a_board_without_sides_is_not_turned(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("relati", (person("tarn"), person("lio")), "m6"))
    seated = await on_page(server, lambda session: WatchPage(session, match, Watcher.PUBLIC))
    before = seated.text
    assert not seated.says("keys.match.turn-round")
    await seated.type("f")
    assert seated.text == before


async def test_log_replay_and_card_count_the_same_moves(server: FakeServer) -> None:
    """A match of 44 moves had 46 events in its replay: placing the cards counted there."""
    match = StagedMatch("rainet", (person("mira"), person("tarn")), "m7")
    for seat, text in ((0, "setup LLVVLVLV"), (1, "setup LLVVLVLV"), (0, "d2d3"), (1, "d7d6"), (0, "d3d4")):
        match.play(seat, text)
    match.changes = {"status": "finished"}
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    page: Any = seated.session.pages.top
    events = match.events(Watcher.OMNISCIENT)
    assert endcard.moves(page.board, events, 5) == 3
    for keys, number, entry in ((("end",), 3, 5), (("home",), 0, 0), (("g", "2", "enter"), 2, 4), (("left",), 1, 3)):
        await seated.type(*keys)
        assert (page.number, page.seq) == (number, entry)
        key = {0: "replay.where-start", 5: "replay.where-end"}.get(entry, "replay.where")
        assert seated.says(key, number=number, of=3, n=3)
        log = panel.log_lines(page.board, page.snapshot, page.events, page.session.look, 40, 9)
        numbers = [int(found[1]) for line in log if (found := re.match(r"\s*(\d+) ", text_of(line)))]
        assert max(numbers, default=0) == number, "as in the log"


async def test_a_game_that_hides_nothing_has_no_open_cards_in_its_replay(server: FakeServer) -> None:
    """Relati's said "cards open"; it has none."""
    match = StagedMatch("relati", (person("mira"), person("tarn")), "m8")
    match.play(0, "Lh8")
    match.changes = {"status": "finished"}
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    for eyes in (Watcher.OMNISCIENT, Watcher.PUBLIC):
        assert seated.session.t(f"replay.eyes.{eyes.value}") not in seated.text
    assert seated.says("replay.where-start", of=1, n=1)


async def test_what_was_taken_back_was_counted_as_a_move(server: FakeServer) -> None:
    """After two moves that were taken back the first one was the third: in the log, on the card and in the replay."""
    match = StagedMatch("rainet", (person("mira"), person("tarn")), "m7")
    for seat, text in ((0, "setup LLVVLVLV"), (1, "setup LLVVLVLV"), (0, "d2d3"), (1, "d7d6")):
        match.play(seat, text)
    match.happen("takeback", Seat(0), to=2)
    for seat, text in ((0, "e2e3"), (1, "e7e6")):
        match.play(seat, text)
    match.changes = {"status": "finished"}
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    page: Any = seated.session.pages.top
    events = match.events(Watcher.OMNISCIENT)
    assert [endcard.moves(page.board, events, seq) for seq in range(8)] == [0, 0, 0, 1, 2, 0, 1, 2]
    assert eventlog.count_moves(page.board, events).numbers == {3: 1, 4: 2, 6: 1, 7: 2}
    log = [(one.seq, one.text) for one in eventlog.told(page.board, match.snapshot(Seat(0)), events, Look())][::-1]
    gone = [seq for seq, text in log if text == en("log.taken-back", what=text.removesuffix(" (taken back)"))]
    assert gone == [3, 4], "the log says of them that they were taken back, and of nothing else"
    for keys, number, entry in ((("end",), 2, 7), (("g", "1", "enter"), 1, 6), (("left",), 0, 5), (("left",), 2, 4)):
        await seated.type(*keys)
        assert (page.number, page.seq) == (number, entry)
        assert seated.says("replay.where-end" if entry == 7 else "replay.where", number=number, of=2, n=2)


async def test_a_step_moved_the_lines_of_the_log_every_third_time(server: FakeServer) -> None:
    """It sent 430 bytes for them then, and 230 for the two lines that were newest; now the pointer moves, then a page.

    Both players' lines were drawn anew at each step, too: whose turn it is has its mark alone.
    """
    ended(server, "rainet")
    mira = await TRUE.seated(server, "home", *["right"] * 2, place="replay")
    turned = 0
    for _ in range(16):
        before = [row[41:] for row in mira.rows[7:17]]
        await mira.type("right")
        after = [row[41:] for row in mira.rows[7:17]]
        pointers = [row[38] for row in mira.rows[7:17] if len(row) > 38]
        assert pointers.count(Look().glyphs.pointer) == 1
        turned += any(was.strip() and was != now for was, now in zip(before, after, strict=True))
    assert 1 <= turned <= 3
    strip = next(y for y, row in enumerate(mira.rows) if f"{Look().glyphs.turn}▼ tarn" in row or "▶▲ mira" in row)
    assert {mira.wire.screen.buffer[strip][x].bg for x in range(45, 70)} == {"default"}


async def test_the_start_and_the_step_after_it_had_one_number(server: FakeServer) -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")), "m7")
    for seat, text in ((0, "setup LLVVLVLV"), (1, "setup LLVVLVLV"), (0, "d2d3")):
        match.play(seat, text)
    match.changes = {"status": "finished"}
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    assert seated.says("replay.where-start", of=1, n=1)
    await seated.type("right")
    assert seated.says("replay.where", number=0, of=1)
    assert not seated.says("replay.where-start", of=1, n=1)


async def test_giving_up_had_the_number_of_the_last_move(server: FakeServer) -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")), "m7")
    for seat, text in ((0, "setup LLVVLVLV"), (1, "setup LLVVLVLV"), (0, "d2d3")):
        match.play(seat, text)
    await match.resign(Seat(1))
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    await seated.type("right", "right")
    assert seated.says("replay.where", number=1, of=1)
    await seated.type("right")
    assert seated.says("replay.where-end", of=1, n=1)
    assert not seated.says("replay.where", number=1, of=1)

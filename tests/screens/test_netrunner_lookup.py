"""Looking cards and the log up: in a match, after it, in a replay, from the gallery; and never more than is known."""

from __future__ import annotations

import pytest

from game import registry
from game.contract import Json, Seat, Watcher
from server.boards.board import board
from server.boards.games.netrunner.columns import ice_mark
from server.boards.games.netrunner.selection import FREE, LOG, LOOK, Selection
from server.boards.games.netrunner.tiles import sub_mark
from server.matches.model import AnyViewerState, SeenEvent
from server.screens.match import MatchPage
from server.session import places
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import person, snapshot
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch

RULES, BOARD = registry.get("netrunner"), board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
WAITING: Json = {"step": "corp.2.2", "corp": {"servers": {"remote1": {"root": ["PAD Campaign"]}}}}


def ended() -> StagedMatch:
    """Return a match in which the Corp has conceded after both kept their hands."""
    match = StagedMatch("netrunner", (person("mira"), person("tarn")), "m1")
    for seat, text in ((0, "keep"), (1, "keep")):
        match.play(Seat(seat), text)
    match.state = RULES.forfeit(match.state, CORP).state
    return match


async def test_cards_are_looked_up_on_the_last_board(server: FakeServer) -> None:
    server.matches.add(ended())
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("v")
    assert "Identities" in mira.text
    await mira.type("down", "esc")
    assert "m Rematch" in mira.text
    await mira.type("g")
    assert mira.says("netrunner.event.keep", name="mira")


async def test_who_looks_on_looks_cards_up_after_the_end(server: FakeServer) -> None:
    server.matches.add(ended())
    zoe = await server.connect(account("zoe"))
    await zoe.session.reach(places.MatchPlace("m1"))
    await zoe.type("v")
    assert "Identities" in zoe.text
    await zoe.type("v")
    assert "v Cards" in zoe.text


async def test_cards_are_looked_up_in_a_replay_which_shows_its_log(server: FakeServer) -> None:
    server.matches.add(ended())
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.ReplayPlace("m1"))
    await mira.settle()
    assert "v Cards" in mira.text
    await mira.type("end")
    assert mira.says(
        "netrunner.event.keep", name="mira"
    )  # the log stood only beside the board, where there is room on a wide screen
    await mira.type("v")
    assert "Identities" in mira.text
    await mira.type("down", "v")
    assert "v Cards" in mira.text
    await mira.type("e")
    assert "Identities" not in mira.text


def watched(viewer: Seat | Watcher = Watcher.PUBLIC) -> AnyViewerState:
    return snapshot("netrunner", RULES.read_position(WAITING, {}), viewer)


def test_the_log_is_read_on_the_whole_board_and_scrolled() -> None:
    shot = watched(CORP)
    events = [SeenEvent(n, "run", {"server": f"remote{n}"}) for n in range(1, 40)]
    chosen = BOARD.press(shot, Selection(), "g")
    assert isinstance(chosen, Selection)
    assert chosen.mode == LOG
    assert "Remote 39" in drawn(shot, chosen, events)
    for key, newest in (("page up", 29), ("up", 28), ("down", 29), ("page down", 39), ("down", 39)):
        moved = BOARD.press(shot, chosen, key)
        assert isinstance(moved, Selection)
        chosen = moved
        assert f"Remote {newest}" in drawn(shot, chosen, events)
        assert f"Remote {newest + 1}" not in drawn(shot, chosen, events)
    back = BOARD.press(shot, chosen, "g")
    assert isinstance(back, Selection)
    assert back.mode == FREE


def drawn(shot: AnyViewerState, chosen: Selection, events: list[SeenEvent]) -> str:
    return "\n".join(text_of(line) for line in BOARD.render(shot, chosen, Look(), 80, 15, events))


@pytest.mark.parametrize("viewer", [RUNNER, Watcher.PUBLIC])
def test_nobody_looks_up_what_lies_face_down(viewer: Seat | Watcher) -> None:
    shot = watched(viewer)
    chosen = BOARD.browse(shot, Selection(), "v")
    assert isinstance(chosen, Selection)
    assert chosen.mode == LOOK
    for _ in range(12):
        assert "PAD" not in drawn(shot, chosen, [])
        moved = BOARD.browse(shot, chosen, "down")
        assert isinstance(moved, Selection)
        chosen = moved


async def test_a_match_of_two_games_says_which_one_is_played(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.changes = {"options": {"both_sides": True}}
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.settle()
    assert mira.says("match.game-of-two", number=1)
    match.changes = {"options": {"both_sides": True}, "return_of": "m0"}
    zoe = await server.connect(account("zoe"))
    await zoe.session.reach(places.MatchPlace("m1"))
    await zoe.settle()
    assert zoe.says("match.game-of-two", number=2)


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("glyph_set", ["unicode", "ascii"])
def test_every_mark_on_the_board_is_explained_in_help(language: str, glyph_set: str) -> None:
    """What ≡, ▒, ↳ and +2 mean stood nowhere."""
    look = Look(language=language, glyph_set=glyph_set)
    explained = dict(BOARD.marks(look))
    assert not [said for said in explained.values() if "netrunner." in said]
    told = " ".join(explained)
    for shown in (look.glyphs.hidden, ice_mark(look), look.glyphs.turn, look.glyphs.yes, sub_mark(look), "+2", "v2"):
        assert shown in told


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_help_at_the_board_lists_its_marks(server: FakeServer, cols: int, rows: int) -> None:
    server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    mira = await server.connect(account("mira"), cols, rows)
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("?")
    read = mira.text
    for _ in range(2):
        await mira.type("page down")
        read += mira.text
    assert [means for _, means in BOARD.marks(Look()) if means[:30] not in read] == []


async def test_a_rematch_was_offered_while_the_second_game_was_about_to_begin(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.changes = {"options": {"both_sides": True}}
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await match.resign(Seat(1))
    await mira.settle()
    page = mira.session.pages.top
    assert isinstance(page, MatchPage)
    assert "keys.match.rematch" not in [hint.label for hint in page.hints()]
    server.clock.pass_time(2)
    await mira.type("m")
    assert mira.says("outcome.return-follows")
    assert not match.snapshot(Seat(0)).offers

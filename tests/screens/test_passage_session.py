"""Passage on a real screen: typed at through a terminal, five at a table, nothing seen that is hidden."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import Any

import pytest

from game.contract import Event, Json, Seat
from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.boards import eventlog, panel
from server.boards.board import Weight
from server.boards.games.passage.board import BOARD
from server.matches.model import SeenEvent
from server.screens.match import MatchPage
from server.screens.revealpause import PAUSE_S
from server.session import places
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import person
from tests.boards.test_passage_board import MIDDLE
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

TWO: dict[str, Any] = {"players": 2, "hands": [["slip"], ["slip"]], "pile": ["seal"] * 9}
NAMES = ("mira", "tarn", "lio", "akio", "zoe")
# The cards that mira can't see, changed for others of the same number.
OTHER: dict[str, Any] = {
    **copy.deepcopy(MIDDLE),
    "hands": [MIDDLE["hands"][0], ["warden", "duel"], ["greed"], ["trade", "attack", "seal", "duel"]],
    "pile": ["slip", *["duel"] * 6, "passage", *["seal"] * 7, "tithe"],
    "sealed": [["greed"], ["warden", "slip"]],
}


async def seat(server: FakeServer, name: str, position: dict[str, Any], cols: int = 80, rows: int = 24) -> Seated:
    """Sit down at the match, making it first."""
    if "m1" not in server.matches.all:
        players = tuple(person(one) for one in NAMES)
        server.matches.add(StagedMatch("passage", players, "m1", position))
    who = account(name)
    assert who.account_id is not None
    server.prefer(who.name, Preferences(calibrated=True))
    seated = await server.connect(who, cols, rows)
    return seated


async def take_breath(server: FakeServer, *seated: Seated) -> None:
    """Let what a drawn Passage brings show."""
    server.clock.pass_time(PAUSE_S)
    for one in seated:
        one.session.dirty()
        await one.settle()


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_five_players_fit_the_screen(server: FakeServer, cols: int, rows: int) -> None:
    seated = await seat(server, "mira", MIDDLE, cols, rows)
    golden.check(f"passage-match-{cols}", seated.text)
    for name in NAMES:
        assert name in seated.text


async def test_a_card_is_played_vetoed_and_the_turn_goes_on(server: FakeServer) -> None:
    mira, lio = await seat(server, "mira", MIDDLE), await seat(server, "lio", MIDDLE)
    await mira.type("enter", "down", "enter")
    assert "lio" in mira.text
    assert mira.says("match.waiting", name="lio")
    played = en("passage.window.aimed-you", name="mira", card="Attack +1").rstrip(".")
    assert played in lio.text
    await lio.type("enter", "space")  # keys meant for something else answer nothing
    assert played in lio.text
    await lio.type("v")
    assert "lio judges" in lio.text
    assert mira.says("passage.prompt.play")


@pytest.mark.parametrize("hand", [["warden", "slip"], ["slip", "slip"]])
async def test_a_drawn_passage_was_no_moment_because_what_came_of_it_showed_at_once(
    server: FakeServer, hand: list[str]
) -> None:
    position = {"players": 5, "hands": [hand, ["slip"] * 2], "pile": ["passage", *["seal"] * 9]}
    mira, tarn = await seat(server, "mira", position), await seat(server, "tarn", position)
    before = {one: one.rows[2:20] for one in (mira, tarn)}
    await mira.type("e")
    for one in (mira, tarn):
        await one.settle()
        assert one.says("passage.event.drew-passage", name="mira")
        assert one.rows[2:20] == before[one], "nothing of whether a Warden meets it"
    await mira.type_blindly("enter", "s", "r")
    assert server.matches.all["m1"].seq == 1
    assert mira.session.prompts.is_idle
    await take_breath(server, mira, tarn)
    for one in (mira, tarn):
        assert one.rows[2:20] != before[one]


async def test_a_table_stood_still_for_a_breath_after_each_passage_that_had_come(server: FakeServer) -> None:
    """Passages drawn one after the other held the screen back with a pause for each."""
    position = {"players": 5, "hands": [["slip"], ["slip"]], "pile": ["passage", "passage", *["seal"] * 9]}
    lio = await seat(server, "lio", position)
    match = server.matches.all["m1"]
    for who in (0, 1):
        match.play(who, "end")
    await lio.settle()
    await take_breath(server, lio)
    assert {0, 1} <= set(match.snapshot(Seat(2)).view.eliminated)
    page = lio.session.pages.top
    assert isinstance(page, MatchPage)
    assert page.snapshot.seq == match.seq, "it shows as it is"


async def test_a_passage_is_put_back_in_secret(server: FakeServer) -> None:
    position = {"players": 5, "hands": [["warden"], ["slip"]], "pile": ["passage", *["seal"] * 9]}
    mira, tarn = await seat(server, "mira", position), await seat(server, "tarn", position)
    await mira.type("e")
    await take_breath(server, mira, tarn)
    assert mira.says("passage.prompt.return")
    await mira.type("down", "down", "enter")
    third = en("passage.place.nth", n=3)
    assert f"Passage {third}" in mira.text
    assert third not in tarn.text
    assert tarn.says("passage.event.put-back", name="mira")


async def test_the_screen_does_not_depend_on_hidden_cards(server: FakeServer) -> None:
    """Down to the rendered screen: the same for a seat whatever lies where it can't see."""
    one = await seat(server, "mira", MIDDLE)
    before = one.text
    server.matches.all["m1"].state = server.matches.all["m1"].rules.read_position(OTHER, {}, 5)
    server.matches.all["m1"].tell()
    await one.settle()
    assert one.text == before
    server.matches.all["m1"].tell()
    await one.type("down", "down", "up")
    assert "Duel" not in one.text


async def test_who_is_out_looks_on_and_is_offered_nothing_that_only_players_do(server: FakeServer) -> None:
    zoe = await seat(server, "zoe", MIDDLE)
    await zoe.session.reach(places.MatchPlace("m1"))
    await zoe.settle()
    assert "Resign" not in zoe.text
    assert "Offer" not in zoe.text
    assert "Chat" in zoe.text
    assert zoe.says("match.you-are-out"), "it said only for whom the match waits"
    await zoe.type("r")
    assert not zoe.says("match.ask.resign")
    await zoe.type("o", "d")
    assert server.matches.all["m1"].snapshot(Seat(0)).offers == ()


async def test_a_bot_in_somebody_s_place_is_told_apart_and_bots_have_names(server: FakeServer) -> None:
    players = (person("mira"), person("tarn"), *(Player("bot", "bot:easy") for _ in range(3)))
    match = server.matches.add(StagedMatch("passage", players, "m1", MIDDLE))
    shown = match.snapshot

    def replaced(viewer: Any) -> Any:
        made = shown(viewer)
        return replace(made, seats=(made.seats[0], replace(made.seats[1], bot="normal"), *made.seats[2:]))

    match.snapshot = replaced  # type: ignore[method-assign]
    mira = await seat(server, "mira", MIDDLE)
    assert re.search(r"2 tarn( \d+)? bot plays", mira.text)
    await mira.type("down", "enter")
    assert "Cleo" in mira.text
    assert "Dora" in mira.text


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20)])
async def test_a_notice_does_not_hide_what_is_asked(server: FakeServer, cols: int, rows: int) -> None:
    """Enter with nothing ticked: its notice stood where the question was, until the next key."""
    position = {"players": 5, "phase": "discard", "hands": [["slip"] * 4 + ["seal"] * 4]}
    mira = await seat(server, "mira", position, cols, rows)
    asked = next(line.strip() for line in mira.text.splitlines() if "0/2" in line or "0 of 2" in line)
    await mira.type("down", "enter")
    why = mira.session.t("passage.why.count", n=2, chosen=0)
    assert why in " ".join(mira.text.split())
    assert asked[:20] in mira.text
    await mira.type("space")
    assert why not in " ".join(mira.text.split())


def test_a_narrow_log_says_most_in_its_columns() -> None:
    """Beside five seats the numbers took five of 25 columns, and equal bots' names half of the rest."""
    players = (person("mira"), *(Player("bot", "bot:easy") for _ in range(4)))
    match = StagedMatch("passage", players, "m1", MIDDLE)
    shot = match.snapshot(Seat(0))
    events = [
        SeenEvent(123, "drawing", {"seat": 3, "draws": 3, "bottom": 0}),
        SeenEvent(123, "turn", {"seat": 4, "draws": 1, "bottom": 0}),
        SeenEvent(124, "passed", {"seat": 1, "card": "slip"}),
        SeenEvent(125, "put-back", {"seat": 4, "position": None}),
    ]
    told = panel.log_lines(BOARD, shot, events, Look(), 25, 9)
    put_back = Look().t("passage.event.put-back", name="Egon").removeprefix("Egon")
    headed = " Dora draws 3", "── Egon is to draw 1", put_back
    assert tuple(map(text_of, told)) == headed, "turns have headings, a pass is not told, and nothing has a number"
    assert text_of(BOARD.seats(shot, Look(), 25, shot.clock_at)[-1]).lstrip().startswith("5 Egon")


def test_what_happened_since_is_told_in_its_order_and_counted() -> None:
    shot = StagedMatch("passage", tuple(map(person, NAMES)), "m1", MIDDLE).snapshot(Seat(0))
    events = [
        SeenEvent(7, "turn", {"seat": 1, "draws": 1, "bottom": 0}),
        *(SeenEvent(seq, "discarded", {"seat": 1, "cards": ["slip"]}) for seq in (8, 9)),
        SeenEvent(10, "passed", {"seat": 2, "card": "slip"}),
        SeenEvent(11, "played", {"seat": 1, "card": "greed", "target": None, "position": None}),
        SeenEvent(12, "out", {"seat": 2, "cards": []}),
    ]
    found = eventlog.summary(BOARD, shot, events, Look())
    assert [(one.seq, one.weight) for one in found] == [
        (8, Weight.ORDINARY),
        (11, Weight.MATTERS),
        (12, Weight.DRAMATIC),
    ]
    once = BOARD.say(shot, Look(), events[1])
    assert found[0].text == Look().t("match.times", what=once, times=2)


@pytest.mark.parametrize("rows", range(1, 9))
def test_a_log_does_not_begin_in_the_middle_of_an_entry(rows: int) -> None:
    """A narrow log began with a lone "1", what was left of "begins: draw 1"."""
    shot = StagedMatch("passage", (person("mira"), person("tarn")), "m1", TWO).snapshot(Seat(0))
    events = [SeenEvent(seq, "drawing", {"seat": 0, "draws": 1, "bottom": 0}) for seq in range(1, 5)]
    cols = len(BOARD.say(shot, Look(), events[0])) - 2
    log = panel.log_lines(BOARD, shot, events, Look(), cols, rows)
    first = next((text for line in log if (text := text_of(line))), "")
    assert not first.startswith("   ") or rows == 1
    assert len(log) == min(rows, 8)


async def test_the_log_is_paged_to_its_ends_and_stays_where_one_reads(server: FakeServer) -> None:
    """A turn of the wheel hid the newest line of a short log, a page was one line, and new lines pushed the text on."""
    mira = await seat(server, "mira", {"players": 5, "hands": [["slip"] * 5, ["slip"]], "pile": ["seal"] * 9})
    page = mira.session.pages.top
    assert isinstance(page, MatchPage)
    await mira.type("page up", "page up", "page up")
    assert page.drawing.log.skip == 0, "it all fits"
    match = server.matches.all["m1"]

    def happen(times: int) -> None:
        for _ in range(times):
            match.seq += 1
            match.seen.append((match.seq, Event("drawing", {"seat": match.seq % 5, "draws": match.seq, "bottom": 0})))
        match.tell()

    happen(40)
    page.unread.record_decision(match.seq)  # what had happened stood there until then
    await mira.type("down")
    assert "mira draws 40" in mira.text
    await mira.type("page up")
    assert "mira draws 40" not in mira.text
    first = next(row[52:] for row in mira.rows if " draws " in row[52:])  # beside the board
    assert f"{page.drawing.log.skip} newer lines" in mira.text
    happen(3)
    await mira.settle()
    again = next(row[52:] for row in mira.rows if " draws " in row[52:])
    assert again == first, "what one reads stays where it is"
    for _ in range(20):
        await mira.type("page up")
    assert "tarn draws 1\n" in f"{mira.text}\n" or "tarn draws 1 " in mira.text
    for _ in range(20):
        await mira.type("page down")
    assert "akio draws 43" in mira.text
    await mira.type("page up")
    assert page.drawing.log.skip > 0
    await mira.type("e")
    assert page.drawing.log.skip == 0, "who acts looks at what comes of it"
    assert "newer" not in mira.text


async def test_typing_a_discard_did_nothing_and_said_nothing(server: FakeServer) -> None:
    position: Json = {"players": 3, "phase": "discard", "hands": [[*["slip"] * 4, *["seal"] * 4], ["slip"], ["slip"]]}
    names = ("mira", "tarn", "lio")
    server.matches.add(StagedMatch("passage", tuple(map(person, names)), "m1", position))
    seated = await server.connect(account("mira"), landing=places.Landing("watch", "m1"))
    await seated.type(":")
    assert seated.says("match.nothing-to-type")


async def test_auto_pass_was_kept_for_ones_next_turn(server: FakeServer) -> None:
    """While another was to move, its key said "Prepared: auto until-my-turn", and nothing passed by itself."""
    mira = await seat(server, "mira", {**TWO, "turn": 1})
    match = server.matches.all["m1"]
    seq = match.seq
    await mira.type("a")
    assert match.seq == seq + 1
    assert not mira.says("match.prepared", move="auto until-my-turn")


async def test_a_prepared_card_was_named_as_programs_write_it(server: FakeServer) -> None:
    position = {"players": 5, "turn": 1, "hands": [["slip"], ["slip"], ["slip"], ["slip"], ["slip"]]}
    mira = await seat(server, "mira", position)
    await mira.type(":", *"slip", "enter")
    assert mira.says("match.prepared", move=en("passage.card.slip"))

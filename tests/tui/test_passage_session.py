"""Passage on a real screen: typed at through a terminal, five at a table, nothing seen that is hidden."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from game.contract import Event
from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.matches.model import SeenEvent
from server.tui import panel
from server.tui.boards.passage import BOARD
from server.tui.lines import text_of
from server.tui.look import Look
from server.tui.screens.match import MatchPage
from tests.tui import golden
from tests.tui.conftest import House
from tests.tui.fakeplay import FakeMatch
from tests.tui.house import Seated, account
from tests.tui.positions import person
from tests.tui.test_passage_board import MIDDLE

NAMES = ("mira", "tarn", "lio", "akio", "zoe")
# The cards that mira can't see, changed for others of the same number.
OTHER: dict[str, Any] = {
    **copy.deepcopy(MIDDLE),
    "hands": [MIDDLE["hands"][0], ["warden", "duel"], ["greed"], ["trade", "attack", "seal", "duel"]],
    "pile": ["slip", *["duel"] * 6, "passage", *["seal"] * 7, "tithe"],
    "sealed": [["greed"], ["warden", "slip"]],
}


async def seat(house: House, name: str, position: dict[str, Any], cols: int = 80, rows: int = 24) -> Seated:
    """Sit down at the match, making it first."""
    if "m1" not in house.matches.all:
        players = tuple(person(one) for one in NAMES)
        house.matches.add(FakeMatch("passage", players, "m1", position))  # type: ignore[arg-type]
    who = account(name)
    assert who.account_id is not None
    house.accounts.kept[who.account_id] = Preferences(calibrated=True)
    seated = await house.connect(who, cols, rows)
    return seated


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_five_players_fit_the_screen(house: House, cols: int, rows: int) -> None:
    seated = await seat(house, "mira", MIDDLE, cols, rows)
    golden.check(f"passage-match-{cols}", seated.text)
    for name in NAMES:
        assert name in seated.text


async def test_a_card_is_played_vetoed_and_the_turn_goes_on(house: House) -> None:
    mira, lio = await seat(house, "mira", MIDDLE), await seat(house, "lio", MIDDLE)
    await mira.type("down", "enter", "down", "enter")
    assert "lio" in mira.text
    assert "Waiting for lio" in mira.text
    assert "mira played Attack +1 at lio" in lio.text
    await lio.type("enter", "space")  # keys meant for something else answer nothing
    assert "mira played Attack +1 at lio" in lio.text
    await lio.type("v")
    assert "lio judges" in lio.text
    assert "Play a card, or end the phase." in mira.text


async def test_a_passage_is_put_back_in_secret(house: House) -> None:
    position = {"players": 5, "hands": [["warden"], ["slip"]], "pile": ["passage", *["seal"] * 9]}
    mira, tarn = await seat(house, "mira", position), await seat(house, "tarn", position)
    await mira.type("e")
    assert "put the Passage back" in mira.text
    await mira.type("down", "down", "down", "enter")
    assert "3 from the top Passage" in mira.text
    assert "from the top" not in tarn.text
    assert "puts the Passage" in " ".join(tarn.text.split())


async def test_the_screen_does_not_depend_on_hidden_cards(house: House) -> None:
    """Down to the rendered screen: the same for a seat whatever lies where it can't see."""
    one = await seat(house, "mira", MIDDLE)
    before = one.text
    house.matches.all["m1"].state = house.matches.all["m1"].rules.read_position(OTHER, {}, 5)
    house.matches.all["m1"].tell()
    await one.settle()
    assert one.text == before
    house.matches.all["m1"].tell()
    await one.type("down", "down", "up")
    assert "Duel" not in one.text


async def test_who_is_out_looks_on_and_is_offered_nothing_that_only_players_do(house: House) -> None:
    zoe = await seat(house, "zoe", MIDDLE)
    match = house.matches.all["m1"]
    shown = match.snapshot

    def with_out(viewer: Any) -> Any:
        made = shown(viewer)
        return replace(made, seats=(*made.seats[:4], replace(made.seats[4], out=True)))

    match.snapshot = with_out  # type: ignore[method-assign]
    match.tell()
    await zoe.settle()
    assert "Resign" not in zoe.text
    assert "Offer" not in zoe.text
    assert "Chat" in zoe.text
    await zoe.type("r")
    assert "Resign this match?" not in zoe.text
    await zoe.type("o", "d")
    assert match.changes.get("offers", ()) == ()


async def test_a_bot_in_somebody_s_place_is_told_apart_and_equal_bots_have_numbers(house: House) -> None:
    players = (person("mira"), person("tarn"), *(Player("bot", "bot:easy") for _ in range(3)))
    match = house.matches.add(FakeMatch("passage", players, "m1", MIDDLE))  # type: ignore[arg-type]
    shown = match.snapshot

    def replaced(viewer: Any) -> Any:
        made = shown(viewer)
        return replace(made, seats=(made.seats[0], replace(made.seats[1], bot="normal"), *made.seats[2:]))

    match.snapshot = replaced  # type: ignore[method-assign]
    mira = await seat(house, "mira", MIDDLE)
    assert "2 tarn bot plays" in mira.text
    await mira.type("down", "enter")
    assert "bot (easy) 3" in mira.text
    assert "bot (easy) 4" in mira.text


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20)])
async def test_a_notice_does_not_hide_what_is_asked(house: House, cols: int, rows: int) -> None:
    """Enter with nothing ticked: its notice stood where the question was, until the next key."""
    position = {"players": 5, "phase": "discard", "hands": [["slip"] * 4 + ["seal"] * 4]}
    mira = await seat(house, "mira", position, cols, rows)
    asked = next(line.strip() for line in mira.text.splitlines() if "0/2" in line or "0 of 2" in line)
    await mira.type("down", "enter")
    assert "There is nothing to choose here" in mira.text
    assert asked[:20] in mira.text
    await mira.type("space")
    assert "There is nothing to choose here" not in mira.text


def test_a_narrow_log_says_most_in_its_columns() -> None:
    """Beside five seats the numbers took five of 25 columns, and equal bots' names half of the rest."""
    players = (person("mira"), *(Player("bot", "bot:easy") for _ in range(4)))
    match = FakeMatch("passage", players, "m1", MIDDLE)  # type: ignore[arg-type]
    shot = match.snapshot(0)
    events = [
        SeenEvent(123, "drawing", {"seat": 3, "draws": 3, "bottom": 0}),
        SeenEvent(123, "turn", {"seat": 4, "draws": 1, "bottom": 0}),
    ]
    told = panel.log_lines(BOARD, shot, events, Look(), 25, 9)
    assert [text_of(line) for line in told] == [" 123 bot 4 draws 3; bot 5", "  begins: draw 1"]
    wide = panel.log_lines(BOARD, shot, events, Look(), 39, 9)
    assert [text_of(line) for line in wide] == [" 123 bot 4 draws 3; bot 5 begins: draw", "     1"]
    assert text_of(BOARD.seats(shot, Look(), 25, shot.clock_at)[-2]).lstrip().startswith("5 bot (easy)")


async def test_the_log_is_paged_to_its_ends_and_stays_where_one_reads(house: House) -> None:
    """A turn of the wheel hid the newest line of a short log, a page was one line, and new lines pushed the text on."""
    mira = await seat(house, "mira", {"players": 5, "hands": [["slip"] * 5, ["slip"]], "pile": ["seal"] * 9})
    page = mira.session.page
    assert isinstance(page, MatchPage)
    await mira.type("page up", "page up", "page up")
    assert page.log_skip == 0, "it all fits"
    match = house.matches.all["m1"]

    def happen(times: int) -> None:
        for _ in range(times):
            match.seq += 1
            match.seen.append((match.seq, Event("out", {"seat": match.seq % 5})))
        match.tell()

    happen(40)
    await mira.settle()
    assert "40 mira is out" in mira.text
    await mira.type("page up")
    assert "40 mira is out" not in mira.text
    first = next(row for row in mira.rows if "is out" in row)
    assert f"{page.log_skip} newer lines" in mira.text
    happen(3)
    await mira.settle()
    assert next(row for row in mira.rows if "is out" in row) == first, "what one reads stays where it is"
    for _ in range(20):
        await mira.type("page up")
    assert " 1 tarn is out" in mira.text
    for _ in range(20):
        await mira.type("page down")
    assert "43 akio is out" in mira.text
    assert "newer" not in mira.text

"""A key that does nothing says why, as the rules say it, with the place it was about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game import registry
from game.contract import Action, Seat, Watcher
from game.rainet.board import SQUARES
from server.boards import whynot
from server.boards.board import board
from server.boards.games.rainet import selection as rainet
from server.boards.games.relati.selection import Selection as Cell
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.passage.build import at
from tests.session.evening import MIDDLE, in_match
from tests.session.fakeserver import FakeServer

LOOK = Look()
RAINET, RELATI = registry.get("rainet"), registry.get("relati")


@pytest.mark.parametrize(
    ("mode", "squares", "cursor", "why"),
    [
        (rainet.WALL, (), "d1", "firewall-exit"),
        (rainet.WALL, (), "d5", "firewall-card"),
        (rainet.CARD, ("d4",), "d7", "too-far"),
        (rainet.CARD, ("c1",), "d1", "own-exit"),
        (rainet.CHECK, (), "d4", "no-target"),
        (rainet.BOOST, (), "a8", "no-card"),
        (rainet.FREE, (), "a5", "no-card"),
    ],
)
def test_a_square_that_can_t_be_chosen_says_why(
    mode: rainet.Mode, squares: tuple[str, ...], cursor: str, why: str
) -> None:
    """It said only that there was nothing to choose here, whatever the reason."""
    shot = snapshot("rainet", RAINET.read_position(MIDDLE, {}, 2), Seat(0))
    chosen = rainet.Selection(SQUARES[cursor], mode, tuple(SQUARES[name] for name in squares))
    assert board("rainet").press(shot, chosen, "enter") == chosen, "nothing happens"
    said = LOOK.t("board.why", place=cursor, why=LOOK.t(f"rainet.error.{why}"))
    assert board("rainet").why_not(shot, chosen, LOOK, "enter") == said


BOOSTED = "lv3vl1/3l4/8/8/8/1V1L*4/8/V1L5 S CF4/bc4 -/d4 l+,V?l/- 3"
WALLED = "lv3vl1/3l4/8/8/8/1V1L*4/8/V1L5 S CF4/bc4 -/d5 l+,V?l/- 3"


@pytest.mark.parametrize(
    ("position", "cursor", "why"),
    [
        (BOOSTED, "d6", "why.two-steps"),
        (BOOSTED, "d5", "error.enemy-firewall"),
        (WALLED, "d5", "error.enemy-firewall"),
        (BOOSTED.replace("8/1V1L*4", "3v4/1V1L*4").replace("/d4", "/c6"), "d5", "error.blocked"),
        (BOOSTED.replace("8/1V1L*4", "3L4/1V1L*4").replace("/d4", "/c6"), "d5", "error.blocked"),
        (BOOSTED, "server", "error.not-on-exit"),
        ("l3L*v2/v4vl1/8/8/8/1V6/8/V1L5 S CF4/bc4 -/c6 l+,V?l/- 3", "b8", "why.two-steps"),
    ],
)
def test_a_boosted_card_s_refusal_is_the_one_of_its_two_steps(position: str, cursor: str, why: str) -> None:
    """It said that a step goes to a neighbouring square, whatever was in the way."""
    state = RAINET.read_position(position, {}, 2)
    shot = snapshot("rainet", state, Seat(0))
    start = next(square for square in range(64) if (card := shot.view.card_at(square)) and card.boosted)
    at_cursor = rainet.NORTH_SERVER if cursor == "server" else SQUARES[cursor]
    chosen = rainet.Selection(at_cursor, rainet.CARD, (start,))
    assert board("rainet").press(shot, chosen, "enter") == chosen, "nothing happens"
    place = LOOK.t("rainet.square.server-theirs") if cursor == "server" else cursor
    said = board("rainet").why_not(shot, chosen, LOOK, "enter")
    assert said == LOOK.t("board.why", place=place, why=LOOK.t(f"rainet.{why}"))


def test_a_card_that_is_used_up_says_so() -> None:
    shot = snapshot("rainet", RAINET.read_position(MIDDLE.replace("S CF4", "S CF"), {}, 2), Seat(0))
    chosen = rainet.Selection(SQUARES["d4"])
    assert LOOK.t("rainet.error.used") in board("rainet").why_not(shot, chosen, LOOK, "4")


def test_an_arrow_is_never_refused_and_who_looks_on_is_told_nothing() -> None:
    shot = snapshot("rainet", RAINET.read_position(MIDDLE, {}, 2), Seat(0))
    assert board("rainet").why_not(shot, rainet.Selection(SQUARES["a1"]), LOOK, "left") == ""
    assert whynot.reason(replace(shot, viewer=Watcher.PUBLIC), "#d1", LOOK) == ""
    assert whynot.reason(shot, "d4e4", LOOK) == "", "it is legal"


@pytest.mark.parametrize(
    ("cell", "key", "why"),
    [
        ("a1", "enter", "relati.error.not-linked"),
        ("c3", "enter", "relati.why.no-attack"),
        ("g7", "enter", "relati.why.own"),
        ("c3", "d", "relati.error.not-defendable"),
    ],
)
def test_a_cell_of_relati_says_why(cell: str, key: str, why: str) -> None:
    state = RELATI.setup({"board": 9}, 2, bytes(32)).state
    for seat, text in ((0, "Lc3"), (1, "Lg7"), (0, "Rd3")):
        state = RELATI.apply(state, Seat(seat), Action(text)).state
    shot = snapshot("relati", state, Seat(1))
    chosen = Cell(shot.view.board.grid.names.index(cell))
    assert board("relati").why_not(shot, chosen, LOOK, key) == LOOK.t("board.why", place=cell, why=LOOK.t(why))


def test_placing_a_source_on_anothers_was_refused_as_an_attack_that_reaches_nothing() -> None:
    state = RELATI.setup({"board": 9}, 2, bytes(32)).state
    state = RELATI.apply(state, Seat(0), Action("Lc3")).state
    shot = snapshot("relati", state, Seat(1))
    chosen = Cell(shot.view.board.grid.names.index("c3"))
    said = LOOK.t("board.why", place="c3", why=LOOK.t("relati.error.occupied"))
    assert board("relati").why_not(shot, chosen, LOOK, "enter") == said


def test_the_key_that_goes_to_what_can_be_attacked_was_silent_where_nothing_can() -> None:
    state = RELATI.setup({"board": 9}, 2, bytes(32)).state
    for seat, text in ((0, "Lc3"), (1, "Lg7")):
        state = RELATI.apply(state, Seat(seat), Action(text)).state
    shot = snapshot("relati", state, Seat(0))
    chosen = board("relati").start(shot, b"")
    assert board("relati").press(shot, chosen, "a") == chosen, "nothing happens"
    assert board("relati").why_not(shot, chosen, LOOK, "a") == LOOK.t("relati.why.no-target")


def test_passage_says_how_many_are_to_be_ticked_and_to_choose_a_row_first() -> None:
    rules, passage = registry.get("passage"), board("passage")
    shot = snapshot("passage", at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 4]), Seat(0), n_seats=5)
    assert rules.pending(at(phase="discard", hands=[["slip"] * 8]))
    chosen = passage.start(shot, b"")
    assert passage.why_not(shot, chosen, LOOK, "enter") == LOOK.t("passage.why.count", n=2, chosen=0)
    free = snapshot("passage", at(hands=[["slip"]]), Seat(0), n_seats=5)
    assert passage.why_not(free, passage.start(free, b""), LOOK, "enter") == LOOK.t("passage.why.no-row")


async def test_the_reason_is_read_on_the_screen(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("left", "enter")
    page = seated.session.pages.top
    assert page is not None
    assert LOOK.t("rainet.error.no-card") in seated.text
    await seated.type("right")
    assert LOOK.t("rainet.error.no-card") not in seated.text

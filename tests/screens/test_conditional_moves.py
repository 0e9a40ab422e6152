"""Conditional moves on their page, as a person makes, edits and deletes them."""

from __future__ import annotations

import pytest

from game.choices import expand
from game.contract import Seat
from server.matches.model import ConditionalStep, texts_of
from server.screens.conditional_moves import ConditionalMovesPage
from server.terminal.lines import ELLIPSIS
from server.terminal.look import Look
from tests.boards.positions import person
from tests.screens.test_typed_moves import RELATI, at_board
from tests.session.evening import busy, in_lobby
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch
from tests.texts import en


async def waiting(server: FakeServer, cols: int = 80, rows: int = 24) -> tuple[StagedMatch, Seated]:
    """Return a daily match in which South has just moved, and South at its board."""
    await busy(server)
    match = server.matches.all["m1"]
    match.agree(speed="daily")
    south = await at_board(server, "mira", cols, rows)
    await south.type(":", *"d4e4", "enter")
    await south.settle()
    return match, south


async def test_a_key_to_the_next_match_stood_where_no_other_match_waits(server: FakeServer) -> None:
    """It answered "No other match waits for you"."""
    _, south = await waiting(server, 120, 40)
    assert f"] {en('keys.match.next')}" not in south.text


def theirs(match: StagedMatch) -> list[str]:
    """Return the steps that North may make."""
    [asked] = match.rules.pending(match.state)
    return sorted(one.text for one in expand(asked.choice) if one.text[0].isalpha())


def lines(match: StagedMatch) -> list[tuple[str, ...]]:
    return [texts_of(line) for line in match.snapshot(Seat(0)).conditions]


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (120, 40)])
async def test_a_line_is_made_edited_and_deleted(server: FakeServer, cols: int, rows: int) -> None:
    match, south = await waiting(server, cols, rows)
    [their, other] = theirs(match)[:2]
    assert "C If…" in south.text
    await south.type("C")
    assert "a Add" in south.text
    await south.type("a", *their, " ", *"e4d4", "enter")
    await south.settle()
    assert lines(match) == [(their, "e4d4")]
    assert their in south.text
    await south.type("enter", "ctrl u", *other, " ", *"e4d4", "enter")
    await south.settle()
    assert lines(match) == [(other, "e4d4")]
    await south.type("x")
    await south.settle()
    assert lines(match) == []
    await south.type("esc")
    assert "C If…" in south.text


async def test_tab_completes_each_move_and_the_line_says_who_plays_next(server: FakeServer) -> None:
    match, south = await waiting(server)
    [their, *_] = theirs(match)
    await south.type("C", "a")
    assert match.players[1].name in south.text
    await south.type(*their, "tab", *"e4d", "tab")
    typing = south.session.prompts.typing
    assert typing is not None
    assert typing.field.text == f"{their} e4d4 "
    await south.type("enter")
    await south.settle()
    assert lines(match) == [(their, "e4d4")]


async def test_what_can_t_be_played_is_named_and_can_be_mended(server: FakeServer) -> None:
    match, south = await waiting(server)
    [their, *_] = theirs(match)
    await south.type("C", "a", *their, " ", *"e4a8", "enter")
    await south.settle()
    assert lines(match) == []
    assert south.session.prompts.typing is not None
    await south.type("backspace", "backspace", *"d4", "enter")
    await south.settle()
    assert lines(match) == [(their, "e4d4")]


async def test_lines_that_stand_are_told_on_the_match_s_page_and_to_nobody_else(server: FakeServer) -> None:
    match, south = await waiting(server)
    [their, *_] = theirs(match)
    await south.type("C", "a", *their, " ", *"e4d4", "enter")
    await south.settle()
    await south.type("esc")
    assert south.says("conditions.stand", n=1)


@pytest.mark.parametrize("is_due", [True, False])
async def test_who_had_a_line_was_called_to_the_turn_that_it_answered(server: FakeServer, is_due: bool) -> None:
    match, south = await waiting(server)
    [their, *_] = theirs(match)
    south.wire.sent.clear()
    if is_due:
        match.changes["conditions"] = ((ConditionalStep((), "e4d4"),),)
    match.play(Seat(1), their)
    await south.settle()
    assert (b"\x07" in south.wire.sent) is not is_due


async def test_a_quick_match_has_no_such_key(server: FakeServer) -> None:
    await busy(server)
    south = await at_board(server, "mira")
    await south.type(":", *"d4e4", "enter")
    await south.settle()
    assert "C If…" not in south.text
    await south.type("C")
    assert "a Add" not in south.text


async def test_nothing_said_how_a_line_ends_or_is_taken_back(server: FakeServer) -> None:
    match, south = await waiting(server, 120, 40)
    name = match.players[1].name
    [their, *_] = theirs(match)
    await south.type("C", "a")
    assert not south.says("conditions.theirs.more", name=name), "nothing is there yet that could end"
    await south.type(*their, " ", *"e4d4", " ")
    assert south.says("conditions.theirs.more", name=name)
    await south.type("enter")
    await south.settle()
    assert south.says("conditions.stored")
    first = " ".join(south.session.t("conditions.change").split()[:4])
    assert first in south.text
    await south.type("x")
    await south.settle()
    assert first not in south.text


async def test_a_line_was_shown_in_a_notation_that_nobody_types(server: FakeServer) -> None:
    """`h8 j8` was stored as “if Rh8 then Rj8”; what stands below it was cut off in the middle of a sentence."""
    await busy(server)
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m5"))
    match.agree(speed="daily")
    match.state = match.rules.read_position(RELATI, {})
    match.play(Seat(0), "Rd3")
    seated = await in_lobby(server, 80, 24, "mira")
    page = ConditionalMovesPage(seated.session, match, Seat(0))
    seated.session.pages.push(page)
    await seated.type("a", *"d5 e3", "enter")
    await seated.settle()
    assert lines(match) == [("Rd5", "Re3")]
    assert en("conditions.step", theirs="d5", mine="e3") in seated.text
    assert en("conditions.change").rsplit(maxsplit=1)[-1] in " ".join(seated.text.split())
    await seated.type("enter")
    typing = seated.session.prompts.typing
    assert typing is not None
    assert typing.field.text == "d5 e3"


async def test_that_a_line_is_stored_was_still_said_after_it_was_played(server: FakeServer) -> None:
    match, south = await waiting(server)
    their = theirs(match)[0]
    await south.type("C", "a", *their, " ", *"e4d4", "enter")
    await south.settle()
    assert south.says("conditions.stored")
    match.changes["conditions"] = ()
    match.play(1, their)
    await south.settle()
    assert not south.says("conditions.stored")


def test_what_is_heard_of_conditional_moves_named_a_key_and_lost_its_dots() -> None:
    """ "a adds a line", where a word is typed; and "If they play . I play", for signs are not heard."""
    heard = Look().heard()
    assert f"“{en('keys.conditions.add').lower()}”" in heard.t("conditions.none-yet")
    assert ELLIPSIS not in heard.t("conditions.ask")

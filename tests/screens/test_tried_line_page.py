"""Trying a line, and lessons: keys mean what they mean in a match, the board stays as it was, a step leads back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from game import registry
from game.contract import Seat, Watcher
from game.rainet.board import UNKNOWN
from server.boards import keymap
from server.boards.board import board
from server.matches.tried_line import TriedLine
from server.screens.replay import ReplayPage
from server.screens.tried_line import TriedLinePage
from tests.scenes import match
from tests.screens.test_archive import PlayedMatch, on_page
from tests.screens.test_tutorials import at_lesson, page_of
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.hearing import hear
from tests.texts import en


async def at_line(server: FakeServer, *keys: str) -> tuple[Seated, TriedLinePage]:
    """Go through a match of RaiNet that is over, press some keys there, and try a line."""
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type(*keys, "L")
    page = seated.session.pages.top
    assert isinstance(page, TriedLinePage)
    return seated, page


def files(seated: Seated) -> str:
    """Return the letters of the files as they stand below or above the board."""
    return next(row for row in map("".join, map(str.split, seated.rows)) if {*"abcdefgh"} <= {*row[:8]})[:8]


async def test_l_at_the_end_of_a_match_did_nothing_and_said_nothing(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("end", "L")
    assert isinstance(seated.session.pages.top, ReplayPage)
    assert seated.says("replay.no-line-at-end")


async def test_cards_that_lay_open_in_the_replay_were_face_down_in_the_line(server: FakeServer) -> None:
    _, page = await at_line(server)
    assert not any(card & UNKNOWN for card in page.snapshot.view.board)
    assert page.snapshot.view.viewer is Watcher.OMNISCIENT
    _, page = await at_line(server, "e")
    assert page.snapshot.view.viewer == page.snapshot.viewer, "one who plays sees what is theirs"


@pytest.mark.parametrize(("keys", "first"), [((), "a"), (("f",), "h")])
async def test_the_board_turned_round_after_every_move(server: FakeServer, keys: tuple[str, ...], first: str) -> None:
    seated, page = await at_line(server, *keys)
    for move in ("d2d3", "d7d6", "e2e3"):
        assert files(seated)[0] == first
        cursor, before = page.selection.cursor, page.snapshot.viewer
        await seated.type("right")
        assert page.selection.cursor == cursor + (1 if first == "a" else -1), "as it is drawn"
        await seated.type(":", *move, "enter")
        assert page.snapshot.viewer != before


async def test_a_move_could_not_be_typed_in_a_line_and_no_step_led_back(server: FakeServer) -> None:
    seated, page = await at_line(server)
    begun = page.snapshot
    await seated.type("backspace")
    assert seated.says("line.at-start")
    await seated.type(":", *"d2d3", "enter")
    assert page.snapshot.view.log[-1] == "d2d3"
    assert page.line.events
    await seated.type(":", *"d7d6", "enter", "backspace", "backspace")
    assert page.snapshot == begun
    assert not page.line.events


async def test_esc_threw_a_line_away_without_asking(server: FakeServer) -> None:
    seated, page = await at_line(server)
    await seated.type(":", *"d2d3", "enter", "esc")
    assert seated.says("line.ask-leave")
    assert seated.session.pages.top is page
    await seated.type("y")
    assert isinstance(seated.session.pages.top, ReplayPage)
    await seated.type("L", "esc")
    assert isinstance(seated.session.pages.top, ReplayPage), "nothing was tried"


async def test_a_line_that_is_heard_can_be_taken_back(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), edits=False)
    line = PlayedMatch().end().line_from(0, Seat(0), is_open=True)
    hearer.session.pages.push(TriedLinePage(hearer.session, line))
    await hearer.line("again")
    await hearer.line("d2d3")
    assert line.is_begun
    await hearer.line(en("keys.line.undo"))
    assert not line.is_begun


async def test_a_move_that_was_typed_in_a_lesson_began_an_escape(server: FakeServer) -> None:
    """`:e5` was taken for `e`, which escapes, and a digit."""
    seated = await at_lesson(server, "relati", "contact")
    await seated.type(":", *"e5d5", "enter")
    assert page_of(seated).is_done


@pytest.mark.parametrize("game", registry.KEYS)
async def test_every_key_can_be_pressed_in_a_line_with_open_cards(server: FakeServer, game: str) -> None:
    made, rng = match(server, game, 6), Random(7)
    rules: Any = made.live.log.game
    line = TriedLine(rules, made.state, made.snapshot(Seat(0)), Seat(0), is_open=True)
    seated = await server.connect(account("mira"))
    page = TriedLinePage(seated.session, line)
    seated.session.pages.push(page)
    await seated.settle()
    keys = sorted({key for one in board(game).contexts() for b in keymap.in_context(one).values() for key in b.keys})
    for _ in range(120):
        if seated.session.pages.top is not page:
            break
        await seated.type(rng.choice([key for key in keys if key != "esc"]))
        page.items()
    assert page.snapshot.view.viewer is Watcher.OMNISCIENT

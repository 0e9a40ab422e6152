"""Warnings of threats are agreed on: a match may be without."""

from __future__ import annotations

from game import registry
from game.contract import Seat
from server.boards.board import board, switches_of
from server.matches.agreement import Agreement
from server.terminal.look import Look
from tests.agreements import agreed
from tests.boards.positions import NOON, snapshot

EXIT_IN_REACH = "lvl2v1v/8/8/8/8/8/4v3/VL4VL S CF4/cf4 -/- -/- 0"
SOURCE_IN_REACH = "9/1Os1X5/2O6/9/4Xs4/9/9/9/9 X OX"


def dangers(game: str, position: str, seat: Seat, *, warnings: bool) -> int:
    shot = snapshot(game, registry.get(game).read_position(position, {}), seat)
    shot, shown = agreed(shot, warnings=warnings), board(game)
    lines = [*shown.render(shot, shown.start(shot, bytes(32)), Look(), 36, 18), *shown.seats(shot, Look(), 78, NOON)]
    return sum(style in ("danger", "bad") for line in lines for style, _ in line)


def test_a_room_could_not_do_without_warnings() -> None:
    """In rated play, too, the board said what the other side threatened, whether people wanted it or not."""
    for game, position, seat in (("rainet", EXIT_IN_REACH, Seat(0)), ("relati", SOURCE_IN_REACH, Seat(1))):
        assert dangers(game, position, seat, warnings=True)
        assert not dangers(game, position, seat, warnings=False)


def test_only_games_whose_boards_warn_have_the_switch() -> None:
    assert [game for game in registry.KEYS if any(one.of_boards for one in switches_of(Agreement(game)))] == [
        "rainet",
        "relati",
    ]

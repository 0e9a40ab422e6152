"""The picture on the first screen: a board as it looks in play, for who has never seen one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from game import registry
from server.boards import games
from server.boards.board import board
from server.boards.lesson import Lesson, Practice
from server.terminal.lines import Line, block
from server.terminal.look import Look

SEED: Final = bytes(32)  # a picture hides nothing


class Picture(NamedTuple):
    """A position of a game, and the columns and rows that it takes at least."""

    position: str
    cols: int
    rows: int


@lru_cache(maxsize=1)
def pictures() -> tuple[tuple[str, Picture], ...]:
    """Return the games' pictures (`PICTURE` in a game's module `welcome`), each with its game; the largest first."""
    found = ((key, games.part(key, "welcome")) for key in registry.KEYS)
    made = [(key, Picture(*module.PICTURE)) for key, module in found if module is not None]
    return tuple(sorted(made, key=lambda one: one[1].cols, reverse=True))


def picture(look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the largest picture for which there is room; none where there is not."""
    found = next((one for one in pictures() if one[1].cols <= cols and one[1].rows <= rows), None)
    return list(_drawn(*found, look)) if found is not None else []


def _drawn(game: str, shown: Picture, look: Look) -> tuple[Line, ...]:
    shot = replace(Practice(game, Lesson("", shown.position, ""), "").snapshot, is_past=True)  # nobody plays on in it
    drawn = board(game)
    return tuple(
        block(drawn.render(shot, drawn.start(shot, SEED), look, shown.cols, shown.rows), shown.cols, shown.rows)
    )

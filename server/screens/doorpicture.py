"""The picture at the door: a board as it looks in play, for who has never seen one."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from server.boards.board import board, has_board
from server.boards.lesson import Lesson, Practice
from server.terminal.lines import Line, block
from server.terminal.look import Look

SEED: Final = bytes(32)  # a picture hides nothing


class Picture(NamedTuple):
    """A position of a game, and the columns and rows that it takes at least."""

    game: str
    position: str
    cols: int
    rows: int


# the largest first
PICTURES: Final = (
    Picture("rainet", "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3", 52, 26),
    Picture("relati", "2X6/3Xs5/2X1O4/4OO3/3Os1O3/5X3/2O1XX3/9/9 X OX", 31, 10),
)


def picture(look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the largest picture for which there is room; none where there is not."""
    found = next((one for one in PICTURES if one.cols <= cols and one.rows <= rows and has_board(one.game)), None)
    return list(_drawn(found, look)) if found is not None else []


@lru_cache(maxsize=32)
def _drawn(shown: Picture, look: Look) -> tuple[Line, ...]:
    shot = Practice(shown.game, Lesson("", shown.position, ""), "").snapshot
    drawn = board(shown.game)
    return tuple(
        block(drawn.render(shot, drawn.start(shot, SEED), look, shown.cols, shown.rows), shown.cols, shown.rows)
    )

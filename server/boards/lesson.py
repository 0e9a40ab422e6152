"""The tutorials: short lessons that are played. A lesson is data: a position and what to try.

The `lessons.py` of a game's folder exports `LESSONS`, or `PARTS` where each side learns something else.
The words are in the catalogue: `tutorial.GAME.LESSON.title`, `.text` (what to try and why) and `.done` (what has
happened).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from game.contract import Json, Seat
from server.boards import games

LEARNER = Seat(0)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to learn: `wanted` is a pattern of the action that counts.

    `players` says how many there are where the position leaves it open.
    """

    name: str
    position: Json
    wanted: str
    seat: Seat = LEARNER
    players: int | None = None
    before: tuple[tuple[Seat, str], ...] = ()  # what others do first

    def is_done_by(self, action: str) -> bool:
        """Tell whether this action is what the lesson is about."""
        return re.fullmatch(self.wanted, action) is not None


@cache
def parts(game: str) -> Mapping[str, tuple[Lesson, ...]]:
    """Return a game's lessons by part, '' where it has only one; none when it has no tutorial (yet)."""
    module = games.part(game, "lessons")
    if module is None:
        return {}
    found: Mapping[str, tuple[Lesson, ...]] = getattr(module, "PARTS", None) or {"": module.LESSONS}
    return found


def lessons(game: str, part: str = "") -> tuple[Lesson, ...]:
    """Return the lessons of a part in order; without a name those of the first."""
    found = parts(game)
    return found[part] if part in found else next(iter(found.values()), ())

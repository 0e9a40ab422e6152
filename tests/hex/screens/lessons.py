"""The Hex tutorial: two small positions, red to move."""

from __future__ import annotations

from typing import Final

from server.boards.lesson import Lesson

LESSONS: Final = (
    Lesson("place", "5/5/5/5/5 r", "[a-e][1-5]"),
    Lesson("join", "1r3/1r3/5/1r3/1r3 r", "b3"),
)

"""The RaiNet tutorial: nine small positions, South to move, about three minutes in all."""

from __future__ import annotations

from typing import Final

from server.boards.lesson import Lesson

SQUARE: Final = "[a-h][1-8]"

LESSONS: Final = (
    Lesson("move", "lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0", SQUARE * 2),
    Lesson("take", "1vl2vlv/4v3/8/3l4/3L4/8/4L3/V1V2LVL S BCF4/bcf4 -/- -/- 0", "d4d5"),
    Lesson("boost", "1vl2vlv/4v3/8/8/8/3L4/4L3/V1V2LVL S BCF4/bcf4 -/- l+/- 0", rf"\+{SQUARE}"),
    Lesson("two-steps", "1vl2vlv/4v3/8/8/8/3L*4/4L3/V1V2LVL S CF4/bcf4 -/- l+/- 0", SQUARE * 3),
    Lesson("check", "1vl2vlv/4v3/8/3l4/3L4/8/4L3/V1V2LVL S BCF4/bcf4 -/- -/- 0", r"\?d5"),
    Lesson("wall", "1vl3lv/4v3/8/8/8/3v4/4L3/V1V3V1 S BF4/bcf4 -/- -/L+,L+,L+ 0", "#d2"),
    Lesson("404", "1vl2vlv/4v3/8/8/2V+1l3/8/4L3/V4LVL S B4/bcf4 -/- -/- 0", f"@(c4{SQUARE}|{SQUARE}c4)[=x]"),
    Lesson("enter", "1vlL1vlv/4v3/8/8/8/8/4L3/V1V2LVL S B/bcf4 -/- l+/- 0", "d8>[lv+]"),
    Lesson("win", "1v4lv/8/8/3v+4/2l+L4/8/8/V1V2LV1 S B/bcf4 -/- l+,l+,L+/- 0", "d4c4"),
)

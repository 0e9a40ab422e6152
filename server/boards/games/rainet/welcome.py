"""A position for the picture on the first screen."""

from __future__ import annotations

from typing import Final

PICTURE: Final = (
    "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3",
    52,
    26,
)  # with its columns and rows

"""A position for the picture on the first screen."""

from __future__ import annotations

from typing import Final

PICTURE: Final = ("2X6/3Xs5/2X1O4/4OO3/3Os1O3/5X3/2O1XX3/9/9 X OX", 31, 10)  # with its columns and rows

"""Colours as numbers: how far two are apart, how well one reads on another, and the nearest that a terminal has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, TypeVar

RGB = int  # 0xRRGGBB
Item = TypeVar("Item")
GREY: Final = 0.02  # below, a colour has no hue that is seen (Oklab)
BASIC: Final = (  # urwid's names of the sixteen, and what xterm makes of them
    ("black", 0x000000),
    ("dark red", 0xCD0000),
    ("dark green", 0x00CD00),
    ("brown", 0xCDCD00),
    ("dark blue", 0x0000EE),
    ("dark magenta", 0xCD00CD),
    ("dark cyan", 0x00CDCD),
    ("light gray", 0xE5E5E5),
    ("dark gray", 0x7F7F7F),
    ("light red", 0xFF0000),
    ("light green", 0x00FF00),
    ("yellow", 0xFFFF00),
    ("light blue", 0x5C5CFF),
    ("light magenta", 0xFF00FF),
    ("light cyan", 0x00FFFF),
    ("white", 0xFFFFFF),
)
GROUNDS: Final = 8  # that many of them every terminal has as a background
STEPS: Final = (0, 95, 135, 175, 215, 255)  # of each part in the cube of 256 colours
TEXT_CONTRAST, MARK_CONTRAST = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11


def parts(colour: RGB) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255."""
    return colour >> 16, colour >> 8 & 255, colour & 255


def _linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


@cache
def luminance(colour: RGB) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    red, green, blue = map(_linear, parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2).

    >>> round(contrast(0xFFFFFF, 0x000000)), round(contrast(0x777777, 0x777777))
    (21, 1)
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def lab(colour: RGB) -> tuple[float, float, float]:
    """Return lightness and the two axes of hue in Oklab (Ottosson 2020), in which distances look alike."""
    red, green, blue = map(_linear, parts(colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: RGB, other: RGB) -> float:
    """Return how different two colours look: hue counts twice as much as lightness."""
    (light, *hue), (other_light, *other_hue) = lab(one), lab(other)
    return (light - other_light) ** 2 + 2 * sum((a - b) ** 2 for a, b in zip(hue, other_hue, strict=True))


@cache
def cube() -> dict[int, RGB]:
    """Return the colours of a terminal with 256 of them that are the same everywhere, by number: 16 to 255."""
    steps = [red << 16 | green << 8 | blue for red in STEPS for green in STEPS for blue in STEPS]
    greys = [level << 16 | level << 8 | level for level in range(8, 248, 10)]
    return dict(enumerate([*steps, *greys], 16))


@cache
def nearest_256(colour: RGB, behind: RGB | None = None, wanted: float = 0) -> int:
    """Return the number of the colour that looks most alike, of those that read as well on `behind` (None: any)."""
    fit = [n for n, rgb in cube().items() if behind is None or contrast(rgb, behind) >= wanted]
    return min(_alike(colour, fit, lambda n: cube()[n]), key=lambda n: distance(cube()[n], colour))


def nearest_16(
    colour: RGB, among: Sequence[tuple[str, RGB]], behind: Sequence[RGB] = (), wanted: float = 0
) -> tuple[str, RGB]:
    """Return the colour of a few that stands for another, of those that read on each of `behind`.

    Where none does, the one that reads best.
    """
    fit = [one for one in among if all(contrast(one[1], ground) >= wanted for ground in behind)]
    if not fit:
        return max(among, key=lambda one: min(contrast(one[1], ground) for ground in behind))
    return min(_alike(colour, fit, lambda one: one[1]), key=lambda one: likeness(one[1], colour))


def likeness(one: RGB, other: RGB) -> float:
    """Return how different two colours are where there are few: their hues, more than how pale or strong they are."""
    (light, *hue), (other_light, *other_hue) = (_strengthened(lab(colour)) for colour in (one, other))
    return (light - other_light) ** 2 + sum((a - b) ** 2 for a, b in zip(hue, other_hue, strict=True))


def _strengthened(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    light, green_red, blue_yellow = colour
    strength = math.hypot(green_red, blue_yellow)
    more = strength**-0.5 if strength > 1e-6 else 0.0
    return light, green_red * more, blue_yellow * more


def _is_grey(colour: RGB) -> bool:
    return math.hypot(*lab(colour)[1:]) < GREY


def _alike(colour: RGB, found: Iterable[Item], rgb: Callable[[Item], RGB]) -> list[Item]:
    """Keep greys for a grey and others for another, where there are any: a tint must not be lost."""
    all_of_them = list(found)
    return [one for one in all_of_them if _is_grey(rgb(one)) == _is_grey(colour)] or all_of_them

"""The styles of a theme at one depth of colour, as the sequences that select them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

import urwid
from urwid.display.common import AttrSpec, BaseScreen

from server.terminal.colours import cube, parts

SETTINGS = (("bold", "1"), ("faint", "2"), ("italics", "3"), ("underline", "4"), ("standout", "7"))
DEEP = r"8;(?:5;\d+|2;\d+;\d+;\d+)"  # what follows the 3 of a foreground, the 4 of a background
# A sequence as `sgr` makes it: settings, foreground, background.
SEQUENCE = re.compile(rf"\x1b\[0((?:;[12347])*?)((?:;1)?;3[0-7]|;9[0-7]|;3{DEEP})?(;4[0-7]|;10[0-7]|;4{DEEP})?m")
ANY = "\x1b[0m"  # for a style that is not known: blanks need no more of it than their ground
SHOWN_BY_BLANKS = frozenset("47")  # underlined, inverse
IN_CUBE: dict[tuple[int | None, ...], str] = {parts(colour): str(number) for number, colour in cube().items()}
ENDED_BY = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27"}  # what ends a setting alone
PALETTE_INDEX = {16: 0, 1: 1, 256: 3, 16777216: 4}


class Palette(BaseScreen):
    """The styles of one theme at one depth of colour, with their sequences; shared by all sessions that use it."""

    def __init__(self, entries: tuple[Any, ...], colors: int, bright_is_bold: bool) -> None:
        super().__init__()
        self.styles = Sequences(self._found)
        self._index = PALETTE_INDEX[colors]
        self._bright_is_bold = bright_is_bold
        self.register_palette(entries)

    def draw_screen(self, size: tuple[int, int], canvas: urwid.Canvas) -> None:
        """Refuse: a palette has no terminal."""
        raise NotImplementedError

    def sgr(self, attr: Hashable) -> str:
        """Return the sequence that selects a display attribute ('': none), from whatever was selected before."""
        return self.styles[attr]

    def _found(self, attr: Hashable) -> str:
        spec = self.resolve_attr(attr or None, self._index)
        return sgr(spec, monochrome=self._index == 1, bright_is_bold=self._bright_is_bold)


class Sequences(dict[Hashable, str]):
    """The sequences of the styles that were asked for; one that was not is made."""

    def __init__(self, make: Callable[[Hashable], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, attr: Hashable) -> str:
        found = self[attr] = self._make(attr)
        return found


def sgr(spec: AttrSpec, monochrome: bool, bright_is_bold: bool) -> str:
    """Return the SGR sequence of an attribute; a monochrome one holds no colour code, not even a default one."""
    codes = ["0"] + [code for setting, code in SETTINGS if getattr(spec, setting)]
    if not monochrome:
        codes += _color(spec, "foreground", 30, bright_is_bold) + _color(spec, "background", 40, False)
    return f"\x1b[{';'.join(codes)}m"


@lru_cache(maxsize=4096)
def turn(was: str | None, now: str, text_is_blank: bool = False) -> tuple[str, str]:
    """Return the shortest way to select a style when another one is selected (None: not known), and what is then.

    `text_is_blank`: only blanks are written in it. They show neither foreground nor weight, so those stay as they are.

    >>> turn("\\x1b[0;31m", "\\x1b[0;32;44m", True)
    ('\\x1b[44m', '\\x1b[0;31;44m')
    """
    old, new = SEQUENCE.fullmatch(was or ANY), SEQUENCE.fullmatch(now)
    if old is None or new is None:
        return now, now
    settings, foreground, background = new.groups("")
    if text_is_blank and not SHOWN_BY_BLANKS & {*old[1], *settings}:
        settings, foreground = old[1], old[2] or ""
        now = f"\x1b[0{settings}{foreground}{background}m"
    if was is None:
        return now, now
    weighs = (old[2] or "").startswith(";1;") or foreground.startswith(";1;")  # it is a part of the colour
    ended = set(old[1]) - set(settings)
    is_deep = "8;" in f"{was}{now}"  # terminals with few colours may know no end but that of all settings
    if weighs or (ended and not is_deep) or {"1", "2"} <= set(old[1]):
        return now, now
    changed = "".join(f";{ENDED_BY[one]}" for one in sorted(ended - {";"}))
    changed += "".join(f";{one}" for one in settings.split(";")[1:] if one not in old[1])
    for before, part, default in ((old[2] or "", foreground, ";39"), (old[3] or "", background, ";49")):
        if before != part:
            changed += part or default
    return min(f"\x1b[{changed[1:]}m", now, key=len) if changed else "", now


def _color(spec: AttrSpec, side: str, base: int, bright_is_bold: bool) -> list[str]:
    number = getattr(spec, f"{side}_number")
    if getattr(spec, f"{side}_true"):
        rgb = spec.get_rgb_values()[0:3] if side == "foreground" else spec.get_rgb_values()[3:6]
        if (known := IN_CUBE.get(rgb)) is not None:  # the same colour in half as many bytes
            return [str(base + 8), "5", known]
        return [str(base + 8), "2", *(str(part) for part in rgb)]
    if getattr(spec, f"{side}_high"):
        return [str(base + 8), "5", str(number)]
    if not getattr(spec, f"{side}_basic"):
        return []
    if number < 8:
        return [str(base + number)]
    return ["1", str(base + number - 8)] if bright_is_bold else [str(base + 60 + number - 8)]


@lru_cache(maxsize=64)
def shared_palette(entries: tuple[Any, ...], colors: int, bright_is_bold: bool) -> Palette:
    """Return the palette of these entries, shared by all sessions: building one is expensive."""
    return Palette(entries, colors, bright_is_bold)

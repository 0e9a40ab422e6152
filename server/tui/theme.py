"""How things look: colours by style name for each palette, and the glyph sets.

A style is only ever a second hint: whatever it says is also said by a glyph or a word, so that every palette, also
the one without colours, is fully playable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

# style -> (foreground, background, without colours); the terminal's own background is kept wherever possible
Entry = tuple[str, str, str]
PLAIN: Final[Entry] = ("default", "default", "default")
BOLD: Final[Entry] = ("default,bold", "default", "bold")
REVERSED: Final[Entry] = ("default,standout", "default", "standout")
UNDERLINED: Final[Entry] = ("default,underline", "default", "underline")

MONOCHROME: Final[Mapping[str, Entry]] = {
    "title": BOLD,
    "place": BOLD,
    "dim": PLAIN,
    "rule": PLAIN,
    "key": BOLD,
    "label": PLAIN,
    "good": BOLD,
    "warn": BOLD,
    "bad": BOLD,
    "accent": BOLD,
    "row": REVERSED,
    "cursor": REVERSED,
    "selected": REVERSED,
    "target": BOLD,
    "last": UNDERLINED,
    "mark": BOLD,
    "exit": PLAIN,
    "wall": BOLD,
    "grid": PLAIN,
    "input": UNDERLINED,
    "name": BOLD,
    "clock": PLAIN,
    "clock.run": BOLD,
    "clock.low": REVERSED,
    "seat0": BOLD,
    "seat1": PLAIN,
    "seat2": BOLD,
    "seat3": PLAIN,
    "seat4": BOLD,
    "seat5": PLAIN,
}


def _coloured(changes: Mapping[str, tuple[str, str]]) -> dict[str, Entry]:
    """Put colours on the monochrome styles, which stay what a terminal without colours shows."""
    return {name: (*changes.get(name, entry[:2]), entry[2]) for name, entry in MONOCHROME.items()}


DEFAULT: Final = _coloured(
    {
        "place": ("light cyan,bold", "default"),
        "dim": ("dark gray", "default"),
        "rule": ("dark gray", "default"),
        "grid": ("dark gray", "default"),
        "key": ("yellow,bold", "default"),
        "good": ("light green", "default"),
        "warn": ("yellow", "default"),
        "bad": ("light red", "default"),
        "accent": ("light cyan", "default"),
        "row": ("black", "dark cyan"),
        "cursor": ("black", "light gray"),
        "selected": ("black", "brown"),
        "target": ("yellow,bold", "default"),
        "last": ("default,underline", "default"),
        "exit": ("brown", "default"),
        "wall": ("light magenta", "default"),
        "clock.run": ("light green,bold", "default"),
        "clock.low": ("white,bold", "dark red"),
        "name": ("light cyan", "default"),
        "seat0": ("light cyan,bold", "default"),
        "seat1": ("light red,bold", "default"),
        "seat2": ("light green,bold", "default"),
        "seat3": ("yellow,bold", "default"),
        "seat4": ("light magenta,bold", "default"),
        "seat5": ("light blue,bold", "default"),
    }
)
# blue against orange-yellow is told apart with every common colour blindness; red-green pairs are avoided
COLOUR_BLIND: Final = {
    **DEFAULT,
    "good": ("light blue", "default", "bold"),
    "target": ("white,bold", "default", "bold"),
    "bad": ("yellow,bold", "default", "bold"),
    "clock.run": ("light blue,bold", "default", "bold"),
    "clock.low": ("black", "brown", "standout"),
    "seat0": ("light blue,bold", "default", "bold"),
    "seat1": ("yellow,bold", "default", "default"),
    "seat2": ("white,bold", "default", "bold"),
    "seat3": ("light cyan", "default", "default"),
    "seat4": ("light magenta,bold", "default", "bold"),
    "seat5": ("light gray", "default", "default"),
}
# its own background everywhere, so it looks the same on every terminal; backgrounds that the plainest ones have
HIGH_CONTRAST: Final = {
    **{name: ("white,bold", "black", entry[2]) for name, entry in MONOCHROME.items()},
    "": ("white", "black", "default"),
    "dim": ("white", "black", "default"),
    "key": ("yellow,bold", "black", "bold"),
    "warn": ("yellow,bold", "black", "bold"),
    "good": ("light green,bold", "black", "bold"),
    "last": ("white,bold,underline", "black", "underline"),
    "input": ("white,bold,underline", "black", "underline"),
    "row": ("black", "brown", "standout"),
    "cursor": ("black", "light gray", "standout"),
    "selected": ("black", "dark cyan", "standout"),
    "clock.low": ("white,bold", "dark red", "standout"),
    "seat0": ("light cyan,bold", "black", "bold"),
    "seat1": ("yellow,bold", "black", "default"),
    "seat3": ("light green,bold", "black", "default"),
    "seat4": ("light magenta,bold", "black", "bold"),
    "seat5": ("white", "black", "default"),
}
# for terminals with a light background, where bright colours can't be read
LIGHT: Final = _coloured(
    {
        "place": ("dark blue,bold", "default"),
        "dim": ("dark gray", "default"),
        "rule": ("dark gray", "default"),
        "grid": ("dark gray", "default"),
        "key": ("dark blue,bold", "default"),
        "good": ("dark green,bold", "default"),
        "warn": ("dark magenta", "default"),
        "bad": ("dark red,bold", "default"),
        "accent": ("dark blue", "default"),
        "row": ("white,bold", "dark blue"),
        "cursor": ("black", "dark cyan"),
        "selected": ("black", "brown"),
        "target": ("dark magenta,bold", "default"),
        "last": ("default,underline", "default"),
        "exit": ("dark magenta", "default"),
        "wall": ("dark magenta", "default"),
        "clock.run": ("dark blue,bold", "default"),
        "clock.low": ("white,bold", "dark red"),
        "name": ("dark blue", "default"),
        "seat0": ("dark blue,bold", "default"),
        "seat1": ("dark red,bold", "default"),
        "seat2": ("dark green,bold", "default"),
        "seat3": ("dark magenta,bold", "default"),
        "seat4": ("default,bold", "default"),
        "seat5": ("dark gray,bold", "default"),
    }
)
PALETTES: Final[Mapping[str, Mapping[str, Entry]]] = {
    "default": DEFAULT,
    "light": LIGHT,
    "colour-blind": COLOUR_BLIND,
    "high-contrast": HIGH_CONTRAST,
    "mono": MONOCHROME,
}


# what terminals with 256 colours show instead: their own sixteen may make a grey of the background, and a blue too dark
DEEPER: Final[Mapping[str, Mapping[str, str]]] = {
    "default": {"dark gray": "h245", "light blue": "h75"},
    "light": {"dark gray": "h241", "dark green": "h22", "brown": "h178", "dark cyan": "h116"},
    "colour-blind": {"dark gray": "h245", "light blue": "h75"},
    "high-contrast": {"black": "h16", "white": "h231"},
}


def _deep(colours: str, deeper: Mapping[str, str]) -> str:
    """Return a colour, perhaps with settings after it, as a terminal with 256 of them shows it."""
    colour, comma, settings = colours.partition(",")
    return f"{deeper.get(colour, colour)}{comma}{settings}"


@cache
def palette(name: str) -> tuple[tuple[str | None, str, str, str, str, str], ...]:
    """Return urwid's palette entries (name, foreground, background, monochrome, both with 256 colours).

    What has no style is urwid's None. An unknown name is the default.
    """
    name = name if name in PALETTES else "default"
    deeper = DEEPER.get(name, {})
    return tuple(
        (style or None, fore, back, mono, _deep(fore, deeper), _deep(back, deeper))
        for style, (fore, back, mono) in PALETTES[name].items()
    )


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that stand for things; every one is a single column wide."""

    name: str
    rule: str
    vertical: str
    cross: tuple[str, str, str, str, str, str, str, str, str]  # top, middle and bottom row of a grid's joints
    ours: str  # a card that marches up the screen
    theirs: str  # a card that marches down
    hidden: str
    boosted: str
    face_up: str
    boosted_face_up: str
    exit: str
    wall: str
    dot: str
    last: str  # edge of the squares of the last action
    turn: str  # whose clock runs
    here: str
    gone: str
    yes: str
    no: str
    on: str
    off: str
    pointer: str
    arrow: str
    dash: str
    bar: str
    sparks: str  # eight heights, for a curve
    seats: tuple[str, ...]

    def meter(self, n: int, of: int) -> str:
        """Draw `n` out of `of` as full and empty marks."""
        return self.on * min(n, of) + self.off * max(0, of - n)


UNICODE: Final = Glyphs(
    name="unicode",
    rule="─",
    vertical="│",
    cross=("┌", "┬", "┐", "├", "┼", "┤", "└", "┴", "┘"),
    ours="▲",
    theirs="▼",
    hidden="▒",
    boosted="»",
    face_up="!",
    boosted_face_up="‡",
    exit="⌂",
    wall="▓",
    dot="·",
    last="┊",
    turn="▶",
    here="●",
    gone="○",
    yes="✓",
    no="·",
    on="●",
    off="○",
    pointer="›",
    arrow="→",
    dash="–",
    bar="█",
    sparks="▁▂▃▄▅▆▇█",
    seats=("●", "○", "◆", "◇", "■", "□"),
)
ASCII: Final = Glyphs(
    name="ascii",
    rule="-",
    vertical="|",
    cross=("+", "+", "+", "+", "+", "+", "+", "+", "+"),
    ours="^",
    theirs="v",
    hidden="?",
    boosted="*",
    face_up="!",
    boosted_face_up="#",
    exit="X",
    wall="%",
    dot=".",
    last=":",
    turn=">",
    here="*",
    gone="o",
    yes="+",
    no="-",
    on="#",
    off="-",
    pointer=">",
    arrow="->",
    dash="-",
    bar="#",
    sparks="_.-=+*%#",
    seats=("O", "X", "D", "U", "A", "H"),
)
GLYPHS: Final[Mapping[str, Glyphs]] = {"unicode": UNICODE, "ascii": ASCII}

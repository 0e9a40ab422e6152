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
Colours = tuple[str, str]  # foreground, background
PLAIN: Final[Entry] = ("default", "default", "default")
BOLD: Final[Entry] = ("default,bold", "default", "bold")
REVERSED: Final[Entry] = ("default,standout", "default", "standout")
UNDERLINED: Final[Entry] = ("default,underline", "default", "underline")

SEATS: Final = 6  # who has a colour of their own
# `seatN` is a player's words, `tileN` what lies on the table: its ground is the player's. `link` and `virus` are kinds
# of cards, `danger` what is threatened, `cell…` the grounds of empty places.
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
    **{f"seat{seat}": PLAIN if seat % 2 else BOLD for seat in range(SEATS)},
    **{f"tile{seat}": PLAIN if seat % 2 else BOLD for seat in range(SEATS)},
    "link": BOLD,
    "virus": REVERSED,
    "danger": REVERSED,
    "cell": PLAIN,
    "cell.last": PLAIN,
    "cell.target": BOLD,
    "cell.reach": PLAIN,
    "cell.threat": BOLD,
    "cell.exit": PLAIN,
    "card": PLAIN,
}


def _coloured(changes: Mapping[str, Colours]) -> dict[str, Entry]:
    """Put colours on the monochrome styles, which stay what a terminal without colours shows."""
    return {name: (*changes.get(name, entry[:2]), entry[2]) for name, entry in MONOCHROME.items()}


# with the eight backgrounds that every terminal with colours has
TILES: Final[Mapping[str, Colours]] = {
    "tile0": ("black", "dark cyan"),
    "tile1": ("black", "brown"),
    "tile2": ("black", "dark green"),
    "tile3": ("white,bold", "dark magenta"),
    "tile4": ("white,bold", "dark red"),
    "tile5": ("white,bold", "dark blue"),
    "link": ("white,bold", "dark blue"),
    "virus": ("white,bold", "dark red"),
    "danger": ("white,bold", "dark red"),
    "card": ("black", "light gray"),
    "row": ("black", "dark cyan"),
    "cursor": ("black", "light gray"),
    "selected": ("white,bold", "dark magenta"),
    "clock.low": ("white,bold", "dark red"),
}
DEFAULT: Final = _coloured(
    {
        **TILES,
        "place": ("light cyan,bold", "default"),
        "dim": ("dark gray", "default"),
        "rule": ("dark gray", "default"),
        "grid": ("dark gray", "default"),
        "key": ("yellow,bold", "default"),
        "good": ("light green", "default"),
        "warn": ("yellow", "default"),
        "bad": ("light red", "default"),
        "accent": ("light cyan", "default"),
        "target": ("yellow,bold", "default"),
        "mark": ("white,bold", "default"),
        "last": ("yellow", "default"),
        "exit": ("light cyan", "default"),
        "wall": ("light magenta", "default"),
        "clock.run": ("light green,bold", "default"),
        "name": ("light cyan", "default"),
        "seat0": ("light cyan,bold", "default"),
        "seat1": ("brown,bold", "default"),
        "seat2": ("light green,bold", "default"),
        "seat3": ("light magenta,bold", "default"),
        "seat4": ("light red,bold", "default"),
        "seat5": ("white,bold", "default"),
        "cell": ("dark gray", "default"),
        "cell.target": ("yellow,bold", "default"),
        "cell.reach": ("light green", "default"),
        "cell.threat": ("light red,bold", "default"),
        "cell.exit": ("light cyan", "default"),
    }
)
# blue against orange-yellow is told apart with every common colour blindness; red-green pairs are avoided
COLOUR_BLIND: Final = {
    **DEFAULT,
    "good": ("light cyan", "default", "bold"),
    "target": ("white,bold", "default", "bold"),
    "bad": ("yellow,bold", "default", "bold"),
    "clock.run": ("light cyan,bold", "default", "bold"),
    "clock.low": ("black", "brown", "standout"),
    "seat0": ("light cyan,bold", "default", "bold"),
    "seat1": ("yellow,bold", "default", "default"),
    "seat2": ("white,bold", "default", "bold"),
    "seat3": ("dark gray,bold", "default", "default"),
    "seat4": ("light magenta,bold", "default", "bold"),
    "seat5": ("light gray", "default", "default"),
    "tile0": ("white,bold", "dark blue", "bold"),
    "tile2": ("black", "light gray", "bold"),
    "tile3": ("black", "dark cyan", "default"),
    "tile4": ("white,bold", "dark magenta", "bold"),
    "tile5": ("black", "dark green", "default"),
    "link": ("black", "light gray", "bold"),
    "virus": ("white,bold", "black", "standout"),
    "danger": ("black", "brown", "standout"),
    "cell.reach": ("light cyan", "default", "default"),
    "cell.threat": ("yellow,bold", "default", "bold"),
}
# its own background everywhere, so it looks the same on every terminal
HIGH_CONTRAST: Final = {
    **{name: ("white,bold", "black", entry[2]) for name, entry in MONOCHROME.items()},
    **{name: (*colours, MONOCHROME[name][2]) for name, colours in TILES.items()},
    "": ("white", "black", "default"),
    "dim": ("white", "black", "default"),
    "key": ("yellow,bold", "black", "bold"),
    "warn": ("yellow,bold", "black", "bold"),
    "good": ("light green,bold", "black", "bold"),
    "last": ("white,bold,underline", "black", "underline"),
    "input": ("white,bold,underline", "black", "underline"),
    "row": ("black", "brown", "standout"),
    "seat0": ("light cyan,bold", "black", "bold"),
    "seat1": ("yellow,bold", "black", "default"),
    "seat2": ("light green,bold", "black", "bold"),
    "seat3": ("light magenta,bold", "black", "default"),
    "seat4": ("light red,bold", "black", "bold"),
    "seat5": ("white", "black", "default"),
    "cell.target": ("yellow,bold", "black", "bold"),
    "cell.reach": ("light green,bold", "black", "default"),
    "cell.threat": ("light red,bold", "black", "bold"),
}
# for terminals with a light background, where bright colours can't be read; of the plain sixteen only four can
LIGHT: Final = _coloured(
    {
        **TILES,
        "place": ("dark blue,bold", "default"),
        "key": ("dark blue,bold", "default"),
        "good": ("dark blue,bold", "default"),
        "warn": ("dark red", "default"),
        "bad": ("dark red,bold", "default"),
        "accent": ("dark blue", "default"),
        "row": ("white,bold", "dark blue"),
        "target": ("dark red,bold", "default"),
        "exit": ("dark blue", "default"),
        "wall": ("dark red", "default"),
        "clock.run": ("dark blue,bold", "default"),
        "name": ("dark blue", "default"),
        "seat0": ("dark blue,bold", "default"),
        "seat1": ("dark red,bold", "default"),
        "seat2": ("default,bold", "default"),
        "seat3": ("dark blue", "default"),
        "seat4": ("dark red", "default"),
        "seat5": ("default", "default"),
        "cell.target": ("dark red,bold", "default"),
        "cell.reach": ("dark blue", "default"),
        "cell.threat": ("dark red,bold", "default"),
        "cell.exit": ("dark blue", "default"),
        "card": ("black", "dark cyan"),
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
    "default": {"dark gray": "h245"},
    "colour-blind": {"dark gray": "h245"},
    "high-contrast": {"black": "h16", "white": "h231"},
}
_DARK: Final[Mapping[str, Colours]] = {
    "rule": ("h240", "default"),
    "grid": ("h240", "default"),
    "seat0": ("h80,bold", "default"),
    "seat1": ("h215,bold", "default"),
    "seat2": ("h114,bold", "default"),
    "seat3": ("h177,bold", "default"),
    "seat4": ("h210,bold", "default"),
    "seat5": ("h111,bold", "default"),
    "tile0": ("h16", "h37"),
    "tile1": ("h16", "h172"),
    "tile2": ("h16", "h71"),
    "tile3": ("h16", "h134"),
    "tile4": ("h16", "h167"),
    "tile5": ("h16", "h68"),
    "link": ("h231,bold", "h25"),
    "virus": ("h231,bold", "h124"),
    "danger": ("h231,bold", "h160"),
    "cursor": ("h16", "h253"),
    "selected": ("h231,bold", "h90"),
    "card": ("h16", "h187"),
    "wall": ("h176", "default"),
    "last": ("h16", "h229"),
    "cell": ("h246", "h235"),
    "cell.last": ("h230", "h58"),
    "cell.target": ("h229,bold", "h22"),
    "cell.reach": ("h153", "h17"),
    "cell.threat": ("h217,bold", "h52"),
    "cell.exit": ("h231", "h23"),
}
# style -> the colours where there are 256 of them: what is not here is the sixteen's, as DEEPER has them
DEEP: Final[Mapping[str, Mapping[str, Colours]]] = {
    "default": _DARK,
    "colour-blind": {
        **_DARK,
        "seat0": ("h75,bold", "default"),
        "seat1": ("h220,bold", "default"),
        "seat2": ("h231,bold", "default"),
        "seat3": ("h123", "default"),
        "seat4": ("h218,bold", "default"),
        "seat5": ("h247", "default"),
        "tile0": ("h231,bold", "h25"),
        "tile1": ("h16", "h214"),
        "tile2": ("h16", "h252"),
        "tile3": ("h16", "h116"),
        "tile4": ("h16", "h176"),
        "tile5": ("h231", "h240"),
        "link": ("h16,bold", "h231"),
        "virus": ("h231,bold", "h16"),
        "danger": ("h16,bold", "h226"),
        "cell.target": ("h229,bold", "h24"),
        "cell.threat": ("h226,bold", "h58"),
    },
    "light": {
        "dim": ("h241", "default"),
        "rule": ("h246", "default"),
        "grid": ("h246", "default"),
        "good": ("h22,bold", "default"),
        "warn": ("h90", "default"),
        "bad": ("h124,bold", "default"),
        "target": ("h90,bold", "default"),
        "wall": ("h90", "default"),
        "last": ("h231", "h94"),
        "seat0": ("h24,bold", "default"),
        "seat1": ("h130,bold", "default"),
        "seat2": ("h22,bold", "default"),
        "seat3": ("h90,bold", "default"),
        "seat4": ("h124,bold", "default"),
        "seat5": ("h19,bold", "default"),
        "tile0": ("h16", "h116"),
        "tile1": ("h16", "h215"),
        "tile2": ("h16", "h114"),
        "tile3": ("h16", "h183"),
        "tile4": ("h16", "h210"),
        "tile5": ("h16", "h111"),
        "link": ("h231,bold", "h25"),
        "virus": ("h231,bold", "h124"),
        "danger": ("h231,bold", "h160"),
        "cursor": ("h231", "h238"),
        "selected": ("h231,bold", "h90"),
        "card": ("h16", "h187"),
        "cell": ("h241", "h255"),
        "cell.last": ("h16", "h229"),
        "cell.target": ("h22,bold", "h194"),
        "cell.reach": ("h18", "h189"),
        "cell.threat": ("h88,bold", "h224"),
        "cell.exit": ("h23", "h195"),
    },
}
# the ground a palette is made for: text and background, with sixteen colours and with 256; no entry: any ground will do
GROUNDS: Final[Mapping[str, tuple[str, Colours, Colours]]] = {
    "default": ("dark", ("light gray", "black"), ("h252", "h16")),
    "colour-blind": ("dark", ("light gray", "black"), ("h252", "h16")),
    "light": ("light", ("black", "light gray"), ("h16", "h231")),
}


def _deep(colours: str, deeper: Mapping[str, str]) -> str:
    """Return a colour, perhaps with settings after it, as a terminal with 256 of them shows it."""
    colour, comma, settings = colours.partition(",")
    return f"{deeper.get(colour, colour)}{comma}{settings}"


def _on(entry: Colours, ground: Colours) -> Colours:
    """Return colours with a ground of our own where they would keep the terminal's."""
    fore, back = entry
    return (_deep(fore, {"default": ground[0]}), ground[1] if back == "default" else back)


@cache
def palette(name: str, ground: str = "") -> tuple[tuple[str | None, str, str, str, str, str], ...]:
    """Return urwid's palette entries (name, foreground, background, monochrome, both with 256 colours).

    `ground` is the terminal's ("dark", "light", "unknown"): on another one than it is made for, a palette brings its
    own. Empty: the one it is made for. What has no style is urwid's None. An unknown name is the default.
    """
    name = name if name in PALETTES else "default"
    deeper, deep = DEEPER.get(name, {}), DEEP.get(name, {})
    made_for, plain, deep_plain = GROUNDS.get(name, (ground, ("", ""), ("", "")))
    brings = bool(ground) and ground != made_for
    styles = {"": PLAIN, **PALETTES[name]} if brings else PALETTES[name]
    entries = []
    for style, (fore, back, mono) in styles.items():
        few, many = (fore, back), deep.get(style, (_deep(fore, deeper), _deep(back, deeper)))
        if brings:
            few, many = _on(few, plain), _on(many, deep_plain)
        entries.append((style or None, *few, mono, *many))
    return tuple(entries)


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
    seats: tuple[str, ...]
    box: str  # corners from the top left on, across, upright
    dead: tuple[str, str, str]  # broken, weapon, bomb: nobody's letter
    hit: str  # at the edge of what can be hit
    walls: tuple[str, str]  # left and right of a shield
    links: tuple[str, str]  # across, upright, slanting down and up, crossed; then the same of what is cut off
    joints: str  # where links meet, by the sum of n 1, e 2, s 4, w 8

    def wires(self, is_cut: bool) -> str:
        """Return the characters of links: across, upright, slanting down and up, crossed."""
        return self.links[1 if is_cut else 0]

    def joint(self, sides: str, is_cut: bool) -> str:
        """Return the character where links from these sides meet; empty: none comes from a side."""
        if not sides:
            return ""
        if is_cut and sides in ("ew", "ns"):
            return self.wires(True)[0 if sides == "ew" else 1]
        return self.joints[sum({"n": 1, "e": 2, "s": 4, "w": 8}[side] for side in sides)]

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
    seats=("●", "○", "◆", "◇", "■", "□"),
    box="╭╮╰╯─│",
    dead=("×", "†", "¤"),
    hit="░",
    walls=("▐", "▌"),
    links=("━┃╲╱╳", "╌╎╲╱╳"),
    joints=" ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋",
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
    seats=("O", "X", "D", "U", "A", "H"),
    box="++++-|",
    dead=("%", "=", "@"),
    hit="&",
    walls=("[", "]"),
    links=("-|\\/x", "~'\\/x"),
    joints=" |-+||++-+-+++++",
)
GLYPHS: Final[Mapping[str, Glyphs]] = {"unicode": UNICODE, "ascii": ASCII}

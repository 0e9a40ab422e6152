"""The glyph sets: the characters that stand for things, in Unicode and in ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


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
    wall_owners: tuple[str, str]  # ours and theirs, as a mark in a wall: no card stands there
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
    bar: str  # which part of a long list shows
    side: str  # at the left of what stands out
    seats: tuple[str, ...]
    box: str  # corners from the top left on, across, upright
    dead: tuple[str, str, str]  # broken, weapon, bomb: nobody's letter
    hit: str  # at the edge of what can be hit
    walls: tuple[str, str]  # left and right of a shield
    tips: tuple[str, str]  # left and right of a source
    rounded: tuple[str, str, str, str]  # the corners of a source that is several rows high, from the top left on
    has_dots: bool  # eight in a character (`dots.py`)
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
    wall_owners=("↑", "↓"),
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
    side="▌",
    seats=("●", "○", "◆", "◇", "■", "□"),
    box="╭╮╰╯─│",
    dead=("×", "†", "¤"),
    hit="│",
    walls=("▐", "▌"),
    tips=("◀", "▶"),
    rounded=("▟", "▙", "▜", "▛"),
    has_dots=True,
    links=("━┃╲╱╳", "╌╎⋱⋰╳"),
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
    wall_owners=("n", "u"),
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
    bar="|",
    side="|",
    seats=("O", "X", "D", "U", "A", "H"),
    box="++++-|",
    dead=("%", "=", "@"),
    hit="&",
    walls=("[", "]"),
    tips=("/", "\\"),
    rounded=("/", "\\", "\\", "/"),
    has_dots=False,
    links=("-|\\/x", "~'\\/x"),
    joints=" |-+||++-+-+++++",
)
GLYPHS: Final[Mapping[str, Glyphs]] = {"unicode": UNICODE, "ascii": ASCII}
# The sets for who hears the text, by those for who sees it: units are words, and nothing is drawn.
HEARD: Final[Mapping[str, str]] = {"unicode": "words", "ascii": "ascii words"}
ASCII_SETS: Final = ("ascii", HEARD["ascii"])

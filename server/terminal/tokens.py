"""The colours of the screens: what they are for, and what they are in each palette, in 24-bit RGB.

No screen names a colour: styles (`theme.py`) are pairs of these tokens. What terminals with fewer colours show is
computed from them (`colours.py`). docs/design-system.md shows them. What is written most is of the
256 colours that are the same everywhere: those take half the bytes (`palette.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

RGB = int  # 0xRRGGBB


@dataclass(frozen=True, slots=True)
class Tokens:
    """One palette. Texts have a contrast of 4.5 to 1 and marks of 3 to 1 on every surface that they stand on."""

    is_dark: bool
    # surfaces
    ground: RGB  # the terminal's own is kept where it is of the same kind
    raised: RGB  # what floats or is set off: bars, questions, empty squares
    sunken: RGB  # what lies below: a field that is typed into
    row: RGB  # the row of a list that keys work on
    focus: RGB  # the cell of a board that keys work on
    chosen: RGB  # what was taken up, until it is put down
    # text
    text: RGB
    quiet: RGB  # what is said beside
    line: RGB  # marks that say nothing by themselves: rules, grids, dots
    ink: RGB  # on cards
    on_focus: RGB
    paper: RGB  # on what is dark in every palette: `chosen`
    on_alarm: RGB
    on_link: RGB
    on_virus: RGB
    # meanings
    accent: RGB  # the server itself, and where one is
    good: RGB
    warn: RGB
    bad: RGB
    alarm: RGB  # the ground of what is in danger now
    link: RGB
    virus: RGB
    card: RGB  # the face of a card
    seats: tuple[RGB, RGB, RGB, RGB, RGB, RGB]  # a player's words
    tiles: tuple[RGB, RGB, RGB, RGB, RGB, RGB]  # the ground of what is theirs
    tile_inks: tuple[RGB, RGB, RGB, RGB, RGB, RGB]
    games: tuple[RGB, RGB, RGB, RGB]  # a game's name, in the order in which games are listed
    # grounds of places on a board, each with the colour of the mark on it
    last: tuple[RGB, RGB]
    target: tuple[RGB, RGB]
    reach: tuple[RGB, RGB]
    threat: tuple[RGB, RGB]
    exit: tuple[RGB, RGB]
    fresh: tuple[RGB, RGB]  # where something has just been done, for a moment

    @property
    def places(self) -> tuple[RGB, ...]:
        """Return the surfaces of a board's places and of the screen itself, which may be like the ground."""
        marked = (self.last, self.target, self.reach, self.threat, self.exit)
        return (self.ground, self.raised, self.sunken, *(ground for _, ground in marked))


BLACK, WHITE = 0x080808, 0xFFFFFF
DARK: Final = Tokens(
    is_dark=True,
    ground=0x111318,
    raised=0x262626,
    sunken=0x0A0B0F,
    row=0x17486F,
    focus=0xE4E4E4,
    chosen=0x6D3FA8,
    text=0xE4E4E4,
    quiet=0xA8A8A8,
    line=0x767676,
    ink=BLACK,
    on_focus=BLACK,
    paper=WHITE,
    on_alarm=WHITE,
    on_link=WHITE,
    on_virus=WHITE,
    accent=0x87AFFF,
    good=0x87D787,
    warn=0xFFD75F,
    bad=0xFF8787,
    alarm=0xB3261E,
    link=0x005FAF,
    virus=0xA81E32,
    card=0xD9D2BE,
    seats=(0x5FD7D7, 0xFFAF5F, 0x87D75F, 0xD7AFFF, 0xFFAFAF, 0x87AFFF),
    tiles=(0x00AFAF, 0xD78700, 0x5FAF5F, 0xAF87FF, 0xD75F5F, 0x5F87FF),
    tile_inks=(BLACK,) * 6,
    games=(0x5FD7D7, 0xFFAF5F, 0xD7AFFF, 0x87D75F),
    last=(0xF6E9B8, 0x4A4220),
    target=(0xD7FFD7, 0x005F00),
    reach=(0xAFD7FF, 0x1E2C55),
    threat=(0xFFD7D7, 0x5F0000),
    exit=(0xD7FFFF, 0x144B50),
    fresh=(BLACK, 0xFFD75F),
)
LIGHT: Final = Tokens(
    is_dark=False,
    ground=0xFBFAF7,
    raised=0xE4E4E4,
    sunken=0xF1EFEA,
    row=0xCFDDF8,
    focus=0x303030,
    chosen=0x6D3FA8,
    text=0x1C1C1C,
    quiet=0x585858,
    line=0x8A8A8A,
    ink=BLACK,
    on_focus=WHITE,
    paper=WHITE,
    on_alarm=WHITE,
    on_link=WHITE,
    on_virus=WHITE,
    accent=0x1F57B8,
    good=0x17692E,
    warn=0x8A4B00,
    bad=0xB3261E,
    alarm=0xB3261E,
    link=0x005FAF,
    virus=0xA81E32,
    card=0xE3D9BC,
    seats=(0x0B6B72, 0x97500A, 0x2F6B1B, 0x7A36B8, 0xB3303A, 0x1F57B8),
    tiles=(0x87D7D7, 0xF6BE80, 0xAFD787, 0xD7AFFF, 0xFFAFAF, 0xAFD7FF),
    tile_inks=(BLACK,) * 6,
    games=(0x0B6B63, 0x97500A, 0x7A36B8, 0x2F6B1B),
    last=(0x3D3410, 0xF4E6A6),
    target=(0x14521F, 0xCDEBCB),
    reach=(0x1B2F73, 0xD6E1FB),
    threat=(0x7A1418, 0xFFD7D7),
    exit=(0x0B4A50, 0xC4E8E9),
    fresh=(BLACK, 0xF0C33C),
)
# Blue against orange and yellow is told apart with every common colour blindness: no two meanings differ by red and
# green alone, and what is the same in hue differs in lightness.
DARK_BLIND: Final = replace(
    DARK,
    good=0x7FC4FF,
    warn=0xF7E08A,
    bad=0xFFB454,
    alarm=0xFFF06A,
    on_alarm=BLACK,
    on_link=BLACK,
    link=0xF2F4F8,
    virus=0x05060A,
    seats=(0x6FB7FF, 0xFFCF4D, 0xFFFFFF, 0x9FE3F0, 0xE8A8D8, 0xA0A7B5),
    tiles=(0x2B67B0, 0xF2B33D, 0xDADDE3, 0x7CC3D4, 0xC585B8, 0x5A6170),
    tile_inks=(WHITE, BLACK, BLACK, BLACK, BLACK, WHITE),
    games=(0x6FB7FF, 0xFFCF4D, 0xE8A8D8, 0xD5D9E2),
    target=(0xF4EFC0, 0x1C4468),
    threat=(0xFFE9A0, 0x7A5200),
)
LIGHT_BLIND: Final = replace(
    LIGHT,
    good=0x0B5CAD,
    warn=0x6B5200,
    bad=0x9A4A00,
    alarm=0x7A2E00,
    on_link=BLACK,
    link=0xFFFFFF,
    virus=0x05060A,
    seats=(0x0B5CAD, 0x8A5200, 0x1C1F26, 0x19687A, 0x8F2F78, 0x5A6170),
    tiles=(0x8FC1F7, 0xF7C65B, 0xC9CCD3, 0x9ADCEA, 0xE8B4DC, 0x5A6170),
    tile_inks=(BLACK, BLACK, BLACK, BLACK, BLACK, WHITE),
    games=(0x0B5CAD, 0x8A5200, 0x8F2F78, 0x3A3F4C),
    target=(0x0B3F73, 0xBFE0FF),
    threat=(0x4A2A00, 0xF7BE8F),
)
# brings its own ground everywhere, so that it looks the same on every terminal
CONTRAST: Final = replace(
    DARK,
    ground=0x000000,
    raised=0x262626,
    row=0x005FAF,
    focus=WHITE,
    text=WHITE,
    quiet=0xE4E4E4,
    line=0xBCBCBC,
    accent=0xA8C8FF,
    seats=(0x5FFFFF, 0xFFD75F, 0x87FF87, 0xE0B0FF, 0xFFAFAF, 0xA8C8FF),
)
TOKENS: Final[Mapping[str, Tokens]] = {
    "default": DARK,
    "light": LIGHT,
    "colour-blind": DARK_BLIND,
    "colour-blind-light": LIGHT_BLIND,
    "high-contrast": CONTRAST,
}

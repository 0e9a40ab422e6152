"""The colours: readable on the background they are made for, whatever the terminal's own is."""

from __future__ import annotations

import pytest
from urwid.display.common import AttrSpec

from server.ssh.palette import shared_palette
from server.tui import theme

SCREENS = {"default": (0, 0, 0), "colour-blind": (0, 0, 0), "light": (255, 255, 255)}
TABLE_TENTHS = 45  # 4.5 to 1: what text of an ordinary size needs
FRAME_TENTHS = 30  # what a line of the frame needs
LINES = {"rule", "grid"}
DEPTHS = (16, 256, 2**24)


def luminance(rgb: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in rgb]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(spec: AttrSpec, screen: tuple[int, int, int]) -> float:
    red, green, blue, *back = spec.get_rgb_values()
    plain = (255, 255, 255) if screen == (0, 0, 0) else (0, 0, 0)
    fore = plain if red is None else (red, green, blue)
    one, other = sorted((luminance(fore), luminance(screen if back[0] is None else tuple(back))))
    return (other + 0.05) / (one + 0.05)


@pytest.mark.parametrize("name", sorted(theme.PALETTES))
def test_every_style_can_be_read_on_the_background_it_is_made_for(name: str) -> None:
    screen = SCREENS.get(name, (0, 0, 0))
    for style, *entry in theme.palette(name):
        spec = AttrSpec(entry[3], entry[4], 256)
        wanted = FRAME_TENTHS if style in LINES else TABLE_TENTHS
        assert contrast(spec, screen) * 10 >= wanted, (style, entry)


def test_high_contrast_brings_its_own_background_for_words_without_a_style_too() -> None:
    for colours in DEPTHS:
        palette = shared_palette(theme.palette("high-contrast"), colours, False)
        for style in ("", None, *theme.MONOCHROME):
            codes = palette.sgr(style).removeprefix("\x1b[").removesuffix("m").split(";")
            assert any(code in ("40", "43", "46", "47", "41", "48") for code in codes), (colours, style, codes)


def test_backgrounds_are_among_the_eight_that_the_plainest_terminals_have() -> None:
    for name in theme.PALETTES:
        for style, _, back, *_ in theme.palette(name):
            assert AttrSpec("default", back, 16).background_number < 8 or back == "default", (name, style, back)


def test_what_the_cursor_stands_on_is_told_from_what_is_chosen_in_every_palette_with_colours() -> None:
    for name in set(theme.PALETTES) - {"mono"}:
        styles = {style: tuple(entry) for style, *entry in theme.palette(name)}
        assert len({styles[style][1] for style in ("row", "cursor", "selected", "clock.low")} - {"default"}) >= 3, name


def test_greys_do_not_depend_on_what_a_terminal_makes_of_its_sixteen_colours() -> None:
    palette = shared_palette(theme.palette("default"), 256, False)
    assert palette.sgr("dim") == "\x1b[0;38;5;245m"
    assert shared_palette(theme.palette("default"), 16, False).sgr("dim") == "\x1b[0;90m"

"""The colours: readable on the background they are made for, whatever the terminal's own is."""

from __future__ import annotations

import math
import re
from typing import Literal

import pytest
from urwid.display.common import AttrSpec

from server.terminal import theme
from server.terminal.colours import RGB, cube, distance, lab, parts
from server.terminal.palette import shared_palette
from server.terminal.tokens import TOKENS

SCREENS = {"dark": (0, 0, 0), "light": (255, 255, 255), "unknown": (127, 127, 127), "": (0, 0, 0)}
TABLE_TENTHS = 45  # 4.5 to 1: what text of an ordinary size needs
SEEN_HUE = 0.02  # in Oklab: less is grey
FRAME_TENTHS = 30  # 3 to 1: what a mark needs that is no text
Depth = Literal[16, 256, 16777216]
DEPTHS = (16, 256, 2**24)


def luminance(rgb: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in rgb]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def chroma(colour: RGB) -> float:
    """Return how far a colour is from grey."""
    return math.hypot(*lab(colour)[1:])


def own(red: int | None, green: int | None, blue: int | None) -> tuple[int, int, int] | None:
    """Return a colour; None where the terminal chooses it itself."""
    return None if red is None or green is None or blue is None else (red, green, blue)


def contrast(spec: AttrSpec, screen: tuple[int, int, int]) -> float:
    """Return the contrast of a style; a colour the terminal chooses itself is black or white, whichever is worse."""
    red, green, blue, *back = spec.get_rgb_values()
    ground = luminance(own(*back) or screen)
    plain = (255, 255, 255) if screen == (0, 0, 0) else (0, 0, 0)
    one, other = sorted((luminance(own(red, green, blue) or plain), ground))
    return (other + 0.05) / (one + 0.05)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("ground", ["dark", "light", "unknown"])
@pytest.mark.parametrize("name", sorted(set(theme.PALETTES) - {"mono"}))
def test_every_style_can_be_read_on_every_ground_at_every_depth(name: str, ground: str, depth: Depth) -> None:
    """On a white ground the default colours could not be read, and with xterm's sixteen four of the light ones not."""
    for style, *entry in theme.palette(name, ground, depth):
        fore, back = (entry[0], entry[1]) if depth == 16 else (entry[3], entry[4])
        wanted = FRAME_TENTHS if style in theme.LINES else TABLE_TENTHS
        assert contrast(AttrSpec(fore, back, depth), SCREENS[ground]) * 10 >= wanted, (style, fore, back)


def test_a_palette_brings_its_own_ground_only_where_the_terminals_is_another() -> None:
    def grounds(name: str, ground: str) -> set[str]:
        return {entry[2] for entry in theme.palette(name, ground) if entry[0] in (None, "title", "dim", "key")}

    assert grounds("default", "dark") == grounds("light", "light") == grounds("mono", "light") == {"default"}
    assert grounds("default", "light") == grounds("default", "unknown") == {"black"}
    assert grounds("light", "dark") == {"light gray"}


def test_no_two_players_have_the_same_ground_and_none_has_that_of_the_cursor() -> None:
    for name in set(theme.PALETTES) - {"mono"}:
        for at in (2, 5):  # the background with 16 colours, and with 256
            backs = {entry[0]: entry[at] for entry in theme.palette(name)}
            tiles = [backs[f"tile{seat}"] for seat in range(theme.SEATS)]
            assert len(set(tiles)) == theme.SEATS, name
            assert backs["link"] != backs["virus"], name
            assert backs["cursor"] not in tiles[:2], name


@pytest.mark.parametrize("name", TOKENS)
def test_no_two_games_and_no_two_of_five_players_have_a_name_of_the_same_colour(name: str) -> None:
    """With sixteen colours on a light ground, four games had two colours, and six players had two."""
    fronts = {entry[0]: entry[1] for entry in theme.palette(name, "", 16)}
    assert len({fronts[f"game{n}"] for n in range(theme.GAMES)}) == theme.GAMES
    assert len({fronts[f"seat{seat}"] for seat in range(5)}) == 5


@pytest.mark.parametrize("name", TOKENS)
def test_danger_has_another_ground_than_the_pieces_of_two_players(name: str) -> None:
    """For colour blindness, the ice that a run meets was as orange as all ice of the second player."""
    tokens = TOKENS[name]
    assert min(distance(tokens.alarm, tile) for tile in tokens.tiles[:2]) > 0.02


def test_high_contrast_brings_its_own_background_for_words_without_a_style_too() -> None:
    for colours in DEPTHS:
        palette = shared_palette(theme.palette("high-contrast", "dark", colours), colours, False)
        for style in ("", None, *theme.MONOCHROME):
            codes = palette.sgr(style).removeprefix("\x1b[").removesuffix("m").split(";")
            assert any(re.fullmatch("4[0-8]", code) for code in codes), (colours, style, codes)


def test_backgrounds_are_among_the_eight_that_the_plainest_terminals_have() -> None:
    for name in theme.PALETTES:
        for style, _, back, *_ in theme.palette(name):
            assert AttrSpec("default", back, 16).background_number < 8 or back == "default", (name, style, back)


def test_what_the_cursor_stands_on_is_told_from_what_is_chosen_in_every_palette_with_colours() -> None:
    for name in set(theme.PALETTES) - {"mono"}:
        styles = {style: tuple(entry) for style, *entry in theme.palette(name)}
        assert len({styles[style][1] for style in ("row", "cursor", "selected", "clock.low")} - {"default"}) >= 3, name


def test_greys_do_not_depend_on_what_a_terminal_makes_of_its_sixteen_colours() -> None:
    palette = shared_palette(theme.palette("default", "dark", 256), 256, False)
    assert palette.sgr("dim") == "\x1b[0;38;5;248m"
    assert shared_palette(theme.palette("default", "dark", 16), 16, False).sgr("dim") == "\x1b[0;90m"


def test_a_terminal_with_24_bits_gets_the_tokens_themselves() -> None:
    palette = shared_palette(theme.palette("default", "dark", 2**24), 2**24, False)
    red, green, blue = parts(TOKENS["default"].row)
    assert palette.sgr("row").endswith(f";48;2;{red};{green};{blue}m")


def test_a_colour_that_every_terminal_has_a_number_for_was_written_in_twice_the_bytes() -> None:
    palette = shared_palette(theme.palette("default", "dark", 2**24), 2**24, False)
    assert palette.sgr("key") == "\x1b[0;1;38;5;254m"
    dark = TOKENS["default"]
    words = (dark.text, dark.quiet, dark.ink, dark.paper, dark.accent, dark.good, dark.warn, dark.bad, *dark.seats)
    grounds = (dark.raised, dark.focus, *dark.tiles)
    assert {*words, *grounds, dark.line} <= set(cube().values())


@pytest.mark.parametrize("name", TOKENS)
def test_a_tint_is_never_lost_where_there_are_256_colours(name: str) -> None:
    """The cube has no dark green: the nearest colour to a target's ground was grey, as every other place."""
    places = [entry[5] for entry in theme.palette(name, "", 256) if str(entry[0]).startswith("cell")]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", TOKENS)
def test_a_pale_tint_was_grey_where_there_are_256_colours(name: str) -> None:
    """The face of a card was as grey as what lies face down, and a player's name as what is said beside."""
    styles = theme.styles(TOKENS[name])
    for style, *entry in theme.palette(name, "", 256):
        wanted = styles.get(str(style), theme.Colours())
        for colour, number in ((wanted.fore, entry[3]), (wanted.back, entry[4])):
            if colour is not None and chroma(colour) >= SEEN_HUE:
                assert chroma(cube()[int(number.split(",")[0][1:])]) >= SEEN_HUE, (style, number)


@pytest.mark.parametrize("name", TOKENS)
def test_what_went_well_was_as_red_as_what_failed_where_there_are_sixteen_colours(name: str) -> None:
    """On a light ground no green reads: good, warn and bad were one red."""
    fronts = {entry[0]: entry[1] for entry in theme.palette(name, "", 16)}
    assert len({fronts[meaning] for meaning in ("good", "warn", "bad")}) == 3


@pytest.mark.parametrize("name", TOKENS)
def test_a_card_had_the_ground_of_the_second_player_where_there_are_sixteen_colours(name: str) -> None:
    backs = {entry[0]: entry[2] for entry in theme.palette(name, "", 16)}
    assert backs["card"] not in (backs["tile0"], backs["tile1"])


def test_what_keys_work_on_is_seen_where_there_are_sixteen_colours() -> None:
    """A pale row on a white ground came nearest to light gray, which is the ground of a light palette."""
    for name in TOKENS:
        backs = {entry[0]: entry[2] for entry in theme.palette(name, "", 16)}
        for style in ("row", "cursor", "selected", "clock.low", "card", "link", "danger"):
            assert backs[style] != "default", (name, style)


def test_a_palette_for_colour_blindness_suits_both_grounds() -> None:
    assert theme.suited("colour-blind", "light") == "colour-blind-light"
    assert theme.suited("colour-blind-light", "dark") == "colour-blind"
    assert theme.suited("high-contrast", "light") == "high-contrast"

"""The screens' themes as a stylesheet: a class for each style, light and dark by the system."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from server.terminal import theme
from server.terminal.theme import Colours
from server.terminal.tokens import TOKENS, Tokens

FITTED = range(20, 121, 2)  # columns of boards
LEAST_PX, MOST_PX = 9, 14  # of the letters of a board
BESIDE_PX = 20  # of a window, left and right of a board
LETTER = 0.605  # how wide a letter is, in letters' height


@cache
def theme_sheet() -> str:
    """Return the stylesheet."""
    dark, light = TOKENS["default"], TOKENS["light"]
    return "\n".join(
        (
            *_rules("", dark),
            "@media (prefers-color-scheme: light) {",
            *_rules("", light),
            "}",
            *(f".fit-{cols}{{--cell:{_cell(cols)}}}" for cols in FITTED),
        )
    )


def fitted(cols: int) -> int:
    """Return to which of the widths of boards the letters of one are fitted: as wide, or a little wider.

    >>> fitted(45), fitted(1), fitted(1000)
    (46, 20, 120)
    """
    return next((one for one in FITTED if one >= cols), FITTED[-1])


def _cell(cols: int) -> str:
    """Return how large the letters of a board are: so that it fits into the window, if they can still be read."""
    return f"clamp({LEAST_PX}px,calc((100vw - {BESIDE_PX}px)/{cols * LETTER:g}),{MOST_PX}px)"


def _rules(under: str, tokens: Tokens) -> Iterator[str]:
    root = under.strip() or ":root"
    named = {"paper": tokens.ground, "ink": tokens.text, "quiet": tokens.quiet, "line": tokens.line}
    named |= {"raised": tokens.raised, "accent": tokens.accent, "on-accent": tokens.on_focus}
    said = ";".join(f"--{name}:#{colour:06x}" for name, colour in named.items())
    yield f"{root}{{{said};color-scheme:{'dark' if tokens.is_dark else 'light'}}}"
    for style, colours in theme.styles(tokens).items():
        if told := ";".join(_declarations(colours)):
            yield f"{under}.{class_of(style)}{{{told}}}"


def _declarations(colours: Colours) -> Iterator[str]:
    if colours.fore is not None:
        yield f"color:#{colours.fore:06x}"
    if colours.back is not None:
        yield f"background:#{colours.back:06x}"
    if "bold" in colours.settings:
        yield "font-weight:bold"
    if "underline" in colours.settings:
        yield "text-decoration:underline"


def class_of(style: str) -> str:
    """Return the class of a style.

    >>> class_of("clock.low")
    's-clock-low'
    """
    return "s-" + style.replace(".", "-")

"""The screens' themes as a stylesheet: a class for each style, light and dark by the system."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from server.terminal import theme
from server.terminal.theme import Colours
from server.terminal.tokens import TOKENS, Tokens


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
        )
    )


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

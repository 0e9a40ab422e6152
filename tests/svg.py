"""A terminal's screen as an SVG picture: grounds as rectangles, then runs of text of one style, in their cells."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import Any

import pyte
from wcwidth import wcwidth

from server.terminal.tokens import Tokens

CELL_W, CELL_H, MARGIN = 8.4, 18, 12
UNDERLINE_Y = 15.5  # below the top of a cell
FONT = "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:14px;white-space:pre}"
STYLE = f"<style>{FONT}</style>"
NAMED = {
    "black": "#000000",
    "red": "#cd0000",
    "green": "#00cd00",
    "brown": "#cdcd00",
    "blue": "#0000ee",
    "magenta": "#cd00cd",
    "cyan": "#00cdcd",
    "white": "#e5e5e5",
    "brightblack": "#7f7f7f",
    "brightred": "#ff0000",
    "brightgreen": "#00ff00",
    "brightbrown": "#ffff00",
    "brightyellow": "#ffff00",
    "brightblue": "#5c5cff",
    "brightmagenta": "#ff00ff",
    "brightcyan": "#00ffff",
    "brightwhite": "#ffffff",
}


def picture(screen: pyte.Screen, tokens: Tokens) -> str:
    """Write a screen as a picture, on the ground of a palette."""
    ground, text = f"#{tokens.ground:06x}", f"#{tokens.text:06x}"
    width, height = screen.columns * CELL_W + 2 * MARGIN, screen.lines * CELL_H + 2 * MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">'
    parts = [head, STYLE, f'<rect width="100%" height="100%" rx="8" fill="{ground}"/>']
    texts: list[str] = []
    for y in range(screen.lines):
        row = [(x, screen.buffer[y][x]) for x in range(screen.columns)]
        for (fore, back, bold, underlined), cells in groupby(row, key=lambda one: _look(one[1], text, ground)):
            run = list(cells)
            x, n = MARGIN + run[0][0] * CELL_W, len(run) * CELL_W
            if back != ground:
                at, size = f'x="{x:.1f}" y="{MARGIN + y * CELL_H}"', f'width="{n + 0.3:.1f}" height="{CELL_H + 0.3}"'
                parts.append(f'<rect {at} {size} fill="{back}"/>')
            if underlined:  # blanks, too
                at = f'x="{x:.1f}" y="{MARGIN + y * CELL_H + UNDERLINE_Y}"'
                texts.append(f'<rect {at} width="{n:.1f}" height="1" fill="{fore}"/>')
            texts += _texts(run, y, fore, ' font-weight="bold"' if bold else "")
    return "\n".join([*parts, *texts, "</svg>", ""])


def _colour(name: str, default: str) -> str:
    """Return a colour as SVG has it."""
    return default if name == "default" else NAMED.get(name, f"#{name}")


def _look(cell: Any, text: str, ground: str) -> tuple[str, str, bool, bool]:
    """Return a cell's colours as they are seen, and whether it is bold, or underlined."""
    fore, back = _colour(cell.fg, text), _colour(cell.bg, ground)
    fore, back = (back, fore) if cell.reverse else (fore, back)
    return fore, back, cell.bold, cell.underscore


def _texts(run: list[tuple[int, Any]], y: int, fore: str, more: str) -> list[str]:
    """Write the words of a run, each in its place: no font's own widths move what comes after."""
    found: list[str] = []
    for is_blank, cells in groupby(run, key=lambda one: not one[1].data.strip()):
        if is_blank:
            continue
        word = list(cells)
        text = "".join(cell.data for _, cell in word)
        cols = sum(max(0, wcwidth(char)) for char in text)
        at = f'x="{MARGIN + word[0][0] * CELL_W:.1f}" y="{MARGIN + y * CELL_H + 13.5}"'
        length = f'textLength="{cols * CELL_W:.1f}" lengthAdjust="spacingAndGlyphs"'
        found.append(f'<text {at} {length} fill="{fore}"{more}>{escape(text)}</text>')
    return found

"""Large letters, three rows high, drawn with half blocks: for clocks and the word mark."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from server.terminal.lines import Line, plain
from server.terminal.look import Look

ROWS: Final = 3
PIXELS: Final = {  # five rows of each character, top to bottom
    "0": "###,#.#,#.#,#.#,###",
    "1": "##.,.#.,.#.,.#.,###",
    "2": "###,..#,###,#..,###",
    "3": "###,..#,###,..#,###",
    "4": "#.#,#.#,###,..#,..#",
    "5": "###,#..,###,..#,###",
    "6": "###,#..,###,#.#,###",
    "7": "###,..#,..#,.#.,.#.",
    "8": "###,#.#,###,#.#,###",
    "9": "###,#.#,###,..#,###",
    ":": ".,#,.,#,.",
    "-": "...,...,###,...,...",
    " ": "..,..,..,..,..",
    "A": "###,#.#,###,#.#,#.#",
    "B": "##.,#.#,##.,#.#,##.",
    "C": "###,#..,#..,#..,###",
    "D": "##.,#.#,#.#,#.#,##.",
    "E": "###,#..,##.,#..,###",
    "F": "###,#..,##.,#..,#..",
    "G": "###,#..,#.#,#.#,###",
    "H": "#.#,#.#,###,#.#,#.#",
    "I": "#,#,#,#,#",
    "J": "..#,..#,..#,#.#,###",
    "K": "#.#,#.#,##.,#.#,#.#",
    "L": "#..,#..,#..,#..,###",
    "M": "#...#,##.##,#.#.#,#...#,#...#",
    "N": "#..#,##.#,#.##,#..#,#..#",
    "O": "###,#.#,#.#,#.#,###",
    "P": "###,#.#,###,#..,#..",
    "Q": "###,#.#,#.#,###,..#",
    "R": "##.,#.#,##.,#.#,#.#",
    "S": "###,#..,###,..#,###",
    "T": "###,.#.,.#.,.#.,.#.",
    "U": "#.#,#.#,#.#,#.#,###",
    "V": "#.#,#.#,#.#,#.#,.#.",
    "W": "#...#,#...#,#.#.#,##.##,#...#",
    "X": "#.#,#.#,.#.,#.#,#.#",
    "Y": "#.#,#.#,###,.#.,.#.",
    "Z": "###,..#,.#.,#..,###",
}
HALVES: Final = {("#", "#"): "█", ("#", "."): "▀", (".", "#"): "▄", (".", "."): " "}


def has_large(text: str) -> bool:
    """Tell whether every character of a text can be drawn large."""
    return all(char in PIXELS for char in text.upper())


@lru_cache(maxsize=256)
def large(text: str) -> tuple[str, ...]:
    """Return a text as ROWS lines of equal width; raises KeyError for a character that there is not.

    >>> large("1:07")[0]
    '▀█  ▄ █▀█ ▀▀█'
    """
    drawn = [PIXELS[char].split(",") for char in text.upper()]
    rows = [".".join(pixels[y] for pixels in drawn) for y in range(5)]
    rows.append("." * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple("".join(HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs)


def word_mark(name: str, look: Look, cols: int) -> list[Line]:
    """Draw a name large, where its letters, the glyphs and the room allow; else in a line."""
    if look.glyph_set == "ascii" or not has_large(name) or len(large(name)[0]) > cols:
        return [plain(name, "place")]
    return [plain(line, "place") for line in large(name)]

"""What a viewer's screen is drawn with: palette, glyphs, language. Frozen, so that equal looks share frames."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from server.i18n.catalogues import FALLBACK, catalogue
from server.terminal.glyphs import ASCII, ASCII_SETS, GLYPHS, HEARD, UNICODE, Glyphs
from server.terminal.lines import ELLIPSIS, Line, columns
from server.terminal.theme import PALETTES


@dataclass(frozen=True, slots=True)
class Look:
    """Names of the palette, the glyph set and the language."""

    palette: str = "default"
    glyph_set: str = "unicode"
    language: str = "en"
    has_large_clocks: bool = True  # else digits that the other side can count down by itself
    seat: int = 0  # of who looks; 0 also for who has none

    @property
    def glyphs(self) -> Glyphs:
        """Return the glyph set."""
        return ASCII if self.is_heard else GLYPHS.get(self.glyph_set, UNICODE)

    @property
    def is_heard(self) -> bool:
        """Tell whether it is for who hears the text."""
        return self.glyph_set in HEARD.values()

    def seated(self, seat: int | None) -> Look:
        """Return the same look for who looks from a seat; None: from none."""
        return _seated(self, seat or 0)

    def hue(self, seat: int) -> int:
        """Return whose colours a seat has, so that "you" and "them" look alike from every seat.

        Who looks has those of the first seat, and the first seat has theirs.
        """
        return {self.seat: 0, 0: self.seat}.get(seat, seat)

    def heard(self) -> Look:
        """Return the same look for who hears the text."""
        return replace(self, glyph_set=HEARD.get(self.glyph_set, self.glyph_set))

    def t(self, key: str, **params: object) -> str:
        """Return the sentence for a message key in this look's language; ASCII where the glyph set asks for it.

        Where it is heard, that of `KEY.heard` if there is one: it says the word that is typed, and names no key.
        """
        heard = f"{key}.heard" if self.is_heard else ""
        text = catalogue(self.language).t(heard if heard and self.has(heard) else key, **params)
        is_free = self.glyph_set not in ASCII_SETS or text.isascii()
        return text if is_free else ascii_marks(text)

    def has(self, key: str) -> bool:
        """Tell whether this look's language has a sentence for a message key."""
        return catalogue(self.language).has(key)

    def game(self, key: str) -> str:
        """Return a game's name in this look's language."""
        return self.t(f"game.{key}")

    def side(self, game: str, name: str, index: int) -> str:
        """Return the name of a seat: a side of the game ('South') where it has such, else its number."""
        key = f"{game}.side.{name}"
        return self.t(key) if self.has(key) else self.t("form.seat", number=index + 1)


ASCII_MARKS = str.maketrans(
    {"–": "-", "—": "-", "…": "...", "·": "-", "›": ">", "‹": "<", "→": "->", "×": "x", "±": "+-", "▶": ">", "✓": "y"}
    | {"“": '"', "”": '"', "’": "'", "⌂": "X", "»": "*", "‡": "#", "▲": "^", "▼": "v", "▒": "?", "▓": "%"}
)


def ascii_marks(text: str) -> str:
    """Replace typographic marks by ASCII ones; letters of any script stay."""
    return text.translate(ASCII_MARKS)


ONE_COLUMN = ASCII_MARKS | str.maketrans("…→±│─┌┬┐├┼┤└┴┘●○‘", ".>~|-+++++++++*o'")


@lru_cache(maxsize=2048)
def ascii_line(line: Line, strict: bool) -> Line:
    """Return a line with ASCII marks, as wide as before; `strict`: whatever else is not ASCII becomes '?'."""
    return tuple((style, text if text.isascii() else _ascii(text, strict)) for style, text in _roomy(line))


def _roomy(line: Line) -> Line:
    """Return a line in which dots that stand before blank columns take two of them, and none of what they end."""
    spans = [(style, text.replace(f"{ELLIPSIS}   ", "... ")) for style, text in line]
    for i, (style, behind) in enumerate(spans[1:], 1):
        before, text = spans[i - 1]
        if text.endswith(ELLIPSIS) and behind.startswith("   "):
            spans[i - 1], spans[i] = (before, f"{text[:-1]}..."), (style, behind[2:])
    return tuple(spans)


CUT = re.compile(f"[ -~]{{2}}{ELLIPSIS}")  # a text that was cut: the dots take the columns of its last characters


def _ascii(text: str, strict: bool) -> str:
    text = CUT.sub("...", text).translate(ONE_COLUMN)
    if not strict or text.isascii():
        return text
    return "".join(char if char.isascii() else "?" * columns(char) for char in text)


@lru_cache(maxsize=256)
def _seated(look: Look, seat: int) -> Look:
    return replace(look, seat=seat)


@lru_cache(maxsize=256)
def fitting(palette: str, glyph_set: str, language: str, *, colours: int, utf8: bool) -> Look:
    """Make the look a terminal can show: no colours where there are none, ASCII where UTF-8 is not spoken."""
    return Look(
        palette="mono" if colours < 2 or palette not in PALETTES else palette,
        glyph_set=glyph_set if utf8 and glyph_set in GLYPHS else "ascii",
        language=language if utf8 else FALLBACK,
    )

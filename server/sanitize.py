"""The sanitiser for every text from outside before it is stored, shown or logged; and widths in columns.

An allow-list of Unicode categories: letters, marks, numbers, punctuation, symbols, spaces. So no control, format
(joiners, bidi overrides, tags), surrogate, private or unassigned character reaches a terminal, and no blank that
counts as a letter. The server's own escape sequences come from a fixed table.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

import wcwidth

from server.errors import Refused

ALLOWED = frozenset(
    (
        *("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No"),
        *("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"),
    )
)
MARKS = frozenset(("Mn", "Mc"))
MAX_MARKS = 3  # on one letter; more would draw over neighbouring lines
MARKS_SORTED = 30  # of one letter, as Unicode's stream-safe text has it: to sort n of them takes n² steps
# Allowed by category, but blank, or of a width on which terminals differ.
BANNED = frozenset(
    (
        *(0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x034F, 0xFFFC, 0xFFFD, 0x16FE4),
        *range(0xFE00, 0xFE10),  # variation selectors, here and in the next two lines
        *range(0xE0100, 0xE01F0),
        *range(0x180B, 0x1810),
        *range(0x1F1E6, 0x1F200),  # flags come as pairs of these
        *range(0x1F3FB, 0x1F400),  # skin tones
    )
)
TOKEN_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+:@/=,-")


def clean(text: str, max_chars: int = 200) -> str:
    """Return one line of printable text, at most `max_chars` long, NFC, spaces collapsed; may be empty.

    >>> clean(chr(27) + "[31mred" + chr(7) + "  alert")
    '[31mred alert'
    """
    whole = unicodedata.normalize("NFC", _stream_safe(text[: max_chars * 4]))
    kept: list[str] = []
    marks = MAX_MARKS  # a line can't begin with a mark
    for char in whole:
        if char.isspace():  # a line break becomes a space, too
            marks = MAX_MARKS
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif is_allowed(char):
            marks = marks + 1 if unicodedata.category(char) in MARKS else 0
            if marks <= MAX_MARKS:
                kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))[:max_chars].strip()


def clean_whole(text: str, most: int) -> str:
    """Return a text as `clean` does, and cut nothing off. Raises Refused for one of more than `most` characters."""
    kept = clean(text, max(most, len(text)))
    if len(kept) > most:
        raise Refused("text.too-long", n=len(kept), most=most)
    return kept


def _stream_safe(text: str) -> str:
    """Return a text without the marks of a letter that has more of them than any language."""
    if text.isascii():
        return text
    kept, marks = list[str](), 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MARKS_SORTED:
            kept.append(char)
    return "".join(kept)


@lru_cache(maxsize=4096)
def is_allowed(char: str) -> bool:
    """Tell whether a text may hold this character (spaces and line breaks are handled in `clean`)."""
    if ord(char) in BANNED or (category := unicodedata.category(char)) not in ALLOWED:
        return False
    width = wcwidth.wcwidth(char)
    return bool(width > 0 or (width == 0 and category in MARKS))


def clean_token(text: str, max_chars: int = 64) -> str:
    """Return what is left of TERM, a locale or a version string: plain ASCII without spaces or quotes.

    >>> clean_token("xterm-256color" + chr(27) + "[2J")
    'xterm-256color2J'
    """
    return "".join(char for char in text[: max_chars * 4] if char in TOKEN_CHARS)[:max_chars]


def columns(text: str) -> int:
    """Return how many columns a terminal gives `text` (clean, so without control characters).

    >>> columns("ab"), columns("你好")
    (2, 4)
    """
    return len(text) if text.isascii() else max(0, wcwidth.wcswidth(text))


def cut(text: str, cols: int, ellipsis: str = "…") -> str:
    """Return `text` shortened to at most `cols` columns; `ellipsis` marks that something is missing.

    >>> cut("firewall", 5), cut("你好吗", 5)
    ('fire…', '你好…')
    """
    if columns(text) <= cols:
        return text
    room, kept = cols - columns(ellipsis), ""
    if room < 0:
        room, ellipsis = cols, ""
    for cluster in wcwidth.iter_graphemes(text):
        if columns(kept + cluster) > room:
            break
        kept += cluster
    return kept + ellipsis


def pad(text: str, cols: int, ellipsis: str = "…") -> str:
    """Return `text` cut or filled with spaces to exactly `cols` columns."""
    text = cut(text, cols, ellipsis)
    return text + " " * (cols - columns(text))


# Handles are ASCII. Which characters may stand for which letters, by their look or as people replace letters by digits;
# no two digits for the same letter, so that numbers differ. Nothing looks like a 6 only.
READINGS = {"0": "o", "1": "li", "2": "z", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g"}
PAIRS = (("rn", "m"), ("vv", "w"))
MOST_ONES = 3  # of which both readings are tried: 8 skeletons, and as many without doubled letters
DOUBLED = re.compile(r"([a-z])\1+")


def skeletons(handle: str) -> frozenset[str]:
    """Return a handle's look-alike skeletons; two handles that share one look alike.

    Digits are read as letters, `rn` as m, `vv` as w, a doubled letter also as one; `-` and `_` count for nothing.

    >>> sorted(skeletons("m1ra")), skeletons("mi-ra") & skeletons("m1ra_")
    (['mira', 'mlra'], frozenset({'mira'}))
    >>> sorted(skeletons("at4x")), sorted(skeletons("anna")), sorted(skeletons("ann_22"))
    (['atax'], ['ana', 'anna'], ['annzz', 'anzz'])
    """
    plain = _plain(handle)
    return frozenset(
        _merge_pairs(reading) for written in (plain, DOUBLED.sub(r"\1", plain)) for reading in _readings(written)
    )


def _readings(plain: str) -> list[str]:
    letters = [READINGS.get(char, char) for char in plain]
    if sum(len(some) > 1 for some in letters) > MOST_ONES:
        return ["".join(some[i % len(some)] for some in letters) for i in (0, 1)]
    return ["".join(some) for some in product(*letters)]


def _plain(handle: str) -> str:
    return handle.replace("-", "").replace("_", "")


def _merge_pairs(text: str) -> str:
    for pair, letter in PAIRS:
        text = text.replace(pair, letter)
    return text


def strict_skeleton(handle: str) -> str:
    """Return a coarser skeleton, for reserved names: of each digit the first reading, i as l.

    >>> strict_skeleton("4dm1n") == strict_skeleton("admin")
    True
    """
    letters = (READINGS.get(char, char)[0] for char in _plain(handle))
    return _merge_pairs("".join(letters).replace("i", "l"))

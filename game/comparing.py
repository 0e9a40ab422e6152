"""Texts for comparison: what differs only in case, accents, quotes or blanks is the same."""

from __future__ import annotations

import unicodedata
from typing import Final

APOSTROPHES: Final = "\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u00b4\u0060\uff07"
QUOTES: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2212"
STRAIGHT: Final = str.maketrans({**dict.fromkeys(APOSTROPHES, "'"), **dict.fromkeys(QUOTES, '"')})
HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))


def comparable(text: str) -> str:
    """Return a text in small letters, without accents, with straight quotes and single blanks.

    >>> comparable(" D\u00e9j\u00e0  Vu "), comparable("Aesop\u2019s Pawnshop")
    ('deja vu', "aesop's pawnshop")
    """
    if not text.isascii():
        bare = _without_marks(text.translate(STRAIGHT).translate(HYPHENS))  # to sort n of one letter takes n² steps
        text = _without_marks(unicodedata.normalize("NFKD", bare))
    return " ".join(text.casefold().split())


def _without_marks(text: str) -> str:
    return "".join(char for char in text if unicodedata.category(char) not in ("Mn", "Cf"))

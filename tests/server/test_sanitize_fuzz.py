"""Fuzzing the sanitiser: 20,000 nasty texts; the fuzzer itself first finds bugs planted for it."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable

import pytest

from server import sanitize
from tests import seeds

ITERATIONS = 20_000
Clean = Callable[[str, int], str]
ESCAPES = (
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\x1b]52;c;eHg=\x1b\\",
    "\x9b31m",
    "\x90q\x9c",
    "\x1bc",
    "\x0e",
    "\x08\x08",
    "\r\n",
)
ODD = (
    *("\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u2028", "\u2029", "\u3164", "\u115f", "\u2800"),
    *(
        "\u0300" * 9,
        "\u20dd",
        "\ufe0f",
        "\U0001f3fd",
        "\U0001f1e9\U0001f1ea",
        "\U000e0041",
        "\ue000",
        "\ud800",
        "\uffff",
    ),
    *("\u0378", "\u1160", "\u0e33", "\u0f71", "\u17d2", "\u1100\u1161\u11a8", "ﷺ", "\U0001f469\u200d\U0001f680"),
)


def nasty(rng: random.Random) -> str:
    """Return a text of pieces that have broken terminals before, and of anything."""
    pieces: list[str] = []
    for _ in range(rng.randrange(12)):
        kind = rng.randrange(5)
        if kind == 0:
            pieces.append(rng.choice(ESCAPES))
        elif kind == 1:
            pieces.append(rng.choice(ODD))
        elif kind == 2:
            pieces.append(chr(rng.randrange(0x110000)))
        elif kind == 3:
            pieces.append(chr(rng.randrange(0x100)))
        else:
            pieces.append(rng.choice(("hello", "你好", "é", "e\u0301", " ", "Привет", "مرحبا", "😀")))
    return "".join(pieces)


def complaint(text: str, limit: int) -> str | None:
    """Return what is wrong with a text that should be fit for anybody's terminal."""
    if len(text) > limit:
        return "too long"
    for char in text:
        category = unicodedata.category(char)
        if category[0] == "C" or category in ("Zl", "Zp", "Me") or (category == "Zs" and char != " "):
            return f"U+{ord(char):04X} {category}"
    if text and unicodedata.category(text[0]) in ("Mn", "Mc"):
        return "begins with a mark"
    drawn = sum(unicodedata.category(char) == "Mn" for char in text)
    if drawn > sanitize.MAX_MARKS * sum(unicodedata.category(char) not in ("Mn", "Mc") for char in text):
        return "too many marks"
    return None


def fuzz(clean: Clean, iterations: int, seed: int) -> str | None:
    """Return the first complaint, or None after so many texts."""
    rng = random.Random(seed)
    for _ in range(iterations):
        said, limit = nasty(rng), rng.randrange(1, 60)
        kept = clean(said, limit)
        if found := complaint(kept, limit):
            return f"{said!r} -> {kept!r}: {found}"
        if clean(kept, limit) != kept:
            return f"{said!r} -> {kept!r} is not stable"
    return None


def test_nothing_nasty_gets_through() -> None:
    seed = seeds.drawn()
    assert fuzz(sanitize.clean, ITERATIONS, seed) is None


PLANTED: dict[str, Clean] = {
    "eight-bit controls pass": lambda text, limit: text[:limit] if "\x9b" in text else sanitize.clean(text, limit),
    "one bidi control passes": lambda text, limit: sanitize.clean(text.replace("\u202e", "x"), limit).replace(
        "x", "\u202e"
    ),
    "printable is thought to be safe": lambda text, limit: "".join(c for c in text if c.isprintable())[:limit].strip(),
    "cut before it is cleaned only": lambda text, limit: sanitize.clean(text[:limit] + "é" * 60, 60),
    "marks pile up": lambda text, limit: (
        "a" + "\u0300" * 9 if text.count("\u0300") > 8 else sanitize.clean(text, limit)
    ),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_the_fuzzer_finds_a_planted_bug(bug: str) -> None:
    assert fuzz(PLANTED[bug], ITERATIONS, seed=1) is not None

"""Hidden zones: cards that go in and out, and who still knows which of them (Netrunner §1.10).

What somebody has legally seen stays known until it is void: a deck is shuffled, or a card leaves a hand unseen that
may be the known one. Who knows what follows from what that viewer has seen, never from what is hidden from them.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from game.netrunner.facts import FACTS
from game.netrunner.table import HANDS, Table

CORP_KNOWS, RUNNER_KNOWS, PUBLIC_KNOWS = 1, 2, 4
BITS: Final = (CORP_KNOWS, RUNNER_KNOWS, PUBLIC_KNOWS)
INSTALLED: Final = ("agenda", "asset", "upgrade", "ice")


def codes_of(t: Table, zone: str) -> list[str]:
    """Return the cards of a zone."""
    return [code for code, _ in t.archives] if zone == "archives" else getattr(t, zone)


def take_out(t: Table, zone: str, index: int) -> tuple[str, int]:
    """Take a card that everybody sees out of a zone; return its code and the bits of those who knew it.

    A viewer who knew a copy in the same hand, and not this card, can't tell the two apart, and knows one copy less.
    """
    marks, codes = t.marks(zone), codes_of(t, zone)
    code, mark = codes[index], marks.pop(index)
    getattr(t, zone).pop(index)
    if zone in HANDS:
        codes = codes_of(t, zone)
        for bit in (bit for bit in BITS if not mark & bit):
            unmark(marks, [i for i, one in enumerate(codes) if one == code], bit)
    return code, mark


def unmark(marks: list[int], places: list[int], bit: int) -> None:
    """Remove a viewer's bit at the first of these places that has it."""
    for i in places:
        if marks[i] & bit:
            marks[i] &= ~bit
            return


def learn(t: Table, zone: str, index: int, who: int, besides: Container[int] = ()) -> None:
    """Let the viewers with bits `who` see a card of a zone.

    A copy that they knew in the same hand may be this card, and is forgotten, unless its place is in `besides`.
    """
    marks, codes = t.marks(zone), codes_of(t, zone)
    if zone in HANDS:
        copies = [i for i, one in enumerate(codes) if one == codes[index] and i != index and i not in besides]
        for bit in (bit for bit in BITS if who & bit and not marks[index] & bit):
            unmark(marks, copies, bit)
    marks[index] |= who


def forget(t: Table, zone: str, kinds: tuple[str, ...] = ()) -> None:
    """Void what is known of a zone, or of its cards of some types: one of them has gone unseen."""
    marks = t.marks(zone)
    for i, code in enumerate(codes_of(t, zone)):
        if not kinds or FACTS[code].type in kinds:
            marks[i] = 0


def set_aside(t: Table, index: int) -> int:
    """Move a card of HQ that is about to be installed face down behind the others; return its new index.

    So the index tells nothing, and whoever knew a card of HQ that may be this one knows it no more.
    """
    forget(t, "hq", ("ice",) if FACTS[t.hq[index]].type == "ice" else INSTALLED[:3])
    t.marks("hq").append(t.marks("hq").pop(index))
    t.hq.append(t.hq.pop(index))
    return len(t.hq) - 1


def archive(t: Table, code: str, faceup: bool, mark: int = 0) -> None:
    """Put a card into Archives; `mark` says who knows it where it lies face down."""
    marks = t.marks("archives")
    t.archives.append((code, faceup))
    marks.append(0 if faceup else mark)


def shuffle_hq(t: Table) -> None:
    """Put HQ into a random order, so that the index of a card does not tell when it was drawn."""
    marks = t.marks("hq")
    order, t.rng = t.rng.shuffle(range(len(t.hq)))
    t.hq[:], marks[:] = [t.hq[i] for i in order], [marks[i] for i in order]

"""Checks that a marked test is about its card: it fails for a card that does nothing, or for one that does more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from game.errors import GameError
from game.netrunner import queries
from game.netrunner.cards import ENTRIES, MODULES
from game.netrunner.facts import CODES
from game.netrunner.state import Card
from game.netrunner.table import Table
from game.netrunner.vocabulary import CardEntry
from tests.netrunner.cards import DOES, MARKS, MUST_NOT, Mark
from tests.netrunner.cards.variants import changed, eager

CARDS = {name: entry for module in MODULES for name, entry in module.CARDS.items()}
FAILS = (AssertionError, GameError, LookupError, TypeError, ValueError)


def load() -> None:
    """Import every module of marked tests."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"tests.netrunner.cards.{path.stem}")


def marks(code: str, kind: str) -> list[Mark]:
    """Return the tests of a kind that are about a card."""
    return [mark for mark in MARKS if mark.kind == kind and CODES[mark.title] == code]


def blind(code: str, kind: str) -> list[str]:
    """Return the tests of a kind that pass whatever the card's entry is changed to."""
    others = [CardEntry()] if kind == DOES else list(eager(ENTRIES[code]))
    with reaching_everything():
        return [
            mark.test.__name__ for mark in marks(code, kind) if not any(notices(mark, code, other) for other in others)
        ]


def unnoticed(code: str) -> list[str]:
    """Return the places in an entry that can be changed without any test of the card failing."""
    found = [mark for kind in (DOES, MUST_NOT) for mark in marks(code, kind)]
    name = next(name for name, one in CARDS.items() if CODES[name] == code)
    with reaching_everything():
        others = list(changed(name, ENTRIES[code]))
        return [place for place, other in others if not any(notices(mark, code, other) for mark in found)]


def notices(mark: Mark, code: str, entry: CardEntry) -> bool:
    """Tell whether a test fails while its card has another entry."""
    with another_entry(code, entry):
        try:
            mark.test()
        except FAILS:
            return True
    return False


@contextmanager
def another_entry(code: str, entry: CardEntry) -> Iterator[None]:
    """Give a card another entry inside the `with` block."""
    entries: dict[str, Any] = ENTRIES  # type: ignore[assignment]
    kept = entries[code]
    entries[code] = entry
    try:
        yield
    finally:
        entries[code] = kept


@contextmanager
def reaching_everything() -> Iterator[None]:
    """Let static abilities with the filter 'everything' reach every card; only changed entries have it."""
    reaches = queries.reaches

    def or_everything(t: Table, source: Card, card: Card, what: Any) -> bool:
        return what == "everything" or reaches(t, source, card, what)

    queries.reaches = or_everything
    try:
        yield
    finally:
        queries.reaches = reaches


__all__ = ["DOES", "MUST_NOT", "blind", "load", "marks", "unnoticed"]

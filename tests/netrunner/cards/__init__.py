"""One test of what each card does, and one of what it must not: marked, so that they can be listed and proven.

A marked test takes no arguments. `tests/card_coverage.py` lists the marks; `test_proof.py` plays each marked test with
a card that does nothing, or does more than it should, and demands that the test notices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Test = Callable[[], None]
DOES, MUST_NOT = "does", "must not"


@dataclass(frozen=True, slots=True)
class Mark:
    """A test and the card that it is about."""

    title: str
    kind: str
    test: Test


MARKS: list[Mark] = []


def does(*titles: str) -> Callable[[Test], Test]:
    """Mark a test of what these cards do: it must fail when one of them does nothing."""
    return _marked(DOES, titles)


def must_not(*titles: str) -> Callable[[Test], Test]:
    """Mark a test of what these cards must not do: it must fail for some card that does more."""
    return _marked(MUST_NOT, titles)


def _marked(kind: str, titles: tuple[str, ...]) -> Callable[[Test], Test]:
    def register(test: Test) -> Test:
        MARKS.extend(Mark(title, kind, test) for title in titles)
        return test

    return register

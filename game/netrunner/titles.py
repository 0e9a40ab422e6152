"""Titles as people write them: a card is found by its whole title or not at all, and a near title is offered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from game.comparing import comparable
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import FACTS, Facts

SHORTEST_PART = 5  # characters of a title that are near to it


def _spellings(facts: Facts) -> list[str]:
    """Return what names a card: its title, without its final dot too; of an identity what comes before its colon.

    A faction's name is none: many identities begin with it.
    """
    found = [comparable(facts.title)]
    found += [found[0].removesuffix(".")] if found[0].endswith(".") else []
    short = found[0].partition(":")[0]
    if facts.type == "identity" and not facts.faction.startswith(short.partition(" ")[0]):
        found.append(short)
    return found


BY_TITLE: Final[Mapping[str, str]] = {said: code for code in ENTRIES for said in _spellings(FACTS[code])}


def code_of_title(text: str) -> str | None:
    """Return the code of the card that a text names from its first letter to its last, None where it names none.

    >>> code_of_title("deja vu"), code_of_title("Melange Mining Corp"), code_of_title("Hunter Seeker")
    ('01002', '01108', None)
    """
    return BY_TITLE.get(comparable(text))


@lru_cache(maxsize=256)
def near_title(text: str) -> str:
    """Return the title that a text most likely means: a few letters differ, or it is some words of it; else "".

    >>> near_title("Sure Gamlbe"), near_title("Weyland Consortium Building a Better World"), near_title("Hunter Seeker")
    ('Sure Gamble', 'Weyland Consortium: Building a Better World', '')
    """
    wanted = comparable(text)
    most = min(3, len(wanted) // 4)
    found = [
        (_distance(wanted, said, most), code)
        for said, code in BY_TITLE.items()
        if most and abs(len(said) - len(wanted)) <= most
    ]
    best = min(found, default=(most + 1, ""))
    if best[0] <= most:
        return FACTS[best[1]].title
    if len(wanted) < SHORTEST_PART:
        return ""
    return next((FACTS[code].title for said, code in BY_TITLE.items() if f" {wanted} " in f" {said} "), "")


def _distance(one: str, other: str, most: int) -> int:
    """Return how many letters are put in, left out, replaced or exchanged with the next; `most` + 1: more than that."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        before, last, row = row, before, [at]
        for to, theirs in enumerate(other, 1):
            least = min(before[to] + 1, row[-1] + 1, before[to - 1] + (char != theirs))
            if last and to > 1 and char == other[to - 2] and one[at - 2] == theirs:
                least = min(least, last[to - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
    return row[-1]

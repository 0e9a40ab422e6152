"""Which row has which digit: a row keeps its digit for as long as it is there, decision after decision."""

from __future__ import annotations

from collections.abc import Sequence

PAGE = 10  # rows that have a digit at a time


def settled(kept: Sequence[str], parts: Sequence[str]) -> tuple[str, ...]:
    """Return the rows by digit, "" where a digit is free: who had one keeps it, who is new takes the first free one.

    Rows beyond the first page move up as soon as a digit is free.

    >>> settled(("credit", "draw", "play X", "play Y"), ("credit", "draw", "play Y"))
    ('credit', 'draw', '', 'play Y')
    >>> settled(("credit", "draw", "", "play Y"), ("credit", "draw", "play Y", "play Z"))
    ('credit', 'draw', 'play Z', 'play Y')
    """
    slots = [part if part in parts else "" for part in kept]
    for part in parts:
        at = slots.index(part) if part in slots else len(slots)
        free = slots.index("") if "" in slots else len(slots)
        if at < PAGE and part in slots:
            continue
        if part in slots and free >= PAGE:
            continue
        if part in slots:
            slots[at] = ""
        if free == len(slots):
            slots.append(part)
        else:
            slots[free] = part
    while slots and not slots[-1]:
        slots.pop()
    return tuple(slots)


def at_last(slots: Sequence[str], part: str) -> tuple[str, ...]:
    """Return the rows with one more that has the last digit of the page, or comes behind all where that is taken.

    >>> at_last(("credit",), "purge").index("purge")
    9
    """
    return (*slots, *[""] * (PAGE - 1 - len(slots)), part)

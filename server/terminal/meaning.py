"""What a frame means: the keys on show, what is asked, typed and said, what happened, which clocks run.

A terminal that is no grid of cells alone (a page in a browser) gets it beside the frame.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyShown:
    """A key that works right now: what is pressed, how it is written, and what it does, in words."""

    press: str
    shown: str
    label: str


@dataclass(frozen=True, slots=True)
class FieldShown:
    """A line that is being typed: what it is for, its text, and where its cursor is in it (characters)."""

    prompt: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class RunningClock:
    """A clock that runs: as it was drawn, when it is over (milliseconds since 1970), and what it holds at most (ms)."""

    words: str
    ends_ms: int
    most_ms: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """What stands beside a frame.

    `items`: what the page shows, in sentences; `log`: what happened, the oldest first.
    """

    title: str = ""
    keys: tuple[KeyShown, ...] = ()
    asked: str = ""
    field: FieldShown | None = None
    said: str = ""
    items: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    clocks: tuple[RunningClock, ...] = ()


NOTHING = Meaning()


def added(was: tuple[str, ...], now: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """Return whether a log begins anew, and what is added to its end. The oldest lines may fall away.

    >>> added(("a", "b"), ("a", "b", "c")), added(("a", "b"), ("b", "c")), added(("a", "b"), ("a",))
    ((False, ('c',)), (False, ('c',)), (True, ('a',)))
    """
    for skipped in range(len(was)):
        rest = was[skipped:]
        if now[: len(rest)] == rest:
            return False, now[len(rest) :]
    return bool(was), now

"""A key that works right now, as the key line shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hint:
    """A key that works right now, and the message key of what it does."""

    shown: str
    label: str
    press: str  # the key a click on the hint stands for

"""Named changes between the versions of a game's rules; each game's `changes.py` holds its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """One named difference between two versions of a game's rules: `since` is the first version that has it.

    >>> Change(2, "Chess §7")(1), Change(2, "Chess §7")(3)
    (False, True)
    """

    since: int
    source: str

    def __call__(self, version: int) -> bool:
        """Tell whether the rules of this version have the change."""
        return version >= self.since

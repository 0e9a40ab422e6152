"""A key that works right now, as the key line shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hint:
    """The keys that do one thing right now, as they are shown together, and the message key of what they do.

    `instead`: the label that stands in this one's place at other times; there is room for both, so that the hints
    behind it stand still.
    """

    shown: str
    label: str
    keys: tuple[str, ...]  # each of those that `shown` names
    instead: str = ""
    gives_way: bool = False  # it is on show only where all others are: what it says stands elsewhere, too

    def named(self, label: str, instead: str | None = None) -> Hint:
        """Return the hint of the same keys where they do something else. `instead`: None leaves it as it is."""
        return Hint(self.shown, label, self.keys, self.instead if instead is None else instead, self.gives_way)

    @property
    def press(self) -> str:
        """Return the key that a click on the hint stands for."""
        return self.keys[0]

    @property
    def is_digits(self) -> bool:
        """Tell whether it is a row of digits, of which each stands for another thing."""
        return len(self.keys) > 1 and self.keys[0].isdecimal()

"""The columns of a list as data: what each is headed, how wide it is, what it says of a row, in which style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from server.terminal.lines import Line, Span, pad, pad_left
from server.terminal.look import Look

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column. `heading` is a message key, '' for none; `width` in columns, 0 for the last one, which is never cut.

    `style`: its own, or that which a row gives it; '' takes the row's. `gap`: blank columns before the next one.
    """

    heading: str
    width: int
    value: Callable[[Row], str]
    style: str | Callable[[Row], str] = ""
    is_number: bool = False  # stands at the right
    gap: int = 2

    def cell(self, row: Row, style: str) -> Span:
        """Return what a row shows here; `style` is the row's."""
        own = self.style if isinstance(self.style, str) else self.style(row)
        return own or style, self._set(self.value(row))

    def head(self, look: Look) -> str:
        """Return the heading."""
        return self._set(look.t(self.heading) if self.heading else "")

    def _set(self, text: str) -> str:
        if not self.width:
            return text
        return (pad_left if self.is_number else pad)(text, self.width) + " " * self.gap


def cells(columns: Sequence[Column[Row]], row: Row, style: str = "") -> Line:
    """Return one row of a list; `style` is that of columns without one of their own."""
    return tuple(column.cell(row, style) for column in columns)


def headings(columns: Sequence[Column[Row]], look: Look) -> str:
    """Return the line above a list."""
    return "".join(column.head(look) for column in columns)

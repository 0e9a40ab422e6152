"""The columns of a list as data: what each is headed, how wide it is, what it says of a row, in which style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from server.terminal.lines import Line, Span, pad, pad_left
from server.terminal.look import Look

Row = TypeVar("Row")
LEAST_LAST: Final = 10  # columns that the last one of a table needs


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column. `heading` is a message key, '' for none; `width` in columns, 0 for the last one, which is never cut.

    `style`: its own, or that which a row gives it; '' takes the row's. `gap`: blank columns before the next one.
    `said`: its words where they are others than what it shows; a sign's are said behind the name it stands before.
    """

    heading: str
    width: int
    value: Callable[[Row], str]
    style: str | Callable[[Row], str] = ""
    is_number: bool = False  # stands at the right
    gap: int = 2
    said: Callable[[Row], str] | None = None

    def cell(self, row: Row, style: str) -> Span:
        """Return what a row shows here; `style` is the row's."""
        own = self.style if isinstance(self.style, str) else self.style(row)
        return own or style, self._set(self.value(row))

    def head(self, look: Look) -> str:
        """Return the heading."""
        return self._set(look.t(self.heading) if self.heading else "")

    def words(self, row: Row) -> str:
        """Return what a row says here."""
        return (self.said or self.value)(row).strip()

    def _set(self, text: str) -> str:
        if not self.width:
            return text
        return (pad_left if self.is_number else pad)(text, self.width) + " " * self.gap


def fitting(columns: Sequence[Column[Row]], cols: int) -> list[Column[Row]]:
    """Return the columns that have room in `cols` columns: half a word says nothing, and a row is said whole."""
    found, left = list[Column[Row]](), cols
    for column in columns:
        if found and left < (column.width or (LEAST_LAST if column.heading else 0)):
            return [*found[:-1], replace(found[-1], gap=0)]
        found.append(column)
        left -= column.width + column.gap if column.width else 0
    return found


def cells(columns: Sequence[Column[Row]], row: Row, style: str = "") -> Line:
    """Return one row of a list; `style` is that of columns without one of their own."""
    return tuple(column.cell(row, style) for column in columns)


def row_words(columns: Sequence[Column[Row]], row: Row, look: Look) -> str:
    """Say one row of a list: its facts one after the other, with the headings of those after the first that has one."""
    named = next((column for column in columns if column.heading), None)
    said = list[str]()
    for column in columns:
        if words := column.words(row):
            is_named = column.heading and column is not named
            said.append(look.t("list.pair", what=look.t(column.heading), value=words) if is_named else words)
    return look.t("list.clause").join(said)


def headings(columns: Sequence[Column[Row]], look: Look) -> str:
    """Return the line above a list."""
    return "".join(column.head(look) for column in columns)

"""A page with a list of which one row is chosen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, Final, Generic

from server.boards import keymap
from server.screens.chooser import Chooser
from server.screens.columns import Column, Row, cells, fitting, headings, row_words
from server.screens.sessionpage import SessionPage
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS, offer_lines, pointer, whole_offers, with_position
from server.terminal.items import Item, ListRow
from server.terminal.lines import Line, at_end, fit, fit_shorter, plain, text_of, width_cols

FIRST_PAGE: Final = 10  # rows, while none has been drawn
LEAST_OFFERS: Final = 3  # of a page that has no room for all of them


class ListPage(SessionPage, Generic[Row]):
    """A page with a list: the keys of a list move in it, before the page's own commands.

    Subclasses give what is listed and its columns, and tell what stands above and below.
    """

    chosen_style: ClassVar[str] = "row"
    opens_with: ClassVar[str] = "open"  # the command that a click on the chosen row does, where the page has it

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.chooser = Chooser()
        self._first_line = 0  # of the body, on which a row of the list stands
        self._window = range(0)  # the rows drawn last

    def listed(self) -> Sequence[Row]:
        """Return what the list is of."""
        raise NotImplementedError

    def columns(self) -> Sequence[Column[Row]]:
        """Return the columns in which each of it is written."""
        raise NotImplementedError

    def row_style_of(self, row: Row) -> str:
        """Return the style of a row where it is not the chosen one."""
        return ""

    def above(self) -> Sequence[Item]:
        """Tell what stands above the list."""
        return ()

    def below(self) -> Sequence[Item]:
        """Tell what stands below the list: where nothing is in it, what would fill it, else more of the chosen row."""
        return ()

    def offered(self) -> Sequence[Hint]:
        """Return the keys of which the end of a short list says what they are for: the same whichever row is chosen."""
        return ()

    def offer_lines(self, cols: int) -> list[Line]:
        """Draw what these keys are for, below a list that has rows."""
        return offer_lines(self.offers(self.offered()), cols) if self.count() else []

    def with_offers(self, lines: Sequence[Line], cols: int, rows: int) -> list[Line]:
        """Say at the end of the page what its keys are for, where there is room for it beside any row's own lines.

        Where there is room for some of it, it is the first ones: fewer than `LEAST_OFFERS` are not worth it.
        """
        room = rows - (self.lines_needed() or 0) + len(self.offer_lines(self.most_cols))
        drawn = self.offer_lines(cols)
        if len(drawn) > room:
            offers = whole_offers(self.offers(self.offered()), cols, room)
            drawn = offer_lines(offers, cols) if len(offers) >= LEAST_OFFERS else []
        return at_end(lines, drawn, cols, rows)

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.listed())

    def chosen(self) -> Row | None:
        """Return what the chosen row is of; None: there is no row."""
        listed = self.listed()
        return listed[self.chooser.clamp(len(listed)).index] if listed else None

    def items(self) -> Sequence[Item]:
        """Tell what is listed, what stands around the list, and what its keys are for."""
        columns, at = self.columns(), self.chooser.index
        rows = [ListRow(row_words(columns, row, self.session.look), i == at) for i, row in enumerate(self.listed())]
        offers = self.offers(self.offered()) if rows else []
        return [*self.above(), *rows, *self.below(), *offers]

    def choose(self, number: int) -> bool:
        if not 1 <= number <= self.count():
            return False
        self.chooser = self.chooser.at(number - 1, self.count())
        return True

    def message(self) -> Line:
        """Say all of the chosen row where the list cuts it, and nothing below the list does."""
        cols, chosen = self.size[0] - 1, self.chosen()
        shown = self._shown_columns(cols)
        if chosen is None or self.below() or POINTER_COLS + width_cols(cells(shown, chosen)) <= cols:
            return ()
        return plain(f" {row_words(self.columns(), chosen, self.session.look)}", "dim")

    def contexts(self) -> tuple[str, ...]:
        """Return the page's own keys and those of a list."""
        return tuple(dict.fromkeys((self.context, "list")))

    def hints(self) -> tuple[Hint, ...]:
        return (*keymap.hints("list", ("open", "move")), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        moved = self.chooser.press(key, self.count(), len(self._window) or FIRST_PAGE)
        if moved is None:
            return super().press(key)
        self.chooser = moved
        return True

    def keep_chosen(self, key: Hashable, keys: Sequence[Hashable]) -> None:
        """Choose the row of this key in a list that has changed, where it is still there."""
        if key in keys:
            self.chooser = self.chooser.at(keys.index(key), len(keys))
        self.chooser = self.chooser.clamp(len(keys))

    def pointer(self, index: int) -> str:
        """Return what a row begins with: a pointer where it is the chosen one."""
        return pointer(index == self.chooser.index, self.session.look)

    def marked(self, index: int, text: str, cols: int | None = None) -> Line:
        """Write a row behind its pointer, on a ground of its own where it is the chosen one; `cols` as in `filled`."""
        return self.filled(index, plain(self.pointer(index) + text, self.row_style(index)), cols)

    def row_style(self, index: int, style: str = "") -> str:
        """Return the style of a row: its own, but where it is the chosen one."""
        return self.chosen_style if index == self.chooser.index else style

    def list_lines(self, first_line: int, lines: int, cols: int | None = None) -> list[Line]:
        """Draw the rows that have room in so many lines of the body, from `first_line` on; `cols` as in `filled`.

        Each stands in its columns behind its pointer, the chosen one on a ground of its own; a long list has a mark
        of how far down one is.
        """
        width = self.size[0] - 1 if cols is None else cols
        listed, columns, drawn = self.listed(), self._shown_columns(width), list[Line]()
        for index in self.window(first_line, lines):
            style = self.row_style(index, self.row_style_of(listed[index]))
            line = ((style, self.pointer(index)), *cells(columns, listed[index], style))
            drawn.append(self.filled(index, fit_shorter(line, width), cols))
        return with_position(drawn, self._window, len(listed), self.session.look, width)

    def filled(self, index: int, line: Line, cols: int | None = None) -> Line:
        """Return a row as wide as its list where it is the chosen one, all of it on the ground of that.

        `cols`: of the list; None: of the page.
        """
        if index != self.chooser.index:
            return line
        whole = fit(line, max(self.size[0] - 1 if cols is None else cols, width_cols(line)))
        return plain(text_of(whole), self.chosen_style)

    def heading(self) -> Line:
        """Write what the columns are headed."""
        shown = self._shown_columns(self.size[0] - 1)
        return plain(" " * POINTER_COLS + headings(shown, self.session.look), "dim")

    def _shown_columns(self, cols: int) -> list[Column[Row]]:
        return fitting(self.columns(), cols - POINTER_COLS)

    def window(self, first_line: int, lines: int) -> range:
        """Return the rows to draw in so many lines of the body, from `first_line` on: a click finds them there."""
        self._first_line, self._window = first_line, self.chooser.window(self.count(), lines)
        return self._window

    def click(self, col: int, row: int) -> bool:
        """Choose the row at a line of the body; the chosen one opens. False: there is none."""
        at = row - self._first_line
        if not 0 <= at < len(self._window):
            return False
        was, self.chooser = self.chooser.index, self.chooser.at(self._window[at], self.count())
        if self.chooser.index == was and (opens := self.action(self.opens_with)) is not None:
            opens()
        return True

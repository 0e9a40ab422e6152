"""A form: lines with a name and a value; left and right change the value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from server.boards import keymap
from server.boards.speeds import speed_note, speed_words
from server.screens.chooser import Chooser
from server.screens.sessionpage import SessionPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines, setting_line
from server.terminal.items import Item, Said, SettingRow
from server.terminal.lines import Line, columns, indented, joined, plain
from server.terminal.look import Look
from server.terminal.stage import READING

NAME_COLS = 24

MAKE_KEY = "ssh-keygen -t ed25519"  # in a line of its own: it is there to be copied


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers that may be typed for a line, and what takes one."""

    low: int
    high: int
    put: Callable[[int], None]

    def typed(self, before: str, digit: str) -> tuple[str, int | None]:
        """Return what was typed with one more digit, and the number it makes; None: none yet.

        What can't become one of the numbers any more begins anew with the digit.
        """
        for text in (before + digit, digit):
            if self.low <= int(text) <= self.high:
                return text, int(text)
            if self._may_go_on(int(text)):
                return text, None
        return "", None

    def _may_go_on(self, begun: int) -> bool:
        """Tell whether more digits may make it one of the numbers."""
        return begun > 0 and any(str(n).startswith(str(begun)) for n in range(self.low, self.high + 1))


@dataclass(frozen=True, slots=True)
class FormRow:
    """One line: its name, its value in words, and what a step (-1, +1) does to it. No `change`: just to be read.

    `note`: a sentence that is shown while the line is chosen. `numbers`: its value may be typed.
    """

    name: str
    value: str
    change: Callable[[int], None] | None = None
    note: str = ""
    numbers: NumberRange | None = None

    def item(self, is_chosen: bool) -> SettingRow:
        """Return what the line tells."""
        return SettingRow(self.name, self.value, self.change is not None, self.note, is_chosen)


def cycle(values: Sequence[str], now: str, step: int) -> str:
    """Return the next or previous of some values."""
    at = values.index(now) if now in values else 0
    return values[(at + step) % len(values)]


def goal(look: Look, game: str) -> str:
    """Return what one plays for in a game, as its tutorial says it."""
    key = f"tutorial.{game}.goal"
    return look.t(key) if look.has(key) else ""


def speed_row(look: Look, name: str, change: Callable[[int], None]) -> FormRow:
    """Return the line of a speed."""
    return FormRow(look.t("form.speed"), speed_words(name, look), change, speed_note(name, look))


class FormPage(SessionPage):
    """A page that is a form. Subclasses give `rows`, and `do_accept` where there is something to accept.

    What accepting does is said by the page's own context: its command `accept` has the label (Start, Open room).
    """

    measure = READING

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.chooser = Chooser()
        self._first = 0  # row of the body where the lines begin
        self._shown = range(0)  # the lines that show
        self._digits = ""  # typed for the chosen line so far

    def rows(self) -> list[FormRow]:
        """Return the form's lines."""
        raise NotImplementedError

    def intro(self) -> str:
        """Return a sentence above the form."""
        return ""

    def outro(self) -> list[Said]:
        """Return what stands below the form."""
        return []

    def outro_lines(self, cols: int) -> list[Line]:
        """Draw what stands below the form: a blank line before each sentence, none before what is to be copied."""
        return [line for one in self.outro() for line in (*(() if one.is_whole else ((),)), *said_lines((one,), cols))]

    def items(self) -> list[Item]:
        """Tell the form: the sentence above it, each line with its note, and what stands below."""
        intro, at = self.intro(), self.chooser.index
        return [
            *([Said(intro)] if intro else []),
            *(row.item(i == at) for i, row in enumerate(self.rows())),
            *self.outro(),
        ]

    def choose(self, number: int) -> bool:
        """Choose a line."""
        count = len(self.rows())
        if not 1 <= number <= count:
            return False
        self.chooser = self.chooser.at(number - 1, count)
        return True

    def contexts(self) -> tuple[str, ...]:
        """Return the page's own keys, then the form's."""
        return tuple(dict.fromkeys((self.context, "form")))

    def body(self, cols: int, rows: int) -> Body:
        """Draw the lines; the chosen one is pointed at. A form that does not fit is scrolled, its intro left out."""
        all_rows, outro, rows = self.rows(), self.outro_lines(cols), rows - self.covered_rows
        lines = self._head(cols)
        if len(lines) + len(all_rows) + len(outro) > rows:
            lines = []
        self._first = len(lines)
        self._shown = self.chooser.window(len(all_rows), max(3, rows - len(lines) - len(outro)))
        lines += self._lines(all_rows, cols)
        return Body([*lines, *outro])

    def _head(self, cols: int) -> list[Line]:
        if not self.intro():
            return []
        return [*indented(self.intro(), cols), ()]

    def _lines(self, all_rows: Sequence[FormRow], cols: int) -> list[Line]:
        """Draw the lines that show; where there are more above or below, the first or last of them says so."""
        widest = max(NAME_COLS, *(columns(row.name) for row in all_rows))
        name_cols = min(widest, max(NAME_COLS, cols - 24))
        more = {self._shown.start: self._shown.start, self._shown.stop - 1: len(all_rows) - self._shown.stop}
        lines: list[Line] = []
        for i in self._shown:
            count = 0 if i == self.chooser.index else more.get(i, 0)
            told = (("dim", f"   {self.session.t('form.more', n=count)}"),) if count else ()
            item = all_rows[i].item(i == self.chooser.index)
            line = setting_line(item, self.session.look, name_cols, cols - 1)
            lines.append((*line, *told))
        return lines

    def message(self) -> Line:
        """Say what the chosen line is about."""
        chosen = self._chosen()
        numbers = chosen.numbers
        typed = self.session.t("form.type-number", low=numbers.low, high=numbers.high) if numbers is not None else ""
        return plain(f" {joined((chosen.note, typed))}", "dim")

    def _chosen(self) -> FormRow:
        rows = self.rows()
        return rows[min(self.chooser.index, len(rows) - 1)]

    def hints(self) -> tuple[Hint, ...]:
        """Return the form's keys."""
        accept = keymap.hints(self.context, ("accept",)) if self.action("accept") is not None else ()
        digit = ("digit",) if self._chosen().numbers is not None else ()
        return (*accept, *keymap.hints("form", ("next", "change", *digit)), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Take a key; another one than a digit ends a number."""
        if not key.isdecimal():
            self._digits = ""
        return super().press(key)

    def do_digit(self) -> None:
        """Type a digit of the chosen line's number."""
        numbers = self._chosen().numbers
        if numbers is None:
            return
        self._digits, number = numbers.typed(self._digits, self.key)
        if number is not None:
            numbers.put(number)
        elif self._digits:
            self.session.prompts.notice("form.typing", "dim", typed=self._digits, low=numbers.low, high=numbers.high)

    def do_next(self) -> None:
        """Go to another line."""
        moved = self.chooser.index + (-1 if self.key == "up" else 1)
        self.chooser = Chooser(moved, self._shown.start).clamp(len(self.rows()))

    def do_change(self) -> None:
        """Change the chosen line's value."""
        change = self._chosen().change
        if change is not None:
            change(-1 if self.key == "left" else 1)

    def click(self, col: int, row: int) -> bool:
        """Choose a line; the chosen one changes."""
        index = row - self._first + self._shown.start
        if row < self._first or index not in self._shown:
            return False
        if index == self.chooser.index:
            self.key = "right"
            self.do_change()
        self.chooser = Chooser(index, self._shown.start)
        return True


def way_to_account(session: Session) -> list[Said]:
    """Tell a guest how to have an account: whoever came with a key needs no other one."""
    if session.identity.fingerprint is not None:
        return [Said(session.t("key.register"), "dim")]
    make = joined((session.t("key.none"), session.t("key.make")))
    return [Said(make, "dim"), Said(MAKE_KEY, is_whole=True)]

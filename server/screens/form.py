"""A form: lines with a name and a value; left and right change the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, Final

from server.accounts.identity import Player
from server.boards import keymap
from server.boards.speeds import speed_note, speed_words
from server.clock import minute_after
from server.matches.guestlimits import closed_because
from server.screens.chooser import Chooser
from server.screens.formdrawing import GAP_COLS, LEAST_LINES, NOTE_COLS, WIDE, Note, drawn, form_lines
from server.screens.rowlines import RowLine, window
from server.screens.sessionpage import SessionPage
from server.session.page import MOST_STEPS, Body, Speech
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Heading, Item, Said, SettingRow
from server.terminal.lines import Line, indented, joined, plain
from server.terminal.look import Look
from server.terminal.stage import FORM

VALUE: Final = "\t"  # between a line's name and its value, in what is kept of a form
RESTORED_LINES, RESTORED_STEPS = 60, 200  # at most, of a form that is set again: the words come from outside
SCROLLED_LINES: Final = 8  # of a form that is scrolled to leave room for what stands below it
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

    `opens`: what enter does on this line instead of accepting the form: it shows more lines, or asks for a text.
    `note`: a sentence that is shown while the line is chosen. `numbers`: its value may be typed. `is_on`: how a switch
    stands; None: it is none. `group`: what it has in common with its neighbours, the head above them. `end`: of values
    in an order, whether this is the first (-1) or the last (1): that arrow goes no further.
    """

    name: str
    value: str
    change: Callable[[int], None] | None = None
    note: str = ""
    numbers: NumberRange | None = None
    is_on: bool | None = None
    group: str = ""
    opens: Callable[[], None] | None = None
    end: int = 0

    def item(self, is_chosen: bool) -> SettingRow:
        """Return what the line tells."""
        digits = len(str(self.numbers.high)) if self.numbers is not None else 0
        return SettingRow(self.name, self.value, self.change is not None, self.note, is_chosen, self.is_on, digits)


def switch_row(
    look: Look, name: str, is_on: bool, change: Callable[[int], None], note: str, group: str = ""
) -> FormRow:
    """Return the line of what is on or off."""
    word = look.t("form.yes" if is_on else "form.no")
    return FormRow(name, word, change, note, is_on=is_on, group=group)


def grouped(group: str, rows: Iterable[FormRow]) -> list[FormRow]:
    """Return lines under a head that they have in common."""
    return [replace(row, group=group) for row in rows]


def cycle(values: Sequence[str], now: str, step: int) -> str:
    """Return the next or previous of some values."""
    at = values.index(now) if now in values else 0
    return values[(at + step) % len(values)]


def end_of(values: Sequence[object], now: object) -> int:
    """Tell whether a value is the first (-1) or the last (1) of some in an order; 0: neither."""
    return -1 if now == values[0] else 1 if now == values[-1] else 0


def goal(look: Look, game: str) -> str:
    """Return what one plays for in a game, as its tutorial says it."""
    key = f"tutorial.{game}.goal"
    return look.t(key) if look.has(key) else ""


def speed_row(
    look: Look, name: str, names: Sequence[str], change: Callable[[int], None], who: Player | None = None
) -> FormRow:
    """Return the line of one of the speeds `names`; of one that `who` may not play with others it says why."""
    why = None if who is None else closed_because(who, is_rated=False, speed=name)
    note = speed_note(name, look) if why is None else look.t(why)
    return FormRow(look.t("form.speed"), speed_words(name, look), change, note, end=end_of(names, name))


class FormPage(SessionPage):
    """A page that is a form. Subclasses give `rows`, and `do_accept` where there is something to accept.

    What accepting does is said by the page's own context: its command `accept` has the label (Start, Open room).
    """

    measure = FORM
    draws_message = False
    is_steady: ClassVar[bool] = False  # its rows are always the same: values stand near their names

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.chooser = Chooser()
        self._read: tuple[list[FormRow], list[RowLine]] | None = None  # all rows, as the next body draws them
        self._first = 0  # row of the body where the lines begin
        self._shown = range(0)  # the lines that show
        self._drawn_rows: list[int | None] = []  # which row of the form each of them is of
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

    def aside(self) -> list[Said]:
        """Return what stands below all that where there is room for the whole form: another page says it too."""
        return []

    def outro_lines(self, cols: int, rows: int) -> list[Line]:
        """Draw what stands below the form: a blank line before each sentence, none before what is to be copied.

        `rows`: what there is room for.
        """
        return _spaced(self.outro(), cols)

    def items(self) -> list[Item]:
        """Tell the form: the sentence above it, each line with its note, and what stands below."""
        intro = self.intro()
        return [
            *([Said(intro)] if intro else []),
            *self._told_rows(),
            *self.outro(),
            *self.aside(),
        ]

    def _told_rows(self) -> Iterator[Item]:
        """Tell each row, the first of a group after what the group has in common."""
        group = ""
        for i, row in enumerate(self.rows()):
            if row.group != group and row.group:
                yield Heading(row.group)
            group = row.group
            yield row.item(i == self.chooser.index)

    def choose(self, number: int) -> bool:
        count = len(self.rows())
        if not 1 <= number <= count:
            return False
        self.chooser = self.chooser.at(number - 1, count)
        return True

    def contexts(self) -> tuple[str, ...]:
        """Return the page's own keys, then the form's."""
        return tuple(dict.fromkeys((self.context, "form")))

    def refresh(self) -> None:
        """Forget how tall it was, and what was drawn."""
        super().refresh()
        self._read = None

    def lines_needed(self) -> int:
        """Return how many lines the form has; what is drawn to find that is kept for the next body."""
        cols, rows = self.most_cols, self.rows()
        lines = self._form_lines(rows, cols, has_gaps=True)
        self._read = rows, lines
        return len(
            (
                *self._head(cols),
                *lines,
                *self._below(rows, cols, len(lines)),
                *self._outro(cols, self.session.display.size[1]),
            )
        )

    def _outro(self, cols: int, rows: int) -> list[Line]:
        return [*self.outro_lines(cols, rows), *_spaced(self.aside(), cols)]

    def body(self, cols: int, rows: int) -> Body:
        """Draw the rows; the chosen one is pointed at. A form that does not fit is scrolled, its intro left out.

        What stands below the form stands at the page's end: rows that come or go don't move it.
        """
        rows, now = rows - self.covered_rows, self._read[0] if self._read is not None else self.rows()
        lines = self._read[1] if self._read is not None else self._form_lines(now, cols, has_gaps=True)
        head, below, self._read = self._head(cols), self._below(now, cols, rows // 3), None
        outro_rows = rows - len(below) - SCROLLED_LINES
        outro = self._outro(cols, outro_rows)
        if len(head) + len(lines) + len(below) + len(outro) > rows:
            head = []
        if len(lines) + len(below) + len(outro) > rows:
            lines = self._form_lines(now, cols, has_gaps=False)
            outro = self.outro_lines(cols, outro_rows)
        room = max(LEAST_LINES, rows - len(head) - len(below) - len(outro))
        self._shown = window(lines, self._at(now), self._shown.start, room)
        self._first, self._drawn_rows = len(head), [lines[y].row for y in self._shown]
        note = self._note(now) if cols >= WIDE else None
        form = [*head, *drawn(lines, self._shown, note, self.session.look, self._cols(cols), self.picture()), *below]
        return Body([*form, *[()] * (rows - len(form) - len(outro)), *outro])

    def picture(self) -> Sequence[Line]:
        """Return what stands beside the last rows, where what a row means stands beside them, too."""
        return ()

    def _cols(self, cols: int) -> int:
        """Return how many columns the rows have."""
        return cols - 1 - (NOTE_COLS + GAP_COLS if cols >= WIDE else 0)

    def _form_lines(self, rows: Sequence[FormRow], cols: int, has_gaps: bool) -> list[RowLine]:
        at = self._at(rows)
        items = [(row.group, row.item(i == at)) for i, row in enumerate(rows)]
        groups = [(head, [item for _, item in found]) for head, found in groupby(items, key=lambda one: one[0])]
        return form_lines(groups, self.session.look, self._cols(cols), has_gaps, self.is_steady)

    def _head(self, cols: int) -> list[Line]:
        if not self.intro():
            return []
        return [*indented(self.intro(), cols), ()]

    def _below(self, rows: Sequence[FormRow], cols: int, most: int) -> list[Line]:
        """Say below the rows what the chosen one is about, where there is no room beside them."""
        return [] if cols >= WIDE else self._note(rows).below(map(self._told_of, rows), cols, most)

    def _note(self, rows: Sequence[FormRow]) -> Note:
        chosen = rows[self._at(rows)]
        return Note(chosen.name, self._told_of(chosen))

    def message(self) -> Line:
        """Say what the chosen row is about: it is drawn with the rows."""
        return plain(f" {self._told_of(self._chosen())}", "dim")

    def _told_of(self, row: FormRow) -> str:
        numbers = row.numbers
        typed = self.session.t("form.type-number", low=numbers.low, high=numbers.high) if numbers is not None else ""
        return joined((row.note, typed))

    def _at(self, rows: Sequence[FormRow]) -> int:
        """Return which of these rows is chosen."""
        return min(self.chooser.index, len(rows) - 1)

    def _chosen(self) -> FormRow:
        rows = self.rows()
        return rows[self._at(rows)]

    def hints(self) -> tuple[Hint, ...]:
        return (*self.line_hints(), *keymap.hints("everywhere", ("back",)))

    def line_hints(self) -> tuple[Hint, ...]:
        """Return what enter does on the chosen line, and the keys that go to another line and change this one."""
        chosen = self._chosen()
        enter = keymap.hints("form", ("edit",)) if chosen.opens is not None else self.accept_hints()
        digit = ("digit",) if chosen.numbers is not None else ()
        return (*enter, *keymap.hints("form", ("next", "change", *digit)))

    def accept_hints(self) -> tuple[Hint, ...]:
        """Return the key that accepts the form, where there is something to accept."""
        return keymap.hints(self.context, ("accept",)) if self.action("accept") is not None else ()

    def speech(self) -> Speech:
        """Have the form accepted by its word, whichever line is chosen."""
        return FormSpeech(self)

    def half_done(self) -> tuple[str, ...]:
        """Return each line's name and value, where nothing of the form is so before it is accepted."""
        if self.action("accept") is None:
            return ()
        return tuple(f"{row.name}{VALUE}{row.value}" for row in self.rows() if row.change is not None)

    def take_up(self, words: Sequence[str]) -> None:
        """Change each line that is still there until it has the value it had, as far as that is one."""
        steps = RESTORED_STEPS
        for name, _, value in (word.partition(VALUE) for word in words[:RESTORED_LINES]):
            steps -= self._step_to(name, value, min(steps, MOST_STEPS))

    def _step_to(self, name: str, value: str, most: int) -> int:
        """Change the line of this name step by step until it has a value, or all have come; return the steps."""
        begun = self._of_name(name)
        for step in range(most):
            row = self._of_name(name)
            if (
                row is None
                or row.change is None
                or row.value == value
                or (begun is not None and step and row.value == begun.value)
            ):
                return step
            row.change(1)
        return most

    def _of_name(self, name: str) -> FormRow | None:
        return next((row for row in self.rows() if row.name == name), None)

    def press(self, key: str) -> bool:
        """Take a key; another one than a digit ends a number; on a line that opens, enter opens it."""
        if not key.isdecimal():
            self._digits = ""
        elif self._chosen().numbers is not None:
            return self.run("digit", key)  # whatever digits do on other lines of the page
        opens = self._chosen().opens is not None and keymap.command("form", key) == "edit"
        return self.run("edit", key) if opens else super().press(key)

    def do_edit(self) -> None:
        """Open the chosen line."""
        if (opens := self._chosen().opens) is not None:
            opens()

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
        self.chooser = Chooser(moved).clamp(len(self.rows()))

    def do_change(self) -> None:
        """Change the chosen line's value; one without steps opens."""
        row, step = self._chosen(), -1 if self.key == "left" else 1
        if row.change is None:
            self.do_edit()
        elif step != row.end or self.key not in ("left", "right"):  # any other key goes round
            row.change(step)

    def click(self, col: int, row: int) -> bool:
        """Choose a line; the chosen one changes."""
        at = row - self._first
        index = self._drawn_rows[at] if 0 <= at < len(self._drawn_rows) else None
        if index is None or col > self._cols(self.size[0]):
            return False
        if index == self.chooser.index:
            self.key = " "
            self.do_change()
        self.chooser = Chooser(index)
        return True


def _spaced(said: Sequence[Said], cols: int) -> list[Line]:
    return [line for one in said for line in (*(() if one.is_whole else ((),)), *said_lines((one,), cols))]


class FormSpeech(Speech):
    """A form to somebody who hears it: a line is opened by its number, so the form's own word always accepts it."""

    def __init__(self, page: FormPage) -> None:
        super().__init__(page)
        self._form = page

    def hints(self) -> tuple[Hint, ...]:
        accept, edit = self._form.accept_hints(), keymap.hints("form", ("edit",))
        return (*accept, *(one for one in super().hints() if one not in (*accept, *edit)))

    def do(self, command: str, key: str) -> bool:
        """Do a command; accepting does not depend on the chosen line."""
        return self.page.run(command, key) if command == "accept" else super().do(command, key)

    def answer(self, typed: str) -> Sequence[str] | None:
        """Set the one row that has a value of this name, in a form where nothing holds until it is accepted."""
        wanted, form = typed.casefold(), self._form
        having = [n for n in range(1, len(form.rows()) + 1) if self._has(n, wanted)] if form.accept_hints() else []
        if len(having) == 1 and form.choose(having[0]):
            self.set_value(having[0], wanted)
            return ()
        t = form.session.t
        ways = t("list.comma").join(f"{n} {typed}" for n in having)
        return (t("lines.which", words=ways),) if having else None

    def _has(self, number: int, wanted: str) -> bool:
        """Tell whether a row has a value that begins so; it stays as it is."""
        before = self._value(number)
        if self.is_opened(number) or not self._form.choose(number) or not self.set_value(number, wanted):
            return False
        self.set_value(number, before.casefold())
        return True


def way_to_account(session: Session) -> list[Said]:
    """Tell a guest how to have an account: whoever came with a key needs no other one."""
    if session.identity.fingerprint is not None:
        start = session.person.registers_from
        if start is not None and start > session.services.clock.now():
            return [Said(session.t("key.register-from", at=minute_after(start)), "dim")]
        return [Said(session.t("key.register"), "dim")]
    make = joined((session.t("key.none"), session.t("key.make")))
    return [Said(make, "dim"), Said(MAKE_KEY, is_whole=True)]

"""From rows of styled text to the bytes that change one terminal frame into the next: only cells that differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, repeat
from operator import itemgetter, ne

from wcwidth import wcwidth

from server.terminal.palette import turn

Styles = Callable[[Hashable], str]  # the SGR sequence of a style
StyledRow = Sequence[tuple[Hashable, str]]  # (style, text), left to right; never changed once painted
Cell = tuple[str, str]  # (SGR sequence, character); the second column of a wide character holds ""
Cursor = tuple[int, int] | None  # column, row; None: hidden
Stroke = tuple[int, int, str, str, int]  # column, row, SGR sequence, text, columns that it takes (TOO_MANY: not known)

PLAIN = "\x1b[0m"
CLEAR = "\x1b[0m\x1b[H\x1b[2J"
ERASE_RIGHT = "\x1b[K"
BELOW = "\x1b[B"  # the same column of the next row
HIDE_CURSOR = "\x1b[?25l"
SHOW_CURSOR = "\x1b[?25h"
UP, DOWN = "\x1bD", "\x1bM"  # the rows of a region, from its last or first one
WHOLE_SCREEN = "\x1b[r"  # is the region again; puts the cursor somewhere
BLANK: Cell = (PLAIN, " ")
TOO_MANY = 1 << 20  # columns: no row is so wide
SHORT_ENOUGH = 400  # characters of a change for which no shorter way is looked for
LEAST_MOVED = 3  # rows that have moved together, so that it may be cheaper to have the terminal move them
LEAST_KNOWN = 3  # characters of a text by which a row is known again
GAP = 4  # equal cells of one style between two changed spans that cost less than another cursor movement

DIFFERS = re.compile(b"\x01+")
# What must never come out of a text run, whatever a widget was given: C0, DEL, C1, line separators, bidi, surrogates.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb]")


def readable(text: str) -> str:
    """Drop every control character in a text run (they have no width), and what is no character at all."""
    if text.isascii() and text.isprintable():
        return text
    return UNSAFE.sub("", text)


def cells(row: StyledRow, cols: int | None, styles: Styles) -> list[Cell] | None:
    """Split a row into exactly `cols` cells (None: as many as it has).

    Returns None when it holds characters that join others (no cell of their own).
    """
    found: list[Cell] = []
    for name, run in row:
        if (split := _run_cells(styles(name), run)) is None:
            return None
        found += split
    if cols is not None and (missing := cols - len(found)):
        found = found[:cols] if missing < 0 else found + [BLANK] * missing
    return found


@lru_cache(maxsize=2048)
def _run_cells(style: str, run: str) -> tuple[Cell, ...] | None:
    text = readable(run)
    if text.isascii():
        return tuple([(style, char) for char in text])
    found: list[Cell] = []
    for char in text:
        match wcwidth(char):
            case 1:
                found.append((style, char))
            case 2:
                found.extend(((style, char), (style, "")))
            case _:
                return None
    return tuple(found)


@lru_cache(maxsize=4096)
def run_cols(run: str) -> int:
    """Return how many columns a run takes; far too many when it holds characters without a cell of their own."""
    text = readable(run)
    if text.isascii():
        return len(text)
    widths = [wcwidth(char) for char in text]
    return sum(widths) if min(widths) > 0 else TOO_MANY


def common_runs(was: StyledRow, now: StyledRow) -> tuple[int, int]:
    """Count the runs at both ends of two rows that are the same.

    >>> common_runs([("", "a"), ("", "b"), ("", "c")], [("", "a"), ("", "x"), ("", "c")])
    (1, 1)
    """
    most = min(len(was), len(now))
    first = last = 0
    while first < most and was[first] == now[first]:
        first += 1
    while last < most - first and was[-1 - last] == now[-1 - last]:
        last += 1
    return first, last


def spans(old: list[Cell], new: list[Cell]) -> list[tuple[int, int]]:
    """List the [start, end) columns that differ; near ones are joined, wide characters are never cut.

    >>> spans([("", c) for c in "aaaaaaaaaaaa"], [("", c) for c in "abaaaaaaaaab"])
    [(1, 2), (11, 12)]
    """
    found: list[tuple[int, int]] = []
    for match in DIFFERS.finditer(bytes(map(ne, old, new))):
        start, end = match.span()
        before = found[-1][1] if found else -1 - GAP
        if start - before <= GAP and _in_one_style(new[before - 1 : start + 1]):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [(_left(new, start), _right(new, end)) for start, end in found]


def _in_one_style(row: Sequence[Cell]) -> bool:
    """Tell whether cells can be written without selecting another style than the first one's."""
    return all(sgr == row[0][0] or not turn(row[0][0], sgr, char == " ")[0] for sgr, char in row)


def _left(row: list[Cell], x: int) -> int:
    return x - 1 if x and not row[x][1] else x


def _right(row: list[Cell], x: int) -> int:
    return x + 1 if x < len(row) and not row[x][1] else x


@dataclass(frozen=True, slots=True)
class Moved:
    """Rows [start, stop) that have moved up together by `up` rows, down where that is negative."""

    start: int
    stop: int
    up: int

    @property
    def sequence(self) -> str:
        """Return what has the terminal move them; what comes in is blank and plain."""
        edge, step = (self.stop - 1, UP) if self.up > 0 else (self.start, DOWN)
        return f"{PLAIN}\x1b[{self.start + 1};{self.stop}r{_at(0, edge)}{step * abs(self.up)}{WHOLE_SCREEN}"

    def applied(self, rows: Sequence[StyledRow | None]) -> list[StyledRow | None]:
        """Return the rows as they stand then, where nothing comes in."""
        kept = range(self.start + self.up, self.stop + self.up)
        region = [rows[y] if self.start <= y < self.stop else () for y in kept]
        return [*rows[: self.start], *region, *rows[self.stop :]]


def changed_rows(old: Sequence[StyledRow | None], new: Sequence[StyledRow | None]) -> list[int]:
    """Return the rows that differ; one that is None now stays as it was."""
    return [y for y, (was, now) in enumerate(zip(old, new, strict=True)) if now is not None and was != now]


def moved_rows(
    old: Sequence[StyledRow | None], new: Sequence[StyledRow | None], changed: Sequence[int]
) -> Moved | None:
    """Return which of the rows that differ stand elsewhere now, going by their texts; None where few do.

    The first row never moves: in a shared frame it may have words that only one terminal has.

    >>> moved_rows([[("", c * 3)] for c in "abcdefghij"], [[("", c * 3)] for c in "acdefghixj"], range(1, 9))
    Moved(start=1, stop=9, up=1)
    """
    changed = [y for y in changed if y]
    if len(changed) < LEAST_MOVED:
        return None
    before, by = _only_at(old, changed), dict[int, set[int]]()
    for text, y in _only_at(new, changed).items():
        if (up := before.get(text, y) - y) != 0:
            by.setdefault(up, set()).add(y)
    up, ends = max(by.items(), key=lambda one: len(one[1]), default=(0, set[int]()))
    if len(ends) < LEAST_MOVED:
        return None
    first, last = min(ends), max(ends)
    return Moved(min(first, first + up), max(last, last + up) + 1, up)


def _only_at(rows: Sequence[StyledRow | None], changed: Sequence[int]) -> dict[str, int]:
    """Return the texts that stand in one of these rows only, each with its row: a list's beside those of a panel."""
    found = dict[str, int | None]()
    for y in changed:
        for _, run in rows[y] or ():
            if len(text := run.strip(" ")) >= LEAST_KNOWN:
                found[text] = y if found.get(text, y) == y else None
    return {text: y for text, y in found.items() if y is not None}


def is_blank(text: str) -> bool:
    """Tell whether a text shows nothing but its ground."""
    return text == ERASE_RIGHT or (bool(text) and not text.strip(" "))


def written(strokes: Sequence[Stroke], style: str | None) -> str:
    """Return what writes these strokes one after the other. `style`: that is selected before; None: not known."""
    out, here = list[str](), (0, -1)
    erased: tuple[int, int] | None = None  # below what has just been erased: that has no width, so the column is known
    for x, y, sgr, text, cols in strokes:
        if (x, y) == erased:
            out.append(BELOW)
        elif (x, y) != here:
            out.append(_at(x, y) if y != here[1] else f"\x1b[{x + 1}G")  # in the same row the column is enough
        if sgr != style:  # blanks may look the same in the style that is selected
            change, style = turn(style, sgr, is_blank(text))
            out.append(change)
        out.append(text)
        here, erased = (x + cols, y), (x, y + 1) if text == ERASE_RIGHT else None
    return "".join(out)


def _joined(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Join each stroke with the one it goes on from where no other style is needed; none with what erases its place."""
    found = list[Stroke]()
    for x, y, sgr, text, cols in strokes:
        if found and found[-1][3] != ERASE_RIGHT:
            at_x, at_y, selected, before, taken = found[-1]
            if (at_x + taken, at_y) == (x, y) and not turn(selected, sgr, is_blank(text))[0]:
                found[-1] = (at_x, at_y, selected, before + text, taken + cols)
                continue
        found.append((x, y, sgr, text, cols))
    return found


def _each_style_once(strokes: Sequence[Stroke], style: str | None) -> list[Stroke]:
    """Order strokes so that each style is selected once, next the one that the shortest turn leads to.

    What erases a row comes first: it may be written on then.
    """
    groups = dict[tuple[str, bool], list[Stroke]]()
    for stroke in _joined(strokes):
        _, _, sgr, text, _ = stroke
        groups.setdefault((sgr, is_blank(text)), []).append(stroke)
    if found := groups.pop((PLAIN, True), []):
        style = turn(style, PLAIN, True)[1]
    while groups:
        nearest = min(groups, key=lambda group: len(turn(style, *group)[0]))
        found += groups.pop(nearest)
        style = turn(style, *nearest)[1]
    return found


class Pen:
    """Collects what is to be written to a terminal."""

    __slots__ = ("_x", "_y", "strokes")

    def __init__(self) -> None:
        self.strokes: list[Stroke] = []
        self._x = self._y = 0

    def move(self, x: int, y: int) -> None:
        """Go to a column and row."""
        self._x, self._y = x, y

    def write(self, sgr: str, text: str) -> None:
        """Write a text in a style."""
        cols = run_cols(text)
        self.strokes.append((self._x, self._y, sgr, text, cols))
        self._x += cols

    def text(self, style: str | None = None) -> str:
        """Return the shorter way to write it all: as it was written, or each style once. `style` as in `written`."""
        as_it_was = written(self.strokes, style)
        if len(as_it_was) <= SHORT_ENOUGH or any(cols >= TOO_MANY for *_, cols in self.strokes):
            return as_it_was  # where a width is not known, others may not stand where we think
        return min(as_it_was, written(_each_style_once(self.strokes, style), style), key=len)

    def erase_right(self) -> None:
        """Leave the rest of the row blank."""
        self.strokes.append((self._x, self._y, PLAIN, ERASE_RIGHT, 0))


class Painter:
    """One terminal frame as last sent. Knows nothing of who gets the bytes.

    The terminal must not wrap at the right edge (see `terminal.START`), so the last column is an ordinary one.
    `styles` says how a style is written; whoever changes it forgets the frame. `moves_rows`: the terminal does, too.
    """

    __slots__ = ("_cols", "_cursor", "_full", "_moves_rows", "_rows", "styles")

    def __init__(self, styles: Styles, moves_rows: bool = True) -> None:
        self.styles = styles
        self._moves_rows = moves_rows
        self._cols = 0
        self._rows: Sequence[StyledRow | None] | None = None  # a row that is None is not known
        self._cursor: Cursor = None
        self._full: bytes | None = None

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing was painted since the start or the last `forget`."""
        return self._rows is None

    @property
    def top(self) -> StyledRow | None:
        """Return the first row."""
        return self._rows[0] if self._rows else None

    def forget(self) -> None:
        """Paint everything next time."""
        self._rows = self._full = None

    def adopt(self, other: Painter, without_top: bool) -> None:
        """Go on from another's frame, which this terminal shows; `without_top`: but for the first row."""
        self._rows = (None, *other._rows[1:]) if without_top and other._rows else other._rows
        self._cols, self._cursor, self._full = other._cols, other._cursor, None

    def become(self, other: Painter) -> bytes:
        """Return what turns this frame into another's; what this one was is forgotten."""
        data = other.full() if self._rows is None else self.paint(other._rows or (), other._cols, other._cursor)
        self.forget()
        return data

    def paint(self, rows: Sequence[StyledRow | None], cols: int, cursor: Cursor) -> bytes:
        """Return what turns the last frame into this one (empty when they are equal), and remember this one."""
        old, self._full = self._rows, None
        if old is None or len(old) != len(rows) or self._cols != cols:
            self._rows, self._cols, self._cursor = rows, cols, cursor
            return self.full()
        changed = changed_rows(old, rows)
        out = self._changes(old, rows, changed).text()
        if self._moves_rows and len(out) > SHORT_ENOUGH and (moved := moved_rows(old, rows, changed)) is not None:
            there = moved.applied(old)
            rest = self._changes(there, rows, changed_rows(there, rows)).text(PLAIN)
            out = min(moved.sequence + rest, out, key=len)
        self._rows = rows
        return self._finish(out, cursor)

    def _changes(self, old: Sequence[StyledRow | None], rows: Sequence[StyledRow | None], at: Iterable[int]) -> Pen:
        """Write the rows that differ."""
        pen = Pen()
        for y in at:
            self._change(pen, y, old[y], rows[y] or ())
        return pen

    def full(self) -> bytes:
        """Return the whole frame for a terminal that shows anything: for late joiners and repaints."""
        if self._full is None:
            pen = Pen()
            for y, row in enumerate(self._rows or ()):
                _onto_blank(pen, y, row or (), self.styles)
            shown = _at(*self._cursor) + SHOW_CURSOR if self._cursor is not None else ""
            self._full = f"{HIDE_CURSOR}{CLEAR}{pen.text()}{PLAIN}{shown}".encode()
        return self._full

    def _finish(self, out: str, cursor: Cursor) -> bytes:
        was, self._cursor = self._cursor, cursor
        if not out and was == cursor:
            return b""
        if out and was is not None:
            out = HIDE_CURSOR + out
        if cursor is not None:
            out += _at(*cursor) + SHOW_CURSOR
        elif was is not None and not out:
            out = HIDE_CURSOR
        return out.encode()

    def _change(self, pen: Pen, y: int, was: StyledRow | None, now: StyledRow) -> None:
        first, last = common_runs(was, now) if was is not None else (0, 0)
        if run_cols(next((run for _, run in now[len(now) - last :] if run), "")) >= TOO_MANY:
            last = 0  # it may join what is written before it
        x = sum([run_cols(run) for _, run in now[:first]])
        new, old = self._parts(was, now, first, last, self._cols - x)
        if last and new is not None and old is not None and len(new) != len(old):  # one of them has another width
            last = 0
            new, old = self._parts(was, now, first, last, self._cols - x)
        if new is None or old is None or x > self._cols:
            _whole(pen, y, now, self.styles)
            return
        for start, stop in spans(old, new):
            end = self._end(new, now[len(now) - last :]) if new[stop - 1] == BLANK else stop
            erases = stop > end + 3
            pen.move(x + start, y)
            for sgr, same in groupby(new[start : max(start, end) if erases else stop], key=itemgetter(0)):
                pen.write(sgr, "".join([char for _, char in same]))
            if erases:
                pen.erase_right()
                break

    def _end(self, new: list[Cell], ending: StyledRow) -> int:
        """Return behind which of these cells a row is blank; `ending`: the runs behind them."""
        if any(run and (run.strip(" ") or self.styles(name) != PLAIN) for name, run in ending):
            return len(new)
        return len(bytes(map(ne, new, repeat(BLANK))).rstrip(b"\0"))

    def _parts(
        self, was: StyledRow | None, now: StyledRow, first: int, last: int, cols: int
    ) -> tuple[list[Cell] | None, list[Cell] | None]:
        """Return the cells of two rows between the runs they have in common; up to the edge where none are last."""
        if was is None:
            return None, None
        wanted = None if last else cols
        old = cells(was[first : len(was) - last], wanted, self.styles)
        return cells(now[first : len(now) - last], wanted, self.styles), old


def at(x: int, y: int) -> bytes:
    """Return what moves the cursor to a column and row."""
    return _at(x, y).encode()


def _at(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"  # the first column goes without saying


def _onto_blank(pen: Pen, y: int, row: StyledRow, styles: Styles) -> None:
    """Write a row where nothing stands: without its blank end, and nothing at all when it is blank."""
    runs = [(styles(name), readable(run)) for name, run in row]
    while runs and runs[-1][0] == BLANK[0]:
        sgr, text = runs.pop()
        if text := text.rstrip(" "):
            runs.append((sgr, text))
            break
    if runs:
        pen.move(0, y)
        for sgr, text in runs:
            pen.write(sgr, text)


def _whole(pen: Pen, y: int, row: StyledRow, styles: Styles) -> None:
    pen.move(0, y)
    pen.erase_right()  # first: after the last column it would erase that column
    for name, run in row:
        pen.write(styles(name), readable(run))

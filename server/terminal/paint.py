"""From rows of styled text to the bytes that change one terminal frame into the next: only cells that differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import ne

from wcwidth import wcwidth

from server.terminal.palette import turn

Styles = Callable[[Hashable], str]  # the SGR sequence of a style
StyledRun = tuple[Hashable, str]  # (style, text)
StyledRow = Sequence[StyledRun]  # left to right; never changed once painted
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


@lru_cache(maxsize=2048)
def cells(row: tuple[StyledRun, ...], styles: Styles, cols: int) -> tuple[Cell, ...] | None:
    """Split a row into exactly `cols` cells; None when it holds characters that join others (no cell of their own)."""
    found: list[Cell] = []
    for name, run in row:
        if (split := _run_cells(styles(name), run)) is None:
            return None
        found += split
    missing = cols - len(found)
    return tuple(found[:cols] if missing < 0 else found + [BLANK] * missing)


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


def spans(old: Sequence[Cell], new: Sequence[Cell]) -> list[tuple[int, int]]:
    """List the [start, end) columns that differ; near ones are joined, wide characters are never cut.

    >>> spans([("", c) for c in "aaaaaaaaaaaa"], [("", c) for c in "abaaaaaaaaab"])
    [(1, 2), (11, 12)]
    """
    found: list[tuple[int, int]] = []
    for match in DIFFERS.finditer(bytes(map(ne, old, new))):
        start, end = match.span()
        if end < len(new) and not new[end][1]:
            end += 1
        before = found[-1][1] if found else -1 - GAP
        if start - before <= GAP and _in_one_style(new[before - 1 : start + 1]):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _in_one_style(row: Sequence[Cell]) -> bool:
    """Tell whether cells can be written without selecting another style than the first one's."""
    first = row[0][0]
    return not any(turn(first, sgr, char == " ")[0] for sgr, char in row if sgr != first)


def strokes_of(x: int, y: int, run: Sequence[Cell]) -> list[Stroke]:
    """Return what writes cells side by side, from a place on."""
    found = list[Stroke]()
    style, text, at = "", "", x
    for sgr, char in (*run, ("end", "")):  # that ends the last text
        if sgr != style:
            if text:
                found.append((at, y, style, text, x - at))
            style, text, at = sgr, "", x
        text += char
        x += 1
    return found


def strokes_of_runs(x: int, y: int, runs: Iterable[tuple[str, str]]) -> list[Stroke]:
    """Return what writes texts side by side, each with its SGR sequence, wherever one of unknown width may end."""
    found = list[Stroke]()
    for sgr, text in runs:
        found.append((x, y, sgr, text, run_cols(text)))
        x += found[-1][4]
    return found


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


def shortest(strokes: Sequence[Stroke], style: str | None = None) -> str:
    """Return the shorter way to write strokes: as they come, or each style once. `style` as in `written`."""
    as_they_come = written(strokes, style)
    if len(as_they_come) <= SHORT_ENOUGH or any(cols >= TOO_MANY for *_, cols in strokes):
        return as_they_come  # where a width is not known, others may not stand where we think
    return min(as_they_come, written(_each_style_once(strokes, style), style), key=len)


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
        out = shortest(self._changes(old, rows, changed))
        if self._moves_rows and len(out) > SHORT_ENOUGH and (moved := moved_rows(old, rows, changed)) is not None:
            there = moved.applied(old)
            rest = shortest(self._changes(there, rows, changed_rows(there, rows)), PLAIN)
            out = min(moved.sequence + rest, out, key=len)
        self._rows = rows
        return self._finish(out, cursor)

    def _changes(
        self, old: Sequence[StyledRow | None], rows: Sequence[StyledRow | None], at: Iterable[int]
    ) -> list[Stroke]:
        """Return what writes the rows that differ."""
        return [stroke for y in at for stroke in self._change(y, old[y], rows[y] or ())]

    def full(self) -> bytes:
        """Return the whole frame for a terminal that shows anything: for late joiners and repaints."""
        if self._full is None:
            rows = enumerate(self._rows or ())
            drawn = shortest([stroke for y, row in rows for stroke in _onto_blank(y, row or (), self.styles)])
            shown = _at(*self._cursor) + SHOW_CURSOR if self._cursor is not None else ""
            self._full = f"{HIDE_CURSOR}{CLEAR}{drawn}{PLAIN}{shown}".encode()
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

    def _change(self, y: int, was: StyledRow | None, now: StyledRow) -> list[Stroke]:
        """Return what writes a row where it differs; all of it where cells can't tell."""
        old = cells(tuple(was), self.styles, self._cols) if was is not None else None
        new = cells(tuple(now), self.styles, self._cols)
        if old is None or new is None:
            return _whole(y, now, self.styles)
        found = list[Stroke]()
        for start, stop in spans(old, new):
            end = _end(new) if new[stop - 1] == BLANK else stop
            if stop > end + 3:
                stop = max(start, end)
                return [*found, *strokes_of(start, y, new[start:stop]), (stop, y, PLAIN, ERASE_RIGHT, 0)]
            found += strokes_of(start, y, new[start:stop])
        return found


def _end(row: Sequence[Cell]) -> int:
    """Return behind which of its cells a row is blank."""
    return len(bytes(map(ne, row, repeat(BLANK))).rstrip(b"\0"))


def at(x: int, y: int) -> bytes:
    """Return what moves the cursor to a column and row."""
    return _at(x, y).encode()


def _at(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"  # the first column goes without saying


def _onto_blank(y: int, row: StyledRow, styles: Styles) -> list[Stroke]:
    """Return what writes a row where nothing stands: without its blank end, and nothing when it is blank."""
    runs = [(styles(name), readable(run)) for name, run in row]
    while runs and runs[-1][0] == BLANK[0]:
        sgr, text = runs.pop()
        if text := text.rstrip(" "):
            runs.append((sgr, text))
            break
    return strokes_of_runs(0, y, runs)


def _whole(y: int, row: StyledRow, styles: Styles) -> list[Stroke]:
    runs = [(styles(name), readable(run)) for name, run in row]
    erased: Stroke = (0, y, PLAIN, ERASE_RIGHT, 0)  # first: after the last column it would erase that column
    return [erased, *strokes_of_runs(0, y, runs)]

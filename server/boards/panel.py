"""The panel beside a board: the players, and in words what happened so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from server.boards import eventlog
from server.boards.board import AnyBoard, Weight
from server.boards.eventlog import Told
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.lines import ELLIPSIS, Line, clip, pad_left, plain, text_of, wrap, wrapped
from server.terminal.look import Look

NUMBER_COLS = 4
NARROW = 32  # columns: below, numbers are not set under each other
MORE = f" {ELLIPSIS}"
LISTED_ROWS = 6  # from which on each thing that happened stands on a line of its own
PAGED_ROWS = 5  # from which on a log has pages; a shorter one moves up
NONE_TOLD: Final = frozenset[int]()


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """What is told of one entry of a match's log, in lines; `named`: the same where nothing that shows is above it."""

    seq: int
    is_heading: bool
    lines: tuple[Line, ...]
    named: tuple[Line, ...]


def log_lines(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    cols: int,
    rows: int,
    skip: int = 0,
    unread: int | None = None,
    has_pages: bool = False,
) -> list[Line]:
    """Write the last events in the reader's words, oldest first, as many as fit into `rows` lines.

    `skip` leaves out that many of the newest lines (paging back). Otherwise none begins in its middle: blank lines
    stand above the first one that fits whole, and the newest has its beginning where it does not. A heading stands
    above what is told of entry `unread` and later ones. `has_pages`: only the newest page, whose lines stand still.
    """
    written = _written(board, snapshot, events, look, cols, unread)
    if skip:
        return _paged_back(written, rows, skip)
    found, room = list[WrittenEntry](), rows
    for entry in written:
        if room < len(entry.named):
            break
        room -= len(entry.lines)
        found.append(entry)
    else:
        return _in_order(found)
    if not found:
        return [*entry.named[: rows - 1], plain(clip(text_of(entry.named[rows - 1]) + MORE, cols))] if rows > 0 else []
    if has_pages and rows >= PAGED_ROWS:
        page = _in_order(_page(found, rows, unread))
        return [*page, *[()] * (rows - len(page))]
    lines = _in_order(found)
    return [*[()] * (rows - len(lines)), *lines]


def _page(newest_first: Sequence[WrittenEntry], rows: int, unread: int | None) -> Sequence[WrittenEntry]:
    """Return the entries of the page of a log that has the newest one; all that are given have room.

    A page begins at every so many entries of a match, with what came before above it, and is written on downwards: its
    lines stand still from move to move, for all who look on. Nothing unread is left out for that. A row is left for the
    heading of what is unread, which comes and goes: neither the page nor what stands above it moves for that.
    """
    n = _since_page_began(newest_first, rows - rows // 2, unread)
    room = min(rows // 2 - 1, rows - len(_in_order(newest_first[:n])))
    for entry in newest_first[n:]:
        if room < len(entry.named):
            break
        room -= len(entry.lines)
        n += 1
    return newest_first[:n]


def _since_page_began(newest_first: Sequence[WrittenEntry], rows: int, unread: int | None) -> int:
    """Return how many entries there are since a page began: as many as `rows` have room for, and all unread."""
    newest, every = newest_first[0].seq, rows
    first = newest if unread is None else min(newest, unread)
    while True:
        begins = first - first % every
        n = max(i for i, entry in enumerate(newest_first, 1) if entry.seq >= begins)
        heading = sum(entry.is_heading and entry.seq == unread for entry in newest_first[:n])
        if every == 1 or len(_in_order(newest_first[:n])) - heading <= rows:
            return n
        every //= 2


def _in_order(newest_first: Sequence[WrittenEntry]) -> list[Line]:
    return [line for i, entry in enumerate(newest_first[::-1]) for line in (entry.lines if i else entry.named)]


def _paged_back(newest_first: Iterable[WrittenEntry], rows: int, skip: int) -> list[Line]:
    """Return `rows` lines of a log without the newest `skip` ones, or its beginning."""
    found, n = list[WrittenEntry](), 0
    for entry in newest_first:
        if n >= rows + skip:
            break
        found.append(entry)
        n += len(entry.lines)
    stop = n - skip if skip < n else rows
    return lines_between(found[::-1], max(0, stop - rows), stop)


def lines_between(entries: Sequence[WrittenEntry], top: int, stop: int) -> list[Line]:
    """Return some lines of a log; the first entry that shows is as if nothing were above it, where that has room."""
    lines, at = list[Line](), 0
    for entry in entries:
        can_name = at == top and len(entry.named) == len(entry.lines)
        lines += entry.named if can_name else entry.lines
        at += len(entry.lines)
    return lines[max(0, top) : stop]


def unread_count(
    board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int, unread: int
) -> int:
    """Return how many lines of the log tell of entry `unread` and later ones."""
    numbered = _numbered(board, snapshot, events, look, unread)
    newest = takewhile(lambda told: not _was_read(told[0], unread), numbered)
    return sum(len(_entry_lines(board, one, text, number, look, cols)) for one, text, number in newest)


def repeats(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    cols: int,
    told: frozenset[int] | range,
    rows: int,
) -> bool:
    """Tell whether the newest `rows` lines of the log tell only of what is told already; none begins a turn."""
    for one, text, number in _numbered(board, snapshot, events, look, min(told, default=None)):
        if rows <= 0:
            return True
        if one.is_heading or one.seq not in told:
            return False
        rows -= len(_entry_lines(board, one, text, number, look, cols))
    return rows <= 0


def _was_read(one: Told, unread: int | None) -> bool:
    """Tell whether something is older than what one has not read; a turn's heading belongs to what comes after it."""
    return unread is not None and one.seq < unread and not one.is_heading


def since_heading(look: Look) -> Line:
    """Write the heading of what happened since one's last move."""
    return plain(f"{look.glyphs.rule} {look.t('match.since')} ", "accent")


def log_count(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    cols: int,
    most: int | None = None,
) -> int:
    """Return how many lines the whole log takes; counting stops once there are `most`."""
    lines = 0
    for one, text, number in _numbered(board, snapshot, events, look):
        if most is not None and lines >= most:
            break
        lines += len(_entry_lines(board, one, text, number, look, cols))
    return lines


def _numbered(
    board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look, unread: int | None = None
) -> Iterator[tuple[Told, str, int]]:
    """Yield what happened, newest first, as it reads below what is older, with the number of its move, 0 for none."""
    found = eventlog.told(board, snapshot, events, look)
    if not board.counts_moves:
        yield from ((one, text, 0) for one, text in eventlog.under_headings(found, unread))
        return
    numbers = eventlog.count_moves(board, events).numbers
    for one in found:  # a heading here is the match's
        yield one, one.text, 0 if one.is_heading else numbers.get(one.seq, 0)


def log_entries(
    board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int
) -> list[WrittenEntry]:
    """Write the whole log, oldest first."""
    return list(_written(board, snapshot, events, look, cols))[::-1]


def _written(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    cols: int,
    unread: int | None = None,
) -> Iterator[WrittenEntry]:
    """Write the log, newest first; a heading stands above what is told of entry `unread` and later ones."""
    heading = (since_heading(look),)
    since = [WrittenEntry(unread, True, heading, heading)] if unread is not None else []
    for one, text, number in _numbered(board, snapshot, events, look, unread):
        if since and _was_read(one, unread):
            yield since.pop()
        lines = tuple(_entry_lines(board, one, text, number, look, cols))
        named = lines if text == one.text else tuple(_entry_lines(board, one, one.text, number, look, cols))
        yield WrittenEntry(one.seq, one.is_heading, lines, named)
    yield from since


def _entry_lines(board: AnyBoard, one: Told, text: str, number: int, look: Look, cols: int) -> list[Line]:
    """Write one entry as it reads, behind its number where moves are counted; in a narrow panel it has most columns."""
    if one.is_heading:
        mark = look.glyphs.rule * 2
        return wrapped(f"{mark} {text}", cols, "accent", 3)
    if not board.counts_moves:
        style = "accent" if one.weight is Weight.DRAMATIC else ""
        first, *rest = hung(text, cols)
        return [(("", " "), *_acted(one, first, style)), *(plain(f"   {line}", style) for line in rest)]
    digits = pad_left(str(number or ""), NUMBER_COLS) if cols >= NARROW else f" {number or ''}"
    indent = len(digits) + 1 if cols >= NARROW else 2
    more = len(digits) + 1 - indent  # what the number takes of the first line besides
    first, *rest = wrap("x" * more + text, max(8, cols - indent))
    lines: list[Line] = [(("dim", f"{digits} "), *_acted(one, first[more:]))]
    return lines + [(("", " " * indent + line),) for line in rest]


def _acted(one: Told, text: str, style: str = "") -> Line:
    """Return the first line of an entry: who acts is quiet, what they do is read."""
    if not one.actor or not text.startswith(one.actor):
        return plain(text, style)
    return (("dim", one.actor), (style, text[len(one.actor) :]))


def hung(text: str, cols: int) -> list[str]:
    """Wrap a text for an indent of one column, and of three from its second line on."""
    return wrap(text, max(10, cols - 1), 2)


def since_lines(found: Sequence[Told], look: Look, cols: int, rows: int) -> list[Line]:
    """Write what happened since one's last move in at most `rows` lines, in its order.

    Under a heading, each on a line of its own, where there is room; else one after the other. What has no room is
    left out, the lightest first; the heading, where not even one thing has room with it.
    """
    if not found or rows < 1:
        return []
    kept = _kept(found, look, cols, rows)
    told = _since(kept, len(found) - len(kept), look, cols, rows)
    if len(told) > rows:
        told = _run_on(kept, len(found) - len(kept), look, cols)
    if len(told) > rows:
        told[rows - 1] = plain(clip(text_of(told[rows - 1]) + MORE, cols), "accent")
    return told[:rows]


def told_since(found: Sequence[Told], look: Look, cols: int, rows: int, newest: int) -> frozenset[int] | range:
    """Return the entries that `since_lines` tells of: where it leaves nothing out, all from the first to the newest."""
    if not found or rows < 1:
        return NONE_TOLD
    kept = _kept(found, look, cols, rows)
    if len(_since(kept, len(found) - len(kept), look, cols, rows)) > rows:
        return NONE_TOLD  # not even one thing is told to its end
    return range(found[0].seq, newest + 1) if len(kept) == len(found) else frozenset(one.seq for one in kept)


def _kept(found: Sequence[Told], look: Look, cols: int, rows: int) -> list[Told]:
    """Return what has room in so many lines of the summary."""
    return eventlog.weightiest(found, lambda kept: len(_since(kept, len(found) - len(kept), look, cols, rows)) <= rows)


def _since(kept: Sequence[Told], left: int, look: Look, cols: int, rows: int) -> list[Line]:
    return (_since_listed if rows >= LISTED_ROWS else _since_run_on)(eventlog.clauses(kept), left, look, cols)


def _since_run_on(found: Sequence[Told], left: int, look: Look, cols: int) -> list[Line]:
    return _run_on(found, left, look, cols, look.t("list.pair", what=look.t("match.since"), value=""))


def _run_on(found: Sequence[Told], left: int, look: Look, cols: int, heading: str = "") -> list[Line]:
    texts = look.t("list.then").join(one.text for one in found) + (MORE if left else "")
    return [plain(f" {line}", "accent") for line in wrap(heading + texts, max(8, cols - 1))]


def _since_listed(found: Sequence[Told], left: int, look: Look, cols: int) -> list[Line]:
    lines: list[Line] = [since_heading(look)]
    for one in found:
        style = "warn" if one.weight is Weight.DRAMATIC else ""
        lines += [plain(f"{' ' if not i else '   '}{text}", style) for i, text in enumerate(hung(one.text, cols))]
    return [*lines, plain(f" {look.t('match.more', n=left)}", "dim")] if left else lines

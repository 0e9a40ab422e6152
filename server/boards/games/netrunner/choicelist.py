"""The choices of a Netrunner board as lines: in one column or two, each with its digit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from game.netrunner.facts import CODES, plain_title
from server.boards.games.netrunner import selection
from server.boards.games.netrunner.cardtext import text_lines
from server.boards.games.netrunner.digits import PAGE
from server.boards.games.netrunner.rows import FREE_DIGIT, ChoiceRow
from server.boards.games.netrunner.rowtext import barred_cell, row_words
from server.boards.games.netrunner.scene import Shown
from server.boards.games.netrunner.selection import DIGITS, Selection, page_of, rows
from server.terminal.lines import ELLIPSIS, Line, clip, fit, joined, pad, plain, text_of, width_cols, wrap
from server.terminal.lines import columns as cols_of
from server.terminal.look import Look

LEAST_DOES = 24  # columns of what a card does, from which on it is worth reading
BARRED_COLS = 28  # of what can't be done: enough to know it by, its reason may go


def folded_cell(cell: Line, cols: int) -> list[Line]:
    """Return a choice in as many lines as it takes: all but the first are indented as far as its words."""
    if width_cols(cell) <= cols:
        return [cell]
    key, words, *more = cell
    indent = cols_of(key[1])
    first, *rest = wrap(words[1], cols - indent - 2) or [""]
    lines: list[Line] = [(key, (words[0], first)), *((("", " " * indent), (words[0], line)) for line in rest)]
    return [*lines[:-1], (*lines[-1], *more)]


def choice_cells(snapshot: Shown, chosen: Selection, look: Look) -> list[Line]:
    """Draw a page of the choices, each with its digit; cards of the hand that are to go, as cards."""
    cells = [_choice(at, row, snapshot, chosen, look) for at, row in _page(snapshot, chosen)]
    return _faces(cells) if selection.is_discard(snapshot) else cells


def _faces(cells: Sequence[Line]) -> list[Line]:
    """Lay choices out as cards of one width."""
    width = max((cols_of(words) for _, (_, words), *_ in cells), default=0)
    return [(key, (style or "card", pad(words, width)), *more) for key, (style, words), *more in cells]


def words_by_digit(snapshot: Shown, chosen: Selection, look: Look) -> dict[str, str]:
    """Return what each digit chooses; without what can't be chosen, and what has a key of its own."""
    return {
        DIGITS[at % PAGE]: _tick(at, snapshot, chosen, look) + row_words(row, snapshot, chosen, look)
        for at, row in _page(snapshot, chosen)
        if row is not FREE_DIGIT and row.texts and not _has_own_key(row, chosen)
    }


def _page(snapshot: Shown, chosen: Selection) -> Iterator[tuple[int, ChoiceRow]]:
    """Yield the choices that have a digit now, each with its place among all."""
    is_by_itself = chosen.mode != selection.MORE and selection.goes_by(snapshot, chosen)
    first = page_of(chosen)
    return enumerate(() if is_by_itself else rows(snapshot, chosen)[first : first + PAGE], first)


def _has_own_key(row: ChoiceRow, chosen: Selection) -> bool:
    return row.is_let and not chosen.path


def _tick(at: int, snapshot: Shown, chosen: Selection, look: Look) -> str:
    if not selection.ticks(snapshot, chosen):
        return ""
    return f"{look.glyphs.on if at in chosen.ticked else look.glyphs.off} "


def columns_of(cells: Sequence[Line]) -> int:
    """Return how many choices the left column has, 0 where one column is enough; free digits don't count."""
    return selection.half(len(cells)) if selection.half(sum(map(bool, cells))) else 0


def abreast(cells: Sequence[Line], cols: int) -> int:
    """Return the column at which the right half of the choices begins: where both have room, if there is one."""
    half = columns_of(cells)
    if not half:
        return cols
    most = [BARRED_COLS if cell and cell[0][0] == "dim" else cols for cell in cells]
    needed = [min(width_cols(cell), one) for cell, one in zip(cells, most, strict=True)]
    left, right = max(needed[:half]) + 1, max(needed[half:])
    if right > cols - cols // 2:
        return max(min(left, cols // 2), cols - right)
    return max(cols // 2, min(left, cols - right))


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """The choices as lines; `second` is where the right column begins, `by_line` says which choices stand on a line."""

    lines: list[Line]
    second: int
    by_line: list[tuple[int, int]]

    def scrolled(self, rows: int, chosen: Selection, look: Look, cols: int) -> ChoiceList:
        """Return the lines around the cursor that fit into some rows.

        The last one says how many are left out, else which page it is where the line that says so has no room.
        """
        if len(self.lines) <= rows or not self.by_line:
            return self
        rows, at = max(1, rows), chosen.cursor - page_of(chosen)
        line = next((i for i, pair in enumerate(self.by_line) if at >= 0 and at in pair), 0)
        top = max(0, min(len(self.by_line) - rows, line - rows // 2))
        shown, by_line = self.lines[top : top + rows], self.by_line[top : top + rows]
        hidden = len({*chain(*self.by_line)} - {*chain(*by_line)} - {-1})
        page = "".join(text_of(line).strip() for line in self.lines[max(len(self.by_line), top + rows) :])
        said = look.t("netrunner.more", count=hidden) if hidden else page
        if not said:
            return ChoiceList(shown, self.second, by_line)
        last = (*fit(shown[-1], max(1, cols - cols_of(said) - 1)), ("dim", f" {said}"))
        return ChoiceList([*shown[:-1], last], self.second, by_line)


def choice_list(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceList:
    """Return what there is to choose from, in one column or two."""
    cells = choice_cells(snapshot, chosen, look)
    second, by_line = abreast(cells, cols), choices_by_line(cells)
    return ChoiceList(choice_lines(snapshot, chosen, look, cols, cells, second, by_line), second, by_line)


def with_whole_words(
    listed: ChoiceList, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, spare: int
) -> ChoiceList:
    """Return choices in one column, none shortened; where `rows` are too few for that, the one pointed at is whole.

    Two columns that shorten words become one where nothing else needs the rows that it takes: it has `spare` then.
    """
    if selection.is_discard(snapshot):
        told = told_list(snapshot, chosen, look, cols)
        return told if len(told.lines) <= spare else listed
    cells = choice_cells(snapshot, chosen, look)
    if columns_of(cells):
        cuts = any(ELLIPSIS in text_of(line) for line in listed.lines)
        whole = folded_list(snapshot, chosen, look, cols) if cuts else listed
        return whole if len(whole.lines) <= spare else listed
    whole = folded_list(snapshot, chosen, look, cols)
    if len(whole.lines) <= rows:
        return whole
    at = chosen.cursor - page_of(chosen)
    line = next((y for y, pair in enumerate(listed.by_line) if pair[0] == at), -1)
    if line < 0:
        return listed
    folded = folded_cell(cells[at], cols)
    lines, by_line = list(listed.lines), list(listed.by_line)
    lines[line : line + 1], by_line[line : line + 1] = folded, [(at, -1)] * len(folded)
    return ChoiceList(lines, listed.second, by_line)


def folded_list(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceList:
    """Return the choices in one column, those that are too long in several lines."""
    lines, by_line = list[Line](), list[tuple[int, int]]()
    cells = choice_cells(snapshot, chosen, look)
    for at, cell in enumerate(cells):
        folded = folded_cell(cell, cols) if cell else []
        lines += folded
        by_line += [(at, -1)] * len(folded)
    return ChoiceList([*lines, *pages_line(snapshot, chosen, look, len(cells))], cols, by_line)


def told_list(snapshot: Shown, chosen: Selection, look: Look, cols: int) -> ChoiceList:
    """Return the cards that are to go below each other, each with what it does, as far as that has room."""
    cells = choice_cells(snapshot, chosen, look)
    lines: list[Line] = []
    for (_, row), cell in zip(_page(snapshot, chosen), cells, strict=True):
        room = cols - width_cols(cell)
        lines.append((*cell, ("dim", _does(row.part[1:-1], look, room))) if room >= LEAST_DOES else cell)
    by_line = [(at, -1) for at in range(len(cells))]
    return ChoiceList([*lines, *pages_line(snapshot, chosen, look, len(cells))], cols, by_line)


@lru_cache(maxsize=512)
def _does(title: str, look: Look, cols: int) -> str:
    """Return what a card does, as much of it as has room behind its name."""
    return clip(f" {joined(text_lines(CODES[plain_title(title)], look))}", cols)


def choices_by_line(cells: Sequence[Line]) -> list[tuple[int, int]]:
    """Return which choices stand on a line, left and right, -1 for none; lines without any are left out."""
    half = columns_of(cells)
    pairs = [(row, row + half if half and row + half < len(cells) else -1) for row in range(half or len(cells))]
    shown = [(left if cells[left] else -1, right if right >= 0 and cells[right] else -1) for left, right in pairs]
    return [pair for pair in shown if pair != (-1, -1)]


def choice_lines(
    snapshot: Shown,
    chosen: Selection,
    look: Look,
    cols: int,
    cells: Sequence[Line],
    second: int,
    by_line: Sequence[tuple[int, int]],
) -> list[Line]:
    """Set the choices in one column, or in two of which the right one begins at `second`."""
    lines: list[Line] = []
    found, first = rows(snapshot, chosen), page_of(chosen)

    def shown(at: int, room: int) -> Line:
        cell = cells[at] if at >= 0 else ()
        if not cell or width_cols(cell) <= room or found[first + at].texts:
            return shortened(cell, room)
        key, (style, _) = cell
        return (key, (style, barred_cell(found[first + at], snapshot, look, room - cols_of(key[1]))))

    for at, beside in by_line:
        if columns_of(cells):
            lines.append((*fit(shown(at, second), second), *fit(shown(beside, cols - second), cols - second)))
        else:
            lines.append(shown(at, cols))
    return [*lines, *pages_line(snapshot, chosen, look, len(cells))]


PRICE = re.compile(r"(?:[(（:：,，] ?)[^(（:：,，]*?\d+[¢c]")
PLACE = re.compile(r"[:：] ?[^:：]+$")


def shortened(cell: Line, cols: int) -> Line:
    """Shorten what a choice is called so that its price, and what comes after that, stay within `cols`.

    The last one of its spans says that there is more to choose, and counts only where it says so.
    """
    if not cell or width_cols(cell) <= cols:
        return cell
    key, words, *more = cell
    room = cols - cols_of(key[1]) - sum(cols_of(text) for _, text in more if text.strip())
    said = words[1].rstrip()  # of a card's face the ground gives way first
    return (
        key,
        (words[0], pad(said, min(room, cols_of(words[1]))) if cols_of(said) <= room else priced(said, room)),
        *more,
    )


def priced(text: str, cols: int) -> str:
    """Shorten a text before its price, else before the place that it ends with.

    >>> priced("Install Professional Contacts (5¢)", 26)
    'Install Professional… (5¢)'
    >>> priced("Install Private Security Force: new remote", 39)
    'Install Private Security F…: new remote'
    >>> priced("Take a card", 6)
    'Take …'
    """
    found = PRICE.search(text) or PLACE.search(text)
    if found is None or cols_of(text) <= cols or cols_of(text[: found.end()]) + 2 <= cols:
        return clip(text, cols)
    name, after = text[: found.start()].rstrip(), text[found.start() :]
    gap = text[len(name) : found.start()]
    tail = next((tail for tail in (after, found.group() + closing(found.group())) if cols_of(tail) <= cols // 2), "")
    return f"{clip(name, cols - cols_of(gap) - cols_of(tail))}{gap}{tail}" if tail else clip(text, cols)


def closing(text: str) -> str:
    """Return the bracket that closes a text, if it opens one."""
    return {"(": ")", "（": "）"}.get(text[:1], "")


def pages_line(snapshot: Shown, chosen: Selection, look: Look, shown: int) -> list[Line]:
    """Say which of the choices are shown, where there are more than have a digit."""
    count, first = len(rows(snapshot, chosen)), page_of(chosen)
    if not shown or count <= PAGE:
        return []
    said = look.t("netrunner.pages", first=first + 1, last=min(count, first + PAGE), all=count)
    return [plain(f"   {said}", "dim")]


def _choice(at: int, row: ChoiceRow, snapshot: Shown, chosen: Selection, look: Look) -> Line:
    if row is FREE_DIGIT:
        return ()
    here = at == chosen.cursor
    pointer = look.glyphs.pointer if here else " "
    text = row_words(row, snapshot, chosen, look)
    if not row.texts:
        return (("dim", f"{pointer}{DIGITS[at % PAGE]} "), ("cursor" if here else "dim", text))
    key = look.t("key.space") if _has_own_key(row, chosen) else DIGITS[at % PAGE]
    tick = _tick(at, snapshot, chosen, look)
    vain = selection.is_pointless(snapshot, row)
    more = (
        ""
        if chosen.mode not in (selection.FREE, selection.LIST, selection.MORE) or row.is_whole
        else look.glyphs.pointer
    )
    style = "cursor" if here else "dim" if vain else ""
    return (("dim" if vain else "key", f"{pointer}{key} "), (style, f"{tick}{text}"), ("dim", f" {more}"))

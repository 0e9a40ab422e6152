"""The Netrunner board as lines: both sides, the servers, the step and who has priority, the rows to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from server.matches.model import Snapshot
from server.tui.boards.netrunner import columns, details
from server.tui.boards.netrunner import pick as picks
from server.tui.boards.netrunner.cardtext import sub_words, title_of
from server.tui.boards.netrunner.choices import row_words
from server.tui.boards.netrunner.columns import Aim
from server.tui.boards.netrunner.pick import DIGITS, PAGE, Pick, page_of, rows
from server.tui.boards.netrunner.rows import FREE_DIGIT, Row
from server.tui.boards.netrunner.scene import (
    accessed,
    ice_met,
    subs_of,
    table_of,
)
from server.tui.boards.netrunner.sides import hand_lines, packing, rig_lines, side_line, step_line
from server.tui.boards.netrunner.words import place_words, subject
from server.tui.lines import Line, block, fit, plain, width_cols, wrapped
from server.tui.lines import columns as cols_of
from server.tui.look import Look

NARROW_COLS = 34  # of a row that are certain to be seen where two stand side by side
LEAST_TEXT = 4  # rows that a card's text needs to be worth showing, with the lines above it


@dataclass(frozen=True, slots=True)
class Plan:
    """How the rows are shared out; `first` is the row of the first choice, `second` where the right column begins.

    `places`: for each line of choices which one stands left and which one right, -1 for none.
    """

    lines: list[Line]
    first: int
    second: int
    places: list[tuple[int, int]]


def draw(snapshot: Snapshot, pick: Pick, look: Look, cols: int, height: int) -> list[Line]:
    """Draw the board: exactly `height` lines of `cols` columns."""
    match pick.mode:
        case picks.LOOK:
            return block(details.draw_cards(snapshot, pick.cursor, look, cols, height), cols, height)
        case picks.AUTO:
            return details.draw_settings(snapshot, pick.cursor, look, cols, height)
    return block(plan(snapshot, pick, look, cols, height).lines, cols, height)


def plan(snapshot: Snapshot, pick: Pick, look: Look, cols: int, height: int) -> Plan:
    """Share the rows out: choices and the lines of both sides first, then servers, the rig, and a card's text."""
    aim = aim_of(snapshot, pick)
    cells = choice_cells(snapshot, pick, look)
    second = abreast(cells, cols)
    places = choice_places(cells)
    chosen = choice_lines(snapshot, pick, look, cols, cells, second, places)
    run = run_lines(snapshot, look, cols)
    rig = rig_lines(snapshot, look, cols)
    hands = hand_lines(snapshot, look, cols)
    fixed = 1 + 1 + 1 + len(run) + 1 + len(chosen)
    left = max(0, height - fixed)
    kept = min(2, len(rig)) + (0 if run else min(1, len(hands)))  # in a run the servers matter more than a hand
    server_rows = min(columns.needed_rows(table_of(snapshot), cols), max(1, left - kept))
    left -= server_rows
    hands = hands[: max(0, left - (len(rig) if run else 1))] if left > 1 else hands[:left]
    rig = shorter(rig, max(0, left - len(hands)), look)
    lines = [
        side_line(snapshot, CORP, look, cols),
        *columns.draw(snapshot, aim, look, cols, server_rows),
        step_line(snapshot, look, cols),
        *run,
        side_line(snapshot, RUNNER, look, cols),
        *rig,
        *hands,
    ]
    spare = height - len(lines) - len(chosen)
    if spare > 0:
        lines.append(plain(look.glyphs.rule * cols, "rule"))
    first = len(lines)
    text = text_lines(snapshot, pick, look, cols, spare - (2 if chosen else 1)) if spare >= LEAST_TEXT else []
    if text and not chosen:
        text = text[1:]  # there is a rule above it already
    return Plan([*lines, *chosen, *text], first, second, places)


def shorter(lines: list[Line], most: int, look: Look, room: int = 0) -> list[Line]:
    """Cut lines; the last one says that some are missing, for which it leaves `room` columns, if that is given."""
    if len(lines) <= most or most <= 0:
        return lines[: max(0, most)]
    last = lines[most - 1]
    last = fit(last, room) if room and width_cols(last) > room else last
    return [*lines[: most - 1], (*last, ("dim", f"  {look.t('netrunner.more-lines')}"))]


def row_at(snapshot: Snapshot, pick: Pick, look: Look, col: int, row: int, cols: int, height: int) -> int | None:
    """Return the choice drawn at a place of the board, if there is one."""
    made = plan(snapshot, pick, look, cols, height)
    down = row - made.first
    if not 0 <= down < len(made.places):
        return None
    at = made.places[down][col >= made.second]
    return page_of(pick) + at if at >= 0 else None


def aim_of(snapshot: Snapshot, pick: Pick) -> Aim:
    """Return what the chosen row is about, to be marked on the table."""
    found = rows(snapshot, pick)
    if pick.mode not in (picks.FREE, picks.LIST, picks.TRASH) or not 0 <= pick.cursor < len(found):
        return Aim()
    row = found[pick.cursor]
    if len({subject(snapshot, text)[0] for text in row.texts}) > 1 and not pick.path:
        return Aim()
    card = subject(snapshot, row.part)[1] if pick.path == () else subject(snapshot, f"x {row.part}")[1]
    server = row.part.removeprefix("run ")
    return Aim(card.iid if card is not None else 0, server if server in table_of(snapshot).servers() else "")


# The run.


def run_lines(snapshot: Snapshot, look: Look, cols: int) -> list[Line]:
    """Draw the run: its path, then the subroutines of the ice one has met, or the card one accesses."""
    t = table_of(snapshot)
    if t.run is None:
        return []
    lines = [columns.run_line(snapshot, look, cols)]
    ice, here = ice_met(t), accessed(snapshot)
    if t.run.encountering and ice is not None and ice.rezzed:
        lines += subroutine_lines(snapshot, look, cols)
    elif here is not None:
        key = "netrunner.accessing" if here.code != HIDDEN else "netrunner.accessing.hidden"
        said = look.t(key, card=title_of(here.code, look), place=place_words(here.place, look))
        lines.append(plain(f"   {said}", "warn"))
    return lines


def subroutine_lines(snapshot: Snapshot, look: Look, cols: int) -> list[Line]:
    """Draw the subroutines of the ice that is encountered: broken or not."""
    t = table_of(snapshot)
    ice = ice_met(t)
    if ice is None or t.run is None:
        return []
    told = []
    for at in range(subs_of(ice)):
        is_broken = at in t.run.broken
        mark = look.t("netrunner.broken") if is_broken else look.t("netrunner.unbroken")
        told.append(f"{at + 1} [{mark}] {sub_words(ice.code, at, look)}")
    return [(("", "   "), *line) for text in packing(told, cols - 4) for line in wrapped(text, cols - 4, "", 4)]


# The choices.


def choice_cells(snapshot: Snapshot, pick: Pick, look: Look) -> list[Line]:
    """Draw a page of the choices, each with its digit."""
    found = rows(snapshot, pick) if not picks.goes_by(snapshot) else ()
    first = page_of(pick)
    return [_choice(at, row, snapshot, pick, look) for at, row in enumerate(found[first : first + PAGE], first)]


def columns_of(cells: Sequence[Line]) -> int:
    """Return how many choices the left column has, 0 where one column is enough; free digits don't count."""
    return picks.half(len(cells)) if picks.half(sum(map(bool, cells))) else 0


def abreast(cells: Sequence[Line], cols: int) -> int:
    """Return the column at which the right half of the choices begins: where both have room, if there is one."""
    half = columns_of(cells)
    if not half:
        return cols
    needed = [
        0 if cell and cell[0][0] == "dim" else width_cols(cell) for cell in cells
    ]  # what can't be done may be cut
    left, right = max(needed[:half]) + 1, max(needed[half:])
    if right > cols - cols // 2:
        return max(min(left, cols // 2), cols - right)
    return max(cols // 2, min(left, cols - right))


def choice_places(cells: Sequence[Line]) -> list[tuple[int, int]]:
    """Return which choices stand on a line, left and right, -1 for none; lines without any are left out."""
    half = columns_of(cells)
    pairs = [(row, row + half if half and row + half < len(cells) else -1) for row in range(half or len(cells))]
    shown = [(left if cells[left] else -1, right if right >= 0 and cells[right] else -1) for left, right in pairs]
    return [pair for pair in shown if pair != (-1, -1)]


def choice_lines(
    snapshot: Snapshot,
    pick: Pick,
    look: Look,
    cols: int,
    cells: Sequence[Line],
    second: int,
    places: Sequence[tuple[int, int]],
) -> list[Line]:
    """Set the choices in one column, or in two of which the right one begins at `second`."""
    half = columns_of(cells)
    lines: list[Line] = []
    for at, beside in places:
        left, right = (cells[at] if at >= 0 else ()), (cells[beside] if beside >= 0 else ())
        lines.append((*fit(left, second), *fit(right, cols - second)) if half else left)
    count, first = len(rows(snapshot, pick)), page_of(pick)
    if cells and count > PAGE:
        said = look.t("netrunner.pages", first=first + 1, last=first + len(cells), all=count)
        lines.append(plain(f"   {said}", "dim"))
    return lines


def _choice(at: int, row: Row, snapshot: Snapshot, pick: Pick, look: Look) -> Line:
    if row is FREE_DIGIT:
        return ()
    here = at == pick.cursor
    pointer = look.glyphs.pointer if here else " "
    text = row_words(row, snapshot, pick, look)
    if not row.texts:
        return (("dim", f"{pointer}{DIGITS[at % PAGE]} "), ("cursor" if here else "dim", text))
    is_let = row.is_let and not pick.path
    key = look.t("key.space") if is_let else DIGITS[at % PAGE]
    tick = ""
    if picks.ticks(snapshot, pick):
        tick = f"{look.glyphs.on if at in pick.ticked else look.glyphs.off} "
    more = "" if pick.mode not in (picks.FREE, picks.LIST) or row.is_whole else look.glyphs.pointer
    return (("key", f"{pointer}{key} "), ("cursor" if here else "", f"{tick}{text}"), ("dim", f" {more}"))


def clipped(snapshot: Snapshot, pick: Pick, look: Look) -> str:
    """Return what the row under the cursor says, where two columns may have cut it; else empty."""
    found = rows(snapshot, pick)
    chosen = pick.mode in (picks.FREE, picks.LIST) and 0 <= pick.cursor < len(found)
    if not chosen or not picks.half(min(PAGE, len(found) - page_of(pick))):
        return ""
    text = row_words(found[pick.cursor], snapshot, pick, look)
    return text if cols_of(text) > NARROW_COLS else ""


def text_lines(snapshot: Snapshot, pick: Pick, look: Look, cols: int, most: int) -> list[Line]:
    """Write out the card that the chosen row is about, else the one a run has come to: in at most so many lines.

    Where there is little room, what the card does comes first, behind its name.
    """
    code = spoken_of(snapshot, pick)
    if code not in FACTS:
        return []
    told = details.card_lines(code, look, cols - 2)
    if len(told) > most:
        room = cols - 2 - cols_of(look.t("netrunner.more-lines")) - 2
        told = shorter(details.brief_lines(code, look, cols - 2), most, look, room)
    return [plain(look.glyphs.rule * cols, "rule"), *((("", " "), *line) for line in told)]


def spoken_of(snapshot: Snapshot, pick: Pick) -> str:
    """Return the code of the card that matters now, "" for none."""
    found = rows(snapshot, pick)
    if 0 <= pick.cursor < len(found):
        for text in (found[pick.cursor].part, f"x {found[pick.cursor].part}", *found[pick.cursor].texts[:1]):
            if code := subject(snapshot, text)[0]:
                return code
    if pending := snapshot.pending:
        asked = dict(pending.params).get("card")
        if isinstance(asked, str) and plain_title(asked) in CODES:
            return CODES[plain_title(asked)]
    here, ice = accessed(snapshot), ice_met(table_of(snapshot))
    return here.code if here is not None else ice.code if ice is not None else ""

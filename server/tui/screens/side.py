"""What stands beside a board in a match: players, log, watchers, chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from server.matches.model import AnyViewerState, SeenEvent
from server.tui import frame, panel
from server.tui.board import AnyBoard, BoardArea
from server.tui.eventlog import Told
from server.tui.lines import Line, block, clip, joined, plain, text_of, wrapped
from server.tui.look import Look
from server.tui.panel import GAP_COLS, Seam

WIDEST = 72  # columns of a panel: in a wider one a clock would be far from its name
NARROWEST = 20  # columns a side panel needs to be worth drawing: a name and its clock, on a 60-column screen too
CHAT_SHARE = 4  # a quarter of the side's rows is for the chat
TIGHT = 4  # below the players, too few rows to name watchers
TELLS_NEWER = 5  # rows of a log that has one to say that newer lines are left out
HASH_SHOWN = 16
ROOMY = 9  # rows from which on the log keeps a part beside the summary


@dataclass(frozen=True, slots=True)
class MatchSide:
    """The parts a side panel is drawn from."""

    board: AnyBoard
    snapshot: AnyViewerState
    events: Sequence[SeenEvent]
    look: Look
    log_skip: int = 0
    since: Sequence[Told] = ()  # what happened since one's last move, until it was read


class Said(Protocol):
    """A chat line, of whatever channel."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...


def chat_lines(lines: Sequence[Said], look: Look, cols: int, rows: int) -> list[Line]:
    """Write the last chat lines, oldest first, in at most `rows` lines; one too long for them is cut at its end."""
    told: list[Line] = []
    for line in reversed(lines):
        if len(told) >= rows:
            break
        seat = getattr(line, "seat", None)
        style = f"seat{seat}" if seat is not None else "name"
        texts = [text_of(one) for one in wrapped(f"{line.name}  {line.text}", cols, "", 2)]
        if not told and len(texts) > rows:  # otherwise its end would show, and not who said it
            texts = [*texts[: rows - 1], clip(joined([texts[rows - 1], *texts[rows:]]), cols)]
        text, *rest = texts
        told = [((style, text[: len(line.name)]), ("", text[len(line.name) :])), *map(plain, rest), *told]
    return told[-rows:] if rows > 0 else []


def below(side: MatchSide, cols: int, left: int) -> list[Line]:
    """Draw what stands below the players, exactly `left` lines: it changes only with the match."""
    look, shot = side.look, side.snapshot
    bottom, log_rows = _bottom(side, cols, left), log_room(side, cols, left)
    since = _since(side, cols, left - len(bottom))
    log = panel.log_lines(side.board, shot, side.events, look, cols, log_rows, side.log_skip)
    if len(log) < log_rows:
        log = [*_seed_lines(shot, look, cols)[: log_rows - len(log)], *log]
    log = block(log, cols, max(0, log_rows))
    if log_rows < left - len(bottom) - len(since):
        log.append(plain(look.t("match.log-newer", n=side.log_skip), "accent"))
    if since and log and log_rows > 1:
        log[0] = frame.rule(look, cols)
    return block([*since, *log, *bottom], cols, max(0, left))


def _since(side: MatchSide, cols: int, left: int) -> list[Line]:
    """Write what happened since one's last move; where there is much room, a part of it stays the log's."""
    return panel.since_lines(side.since, side.look, cols, left if left < ROOMY else left * 2 // 3)


def _bottom(side: MatchSide, cols: int, left: int) -> list[Line]:
    """Draw watchers and chat: the chat has its share, and the rows that the log leaves empty."""
    look, shot = side.look, side.snapshot
    if left < TIGHT:  # the last thing said, and the rest for the log
        return chat_lines(shot.chat, look, cols, _chat_rows(side, cols, left, min(1, left))) if shot.chat else []
    watchers = _watchers(shot, look, cols, left)
    room = left - len(watchers) - 1  # below the rule
    chat = chat_lines(shot.chat, look, cols, _chat_rows(side, cols, room, left // CHAT_SHARE)) if shot.chat else []
    bottom = [*watchers, *chat]
    return [frame.rule(look, cols), *bottom] if bottom else []


def _chat_rows(side: MatchSide, cols: int, room: int, share: int) -> int:
    """Return how many of `room` rows the chat may have: its share, or all that summary and log don't fill."""
    filled = len(panel.since_lines(side.since, side.look, cols, room))
    log = panel.log_lines(side.board, side.snapshot, side.events, side.look, cols, room - filled, side.log_skip)
    return max(share, room - filled - len(log))


def log_room(side: MatchSide, cols: int, left: int) -> int:
    """Return how many lines of the log are shown: one less while newer ones are left out, which is said there."""
    rows = max(0, left - len(_bottom(side, cols, left)))
    rows -= len(_since(side, cols, rows))
    return rows - 1 if side.log_skip and rows >= TELLS_NEWER else rows


def _seed_lines(shot: AnyViewerState, look: Look, cols: int) -> list[Line]:
    """Say what the match's chance was committed to, and reveal it at the end (in full, to be checked)."""
    if not shot.commitment:
        return []
    if shot.seed:
        return wrapped(look.t("match.seed", seed=shot.seed), cols, "dim", 2)
    return [plain(look.t("match.commitment", hash=shot.commitment[:HASH_SHOWN]), "dim")]


def _watchers(shot: AnyViewerState, look: Look, cols: int, rows: int) -> list[Line]:
    if not shot.watchers:
        return []
    n = len(shot.watchers)
    if rows < 12:
        return [plain(look.t("match.watching", n=n), "dim")]
    names = look.t("list.comma").join(shot.watchers[:12])
    return wrapped(look.t("match.watching-names", n=n, names=names), cols, "dim", 2)[:2]


def draw(
    side: MatchSide,
    now: datetime,
    cols: int,
    rows: int,
    below: Callable[[MatchSide, int, int], list[Line]] = below,
) -> list[Line]:
    """Draw the panel: exactly `rows` lines of `cols` columns. `below` may remember what does not change with clocks."""
    top = [*side.board.seats(side.snapshot, side.look, cols, now), frame.rule(side.look, cols)][:rows]
    return [*block(top, cols, len(top)), *below(side, cols, rows - len(top))]


def has_panel(area: BoardArea, cols: int, rows: int, seats: int) -> bool:
    """Tell whether there is room beside or below the board for a panel that shows all players' clocks."""
    return cols - area.cols - GAP_COLS >= NARROWEST or rows - area.rows >= seats


@dataclass(frozen=True, slots=True)
class Place:
    """Where a panel stands in a body: its size, and whether it is beside the board or begins below it."""

    cols: int
    rows: int
    is_beside: bool


def place_of(area: BoardArea, cols: int, rows: int) -> Place | None:
    """Return where the panel stands in a body of this size; None: the board stands alone."""
    side_cols = cols - area.cols - GAP_COLS
    if side_cols >= NARROWEST:
        return Place(min(WIDEST, side_cols - 1), rows, True)
    return Place(cols, rows - area.rows, False) if rows > area.rows else None


def arranged(
    drawn: Sequence[Line],
    area: BoardArea,
    panel_of: Callable[[int, int], list[Line]],
    cols: int,
    rows: int,
    seam: Seam | None = None,
) -> list[Line]:
    """Put the board and its panel into the body: beside each other, below each other, or the board alone.

    `panel_of` draws the panel for a number of columns and rows; `seam` knows what was put together last.
    """
    place = place_of(area, cols, rows)
    if place is None:
        return block(drawn, cols, rows)
    beside = panel_of(place.cols, place.rows)
    if place.is_beside:
        return (seam or Seam()).split(drawn, beside, area.cols, cols, rows)
    return [*block(drawn, cols, area.rows), *beside]

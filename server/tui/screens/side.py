"""What stands beside a board in a match: players, log, who looks on, chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from server.matches.model import SeenEvent, Snapshot
from server.tui import frame, panel
from server.tui.boards import Board, Room
from server.tui.lines import Line, block, clip, plain, text_of, wrapped
from server.tui.look import Look
from server.tui.panel import GAP_COLS, Seam

NARROWEST = 20  # columns a side panel needs to be worth drawing: a name and its clock, on a 60-column screen too
CHAT_SHARE = 4  # a quarter of the side's rows is for the chat
TIGHT = 4  # rows below the players that are too few for who looks on
TELLS_NEWER = 5  # rows of a log that has one to say that newer lines are left out
HASH_SHOWN = 16


@dataclass(frozen=True, slots=True)
class MatchSide:
    """The parts a side panel is drawn from."""

    board: Board
    snapshot: Snapshot
    events: Sequence[SeenEvent]
    look: Look
    log_skip: int = 0


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
        if not told and len(texts) > rows:  # else its end would stand there, and not who said it
            texts = [*texts[: rows - 1], clip(" ".join([texts[rows - 1], *map(str.strip, texts[rows:])]), cols)]
        text, *rest = texts
        told = [((style, text[: len(line.name)]), ("", text[len(line.name) :])), *map(plain, rest), *told]
    return told[-rows:] if rows > 0 else []


def below(side: MatchSide, cols: int, left: int) -> list[Line]:
    """Draw what stands below the players, exactly `left` lines: it changes only with the match."""
    look, shot = side.look, side.snapshot
    bottom = _bottom(side, cols, left)
    log_rows = log_room(side, cols, left)
    log = panel.log_lines(side.board, shot, side.events, look, cols, log_rows, side.log_skip)
    if len(log) < log_rows:
        log = [*_seed_lines(shot, look, cols)[: log_rows - len(log)], *log]
    log = block(log, cols, max(0, log_rows))
    if log_rows < left - len(bottom):
        log.append(plain(look.t("match.log-newer", n=side.log_skip), "accent"))
    return block([*log, *bottom], cols, max(0, left))


def _bottom(side: MatchSide, cols: int, left: int) -> list[Line]:
    """Draw who looks on and the chat."""
    look, shot = side.look, side.snapshot
    if left < TIGHT:  # the last thing said, and the rest for the log
        return chat_lines(shot.chat, look, cols, min(1, left))
    chat = chat_lines(shot.chat, look, cols, max(0, left // CHAT_SHARE) if shot.chat else 0)
    bottom = [*_watchers(shot, look, cols, left), *chat]
    return [frame.rule(look, cols), *bottom] if bottom else []


def log_room(side: MatchSide, cols: int, left: int) -> int:
    """Return how many lines of the log are shown: one less while newer ones are left out, which is said there."""
    rows = max(0, left - len(_bottom(side, cols, left)))
    return rows - 1 if side.log_skip and rows >= TELLS_NEWER else rows


def _seed_lines(shot: Snapshot, look: Look, cols: int) -> list[Line]:
    """Say what the match's chance was committed to, and reveal it at the end (in full, to be checked)."""
    if not shot.commitment:
        return []
    if shot.seed:
        return wrapped(look.t("match.seed", seed=shot.seed), cols, "dim", 2)
    return [plain(look.t("match.commitment", hash=shot.commitment[:HASH_SHOWN]), "dim")]


def _watchers(shot: Snapshot, look: Look, cols: int, rows: int) -> list[Line]:
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


def has_panel(room: Room, cols: int, rows: int, seats: int) -> bool:
    """Tell whether there is room beside or below the board for a panel that shows all players' clocks."""
    return cols - room.cols - GAP_COLS >= NARROWEST or rows - room.rows >= seats


def arranged(
    drawn: Sequence[Line],
    room: Room,
    panel_of: Callable[[int, int], list[Line]],
    cols: int,
    rows: int,
    seam: Seam | None = None,
) -> list[Line]:
    """Put the board and its panel into the body: beside each other, below each other, or the board alone.

    `panel_of` draws the panel for a number of columns and rows; `seam` knows what was put together last.
    """
    side_cols = cols - room.cols - GAP_COLS
    if side_cols >= NARROWEST:
        return (seam or Seam()).split(drawn, panel_of(side_cols - 1, rows), room.cols, cols, rows)
    if rows > room.rows:
        return [*block(drawn, cols, room.rows), *panel_of(cols, rows - room.rows)]
    return block(drawn, cols, rows)

"""The end of a match as a card over the board: who won, why, what it did to the ratings, and what one may do now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.boards import eventlog, outcome
from server.boards.board import AnyBoard, BoardArea, Weight
from server.boards.eventlog import Told
from server.boards.seats import name_at
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal import frame
from server.terminal.hint import Hint
from server.terminal.lines import Line, Span, after, before, block, fit, plain, width_cols, wrapped
from server.terminal.look import Look

MOST_COLS: Final = 60
LEAST_COLS, LEAST_ROWS = 30, 8
KEPT_ROWS: Final = 4  # below a card as wide as the body: the log's last lines
WON: Final = "won"  # the event that only says that the match is over
MINUTE_MS: Final = 60_000


def card(
    board: AnyBoard,
    shot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    hints: Sequence[Hint],
    size: tuple[int, int],
    guest_days: int = 0,
) -> list[Line]:
    """Draw the card for an area of this size; no line where that is too small for one. The keys are never left out.

    `guest_days`: how long a match is kept in which no account sat; 0: for ever.
    """
    cols, rows = min(MOST_COLS, size[0] - 4), size[1] - 2
    if cols < LEAST_COLS or rows < LEAST_ROWS:
        return []
    inner = cols - 6
    lines: list[Line] = []
    for text, style in (
        (outcome.sentence(shot, look), "good"),
        (outcome.of_two(shot, look), "good"),
        (decided(board, shot, events, look), "accent"),
    ):
        lines += wrapped(text, inner, style) if text else []
    lines += [(), *ratings(shot, look, inner), plain(length(board, shot, events, look), "dim")]
    kept = kept_for(shot, look, guest_days)
    lines += wrapped(kept, inner, "dim") if kept else []
    keys = [(), *_keys(hints, look, inner)]
    return _framed([*lines[: rows - 2 - len(keys)], *keys][: rows - 2], cols, look)


def decisive(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> Told | None:
    """Return what decided the match: the last dramatic thing that the rules told; None where people ended it."""
    if shot.result is None or shot.ended_by is not None or shot.result.reason in outcome.SERVER_REASONS:
        return None
    own = [event for event in events if not event.kind.startswith(eventlog.SERVER_EVENT) and event.kind != WON]
    found = eventlog.told(board, shot, own, look, board.counts_moves)
    return next((one for one in found if one.weight is Weight.DRAMATIC), None)


def decided(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> str:
    """Say what decided the match; '' where people ended it."""
    last = decisive(board, shot, events, look)
    if last is None:
        return ""
    if not board.counts_moves:
        return look.t("match.card.decided", what=last.text)
    return look.t("match.card.decided-at", what=last.text, number=moves(board, events, last.seq))


def moves(board: AnyBoard, events: Sequence[SeenEvent], until: int) -> int:
    """Return how many moves there were up to an entry."""
    return len({event.seq for event in events if event.seq <= until and eventlog.is_move(board, event)})


def length(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> str:
    """Say how long the match was: in moves where they are counted, and in minutes."""
    parts = [look.t("match.card.moves", n=moves(board, events, shot.seq))] if board.counts_moves else []
    if shot.ended_at is not None:
        ms = int((shot.ended_at - shot.started_at).total_seconds() * 1000)
        parts.append(look.t("match.card.minutes", number=max(1, round(ms / MINUTE_MS))))
    if shot.takebacks:
        parts.append(look.t("match.card.takebacks", n=shot.takebacks))
    return look.t("list.comma").join(parts)


def ratings(shot: AnyViewerState, look: Look, cols: int) -> list[Line]:
    """Say in `cols` columns what the match did to the ratings, and why it counted less, or not at all."""
    if not shot.rating_changes:
        key = "match.card.void" if shot.result is None else "match.card.casual" if not shot.agreement.rated else ""
        said = look.t(key) if key else outcome.not_counted(shot, look)
        return wrapped(said, cols, "dim") if said else []
    lines: list[Line] = []
    for seat, (old, new) in sorted(shot.rating_changes.items()):
        change = f"{round(old)} {look.glyphs.arrow} {round(new)}"
        style = "good" if new > old else "warn" if new < old else ""
        name: Span = (f"seat{seat}", name_at(shot, seat, look))
        lines.append((name, ("", f"  {change}"), (style, f"  ({round(new) - round(old):+d})")))
    less = outcome.counted_less(shot, look)
    return [*lines, *(wrapped(less, cols, "dim") if less else [])]


def kept_for(shot: AnyViewerState, look: Look, guest_days: int) -> str:
    """Say how many days a match is kept in which only guests and bots sat; '' for others."""
    is_kept = not guest_days or any(info.player.kind == "account" for info in shot.seats)
    return "" if is_kept else look.t("match.card.guests", n=guest_days)


def _keys(hints: Sequence[Hint], look: Look, cols: int) -> list[Line]:
    lines: list[list[Span]] = [[]]
    used = 0
    for hint in hints:
        cost = frame.hint_cols(hint, look)
        if used and used + 2 + cost > cols:
            lines.append([])
            used = 0
        lines[-1] += [("", "  " if used else ""), ("key", frame.key_name(hint.shown, look))]
        lines[-1].append(("label", f" {look.t(hint.label)}"))
        used += cost + (2 if used else 0)
    return [tuple(line) for line in lines]


def _framed(lines: Sequence[Line], cols: int, look: Look) -> list[Line]:
    top_left, _, top_right, _, _, _, low_left, _, low_right = look.glyphs.cross
    rule, side = look.glyphs.rule * (cols - 2), look.glyphs.vertical
    inside = [((("rule", side), ("", "  "), *fit(line, cols - 6), ("", "  "), ("rule", side))) for line in lines]
    return [plain(f"{top_left}{rule}{top_right}", "rule"), *inside, plain(f"{low_left}{rule}{low_right}", "rule")]


def covered_area(board: BoardArea, cols: int, rows: int) -> tuple[int, int]:
    """Return the columns and rows, top left in a body, that a card may cover: the board, else all but the last rows."""
    if board.cols - 4 >= LEAST_COLS:
        return board.cols, min(board.rows, rows)
    return cols, rows - KEPT_ROWS


def over(
    body: Sequence[Line], drawn: Sequence[Line], cols: int, rows: int, within: tuple[int, int] | None = None
) -> list[Line]:
    """Lay a card over the middle of a body of exactly `rows` lines of `cols` columns, or of an area top left in it."""
    lines = block(body, cols, rows)
    if not drawn:
        return lines
    width, (wide, high) = width_cols(drawn[0]), within or (cols, rows)
    left, top = (wide - width) // 2, max(0, (high - len(drawn)) // 2)
    for y, line in enumerate(drawn[: rows - top], top):
        lines[y] = (*before(lines[y], left), *line, *after(lines[y], left + width))
    return [fit(line, cols) for line in lines]

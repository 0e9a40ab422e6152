"""What the pages show of matches: a position as styled rows, players, log, result and steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from game.contract import Viewer
from server.boards.board import board, has_board
from server.boards.eventlog import count_moves, say
from server.boards.outcome import sentence
from server.boards.recordings import board_lines
from server.boards.seats import name_at, player_card, player_name
from server.matches.match import Match
from server.matches.model import AnyViewerState, MatchSummary
from server.terminal.items import PlayerCard
from server.terminal.itemwords import in_words
from server.terminal.lines import text_of
from server.terminal.look import Look
from server.terminal.paint import readable

ROWS = 40  # of a board at most
MOST_TOLD = 300  # of the last events


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match as a page shows it. `rows`: [style, text] runs; `at`: the entry that shows, of `last`.

    `number`, `count`: the same in moves, in a game that counts them.
    """

    id: str
    title: str
    players: str
    rows: list[list[tuple[str, str]]]
    seats: list[str]
    log: list[str]
    result: str
    is_live: bool
    at: int
    last: int
    number: int
    count: int


def shown_match(match: Match, viewer: Viewer, look: Look, at: int | None) -> ShownMatch:
    """Return what a page shows of a match; `at`: of a finished one, the entry to stop at."""
    newest = match.snapshot(viewer)
    is_live = not match.is_over
    seq = newest.seq if is_live or at is None else max(0, min(at, newest.seq))
    shot = newest if seq == newest.seq else match.at(seq, viewer)
    number, count = _counted(match, viewer, seq, newest.seq)
    return ShownMatch(
        id=match.id,
        title=look.game(shot.game),
        players=players_of(newest, look),
        rows=_rows(shot, look),
        seats=in_words(_cards(shot, look), look.heard()),
        log=_log(match, viewer, shot, look, seq),
        result=sentence(newest, look) if not is_live and seq == newest.seq else "",
        is_live=is_live,
        at=seq,
        last=newest.seq,
        number=number,
        count=count,
    )


def _counted(match: Match, viewer: Viewer, at: int, last: int) -> tuple[int, int]:
    """Return how many moves there were until an entry, and in all; entries where a game counts no moves."""
    if not has_board(match.game) or not board(match.game).counts_moves:
        return at, last
    moves = count_moves(board(match.game), match.events(viewer, -1))
    return moves.until(at), moves.until(last)


def _rows(shot: AnyViewerState, look: Look) -> list[list[tuple[str, str]]]:
    """Draw the board, without the rows that it leaves empty."""
    lines = list(board_lines(shot, look, ROWS)) if has_board(shot.game) else []
    while lines and not text_of(lines[-1]).strip():
        lines.pop()
    return [[(str(style or ""), readable(text)) for style, text in line] for line in lines]


def players_of(shot: AnyViewerState, look: Look) -> str:
    """Name who plays."""
    return " – ".join(name_at(shot, info.seat, look) for info in shot.seats)


def _cards(shot: AnyViewerState, look: Look) -> Sequence[PlayerCard]:
    if has_board(shot.game):
        return board(shot.game).players(shot, look.heard(), 80, shot.clock_at).cards
    return [player_card(shot, info.seat, "", look, shot.clock_at) for info in shot.seats]


def _log(match: Match, viewer: Viewer, shot: AnyViewerState, look: Look, seq: int) -> list[str]:
    if not has_board(shot.game):
        return []
    drawn = board(shot.game)
    events = [event for event in drawn.retold(match.events(viewer, -1)) if event.seq <= seq]
    return [text for event in events[-MOST_TOLD:] if (text := say(drawn, event, shot, look))]


def listed(summary: MatchSummary, look: Look) -> dict[str, Any]:
    """Return a line of the list of live matches."""
    names = " – ".join(player_name(seat.player.name, look) for seat in summary.seats)
    return {
        "id": summary.id,
        "game": look.game(summary.game),
        "players": names,
        "is_closed": summary.is_closed,
        "watchers": summary.watchers,
    }

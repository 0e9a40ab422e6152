"""Where a replay stops: at what happened, at turns, at moves that are counted, and at what decided the match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from server.boards import eventlog
from server.boards.board import AnyBoard
from server.boards.eventlog import MoveCount
from server.i18n.catalogues import Texts
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.look import Look


@dataclass(frozen=True, slots=True)
class Timeline:
    """Entries of a match in order, as one viewer may know it.

    `stops`: something happened, the beginning first. `turns`: a turn begins. `moves`: those of a game that counts them,
    else None. `decided_at`: the entry that decided the match, -1 where people ended it.
    """

    stops: tuple[int, ...] = (0,)
    turns: tuple[int, ...] = (0,)
    moves: MoveCount | None = None
    decided_at: int = -1

    @property
    def most(self) -> int:
        """Return the number at the end."""
        return len(self.stops) - 1 if self.moves is None else len(self.moves.stand)

    def number_at(self, seq: int) -> int:
        """Return how many moves there have been until an entry; where these aren't counted, how many things."""
        return bisect_right(self.stops, seq) - 1 if self.moves is None else self.moves.until(seq)

    def where(self, seq: int, is_over: bool, texts: Texts) -> str:
        """Say at which step one is; at the start nothing has happened, also where the first steps are no moves yet.

        Giving up and the like are no moves: the end has no number that another step has. `is_over`: the match, there.
        """
        key = "replay.where-start" if seq == 0 else "replay.where-end" if is_over else "replay.where"
        return texts.t(key, number=self.number_at(seq), of=self.most, n=self.most)

    def entry_of(self, number: int) -> int:
        """Return the entry that has a number, the last one for those that are too high."""
        numbered = self.stops if self.moves is None else (0, *self.moves.stand)
        return numbered[min(number, len(numbered) - 1)]


def stop_beside(entries: Sequence[int], seq: int, back: bool) -> int | None:
    """Return the last of these entries before `seq` (else the first), or the first after it (else None)."""
    if back:
        return entries[max(0, bisect_left(entries, seq) - 1)]
    at = bisect_right(entries, seq)
    return entries[at] if at < len(entries) else None


def timeline(
    board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, decided_at: int = -1
) -> Timeline:
    """Return where a replay stops. `shot`: what shows; `events`: all that the viewer may see."""
    told = list(eventlog.told(board, shot, events, look))[::-1]
    stops = tuple(sorted({0, *(one.seq for one in told)}))
    if not board.counts_moves:
        turns = tuple(sorted({0, *(one.seq for one in told if one.is_heading)}))
        return Timeline(stops, turns, None, decided_at)
    moves = eventlog.count_moves(board, events)
    rounds = (seq for seq, number in moves.numbers.items() if (number - 1) % len(shot.seats) == 0)
    return Timeline(stops, (0, *rounds), moves, decided_at)  # each player has moved once

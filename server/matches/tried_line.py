"""Trying a line: a private branch of a match that one person plays for all sides. It is stored nowhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from game.contract import Action, Pending, Seat, Viewer, Watcher
from game.rng import Rng
from server.matches.checkpoint import AnyGame
from server.matches.model import AnyViewerState, SeatInfo, SeenEvent


class TriedLine:
    """A branch from a state. `snapshot` and `events` are what a board shows to whose turn it is."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        shown: AnyViewerState,
        seat: Seat,
        *,
        is_guessed: bool = False,
        is_open: bool = False,
    ) -> None:
        """`shown`: a viewer's state of the match, for names, options and the side at the bottom; `seat`: who looks.

        `is_guessed`: the state holds what the viewer can't know. `is_open`: all that is hidden shows, whose turn it is.
        """
        self.game = game.key
        self._rules = game
        self._state = state
        self._shown = shown
        self._seat = seat
        self.is_guessed, self._is_open = is_guessed, is_open
        self._nearest = seat if shown.nearest is None else shown.nearest
        self._past: list[tuple[Any, tuple[tuple[int, Any], ...], Seat]] = []  # before each action
        self._told: tuple[tuple[int, Any], ...] = ()
        self._played = shown.seq

    def play(self, action: Action) -> None:
        """Play for whose turn it is. Raises what the rules raise; then nothing has changed."""
        asked = self._asked
        if asked is None:
            return
        step = self._rules.apply(self._state, asked.seat, action)
        self._past.append((self._state, self._told, self._seat))
        self._state, self._played = step.state, self._played + 1
        self._told += tuple((self._played, event) for event in step.events)
        self._seat = asked.seat if (now := self._asked) is None else now.seat

    @property
    def is_begun(self) -> bool:
        """Tell whether anything was played in the branch."""
        return bool(self._past)

    def step_back(self) -> None:
        """Take the last action of the branch back."""
        self._state, self._told, self._seat = self._past.pop()
        self._played -= 1

    @property
    def _asked(self) -> Pending | None:
        """Return the next decision: of the seat that has just played, if it owes one, else the first."""
        owed = self._rules.pending(self._state)
        mine = next((one for one in owed if one.seat == self._seat), None)
        return mine or (owed[0] if owed else None)

    @property
    def events(self) -> tuple[SeenEvent, ...]:
        """Return what has happened in the branch, as it shows."""
        eyes = self._eyes(self.snapshot.viewer)
        seen = ((seq, event.kind, event.seen_by(eyes)) for seq, event in self._told)
        return tuple(SeenEvent(seq, kind, params) for seq, kind, params in seen if params is not None)

    def _eyes(self, seat: Viewer) -> Viewer:
        return Watcher.OMNISCIENT if self._is_open else seat

    @property
    def snapshot(self) -> AnyViewerState:
        """Return what a board draws: the side of whose turn it is, without clocks."""
        asked, result = self._asked, self._rules.result(self._state)
        seat = self._seat if asked is None else asked.seat
        playing = self._rules.playing(self._state)
        return replace(
            self._shown,
            viewer=seat,
            view=self._rules.view(self._state, self._eyes(seat)),
            seq=self._played,
            version=self._played,
            status="live" if result is None else "finished",
            result=result,
            seats=tuple(_seat(info, info.seat not in playing) for info in self._shown.seats),
            pending=asked,
            turn_seq=self._played,
            turn_since=self._played,
            deciding=() if asked is None else ((seat, asked.window),),
            settings=(),
            deadline=None,
            offers=(),
            claim_at=None,
            void_at=None,
            ended_at=None,
            ended_by=None,
            rating_changes={},
            may_take_back=False,
            conditions=(),
            nearest=self._nearest,
            is_borrowed=False,
            is_past=False,
        )


def _seat(info: SeatInfo, is_out: bool) -> SeatInfo:
    return replace(info, bank_ms=None, runs_from=None, gone_since=None, bot_fails_since=None, here=True, out=is_out)


def from_view(game: AnyGame, shown: AnyViewerState, seat: Seat, chance: bytes) -> TriedLine:
    """Return a branch that begins as the seat may believe the match to be: its view, and `chance`, are all it knows."""
    state = game.determinize(shown.view, Rng(chance))
    return TriedLine(game, state, shown, seat, is_guessed=bool(game.spec.secrets))

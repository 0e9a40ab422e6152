"""What is shown of one match: the state of each viewer, made once and shared by all who look from there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from itertools import takewhile
from typing import Any

from game.contract import Action, Viewer, Watcher
from game.errors import GameError
from game.replay import Entry
from server.matches import viewer_state
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.errors import MatchRunning
from server.matches.live import LiveMatch
from server.matches.matchlog import MatchLog
from server.matches.model import AnyViewerState, SeenEvent
from server.matches.server_events import ending
from server.ratings.bradley_terry import Rating

PartsOf = Callable[[Viewer], viewer_state.Parts]


class Showing:
    """The viewers' states of one match. It follows the match before all others do: what they ask for is new."""

    def __init__(self, match: LiveMatch, ratings: tuple[Rating | None, ...], parts: PartsOf) -> None:
        """`ratings`: by seat, at the beginning; none: of no seat. `parts`: what they add to each viewer's state."""
        self._match = match
        self._ratings = ratings or (None,) * match.terms.n_seats
        self._parts = parts
        self._states: dict[Viewer, AnyViewerState] = {}
        self._states_at: Checkpoint | None = None  # the last checkpoint shown when they were made
        self._views: dict[Viewer, tuple[MatchLog, int, Any]] = {}
        match.follow(self._on_change)

    def _on_change(self, change: MatchChange) -> None:
        """Drop the states that are no longer so."""
        if change.entered is not None:
            return  # what that changes of attendance is told by itself
        if change.only is None:
            self._states.clear()
        else:
            self._states.pop(change.only, None)

    def snapshot(self, viewer: Viewer) -> AnyViewerState:
        """Return what this viewer sees now; the same object for all who look from there. Raises MatchRunning."""
        match, shown = self._match, self._match.shown
        if shown is not self._states_at:  # what was withheld may be shown, though nobody has been told yet
            self._states.clear()
            self._states_at = shown
        cached = self._states.get(viewer)
        if cached is None:
            cached = self._states[viewer] = self._seen_by(viewer, shown, match.known_to(viewer))
        return cached

    def at(self, seq: int, viewer: Viewer) -> AnyViewerState:
        """Return what the viewer saw after entry `seq` (clamped to what may be shown). Raises MatchRunning."""
        log = self._match.log
        checkpoint = log.at(max(0, min(seq, self._match.shown.seq)))
        return self._seen_by(viewer, checkpoint, checkpoint, log.moment(checkpoint.seq))

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        """Return what this viewer may know of what happened after entry `after`; -1: with the setup."""
        self._check_viewer(viewer)
        shown = self._match.shown
        return self._match.log.events(self.effective_viewer(viewer, shown), after, shown.seq)

    def effective_viewer(self, viewer: Viewer, checkpoint: Checkpoint) -> Viewer:
        """Return as which viewer somebody looks: who left the seat to a bot sees what the public sees."""
        if isinstance(viewer, Watcher) or checkpoint.fold.bots[viewer] is None or self._match.is_over:
            return viewer
        return Watcher.PLAIN if self._match.terms.has_open_hands else Watcher.PUBLIC

    def _check_viewer(self, viewer: Viewer) -> None:
        if viewer is Watcher.OMNISCIENT and not self._match.is_over:
            raise MatchRunning

    def _seen_by(
        self, viewer: Viewer, shown: Checkpoint, head: Checkpoint, moment: datetime | None = None
    ) -> AnyViewerState:
        """Return what a viewer sees; `moment`: the clocks are as they were then, not as they are now."""
        self._check_viewer(viewer)
        match = self._match
        around = viewer_state.Surroundings(
            version=match.version,
            attendance=match.attendance,
            ratings=self._ratings,
            out=match.seats_out(shown),
            rating_changes=match.rating_changes if shown.fold.is_over else {},
            rating_reasons=match.rating_reasons if shown.fold.is_over else {},
            changed_no_rating=match.changed_no_rating,
            ended_at=match.ended_at,
            ended_by=ending(match.log.entries[-1]) if match.is_over and match.log.entries else None,
            paused=match.is_broken,
            failing_bots=match.failing_bots,
            parts=self._parts(viewer),
        )
        effective = self.effective_viewer(viewer, shown)
        view = self.view(effective, shown) if head is shown else self._own_view(effective, shown)
        now = moment or match.context.clock.now()
        return viewer_state.seen_by(match.terms, match.log.game, viewer, shown, head, around, now, view)

    def view(self, viewer: Viewer, checkpoint: Checkpoint) -> Any:
        """Return the rules' view at a checkpoint; the last one of each viewer is kept."""
        log, kept = self._match.log, self._views.get(viewer)
        if kept is not None and kept[0] is log and kept[1] == checkpoint.seq:
            return kept[2]
        view = log.game.view(checkpoint.fold.state, viewer)
        self._views[viewer] = log, checkpoint.seq, view
        return view

    def _own_view(self, viewer: Viewer, shown: Checkpoint) -> Any:
        """Return the view of a seat, with those of its own settings that nobody else is told of yet."""
        log = self._match.log
        untold = takewhile(_is_quiet, log.entries[shown.seq :])  # what follows something else is shown with that
        settings = [one for one in untold if one.kind == "setting" and one.seat == viewer]
        if isinstance(viewer, Watcher) or not settings:
            return self.view(viewer, shown)
        game, state = log.game, shown.fold.state
        with suppress(GameError):  # one that fits only what nobody may see yet is shown with that
            for one in settings:
                state = game.apply(state, viewer, Action(one.action or "")).state
        return game.view(state, viewer)


def _is_quiet(entry: Entry) -> bool:
    """Tell whether an entry may be one that nobody else is told of while a window's time is free."""
    return entry.kind == "setting" or "quiet_until" in entry.data

"""The server with a bug in it, named by the environment variable PLANTED: the history checker must find each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from random import Random
from typing import Any

from game.contract import Seat, Watcher
from server.__main__ import main
from server.matches.acting import Acting
from server.matches.live import Also, nothing_else
from server.matches.showing import Showing
from server.store.appends import Append
from server.store.logwriter import LogWriter

_chance = Random(1)


def lost() -> None:
    """Say that an entry is stored, and do not store it."""
    store = LogWriter.append

    async def forgetful(self: LogWriter, append: Append) -> None:
        if _chance.random() > 0.2:
            await store(self, append)

    LogWriter.append = forgetful  # type: ignore[method-assign]


def doubled() -> None:
    """Store an action for what is asked next, too, where it fits."""
    act = Acting.act

    async def eager(
        self: Acting,
        seat: Seat,
        action: str,
        at_seq: int,
        arrived: datetime | None = None,
        also: Also = nothing_else,
    ) -> int:
        seq = await act(self, seat, action, at_seq, arrived, also)
        other = Seat(1 - seat)
        for again in (seat, other):
            if self.match.log.head.owed_by(again) is not None:
                try:
                    await act(self, again, action, self.match.log.head.seq, arrived)
                except Exception:  # it does not fit there
                    continue
        return seq

    Acting.act = eager  # type: ignore[method-assign]


def for_another() -> None:
    """Take what somebody decides for a decision of the other seat, which owes one too."""
    act = Acting.act

    async def confused(
        self: Acting,
        seat: Seat,
        action: str,
        at_seq: int,
        arrived: datetime | None = None,
        also: Also = nothing_else,
    ) -> int:
        other = Seat(1 - seat)
        wrong = other if self.match.log.head.owed_by(other) is not None else seat
        return await act(self, wrong, action, self.match.log.head.seq, arrived, also)

    Acting.act = confused  # type: ignore[method-assign]


def one_entry_late() -> Callable[[Showing, Any, Any], Any]:
    """Return a `Showing.view` that shows every second entry with the view of the one before."""
    view = Showing.view
    held: dict[tuple[Showing, Any], tuple[int, Any]] = {}

    def late(self: Showing, viewer: Any, checkpoint: Any) -> Any:
        seq, shown = held.get((self, viewer), (-1, None))
        if shown is None or not 0 <= checkpoint.seq - seq < 2:
            seq, shown = held[self, viewer] = checkpoint.seq, view(self, viewer, checkpoint)
        return shown

    return late


def stale_view() -> None:
    """Show the view of one entry before, as the newest."""
    Showing.view = one_entry_late()  # type: ignore[method-assign, assignment]


def _spoilt_events(spoil: Callable[[list[Any]], list[Any]]) -> None:
    events = Showing.events

    def spoilt(self: Showing, viewer: Any, after: int = -1) -> list[Any]:
        told = events(self, viewer, after)
        return spoil(told) if viewer is Watcher.PUBLIC else told

    Showing.events = spoilt  # type: ignore[method-assign]


def out_of_order() -> None:
    """Tell watchers what happened in another order."""
    _spoilt_events(lambda told: [*told[1:2], *told[:1], *told[2:]])


def left_out() -> None:
    """Tell spectators of everything but what begins with each third entry."""
    _spoilt_events(lambda told: [event for event in told if event.seq % 3 or event.seq == 0])


BUGS: Mapping[str, Callable[[], None]] = {
    "lost": lost,
    "doubled": doubled,
    "for-another": for_another,
    "stale-view": stale_view,
    "out-of-order": out_of_order,
    "left-out": left_out,
}

if __name__ == "__main__":
    BUGS[os.environ["PLANTED"]]()
    sys.exit(main())

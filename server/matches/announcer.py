"""Telling everybody who shows a match that it has changed: players at once, watchers in small batches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from game.contract import Seat, Viewer, Watcher
from server.callbacks import call_back
from server.matches.model import Changed
from server.tasks import Tasks

FEW = 4  # watchers who are told at once, too: a task would cost more
BATCH = 50  # callbacks between two turns of the loop


@dataclass(eq=False, slots=True)
class Subscriber:
    """One subscription."""

    _announcer: Announcer
    viewer: Viewer
    changed: Changed

    def close(self) -> None:
        self._announcer.forget(self)

    def notify(self) -> None:
        """Call back. A subscriber that raises is closed; the others are told all the same."""
        if not call_back(self.changed):
            self.close()


@dataclass(slots=True)
class Announcer:
    """The listeners of one match."""

    tasks: Tasks
    _players: dict[Subscriber, None] = field(default_factory=dict)
    _watchers: dict[Subscriber, None] = field(default_factory=dict)
    _is_serving: bool = False
    _again: bool = False

    def __len__(self) -> int:
        return len(self._players) + len(self._watchers)

    def listen(self, viewer: Viewer, changed: Changed) -> Subscriber:
        listener = Subscriber(self, viewer, changed)
        (self._watchers if isinstance(viewer, Watcher) else self._players)[listener] = None
        return listener

    def forget(self, listener: Subscriber) -> None:
        self._players.pop(listener, None)
        self._watchers.pop(listener, None)

    def announce(self, only: Seat | None = None) -> None:
        """Tell players now and watchers soon. Watchers who are still being told hear of both changes at once.

        With `only`, whoever looks from that seat is told, and nobody else.
        """
        for listener in tuple(self._players):
            if only is None or listener.viewer == only:
                listener.notify()
        if only is not None:
            return
        if self._is_serving:
            self._again = True
        elif 0 < len(self._watchers) <= FEW:
            for listener in tuple(self._watchers):
                listener.notify()
        elif self._watchers:
            self._is_serving = True
            self.tasks.spawn(self._serve(), "tell-watchers")

    async def _serve(self) -> None:
        try:
            while True:
                self._again = False
                for count, listener in enumerate(tuple(self._watchers), 1):
                    if listener in self._watchers:
                        listener.notify()
                    if count % BATCH == 0:
                        await asyncio.sleep(0)
                if not self._again:
                    return
        finally:
            self._is_serving = False

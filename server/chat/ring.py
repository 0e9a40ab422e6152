"""One channel in this process: its last lines and its listeners."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from server.callbacks import call_back
from server.store.chat import StoredLine

LINES = 100
Changed = Callable[[], None]


@dataclass(eq=False, slots=True)
class ChannelListener:
    """One subscription to a channel."""

    ring: Ring
    changed: Changed

    def close(self) -> None:
        """Unsubscribe. May be called twice."""
        self.ring.listeners.pop(self, None)


@dataclass(slots=True)
class Ring:
    """The last lines of a channel, oldest first."""

    channel: str
    lines: tuple[StoredLine, ...] = ()
    is_loaded: bool = False
    told_at: float = float("-inf")  # monotonic
    is_telling: bool = False
    listeners: dict[ChannelListener, None] = field(default_factory=dict)

    def holds(self, line_id: int) -> bool:
        return any(line.id == line_id for line in reversed(self.lines))

    def add(self, line: StoredLine) -> None:
        """Insert a line by its id; lines may arrive out of order."""
        if not self.holds(line.id):
            lines = list(self.lines)
            insort(lines, line, key=lambda known: known.id)
            self.lines = tuple(lines[-LINES:])

    def replace(self, lines: Iterable[StoredLine]) -> bool:
        """Replace the lines by the stored ones; return whether anything changed."""
        new = tuple(lines)
        has_changed = new != self.lines
        self.lines, self.is_loaded = new, True
        return has_changed

    def notify(self, now: float) -> None:
        """Call every listener. An exception in one does not stop the others."""
        self.told_at, self.is_telling = now, False
        for listener in tuple(self.listeners):
            if not call_back(listener.changed):
                listener.close()

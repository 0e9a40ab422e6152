"""The input guard of windows: a key typed just as a chance to answer opens was meant for something else."""

from __future__ import annotations

from typing import Final

from server.clock import Clock
from server.matches.model import Snapshot

GUARD_S: Final = 0.3  # nobody reads a new question and answers it faster


class InputGuard:
    """Holds back the answers to a window for a moment after it opened on this screen."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = float("-inf")  # monotonic

    def see(self, before: Snapshot | None, now: Snapshot) -> None:
        """Take note of what is asked now; `before` None: the page opens."""
        if is_window(now) and (before is None or _asked(before) != _asked(now)):
            self._until = self._clock.monotonic() + GUARD_S

    @property
    def holds(self) -> bool:
        """Tell whether a key can't have been meant for what is asked."""
        return self._clock.monotonic() < self._until


def is_window(shot: Snapshot) -> bool:
    """Tell whether the viewer is asked in a window."""
    return shot.pending is not None and shot.pending.window is not None


def _asked(shot: Snapshot) -> tuple[object, int]:
    return shot.pending, shot.turn_since

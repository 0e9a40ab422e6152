"""Rate limit on the chat of guests and new accounts by where they come from: who connects again is somebody else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from server.accounts.sources import Sources
from server.chat.errors import ChatRefused
from server.clock import Clock

GUESTS = 3  # times the limit of one person: what all guests of a source may say, who may be several behind one address
WINDOW_S = 60.0
KEPT = 10_000  # sources that are remembered


class GuestLines:
    """Counts the lines of the last minute, in the memory of this process alone: no address is stored for it."""

    def __init__(self, clock: Clock, per_min: int) -> None:
        """`per_min`: what one person may say."""
        self._clock = clock
        self._most = GUESTS * per_min
        self._said: dict[str, deque[float]] = {}  # moments (monotonic seconds), oldest first; the latest used is last

    def __len__(self) -> int:
        return len(self._said)

    @contextmanager
    def line(self, who: Sources) -> Iterator[None]:
        """Count a line while it is stored; one that is not stored does not count. Raises ChatRefused.

        It counts from the beginning, so that lines said at the same time gain nothing.
        """
        now = self._clock.monotonic()
        for name, most in who.budgets(self._most):
            if len(said := self._of(name, now)) >= most:
                raise ChatRefused("chat.guests-too-fast", round((said[0] + WINDOW_S - now) * 1000) + 1)
        for name in who.names:
            self._add(name, now)
        is_stored = False
        try:
            yield
            is_stored = True
        finally:
            if not is_stored:
                for name in who.names:
                    self._take_back(name, now)

    def _of(self, name: str, now: float) -> deque[float]:
        said = self._said.get(name, deque[float]())
        while said and said[0] <= now - WINDOW_S:
            said.popleft()
        return said

    def _add(self, name: str, now: float) -> None:
        self._said[name] = said = self._said.pop(name, None) or deque[float]()
        said.append(now)
        if len(self._said) > KEPT:
            del self._said[next(iter(self._said))]

    def _take_back(self, name: str, moment: float) -> None:
        said = self._said.get(name, deque[float]())
        if moment in said:
            said.remove(moment)
        if not said:
            self._said.pop(name, None)

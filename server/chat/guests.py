"""Rate limit on the chat of guests and new accounts by where they come from: who connects again is somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from server.accounts.sources import Sources
from server.chat.errors import ChatRefused
from server.clock import Clock
from server.tokenbucket import MINUTE_S, LastMinute

GUESTS = 3  # times the limit of one person: what all guests of a source may say, who may be several behind one address


class GuestLines:
    """Counts the lines of the last minute, in the memory of this process alone: no address is stored for it."""

    def __init__(self, clock: Clock, per_min: int) -> None:
        """`per_min`: what one person may say."""
        self._clock = clock
        self._most = GUESTS * per_min
        self._said = LastMinute()

    def __len__(self) -> int:
        return len(self._said)

    @contextmanager
    def line(self, who: Sources) -> Iterator[None]:
        """Count a line while it is stored; one that is not stored does not count. Raises ChatRefused.

        It counts from the beginning, so that lines said at the same time gain nothing.
        """
        now = self._clock.monotonic()
        for name, most in who.budgets(self._most):
            if len(said := self._said.of(name, now)) >= most:
                raise ChatRefused("chat.guests-too-fast", round((said[0] + MINUTE_S - now) * 1000) + 1)
        for name in who.names:
            self._said.add(name, now)
        is_stored = False
        try:
            yield
            is_stored = True
        finally:
            if not is_stored:
                for name in who.names:
                    self._said.take_back(name, now)

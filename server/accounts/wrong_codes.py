"""Rate limit on wrong codes of rooms, and wrong secrets in links, in all processes; others': `rate_limits.py`."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from server.accounts.sources import SHARES, Sources, share_of
from server.bus.bus import Bus, Payload
from server.clock import Clock
from server.errors import RateLimited
from server.tokenbucket import MINUTE_S, LastMinute

TOPIC = "guesses"
LIMIT = "wrong_codes_per_min"
PER_MIN = 100
SERVER_SHARE = 10  # times the limit of one source: above that many wrong codes in all, every answer slows down
SLOWED = 5  # wrong codes a minute of a source that guesses while it does
MOST_SHARE = max(SHARES.values())


class Guess:
    """One try of a code. It counts as wrong after `fail`."""

    def __init__(self) -> None:
        self.is_wrong = False

    def fail(self) -> None:
        """Count it as wrong."""
        self.is_wrong = True


class WrongCodes:
    """Counts wrong codes of the last minute. Other processes report theirs over the bus.

    `per_min`: how many wrong ones a source, and an account, may try in any minute (`Sources`). When the whole server
    gets many, those who guess may try fewer; who has not guessed wrong is never refused.
    """

    def __init__(self, clock: Clock, bus: Bus | None = None, per_min: int = PER_MIN) -> None:
        self._clock = clock
        self._bus = bus
        self._per_min = per_min
        self._wrong = LastMinute(MOST_SHARE * per_min)  # by source and person
        self._everywhere: deque[float] = deque(maxlen=per_min * SERVER_SHARE)
        self._id = secrets.token_hex(8)
        self._heard = None if bus is None else bus.subscribe(TOPIC, self._hear)

    def close(self) -> None:
        """Unsubscribe from the bus."""
        if self._heard is not None:
            self._heard.close()

    @contextmanager
    def guess(self, who: Sources) -> Iterator[Guess]:
        """Begin one try of a code. Raises RateLimited.

        A try counts until the code is known to be right, so that parallel tries gain nothing.
        """
        now = self._clock.monotonic()
        self.check(who)
        guess = Guess()
        for name in who.names:
            self._wrong.add(name, now)
        try:
            yield guess
        finally:
            if guess.is_wrong:
                self._everywhere.append(now)
                self._publish(who)
            else:
                for name in who.names:
                    self._wrong.take_back(name, now)

    def check(self, who: Sources) -> None:
        """Raise RateLimited for whoever has tried too many wrong codes within the last minute."""
        now = self._clock.monotonic()
        for name in who.names:
            moments, most = self._wrong.of(name, now), self._most(name, now)
            if len(moments) >= most:
                raise RateLimited(LIMIT, round((moments[-most] + MINUTE_S - now) * 1000) + 1)

    def _most(self, name: str, now: float) -> int:
        is_flooded = len(self._everywhere) == self._everywhere.maxlen and self._everywhere[0] > now - MINUTE_S
        return share_of(name) * (min(SLOWED, self._per_min) if is_flooded else self._per_min)

    def _publish(self, who: Sources) -> None:
        if self._bus is not None:
            self._bus.publish(TOPIC, {"from": self._id, "who": list(who.names)})

    def _hear(self, payload: Payload) -> None:
        match payload:
            case {"from": str(other), "who": list(who)} if other != self._id:
                now = self._clock.monotonic()
                self._everywhere.append(now)
                for name in who:
                    self._wrong.add(str(name)[:100], now)

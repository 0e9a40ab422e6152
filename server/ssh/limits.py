"""Who may knock and how much may come in: counts of connections by source, and rates by source."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from server.config import Limits
from server.pace import Bucket
from server.ssh.tally import Tally


def source_key(address: str) -> str:
    """Return what an address is counted as: itself, or the /64 of an IPv6 one.

    >>> source_key("2001:db8:1:2:3::9"), source_key("::ffff:192.0.2.1"), source_key("127.0.0.2")
    ('2001:db8:1:2::/64', '192.0.2.1', '127.0.0.2')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback:
        return str(parsed)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


class Rates:
    """Buckets by name and source, for limits that count a source over all its connections."""

    KEPT = 10_000

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def count(self, limit: str, source: str, per_min: float) -> float:
        """Count one; return 0, or the seconds to wait (then it is not counted). A minute's worth may come at once."""
        now = self._now()
        bucket = self._buckets.pop((limit, source), None) or Bucket(per_min / 60, per_min, now)
        self._buckets[limit, source] = bucket  # the latest used is last
        if len(self._buckets) > self.KEPT:
            del self._buckets[next(iter(self._buckets))]
        return bucket.try_take(1, now)


class Turns:
    """Commands that make much take turns: in one round of the loop one of them goes on, and everybody else."""

    def __init__(self) -> None:
        self._next = asyncio.Lock()

    async def give(self) -> None:
        """Let everybody else go on, and come back when it is one's turn."""
        async with self._next:
            await asyncio.sleep(0)


class Gate:
    """Counts connections. Each one is first `knocking`, then perhaps `inside`, and in the end `gone`.

    With a `tally` the limits hold for all processes of this machine together.
    """

    def __init__(self, limits: Limits, tally: Tally | None = None) -> None:
        self._limits = limits
        self._tally = tally
        self._knocking: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()

    @property
    def knocking(self) -> int:
        """Return how many connections to this process have not logged in yet."""
        return self._knocking.total()

    @property
    def inside(self) -> int:
        """Return how many connections to this process have logged in."""
        return self._inside.total()

    def knock(self, source: str) -> Callable[[], None] | None:
        """Let a new connection try; the returned call ends its trying. None: too many try already."""
        knocking_elsewhere, _ = self._elsewhere(source)
        all_elsewhere = self._tally.knocking_elsewhere() if self._tally is not None else 0
        if self.knocking + all_elsewhere >= self._limits.unauthenticated:
            return None
        if self._knocking[source] + knocking_elsewhere >= self._limits.unauthenticated_per_source:
            return None
        return self._count(self._knocking, source)

    def enter(self, source: str) -> Callable[[], None] | None:
        """Let a connection in that has logged in; the returned call is its leaving. None: too many are in."""
        _, inside_elsewhere = self._elsewhere(source)
        if self._inside[source] + inside_elsewhere >= self._limits.connections_per_source:
            return None
        return self._count(self._inside, source)

    def _elsewhere(self, source: str) -> tuple[int, int]:
        return self._tally.elsewhere(source) if self._tally is not None else (0, 0)

    def _count(self, counter: Counter[str], source: str) -> Callable[[], None]:
        self._add(counter, source, 1)
        done = False

        def end() -> None:
            nonlocal done
            if not done:
                done = True
                self._add(counter, source, -1)

        return end

    def _add(self, counter: Counter[str], source: str, change: int) -> None:
        counter[source] += change
        if counter[source] <= 0:
            del counter[source]
        if self._tally is not None:
            self._tally.note(source, self._knocking[source], self._inside[source], self.knocking)

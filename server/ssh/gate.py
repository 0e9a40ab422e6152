"""Admission of connections: limits by source and by the networks around it, before and after the login."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Network, ip_network

from server.config import Limits
from server.ssh.tally import Tally

PATIENCE_S = 5.0  # a connection is not closed earlier for one from an equally full network
HALF_LIFE_S = 300.0  # of the count of a network's failed logins
LEAST = 0.1  # a smaller count is zero
MOST_WEIGHT = 10.0  # of a connection from a network that never logs in, relative to one that always does
FRESH_S = 0.25  # how long the other processes' counts are cached
KEPT = 10_000  # networks whose failures and remote counts are kept
IN_NETWORK = {32: 1, 24: 8, 64: 1, 56: 2, 48: 8}  # prefix -> connections that fill a network as one fills a source


class Reason(StrEnum):
    """Why a connection is refused or closed, in English: nobody's language is known before the login."""

    NOT_LOGGED_IN = (
        "too many connections from your address have not logged in yet ({count}): "
        "log in on one of them, close them, or wait for half a minute"
    )
    MADE_ROOM = (
        "closed to let others in: it has not logged in yet, and from no network are there more of those than "
        "from yours ({network})"
    )
    NETWORK = (
        "too many connections have not logged in yet, and {count} of them are from your network ({network}); "
        "please try again in a moment"
    )
    FAILED = (
        "too many connections have not logged in yet, and from your network some never did; "
        "please try again in a moment"
    )
    CROWDED = "too many people are logging in just now; please try again in a moment"
    SOURCE = "too many connections from your address ({count}): close one of them"
    SERVER_FULL = "the server is full: {count} connections; please try again later"


class TurnedAway(Exception):
    """A connection is refused; the message is what its client is told. `params` are those of the reason's text."""

    def __init__(self, reason: Reason, **params: object) -> None:
        super().__init__(reason.format(**params))
        self.reason = reason
        self.params = params


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many connections of each kind one process has file descriptors for."""

    knocking: int
    inside: int
    parting: int = 50  # refused connections that are still reading why


def networks_of(source: str) -> tuple[tuple[str, int], ...]:
    """Return (network, its size in sources) for a source and the networks around it.

    >>> networks_of("192.0.2.1")
    (('192.0.2.1', 1), ('192.0.2.0/24', 8))
    >>> networks_of("2001:db8:1:2::/64")
    (('2001:db8:1:2::/64', 1), ('2001:db8:1::/56', 2), ('2001:db8:1::/48', 8))
    """
    try:
        inner = ip_network(source)
    except ValueError:
        return ((source, 1),)
    if isinstance(inner, IPv6Network):
        wider = [inner.supernet(new_prefix=bits) for bits in (56, 48)] if inner.prefixlen == 64 else []
    else:
        wider = [ip_network(f"{IPv4Address(int(inner.network_address) >> 8 << 8)}/24")]  # type: ignore[list-item]
    return ((source, 1), *((str(network), IN_NETWORK[network.prefixlen]) for network in wider))


class Knocking:
    """A connection that has not logged in yet. It ends once: logged in, or given up."""

    __slots__ = ("_gate", "networks", "send_away", "since", "source")

    def __init__(self, gate: Gate, source: str, since: float, send_away: Callable[[str], None]) -> None:
        self._gate: Gate | None = gate
        self.source = source
        self.networks = networks_of(source)
        self.since = since
        self.send_away = send_away

    def logged_in(self) -> None:
        """Note that it has logged in."""
        self._end(True)

    def gave_up(self) -> None:
        """Note that it ended without a login."""
        self._end(False)

    def _end(self, has_logged_in: bool) -> None:
        gate, self._gate = self._gate, None
        if gate is not None:
            gate.ended(self, has_logged_in)


class Failures:
    """Failed logins by network, with exponential decay: half are forgotten every five minutes."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: dict[str, tuple[float, float]] = {}  # network -> (failures, when)

    def of(self, network: str) -> float:
        """Return a network's decayed count."""
        failures, at = self._kept.get(network, (0.0, 0.0))
        left = failures * 0.5 ** ((self._now() - at) / HALF_LIFE_S) if failures else 0.0
        return left if left >= LEAST else 0.0

    def set(self, network: str, failures: float) -> None:
        """Store a network's count; the one stored longest ago is evicted."""
        self._kept.pop(network, None)
        self._kept[network] = failures, self._now()
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


class Gate:
    """Counts connections: before the login (`Knocking`) and after it (inside).

    When all places before the login are taken, the oldest connection of the fullest network is closed for one from an
    emptier network. A network's fullness is its connections, weighted by its failed logins. With a `tally` the limits
    hold for all processes of this machine together; each process closes only its own connections.
    """

    def __init__(
        self,
        limits: Limits,
        tally: Tally | None = None,
        capacity: Capacity | None = None,
        now: Callable[[], float] = time.monotonic,
        full: Callable[[], None] = lambda: None,
    ) -> None:
        """`full` is called when a connection is refused because this process has no room left."""
        self._limits = limits
        self._tally = tally
        self._capacity = capacity
        self._now = now
        self._waiting: dict[Knocking, None] = {}  # the oldest first
        self._knocking: Counter[str] = Counter()  # by network, of every size
        self._inside: Counter[str] = Counter()  # by source
        self._full = full
        self._failures = Failures(now)
        self._seen_elsewhere: dict[str, tuple[float, int]] = {}  # network -> (when, knocking there)

    @property
    def knocking(self) -> int:
        """Return how many connections to this process have not logged in yet."""
        return len(self._waiting)

    @property
    def inside(self) -> int:
        """Return how many connections to this process have logged in."""
        return self._inside.total()

    def knock(self, source: str, send_away: Callable[[str], None]) -> Knocking:
        """Admit a new connection to the login; `send_away` closes it, with a reason, when its place is needed.

        Raises TurnedAway.
        """
        mine = self._knocking[source] + self._elsewhere(source)[0]
        if mine >= self._limits.unauthenticated_per_source:
            raise TurnedAway(Reason.NOT_LOGGED_IN, count=mine)
        new = Knocking(self, source, self._now(), send_away)
        if self._is_full() and (victim := self._victim(new)) is not None:
            victim.gave_up()
            victim.send_away(Reason.MADE_ROOM.format(network=self._fullest(victim)))
        elif self._is_full() and not self._has_own_share():
            raise self._turned_away(new)
        self._waiting[new] = None
        self._count_knocking(new, 1)
        return new

    def ended(self, one: Knocking, has_logged_in: bool) -> None:
        """Remove a connection from those before the login."""
        self._waiting.pop(one, None)
        self._count_knocking(one, -1)
        if has_logged_in:
            if failures := self._failures.of(one.source):
                self._failures.set(one.source, failures / 2)
            return
        for network, _ in one.networks:
            self._failures.set(network, self._failures.of(network) + 1)

    def enter(self, source: str) -> Callable[[], None]:
        """Admit a connection that has logged in; return what to call at its end. Raises TurnedAway."""
        mine = self._inside[source] + self._elsewhere(source)[1]
        if mine >= self._limits.connections_per_source:
            raise TurnedAway(Reason.SOURCE, count=mine)
        if self._capacity is not None and self.inside >= self._capacity.inside:
            self._full()
            raise TurnedAway(Reason.SERVER_FULL, count=self.inside)
        self._count_inside(source, 1)
        is_gone = False

        def leave() -> None:
            nonlocal is_gone
            if not is_gone:
                is_gone = True
                self._count_inside(source, -1)

        return leave

    # Which connection is closed for a new one

    def _is_full(self) -> bool:
        everywhere = self.knocking + (self._tally.knocking_elsewhere() if self._tally is not None else 0)
        most_here = self._capacity.knocking if self._capacity is not None else self._limits.unauthenticated
        return everywhere >= self._limits.unauthenticated or self.knocking >= most_here

    def _has_own_share(self) -> bool:
        """Tell whether this process may exceed the shared limit: its own share is not used up."""
        return self._tally is not None and self.knocking < self._limits.unauthenticated // self._tally.processes

    def _victim(self, new: Knocking) -> Knocking | None:
        """Return the connection to close for a new one: the oldest of the fullest network, if that is fuller.

        From an equally full network only one older than PATIENCE_S. None: refuse the new one.
        """
        fullness: dict[str, float] = {}
        for one in self._waiting:
            if one.source not in fullness:
                fullness[one.source] = self._fullness(one, 0)
        own, now = self._fullness(new, 1), self._now()
        most = max(fullness.values(), default=0.0)
        fullest = (one for one in self._waiting if fullness[one.source] == most)
        if most > own:
            return max(fullest, key=lambda one: (self._knocking[one.source], now - one.since))
        return next((one for one in fullest if most == own and now - one.since >= PATIENCE_S), None)

    def _fullness(self, one: Knocking, more: int) -> float:
        """Return the fullness of the fullest network around a connection, with `more` connections in it."""
        taken = max((self._everywhere(network) + more) / size for network, size in one.networks)
        failed = max(self._failures.of(network) / size for network, size in one.networks)
        return taken * min(1 + failed, MOST_WEIGHT)

    def _fullest(self, one: Knocking) -> str:
        return max(one.networks, key=lambda entry: self._everywhere(entry[0]) / entry[1])[0]

    def _turned_away(self, new: Knocking) -> TurnedAway:
        """Return why there is no place for a newcomer: because of its own network, or of nobody in particular."""
        network = self._fullest(new)
        if others := self._everywhere(network):
            return TurnedAway(Reason.NETWORK, count=others, network=network)
        has_failed = any(self._failures.of(network) >= size for network, size in new.networks)
        return TurnedAway(Reason.FAILED if has_failed else Reason.CROWDED)

    # Counting

    def _elsewhere(self, source: str) -> tuple[int, int]:
        return self._tally.elsewhere(source) if self._tally is not None else (0, 0)

    def _everywhere(self, network: str) -> int:
        """Return how many connections of a network are before the login; other processes' counts are cached."""
        if self._tally is None:
            return self._knocking[network]
        now = self._now()
        at, there = self._seen_elsewhere.get(network, (float("-inf"), 0))
        if now - at > FRESH_S:
            there = self._tally.elsewhere(network)[0]
            self._seen_elsewhere.pop(network, None)
            self._seen_elsewhere[network] = now, there
            if len(self._seen_elsewhere) > KEPT:
                del self._seen_elsewhere[next(iter(self._seen_elsewhere))]
        return self._knocking[network] + there

    def _count_knocking(self, one: Knocking, change: int) -> None:
        for network, _ in one.networks:
            self._add(self._knocking, network, change)

    def _count_inside(self, source: str, change: int) -> None:
        self._add(self._inside, source, change)

    def _add(self, counter: Counter[str], name: str, change: int) -> None:
        counter[name] += change
        if counter[name] <= 0:
            del counter[name]
        if self._tally is not None:
            self._tally.note(name, self._knocking[name], self._inside[name], self.knocking)

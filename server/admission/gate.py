"""Admission of connections: limits by source and by the networks around it, before and after the login."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from server.accounts.sources import Sources, share_of
from server.admission.tally import Tally
from server.config import Limits

PATIENCE_S = 5.0  # a connection is not closed earlier for one from an equally full network
HALF_LIFE_S = 300.0  # of the count of a network's failed logins
LEAST = 0.1  # a smaller count is zero
MOST_WEIGHT = 10.0  # of a connection from a network that never logs in, relative to one that always does
FRESH_S = 0.25  # how long the other processes' counts are cached
KEPT = 10_000  # networks whose failures and remote counts are kept
KEPT_PLACES = 2  # of an account with a running match, where its network has taken its own
KEPT_SHARE = 10  # one in so many of a process's places is for accounts with a running match


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
    AROUND = "too many connections from your network ({network}): {count}; please try again later, or with an account"
    ACCOUNT = "too many connections of your account ({count}): close one of them"
    NO_CHANNEL = "closed because nothing was done on it for so long"
    NO_CHANNEL_FULL = "closed to let others of your network in: nothing was done on it"
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


class Knocking:
    """A connection that has not logged in yet, or asks for pages. It ends once: logged in, or given up."""

    __slots__ = ("_gate", "has_asked", "is_busy", "send_away", "since", "sources")

    def __init__(self, gate: Gate, sources: Sources, since: float, send_away: Callable[[str], None]) -> None:
        self._gate: Gate | None = gate
        self.sources = sources
        self.since = since
        self.send_away = send_away
        self.has_asked = False  # to log in: the key exchange is behind it; of a browser: for a page
        self.is_busy = False  # a page is on its way to it: of those that may be closed it is the last

    @property
    def source(self) -> str:
        """Return the narrowest of its networks."""
        return self.sources.names[0]

    def ask(self) -> None:
        """Note that it asks to log in."""
        self.has_asked = True

    def serve(self, is_busy: bool) -> None:
        """Note whether a page is on its way to it."""
        self.is_busy = is_busy

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


class Inside:
    """A connection that has logged in. Without a session channel its place is somebody else's when all are taken."""

    __slots__ = ("_gate", "send_away", "sources")

    def __init__(self, gate: Gate, sources: Sources, send_away: Callable[[str], None]) -> None:
        self._gate: Gate | None = gate
        self.sources = sources
        self.send_away = send_away

    def use(self, has_channel: bool) -> None:
        """Note whether it has a session channel now."""
        if self._gate is not None:
            self._gate.used(self, has_channel)

    def leave(self) -> None:
        """Give the place back. May be called twice."""
        gate, self._gate = self._gate, None
        if gate is not None:
            gate.left(self)


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
    hold for all processes of this machine together; each process closes only its own connections. The browsers' door
    has a gate of its own for connections that ask for pages.
    """

    def __init__(
        self,
        limits: Limits,
        tally: Tally | None = None,
        capacity: Capacity | None = None,
        now: Callable[[], float] = time.monotonic,
        full: Callable[[], None] = lambda: None,
        below: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        """`full` is called when a connection is refused because this process has no room left; `below` draws."""
        self._limits = limits
        self._tally = tally
        self._capacity = capacity
        self._now = now
        self._waiting: dict[Knocking, None] = {}  # the oldest first
        self._knocking: Counter[str] = Counter()  # by network, of every size
        self._inside: Counter[str] = Counter()  # by account, or network of every size
        self._inside_total = 0
        self._idle: dict[Inside, None] = {}  # without a session channel, the one for longest first
        self._full = full
        self._below = below
        self._failures = Failures(now)
        self._seen_elsewhere: dict[str, tuple[float, int]] = {}  # network -> (when, knocking there)

    @property
    def knocking(self) -> int:
        """Return how many connections to this process have not logged in yet."""
        return len(self._waiting)

    @property
    def inside(self) -> int:
        """Return how many connections to this process have logged in."""
        return self._inside_total

    def knock(self, address: str, send_away: Callable[[str], None]) -> Knocking:
        """Admit a new connection to the login; `send_away` closes it, with a reason, when its place is needed.

        Where its source or network has all its places, one that waits there for PATIENCE_S makes room; in a network one
        of the part that has most, too, and where connections are opened anew again and again, any. Raises TurnedAway.
        """
        sources = Sources.of((address,))
        new = Knocking(self, sources, self._now(), send_away)
        while (full := sources.full(self._limits.unauthenticated_per_source, self._everywhere_now)) is not None:
            if (stale := self._stale(full) or self._crowding(full, new) or self._renewed(full)) is None:
                count = self._everywhere_now(full)
                if share_of(full) == 1:
                    raise TurnedAway(Reason.NOT_LOGGED_IN, count=count)
                raise TurnedAway(Reason.NETWORK, count=count, network=full)
            self._make_room(stale)
        if self._is_full() and (victim := self._victim(new)) is not None:
            self._make_room(victim)
        elif self._is_full() and not self._has_own_share():
            raise self._turned_away(new)
        self._waiting[new] = None
        self._count_knocking(new, 1)
        return new

    def _stale(self, network: str) -> Knocking | None:
        """Return who in a network has not logged in for longest, and for PATIENCE_S."""
        now = self._now()
        inside = (one for one in self._waiting if network in one.sources.names)
        return _first_free(one for one in inside if now - one.since >= PATIENCE_S)

    def _crowding(self, network: str, new: Knocking) -> Knocking | None:
        """Return the oldest before the login of the part of a full network with most places, if `new` would have fewer.

        So whoever renews connections in a part of a network keeps nobody out who comes from another part of it.
        """
        level = new.sources.names.index(network) - 1
        if level < 0:
            return None
        inside = [one for one in self._waiting if network in one.sources.names]
        parts = Counter(one.sources.names[level] for one in inside)
        fullest, places = max(parts.items(), key=lambda part: part[1], default=("", 0))
        if places <= parts[new.sources.names[level]] + 1:
            return None
        return _first_free(one for one in inside if one.sources.names[level] == fullest)

    def _renewed(self, network: str) -> Knocking | None:
        """Return one at random of a network where as many have lately given up as may be there at once, else None.

        Who opens connections anew for ever would else keep everybody out who comes from there, at one address too:
        none waits for PATIENCE_S. First go those that have not asked to log in. So somebody else is let in, and stays
        unless many more come in the moment that a login takes.
        """
        if self._failures.of(network) < self._limits.unauthenticated_per_source * share_of(network):
            return None
        inside = [one for one in self._waiting if network in one.sources.names]
        least = [one for one in inside if not one.has_asked] or [one for one in inside if not one.is_busy] or inside
        return least[self._below(len(least))] if least else None

    def _make_room(self, victim: Knocking) -> None:
        network = self._fullest(victim)
        victim.gave_up()
        victim.send_away(Reason.MADE_ROOM.format(network=network))

    def ended(self, one: Knocking, has_logged_in: bool) -> None:
        """Remove a connection from those before the login."""
        self._waiting.pop(one, None)
        self._count_knocking(one, -1)
        if has_logged_in:
            if failures := self._failures.of(one.source):
                self._failures.set(one.source, failures / 2)
            return
        for network in one.sources.names:
            self._failures.set(network, self._failures.of(network) + 1)

    def enter(self, sources: Sources, send_away: Callable[[str], None], keeps_place: bool = False) -> Inside:
        """Admit a connection that has logged in, until its `leave`. Raises TurnedAway.

        Where its source or network has all its places, the oldest connection there without a session channel is closed,
        by its `send_away`. `keeps_place`: an account with a running match, which gets one of the places that are kept.
        """
        while (full := sources.full(self._limits.connections_per_source, self._inside_now)) is not None:
            idle = next((one for one in self._idle if full in one.sources.names), None)
            if idle is not None:
                idle.leave()
                idle.send_away(Reason.NO_CHANNEL_FULL)
            elif keeps_place and self._inside_now(sources.names[0]) < KEPT_PLACES:
                break
            else:
                raise _full_inside(full, self._inside_now(full))
        if self._capacity is not None:
            kept = 0 if keeps_place else self._capacity.inside // KEPT_SHARE
            if self.inside >= self._capacity.inside - kept:
                self._full()
                raise TurnedAway(Reason.SERVER_FULL, count=self.inside)
        new = Inside(self, sources, send_away)
        self._inside_total += 1
        self._count_inside(new, 1)
        self._idle[new] = None
        return new

    def used(self, one: Inside, has_channel: bool) -> None:
        """Note whether a connection has a session channel now."""
        self._idle.pop(one, None)
        if not has_channel:
            self._idle[one] = None

    def left(self, one: Inside) -> None:
        """Take the place of a connection back."""
        self._idle.pop(one, None)
        self._inside_total -= 1
        self._count_inside(one, -1)

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
            return max(fullest, key=lambda one: (self._knocking[one.source], not one.is_busy, now - one.since))
        return _first_free(one for one in fullest if most == own and now - one.since >= PATIENCE_S)

    def _fullness(self, one: Knocking, more: int) -> float:
        """Return the fullness of the fullest network around a connection, with `more` connections in it."""
        names = one.sources.names
        taken = max((self._everywhere(network) + more) / share_of(network) for network in names)
        failed = max(self._failures.of(network) / share_of(network) for network in names)
        return taken * min(1 + failed, MOST_WEIGHT)

    def _fullest(self, one: Knocking) -> str:
        return max(one.sources.names, key=lambda network: self._everywhere(network) / share_of(network))

    def _turned_away(self, new: Knocking) -> TurnedAway:
        """Return why there is no place for a newcomer: because of its own network, or of nobody in particular."""
        network = self._fullest(new)
        if others := self._everywhere(network):
            return TurnedAway(Reason.NETWORK, count=others, network=network)
        has_failed = any(self._failures.of(network) >= share_of(network) for network in new.sources.names)
        return TurnedAway(Reason.FAILED if has_failed else Reason.CROWDED)

    # Counting

    def _elsewhere(self, source: str) -> tuple[int, int]:
        return self._tally.elsewhere(source) if self._tally is not None else (0, 0)

    def _everywhere_now(self, name: str) -> int:
        return self._knocking[name] + self._elsewhere(name)[0]

    def _inside_now(self, name: str) -> int:
        return self._inside[name] + self._elsewhere(name)[1]

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
        for network in one.sources.names:
            self._add(self._knocking, network, change)

    def _count_inside(self, one: Inside, change: int) -> None:
        for name in one.sources.names:
            self._add(self._inside, name, change)

    def _add(self, counter: Counter[str], name: str, change: int) -> None:
        counter[name] += change
        if counter[name] <= 0:
            del counter[name]
        if self._tally is not None:
            self._tally.store(name, self._knocking[name], self._inside[name], self.knocking)


def _first_free(connections: Iterable[Knocking]) -> Knocking | None:
    """Return the first that is not busy, else the first, else None."""
    return min(connections, key=lambda one: one.is_busy, default=None)


def _full_inside(name: str, count: int) -> TurnedAway:
    if share_of(name) > 1:
        return TurnedAway(Reason.AROUND, count=count, network=name)
    return TurnedAway(Reason.ACCOUNT if name.startswith("a:") else Reason.SOURCE, count=count)

"""The connections of this process, with their matches; shared with other processes through the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations

from game.contract import Seat
from server.accounts.identity import Identity, Player, bound_addresses
from server.accounts.sources import Sources, network_of, source_of
from server.store.accounts import person_key
from server.store.columns import Json
from server.store.processes import StoredSession

GALLERY = -1  # the stored value for "no seat: a watcher"
Places = tuple[tuple[str, Seat | None], ...]  # match id, and the seat or None for the gallery


@dataclass(frozen=True, slots=True)
class Connected:
    """One connection's person and the matches before them: (match id, seat or None).

    With `looks_on` (the command `watch`) the person is in a gallery, but not listed as here: they can't be reached.
    """

    id: str
    identity: Identity
    since: datetime
    places: Places = ()
    looks_on: bool = False
    rooms: frozenset[str] = frozenset()  # codes of the rooms that the connection is in


@dataclass(slots=True)
class Connections:
    """The sessions of this process, and those of the others as last read from the store."""

    process_id: str
    moved: list[Callable[[frozenset[str]], None]] = field(default_factory=list)  # persons who came or went
    _invisible: set[str] = field(default_factory=set)  # persons of connections to this process
    _invisible_elsewhere: frozenset[str] = frozenset()
    _here: dict[str, Connected] = field(default_factory=dict)
    _elsewhere: tuple[StoredSession, ...] = ()
    _ids: dict[str, dict[str, None]] = field(default_factory=dict)  # of each person's sessions of this process
    _persons_elsewhere: frozenset[str] = frozenset()
    _in_room: dict[str, frozenset[str]] = field(default_factory=dict)  # sessions of this process, by room
    _came: set[str] = field(default_factory=set)
    _gone: set[str] = field(default_factory=set)
    _kept_until: dict[str, datetime] = field(default_factory=dict)  # ended sessions that stay stored until then

    def arrive(self, session: Connected) -> None:
        """Add a connection, until its `leave`."""
        person = session.identity.person
        self._here[session.id] = session
        self._ids.setdefault(person, {})[session.id] = None
        self._came.add(session.id)
        if session.identity.is_invisible:
            self._invisible.add(person)
        if not session.looks_on:
            self._notify(frozenset((person,)))

    def leave(self, session_id: str) -> None:
        """Remove a connection. May be called twice."""
        session = self._here.pop(session_id, None)
        if session is None:
            return
        self._came.discard(session_id)
        self._gone.add(session_id)
        person = session.identity.person
        del self._ids[person][session_id]
        if not self._ids[person]:
            del self._ids[person]
        if not session.looks_on:
            self._notify(frozenset((person,)))

    def _sessions_of(self, person: str) -> list[Connected]:
        """Return a person's connections to this process, the longest first."""
        return [self._here[one] for one in self._ids.get(person, ())]

    def keep_known(self, until: datetime) -> None:
        """Keep the present sessions stored until then, even if they end: slower processes still read them."""
        self._kept_until = dict.fromkeys(self._here, until)

    def holds(self, session_id: str) -> bool:
        """Tell whether this process has the connection."""
        return session_id in self._here

    def is_connected(self, player: Player) -> bool:
        """Tell whether a person is connected to any process."""
        person = player.person
        is_here = any(not one.looks_on for one in self._sessions_of(person))
        return not player.is_bot and (is_here or person in self._persons_elsewhere)

    def is_invisible(self, player: Player) -> bool:
        """Tell whether a person does not want to be seen connected; only what they do is shown."""
        return player.person in self._invisible or player.person in self._invisible_elsewhere

    def set_invisible(self, account_id: int, is_invisible: bool) -> None:
        """Show a person's connections to this process to nobody, or to all again."""
        person = person_key(account_id, None)
        if is_invisible:
            self._invisible.add(person)
        else:
            self._invisible.discard(person)
        for session in self._sessions_of(person):
            self._here[session.id] = replace(session, identity=replace(session.identity, is_invisible=is_invisible))
            self._came.add(session.id)

    def identities(self, player: Player) -> list[Identity]:
        """Return a person's connections to this process."""
        return [one.identity for one in self._sessions_of(player.person)]

    def guest_sources(self) -> dict[str, str]:
        """Return by person the widest network of each guest who is connected to any process: they share its turns."""
        found = {person_key(None, one.name): one.source for one in self._elsewhere if one.account_id is None}
        here = (one.identity for one in self._here.values())
        found.update((identity.person, identity.source) for identity in here if identity.is_guest)
        return {person: network_of(source) for person, source in found.items()}

    def networks(self, player: Player) -> frozenset[str]:
        """Return the widest networks that a person is connected from, to any process."""
        return frozenset(map(network_of, self._addresses_of((player,)).get(player.person, ())))

    def counted(self, player: Player, address: str = "") -> Sources:
        """Return on whose account counts what a person does, from all their connections to this process.

        `address`: where they come from now. A guest without any counts as themselves.
        """
        here = self.identities(player)
        addresses = [*((address,) if address else ()), *bound_addresses(here)]
        found = Sources.of(addresses, player.account_id, any(who.is_settled for who in here))
        return found if found.names else Sources((player.person,))

    def counts_as(self, player: Player) -> str:
        """Return what a person is counted as where people are."""
        return self.counted(player).counts_as

    def paths_of(self, players: Iterable[Player]) -> list[tuple[str, ...]]:
        """Return in whose turns a bot thinks for each of these people: networks from the widest inwards, then they.

        It goes by the longest connection. At least one path: a table of built-in players alone is nobody's.
        """
        sessions = [(one.since, one.identity.person, one.identity.sources) for one in self._here.values()]
        sessions += [(one.since, person_key(one.account_id, one.name), _sources(one)) for one in self._elsewhere]
        first = {person: sources for _, person, sources in sorted(sessions, key=lambda one: one[0], reverse=True)}
        persons = [player.person for player in players if not player.is_bot]
        paths = [first[person].path if person in first else ("",) for person in persons]
        return [(*path[: -1 if path[-1] == one else None], one) for path, one in zip(paths, persons, strict=True)] or [
            ("",)
        ]

    def shared_sources(self, players: Iterable[Player]) -> frozenset[str]:
        """Return the sources that more than one of these people are connected from."""
        found = self._addresses_of(players)
        count = Counter(source for addresses in found.values() for source in set(map(source_of, addresses)))
        return frozenset(source for source in count if count[source] > 1)

    def near(
        self, players: Sequence[Player], before: Collection[tuple[int, int]] | None = None
    ) -> tuple[tuple[int, int], ...]:
        """Return the pairs of seats, lower first, whose people are connected from one network (`network_of`).

        Of who is not connected it tells what was `before`, in the match that this one follows. Where none does they
        count as near: it brings nothing to hang up before a match begins.
        """
        found = self._addresses_of(players)
        networks = [frozenset(map(network_of, found.get(player.person, ()))) for player in players]

        def are_near(pair: tuple[int, int]) -> bool:
            one, other = (networks[seat] for seat in pair)
            return not one.isdisjoint(other) if one and other else before is None or pair in before

        people = (seat for seat, player in enumerate(players) if not player.is_bot)
        return tuple(filter(are_near, combinations(people, 2)))

    def _addresses_of(self, players: Iterable[Player]) -> dict[str, set[str]]:
        """Return by person the addresses of these people's connections to any process."""
        persons = {player.person for player in players if not player.is_bot}
        found = {person: {one.identity.source for one in self._sessions_of(person)} for person in persons}
        for person, address in ((person_key(one.account_id, one.name), one.source) for one in self._elsewhere):
            if person in persons:
                found[person].add(address)
        return found

    def marks_of(self, players: Iterable[Player]) -> frozenset[str]:
        """Return the keys and addresses of these people's connections to any process."""
        persons = {player.person for player in players if not player.is_bot}
        found = set[str]()
        for person in persons:
            for session in self._sessions_of(person):
                found |= marks(session.identity.source, session.identity.fingerprint)
        for one in self._elsewhere:
            if person_key(one.account_id, one.name) in persons:
                found |= marks(one.source, one.fingerprint)
        return frozenset(found)

    def place(self, session_id: str, match_id: str, seat: Seat | None) -> None:
        """Store that a session shows a match."""
        self._move(session_id, lambda places: (*_without(places, match_id), (match_id, seat)))

    def unplace(self, session_id: str, match_id: str) -> None:
        """Store that a session no longer shows a match."""
        self._move(session_id, lambda places: _without(places, match_id))

    def record_room(self, code: str, sessions: Collection[str]) -> None:
        """Store which sessions of this process are in a room now."""
        for session_id in self._in_room.pop(code, frozenset()).union(sessions):
            if (session := self._here.get(session_id)) is None:
                continue
            rooms = session.rooms | {code} if session_id in sessions else session.rooms - {code}
            if rooms != session.rooms:
                self._here[session_id] = replace(session, rooms=rooms)
                self._came.add(session_id)
        if sessions:
            self._in_room[code] = frozenset(sessions)

    def rooms_elsewhere(self, player: Player) -> frozenset[str]:
        """Return the codes of the rooms that somebody is in by their connections to other processes."""
        person, found = player.person, set[str]()
        for one in self._elsewhere:
            if person_key(one.account_id, one.name) == person:
                found.update(map(str, _listed(one.data.get("rooms"))))
        return frozenset(found)

    def rename(self, account_id: int, name: str) -> None:
        """Call a person by their new handle, at all their connections to this process."""
        for session in self._sessions_of(person_key(account_id, None)):
            self._here[session.id] = replace(session, identity=replace(session.identity, name=name))
            self._came.add(session.id)

    def _move(self, session_id: str, change: Callable[[Places], Places]) -> None:
        if (session := self._here.get(session_id)) is not None:
            self._here[session_id] = replace(session, places=change(session.places))
            self._came.add(session_id)

    def _notify(self, persons: frozenset[str]) -> None:
        for tell in self.moved:
            tell(persons)

    @property
    def here(self) -> tuple[Connected, ...]:
        return tuple(session for session in self._here.values() if not session.looks_on)

    @property
    def elsewhere(self) -> tuple[StoredSession, ...]:
        return tuple(session for session in self._elsewhere if not _looks_on(session))

    def seats_elsewhere(self) -> dict[str, frozenset[Seat]]:
        """Return by match the seats whose persons are connected to other processes."""
        found: dict[str, frozenset[Seat]] = {}
        for session in self._elsewhere:
            for match_id, seat in places_of(session):
                if seat is not None:
                    found[match_id] = found.get(match_id, frozenset()) | {seat}
        return found

    def watchers_elsewhere(self) -> dict[str, dict[str, str]]:
        """Return by match the names seen in the galleries of other processes, each with what it is counted as."""
        found: dict[str, dict[str, str]] = {}
        for session in self._elsewhere:
            if is_unseen(session):
                continue
            for match_id, seat in places_of(session):
                if seat is None:
                    found.setdefault(match_id, {})[session.name] = _sources(session).counts_as
        return found

    def heard(self, sessions: Iterable[StoredSession]) -> None:
        """Store what was read of the other processes' sessions."""
        others = tuple(session for session in sessions if session.process_id != self.process_id)
        if others != self._elsewhere:
            self._elsewhere = others
            before = self._persons_elsewhere
            self._persons_elsewhere = frozenset(person_key(one.account_id, one.name) for one in self.elsewhere)
            unseen = (one for one in others if is_unseen(one))
            self._invisible_elsewhere = frozenset(person_key(one.account_id, one.name) for one in unseen)
            self._notify(before ^ self._persons_elsewhere)

    def news(self, now: datetime) -> tuple[list[StoredSession], list[str]]:
        """Return the sessions that came or changed and those that went, since they were last taken."""
        came = [self._stored(self._here[one]) for one in self._came if one in self._here]
        kept = {one for one in self._gone if (until := self._kept_until.get(one)) is not None and until > now}
        gone = list(self._gone - kept)
        self._came, self._gone = set(), kept
        return came, gone

    def not_told(self, came: Iterable[StoredSession], gone: Iterable[str]) -> None:
        """Take back news that could not be stored, so that `news` returns them again."""
        self._came.update(session.id for session in came)
        self._gone.update(gone)

    def _stored(self, session: Connected) -> StoredSession:
        identity = session.identity
        places: list[Json] = [[match_id, GALLERY if seat is None else int(seat)] for match_id, seat in session.places]
        rooms: list[Json] = [*sorted(session.rooms)]
        return StoredSession(
            id=session.id,
            process_id=self.process_id,
            name=identity.name,
            source=identity.source,
            since=session.since,
            account_id=identity.account_id,
            fingerprint=identity.fingerprint,
            data={
                "places": places,
                "looks_on": session.looks_on,
                "rooms": rooms,
                "settled": identity.is_settled,
                **({"invisible": True} if identity.person in self._invisible else {}),
            },
        )


def marks(source: str, fingerprint: str | None) -> frozenset[str]:
    """Return what identifies a person across connections: the address (IPv6: its /64) and the key."""
    return frozenset((source_of(source),) if fingerprint is None else (source_of(source), fingerprint))


def _without(places: Places, match_id: str) -> Places:
    return tuple(place for place in places if place[0] != match_id)


def _sources(session: StoredSession) -> Sources:
    return Sources.of((session.source,), session.account_id, session.data.get("settled") is True)


def is_unseen(session: StoredSession) -> bool:
    """Tell whether a stored session's person does not want to be seen connected."""
    return session.data.get("invisible") is True


def _looks_on(session: StoredSession) -> bool:
    return session.data.get("looks_on") is True


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def places_of(session: StoredSession) -> Places:
    """Return the matches that a stored session shows."""
    pairs = [place for place in _listed(session.data.get("places")) if isinstance(place, list) and len(place) == 2]
    return tuple((str(match_id), None if seat == GALLERY else Seat(int(str(seat)))) for match_id, seat in pairs)

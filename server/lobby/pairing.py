"""Who plays with whom: one wave of pairing over all open wishes. Pure; time and chance are arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from random import Random

from game.contract import Json
from server.accounts.identity import Player
from server.lobby.model import Seek

NARROW = 120  # rating points either side at the start
WIDENS_PER_S = 6.0
ANY_AFTER_S = 60.0  # then only the hard range counts
PATIENCE_S = 30.0  # from then on fewer players, or bots, will do for who said so
CROWD = 120  # wishes of one kind looked at in one wave, the oldest first


@dataclass(frozen=True, slots=True)
class Wish:
    """One open seek. `person` is the same for all wishes of one person; `shuns` are persons never to be met."""

    id: str
    person: str
    player: Player
    seek: Seek
    options: str  # canonical text of the options, defaults filled in
    since: datetime
    rating: int | None = None
    shuns: frozenset[str] = frozenset()
    declined: int = 0  # so many players or fewer were asked for, and not wanted


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be made: the wish on each seat, None for a built-in player."""

    seats: tuple[Wish | None, ...]

    @property
    def wishes(self) -> tuple[Wish, ...]:
        return tuple(wish for wish in self.seats if wish is not None)


def window(wish: Wish, now: datetime) -> tuple[int | None, int | None]:
    """Return the lowest and highest rating this wish takes now; None: no limit on that side."""
    seek, waited = wish.seek, (now - wish.since).total_seconds()
    if wish.rating is None or waited >= ANY_AFTER_S:
        return seek.rating_low, seek.rating_high
    width = round(NARROW + WIDENS_PER_S * max(0.0, waited))
    low, high = wish.rating - width, wish.rating + width
    hard_low = low if seek.rating_low is None else max(low, seek.rating_low)
    hard_high = high if seek.rating_high is None else min(high, seek.rating_high)
    return hard_low, hard_high


def accepts(wish: Wish, other: Wish, now: datetime) -> bool:
    """Tell whether `wish` is content with the other's rating. Who has none fits only where no hard range is set."""
    seek = wish.seek
    if other.rating is None:
        return seek.rating_low is None and seek.rating_high is None
    low, high = window(wish, now)
    return (low is None or low <= other.rating) and (high is None or other.rating <= high)


def compatible(one: Wish, other: Wish, now: datetime) -> bool:
    """Tell whether two wishes of one kind may meet: different persons, no block, both ranges, different seats."""
    if one.person == other.person or other.person in one.shuns or one.person in other.shuns:
        return False
    if one.seek.seat is not None and one.seek.seat == other.seek.seat:
        return False
    return accepts(one, other, now) and accepts(other, one, now)


def wave(wishes: Iterable[Wish], now: datetime, sizes: Mapping[str, range], rng: Random) -> list[Pairing]:
    """Return the matches to make now. A person is in at most one of them; `sizes` are the games' legal player counts.

    Nearest ratings first among two; in bigger groups who waits longest is served first.
    """
    made: list[Pairing] = []
    booked: set[str] = set()
    kinds = sorted(_by_kind(wishes).values(), key=lambda kind: (kind[0].since, kind[0].id))
    for kind in kinds:
        for pairing in _pair_kind(kind, now, sizes[kind[0].seek.game], booked, rng):
            booked.update(wish.person for wish in pairing.wishes)
            made.append(pairing)
    return made


def _by_kind(wishes: Iterable[Wish]) -> Mapping[tuple[object, ...], list[Wish]]:
    """Sort wishes, oldest first, by what they must have in common."""
    kinds: defaultdict[tuple[object, ...], list[Wish]] = defaultdict(list)
    for wish in sorted(wishes, key=lambda wish: (wish.since, wish.id)):
        seek = wish.seek
        kinds[seek.game, wish.options, seek.speed, seek.rated].append(wish)
    return kinds


def _pair_kind(kind: Sequence[Wish], now: datetime, sizes: range, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Serve wishes of one kind: every wished size by itself, then who is content with fewer or with bots."""
    for size in sorted({wish.seek.players for wish in kind}):
        wanting = [wish for wish in kind if wish.seek.players == size][:CROWD]
        groups = _pairs(wanting, now, booked) if size == 2 else _tables(wanting, size, now, booked)
        yield from (Pairing(seat(group, size, rng)) for group in groups)
    yield from _smaller(kind, now, sizes, booked, rng)
    yield from _with_bots(kind, now, booked, rng)


def _pairs(wishes: Sequence[Wish], now: datetime, booked: set[str]) -> Iterator[tuple[Wish, ...]]:
    """Yield pairs, nearest ratings first; a long wait makes up for distance."""
    free = [wish for wish in wishes if wish.person not in booked]
    pairs = [(one, other) for one, other in combinations(free, 2) if compatible(one, other, now)]
    for pair in sorted(pairs, key=lambda pair: _distance(pair[0], pair[1], now)):
        if not any(wish.person in booked for wish in pair):
            yield pair


def _distance(one: Wish, other: Wish, now: datetime) -> tuple[float, str, str]:
    """Order pairs: rating apart less what both have waited for; ids break ties."""
    apart = abs((one.rating or 0) - (other.rating or 0)) if one.rating and other.rating else NARROW
    waited = (now - one.since).total_seconds() + (now - other.since).total_seconds()
    return apart - WIDENS_PER_S * waited, one.id, other.id


def _tables(wishes: Sequence[Wish], size: int, now: datetime, booked: set[str]) -> Iterator[tuple[Wish, ...]]:
    """Yield groups of `size` who all may meet, gathered around who waits longest."""
    for index, eldest in enumerate(wishes):
        group = _gather(eldest, wishes[index + 1 :], size, now, booked)
        if len(group) == size:
            yield tuple(group)


def _gather(eldest: Wish, others: Iterable[Wish], most: int, now: datetime, booked: set[str]) -> list[Wish]:
    """Return the eldest with up to `most - 1` others, each of whom may meet all; empty when she is booked."""
    if eldest.person in booked:
        return []
    group = [eldest]
    for wish in others:
        if len(group) == most:
            break
        if wish.person not in booked and all(compatible(wish, member, now) for member in group):
            group.append(wish)
    return group


def _is_patient(wish: Wish, now: datetime) -> bool:
    return (now - wish.since).total_seconds() >= PATIENCE_S


def _smaller(kind: Sequence[Wish], now: datetime, sizes: range, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Yield smaller matches around those who have waited: the biggest that all at the table have said will do."""
    for eldest in (wish for wish in kind[:CROWD] if wish.seek.fewest is not None):
        if not _is_patient(eldest, now):
            break  # nor are those who came later
        for size in range(eldest.seek.players, max(sizes[0], eldest.seek.fewest or 2) - 1, -1):
            agreeing = [wish for wish in kind[:CROWD] if wish is not eldest and _takes(wish, size)]
            group = _gather(eldest, agreeing, size, now, booked)
            if size in sizes and _takes(eldest, size) and len(group) == size:
                yield Pairing(seat(group, size, rng))
                break


def _takes(wish: Wish, size: int) -> bool:
    has_seat = wish.seek.seat is None or wish.seek.seat < size
    return has_seat and (wish.seek.fewest or wish.seek.players) <= size <= wish.seek.players


@dataclass(frozen=True, slots=True)
class Question:
    """A smaller match that could begin, if those of these who have not said so beforehand agree to it now."""

    size: int
    wishes: tuple[Wish, ...]

    @property
    def agreed(self) -> frozenset[str]:
        """Return the ids of the wishes that are content with it."""
        return frozenset(wish.id for wish in self.wishes if _takes(wish, self.size))


def questions(
    wishes: Iterable[Wish], now: datetime, sizes: Mapping[str, range], booked: Iterable[str]
) -> Iterator[Question]:
    """Yield what to ask those who wait: around who has waited long, the biggest table below the wished size.

    `booked` are the persons who play already. Nobody is asked two things, nor again for what they did not want.
    """
    taken = set(booked)
    for kind in _by_kind(wishes).values():
        legal = sizes[kind[0].seek.game]
        for eldest in kind[:CROWD]:
            if not _is_patient(eldest, now):
                break
            for size in range(eldest.seek.players - 1, legal[0] - 1, -1):
                willing = [wish for wish in kind[:CROWD] if wish is not eldest and _may_take(wish, size)]
                group = _gather(eldest, willing, size, now, taken) if _may_take(eldest, size) else []
                if size in legal and len(group) == size:
                    taken.update(wish.person for wish in group)
                    yield Question(size, tuple(group))
                    break


def _may_take(wish: Wish, size: int) -> bool:
    """Tell whether somebody takes a table of this size, or may be asked whether they do."""
    fits = wish.seek.seat is None or wish.seek.seat < size
    return _takes(wish, size) or (wish.seek.asks and fits and wish.declined < size < wish.seek.players)


def _with_bots(kind: Sequence[Wish], now: datetime, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Yield matches of the wished size around those who have waited, with built-in players on the empty seats.

    Who has just come, and wants bots too, sits down with them rather than waiting for a table of their own.
    """
    content = [wish for wish in kind if wish.seek.bots][:CROWD]
    for index, eldest in enumerate(content):
        if not _is_patient(eldest, now):
            break
        size = eldest.seek.players
        same = [wish for wish in content[index + 1 :] if wish.seek.players == size]
        if group := _gather(eldest, same, size, now, booked):
            yield Pairing(seat(group, size, rng))


def seat(group: Sequence[Wish], size: int, rng: Random) -> tuple[Wish | None, ...]:
    """Give everybody the wished seat, and the others what the lot gives them; None where a bot will sit."""
    seats: list[Wish | None] = [None] * size
    for wish in group:
        if wish.seek.seat is not None:
            seats[wish.seek.seat] = wish
    free = [n for n in range(size) if seats[n] is None]
    rng.shuffle(free)
    for n, wish in zip(free, (wish for wish in group if wish.seek.seat is None), strict=False):
        seats[n] = wish
    return tuple(seats)


def seat_options(pairing: Pairing) -> tuple[Mapping[str, Json], ...]:
    """Return what each seat brings."""
    return tuple({} if wish is None else wish.seek.seat_options for wish in pairing.seats)


def kind_of(wish: Wish) -> tuple[object, ...]:
    """Return what two wishes must have in common to be for the same match."""
    seek = wish.seek
    return seek.game, wish.options, seek.speed, seek.rated, seek.players


def waiting(wishes: Iterable[Wish]) -> Mapping[tuple[object, ...], int]:
    """Count the persons who wait for each kind of match."""
    persons: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for wish in wishes:
        persons[kind_of(wish)].add(wish.person)
    return {kind: len(who) for kind, who in persons.items()}

"""Who plays with whom: one wave of pairing over all open seeks. Pure; time and chance are arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from random import Random

from game.contract import Json
from server.accounts.identity import Player
from server.lobby.model import Seek
from server.matches.agreement import Agreement
from server.matches.fair_shares import Owners, rotating, some_in_turn

NARROW = 120  # rating points either side at the start
WIDENS_PER_S = 6.0
ANY_AFTER_S = 60.0  # then only the hard range counts
PATIENCE_S = 30.0  # from then on fewer players, or bots, will do for who said so
# How many seeks are looked at in one wave; of more, some of everybody's. Each is compared with all others of its kind.
WAVE_SIZE = 600
PAIRED_AT_ONCE = 120  # of one kind and size
REGROUPED_AT_ONCE = 60  # of one kind, for smaller matches: they are compared anew for every size


@dataclass(frozen=True, slots=True)
class Waiter:
    """Somebody who waits: one open seek. `person` is the same in all seeks of a person.

    `blocked`: the persons they are never paired with. `source`: where a guest comes from; "" of an account.
    """

    id: str
    person: str
    player: Player
    seek: Seek
    options: str  # canonical text of the options, defaults filled in
    since: datetime
    rating: int | None = None
    blocked: frozenset[str] = frozenset()
    declined: int = 0  # so many players or fewer were asked for, and not wanted
    source: str = ""
    provisional: bool = False  # the rating is

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.seek.agreement


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be made: who sits on each seat, None for a built-in player."""

    seats: tuple[Waiter | None, ...]

    @property
    def waiters(self) -> tuple[Waiter, ...]:
        return tuple(waiter for waiter in self.seats if waiter is not None)


def window(waiter: Waiter, now: datetime) -> tuple[int | None, int | None]:
    """Return the lowest and highest rating this seek takes now; None: no limit on that side."""
    seek, waited = waiter.seek, (now - waiter.since).total_seconds()
    if waiter.rating is None or waited >= ANY_AFTER_S:
        return seek.rating_low, seek.rating_high
    width = round(NARROW + WIDENS_PER_S * max(0.0, waited))
    low, high = waiter.rating - width, waiter.rating + width
    hard_low = low if seek.rating_low is None else max(low, seek.rating_low)
    hard_high = high if seek.rating_high is None else min(high, seek.rating_high)
    return hard_low, hard_high


def accepts(waiter: Waiter, other: Waiter, now: datetime) -> bool:
    """Tell whether somebody is content with the other's rating. Who has none fits only where no hard range is set."""
    seek = waiter.seek
    if other.rating is None:
        return seek.rating_low is None and seek.rating_high is None
    low, high = window(waiter, now)
    return (low is None or low <= other.rating) and (high is None or other.rating <= high)


def compatible(one: Waiter, other: Waiter, now: datetime) -> bool:
    """Tell whether two seeks of one kind may meet: different persons, no block, both ranges, different seats.

    Who is a machine only meets those who would play with machines.
    """
    if one.person == other.person or other.person in one.blocked or one.person in other.blocked:
        return False
    if one.seek.seat is not None and one.seek.seat == other.seek.seat:
        return False
    if not (_plays_with(one, other.player) and _plays_with(other, one.player)):
        return False
    return accepts(one, other, now) and accepts(other, one, now)


def _plays_with(waiter: Waiter, other: Player) -> bool:
    return waiter.agreement.machines or not other.is_machine


def wave(waiters: Iterable[Waiter], now: datetime, sizes: Mapping[str, range], rng: Random) -> list[Pairing]:
    """Return the matches to make now. A person is in at most one of them; `sizes` are the games' legal player counts.

    Nearest ratings first among two; in bigger groups who waits longest is served first.
    """
    made: list[Pairing] = []
    booked: set[str] = set()
    for kind in _by_kind(waiters, rng):
        for pairing in _pair_kind(kind, now, sizes[kind[0].agreement.game], booked, rng):
            booked.update(waiter.person for waiter in pairing.waiters)
            made.append(pairing)
    return made


def distinct(waiters: Iterable[Waiter]) -> list[Waiter]:
    """Return the seeks, oldest first; of a person's seeks that want the same only the oldest."""
    found: dict[tuple[object, ...], Waiter] = {}
    for waiter in sorted(waiters, key=lambda waiter: (waiter.since, waiter.id)):
        seek = waiter.seek
        limits = (seek.seat, seek.rating_low, seek.rating_high, seek.fewest, seek.bots, seek.asks)
        terms = (*limits, seek.agreement.machines)
        found.setdefault((waiter.person, *kind_of(waiter), *terms), waiter)
    return list(found.values())


def _by_kind(waiters: Iterable[Waiter], rng: Random) -> Collection[list[Waiter]]:
    """Sort the seeks of this wave, oldest first, by what they must have in common."""
    kinds: defaultdict[tuple[object, ...], list[Waiter]] = defaultdict(list)
    for waiter in some_in_turn(distinct(waiters), WAVE_SIZE, rng, person, share):
        seek = waiter.seek
        kinds[seek.agreement.game, waiter.options, seek.agreement.speed, seek.agreement.rated].append(waiter)
    return kinds.values()


def _chosen(waiters: Iterable[Waiter], most: int, booked: Collection[str], rng: Random) -> list[Waiter]:
    """Return which seeks of one kind are compared, oldest first: those of who is not booked, at most so many.

    Guests of one address share a turn: one person may be many of them. So do those who wish for the same seat, and
    machines: they may never meet each other, and must not keep others from meeting.
    """
    free = [waiter for waiter in waiters if waiter.person not in booked]
    return some_in_turn(free, most, rng, person, _wish, share)


def person(waiter: Waiter) -> Owners:
    """Return whose a seek is."""
    return (waiter.person,)


def _wish(waiter: Waiter) -> Owners:
    return ((waiter.agreement.players, waiter.seek.seat, waiter.player.is_machine),)


def share(waiter: Waiter) -> Owners:
    """Return whose share a seek is part of: an account's, or that of all guests of an address."""
    return (waiter.source or waiter.person,)


def _pair_kind(kind: Sequence[Waiter], now: datetime, sizes: range, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Serve seeks of one kind: every wished size by itself, then who is content with fewer or with bots."""
    for size in sorted({waiter.agreement.players for waiter in kind}):
        wanting = _chosen((one for one in kind if one.agreement.players == size), PAIRED_AT_ONCE, booked, rng)
        groups = _pairs(wanting, now, booked) if size == 2 else _groups(wanting, size, now, booked)
        yield from (Pairing(seat(group, size, rng)) for group in groups)
    yield from _smaller(_chosen(kind, REGROUPED_AT_ONCE, booked, rng), now, sizes, booked, rng)
    content = _chosen((one for one in kind if one.seek.bots), REGROUPED_AT_ONCE, booked, rng)
    yield from _with_bots(content, now, booked, rng)


def _pairs(waiters: Sequence[Waiter], now: datetime, booked: set[str]) -> Iterator[tuple[Waiter, ...]]:
    """Yield pairs, nearest ratings first; a long wait makes up for distance."""
    pairs = [(one, other) for one, other in combinations(waiters, 2) if compatible(one, other, now)]
    for pair in sorted(pairs, key=lambda pair: _distance(pair[0], pair[1], now)):
        if not any(waiter.person in booked for waiter in pair):
            yield pair


def _distance(one: Waiter, other: Waiter, now: datetime) -> tuple[float, str, str]:
    """Order pairs: rating apart less what both have waited for; ids break ties."""
    apart = abs((one.rating or 0) - (other.rating or 0)) if one.rating and other.rating else NARROW
    waited = (now - one.since).total_seconds() + (now - other.since).total_seconds()
    return apart - WIDENS_PER_S * waited, one.id, other.id


def _groups(waiters: Sequence[Waiter], size: int, now: datetime, booked: set[str]) -> Iterator[tuple[Waiter, ...]]:
    """Yield groups of `size` who all may meet, gathered around who waits longest."""
    for index, eldest in enumerate(waiters):
        group = _gather(eldest, waiters[index + 1 :], size, now, booked)
        if len(group) == size:
            yield tuple(group)


def _gather(eldest: Waiter, others: Iterable[Waiter], most: int, now: datetime, booked: set[str]) -> list[Waiter]:
    """Return the eldest with up to `most - 1` others, each of whom may meet all; empty when the eldest is booked.

    The eldest may be among the others: nobody meets themselves.
    """
    if eldest.person in booked:
        return []
    group = [eldest]
    for waiter in others:
        if len(group) == most:
            break
        if waiter.person not in booked and all(compatible(waiter, member, now) for member in group):
            group.append(waiter)
    return group


def _is_patient(waiter: Waiter, now: datetime) -> bool:
    return (now - waiter.since).total_seconds() >= PATIENCE_S


def _smaller(kind: Sequence[Waiter], now: datetime, sizes: range, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Yield smaller matches around those who have waited: the biggest of which all have said that it will do."""
    takers = {size: [waiter for waiter in kind if _takes(waiter, size)] for size in sizes}
    for eldest in (waiter for waiter in kind if waiter.seek.fewest is not None):
        if not _is_patient(eldest, now):
            break  # nor are those who came later
        for size in range(eldest.agreement.players, max(sizes[0], eldest.seek.fewest or 2) - 1, -1):
            group = _gather(eldest, takers.get(size, ()), size, now, booked) if _takes(eldest, size) else []
            if len(group) == size:
                yield Pairing(seat(group, size, rng))
                break


def _takes(waiter: Waiter, size: int) -> bool:
    has_seat = waiter.seek.seat is None or waiter.seek.seat < size
    return has_seat and (waiter.seek.fewest or waiter.agreement.players) <= size <= waiter.agreement.players


@dataclass(frozen=True, slots=True)
class SmallerMatch:
    """A smaller match that could begin, if those of these who have not said so beforehand agree to it now."""

    size: int
    waiters: tuple[Waiter, ...]

    @property
    def agreed(self) -> frozenset[str]:
        """Return the ids of the seeks that are content with it."""
        return frozenset(waiter.id for waiter in self.waiters if _takes(waiter, self.size))


def questions(
    waiters: Iterable[Waiter], now: datetime, sizes: Mapping[str, range], booked: Iterable[str]
) -> Iterator[SmallerMatch]:
    """Yield what to ask those who wait: around who has waited long, the biggest match below the wished size.

    `booked` are the persons who play already. Nobody is asked two things, nor again for what they did not want. The
    same seeks at the same time lead to the same questions, whichever process asks.
    """
    taken = set(booked)
    rng = rotating(now)
    for kind in _by_kind(waiters, rng):
        looked_at = _chosen(kind, REGROUPED_AT_ONCE, taken, rng)
        legal = sizes[kind[0].agreement.game]
        willing = {size: [waiter for waiter in looked_at if _may_take(waiter, size)] for size in legal}
        for eldest in looked_at:
            if not _is_patient(eldest, now):
                break
            for size in range(eldest.agreement.players - 1, legal[0] - 1, -1):
                group = _gather(eldest, willing.get(size, ()), size, now, taken) if _may_take(eldest, size) else []
                if len(group) == size:
                    taken.update(waiter.person for waiter in group)
                    yield SmallerMatch(size, tuple(group))
                    break


def _may_take(waiter: Waiter, size: int) -> bool:
    """Tell whether somebody takes a match of this size, or may be asked whether they do."""
    fits = waiter.seek.seat is None or waiter.seek.seat < size
    return _takes(waiter, size) or (waiter.seek.asks and fits and waiter.declined < size < waiter.agreement.players)


def _with_bots(content: Sequence[Waiter], now: datetime, booked: set[str], rng: Random) -> Iterator[Pairing]:
    """Yield matches of the wished size around those who have waited, with built-in players on the empty seats.

    Who has just come, and wants bots too, joins them rather than waiting for a match of their own.
    """
    for index, eldest in enumerate(content):
        if not _is_patient(eldest, now):
            break
        size = eldest.agreement.players
        same = [waiter for waiter in content[index + 1 :] if waiter.agreement.players == size]
        if group := _gather(eldest, same, size, now, booked):
            yield Pairing(seat(group, size, rng))


def seat(group: Sequence[Waiter], size: int, rng: Random) -> tuple[Waiter | None, ...]:
    """Give everybody the wished seat, and the others what the lot gives them; None where a bot will sit."""
    seats: list[Waiter | None] = [None] * size
    for waiter in group:
        if waiter.seek.seat is not None:
            seats[waiter.seek.seat] = waiter
    free = [n for n in range(size) if seats[n] is None]
    rng.shuffle(free)
    for n, waiter in zip(free, (waiter for waiter in group if waiter.seek.seat is None), strict=False):
        seats[n] = waiter
    return tuple(seats)


def seat_options(pairing: Pairing) -> tuple[Mapping[str, Json], ...]:
    """Return what each seat brings."""
    return tuple({} if waiter is None else waiter.seek.seat_options for waiter in pairing.seats)


def kind_of(waiter: Waiter) -> tuple[object, ...]:
    """Return what two seeks must have in common to be for the same match."""
    agreed = waiter.agreement
    return agreed.game, waiter.options, agreed.speed, agreed.rated, agreed.players


def waiting(waiters: Iterable[Waiter]) -> Mapping[tuple[object, ...], int]:
    """Count the persons who wait for each kind of match."""
    persons: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for waiter in waiters:
        persons[kind_of(waiter)].add(waiter.person)
    return {kind: len(who) for kind, who in persons.items()}

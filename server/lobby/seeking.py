"""Seeks: stored, and paired in waves by whichever process comes first."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from random import Random
from statistics import median
from typing import Any, TypeVar

import msgspec

from game import registry
from game.errors import BadNotation
from game.options import complete
from game.rng import SEED_BYTES
from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.accounts.sources import Sources
from server.errors import Refused
from server.lobby import pairing
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.model import Asked, Seek, SeekView
from server.lobby.new_matches import of_pairing
from server.lobby.pairing import Pairing, SmallerMatch, Waiter
from server.lobby.permissions import check_may_begin, check_tickets
from server.log import get_logger
from server.matches.agreement import Agreement
from server.matches.errors import Draining
from server.matches.fair_shares import in_turn, rotating, some_in_turn
from server.matches.matches import Matches, Prepared
from server.matches.playable import check_brings
from server.matches.terms import new_id
from server.ratings.bradley_terry import Rating
from server.store import lobby as store
from server.store.accounts import ids_of, person_key
from server.store.errors import StoreUnavailable
from server.store.lobby import Booking, StoredSeek

log = get_logger("lobby.seeking")
WAITS_KEPT = 20  # of each game and speed, to say how long it usually takes
MOST_SEEKS = 12  # in one ticket
ORPHANED_AFTER = timedelta(seconds=60)  # storing one may take so long where the store is slow
SEEKS_SHOWN = 100
SOUGHT = ("game", "players", "options", "rated", "speed")  # of what is agreed on
FEW = 30  # seeks that are read and paired on the loop, without holding it up
T = TypeVar("T")
Booked = Callable[[str, Sequence[str]], None]  # match id, persons


@dataclass(eq=False, slots=True)
class SeekTicket:
    """Somebody's open seeks. `match`: the match they led to, once they have."""

    id: str
    person: str
    _cancel: Callable[[SeekTicket], None]
    sources: Sources = field(default_factory=lambda: Sources(()))  # on whose account it counts
    match: str | None = None
    is_cancelled: bool = field(default=False)
    asked: Asked | None = None  # what this person is asked just now
    on_asked: Callable[[], None] | None = None  # called when that has changed

    @property
    def is_done(self) -> bool:
        """Tell whether nothing is sought with it any more."""
        return self.is_cancelled or self.match is not None

    def ask(self, asked: Asked | None) -> None:
        """Ask something, or nothing any more."""
        if asked != self.asked:
            self.asked = asked
            if self.on_asked is not None:
                self.on_asked()

    def found(self, match_id: str) -> None:
        """Note the match that it led to."""
        self.match = match_id

    def cancel(self) -> None:
        """Seek no more. May be called twice; a match that is booked already begins all the same."""
        if not self.is_cancelled and self.match is None:
            self.is_cancelled = True
            self._cancel(self)


class Seeker:
    """The seeks of this process, and the waves over everybody's."""

    def __init__(
        self,
        context: LobbyContext,
        matches: Matches,
        booked: Booked,
        rng: Random | None,
    ) -> None:
        self._matches = matches
        self._context = context
        self._booked = booked
        self._rng = rng or secrets.SystemRandom()
        self._tickets: dict[str, SeekTicket] = {}
        self._waited: dict[tuple[str, str], deque[float]] = {}  # by game and speed: the last ones, in seconds

    async def seek(self, player: Player, seeks: Sequence[Seek]) -> SeekTicket:
        """Open seeks; one of them will be fulfilled. Raises LobbyRefused, AccountError, BadNotation, NotSaved."""
        if not 0 < len(seeks) <= MOST_SEEKS:
            raise LobbyRefused("lobby.error.too-many-seeks")
        person, now = player.person, self._context.clock.now()
        sources = self._context.presence.connections.counted(player)
        check_tickets(sources, (ticket.sources for ticket in self._tickets.values()))
        ticket = SeekTicket(new_id(), person, self._cancel, sources)
        rows = []
        for wished in seeks:
            seek = await self._checked(player, wished)
            rating = await self._rating(player, seek)
            said = {"player": player.to_json(), "seek": _stored(seek)}
            rated = {"rating": rating and rating.shown, "provisional": rating is not None and rating.provisional}
            data = {**said, **rated, "options": options_key(seek), "machines": seek.agreement.machines}
            process_id = self._context.presence.process_id
            rows.append(StoredSeek(new_id(), ticket.id, person, process_id, now, data))
        try:
            await self._context.database.write(store.add_seeks, rows)
        except (asyncio.CancelledError, StoreUnavailable):
            self._cancel(ticket)  # it may be stored all the same, and nobody would ever take it back
            raise
        self._tickets[ticket.id] = ticket
        return ticket

    async def _checked(self, player: Player, seek: Seek) -> Seek:
        """Return a seek in plain form, never rated with open hands. Raises unless this can be sought."""
        agreement = seek.agreement.checked()
        if seek.seat is not None and not 0 <= seek.seat < agreement.players:
            raise BadNotation("match.unknown-seat", str(seek.seat))
        brings = check_brings(agreement.game, agreement.players, seek.seat, seek.seat_options, agreement.options)
        seek = replace(seek, agreement=agreement, seat_options=brings)
        await check_may_begin(self._context, agreement, player)
        return seek

    async def _rating(self, player: Player, seek: Seek) -> Rating | None:
        player = self._context.machines.marked(player)
        rated = await self._context.ratings.of_seats(seek.agreement.game, (player,) * seek.agreement.players)
        return rated[seek.seat or 0]

    def _cancel(self, ticket: SeekTicket) -> None:
        self._tickets.pop(ticket.id, None)
        self._context.tasks.spawn(self._drop(ticket.id), "cancel seek")

    async def _drop(self, ticket_id: str) -> None:
        await self._context.retry(partial(self._context.database.write, store.drop_ticket, ticket_id))

    async def rename(self, account_id: int, name: str) -> None:
        """Call somebody by their new handle in their seeks. Raises NotSaved."""
        person = person_key(account_id, None)
        if any(ticket.person == person for ticket in self._tickets.values()):
            await self._context.database.write(store.rename_seeker, person, name)

    async def close(self) -> None:
        """Forget this process's seeks: they end with their connections."""
        try:
            await self._context.database.write(store.drop_process, self._context.presence.process_id)
        except Refused as error:
            log.warning("seeks.not-dropped", why=error.key)

    # Waves

    async def wave(self) -> None:
        """Pair what can be paired now, and hear of what other processes have paired. Raises StoreUnavailable."""
        if not self._tickets:
            return
        waiters = await self.waiters()
        sizes = {waiter.agreement.game: registry.get(waiter.agreement.game).seats for waiter in waiters}
        now = self._context.clock.now()
        work = partial(_plan, waiters, now, sizes, self._rng)
        found, questions = await _aside(len(waiters), work)
        if found and not self._matches.is_draining:
            with suppress(Draining):
                await self._book(found)
        await self._hear()
        self._ask(questions)

    def _ask(self, questions: Iterable[SmallerMatch]) -> None:
        """Ask the people of this process; every process finds the same questions in the same seeks."""
        asked = {waiter.person: (question, waiter) for question in questions for waiter in question.waiters}
        for ticket in self._tickets.values():
            question, waiter = asked.get(ticket.person, (None, None))
            if question is None or waiter is None or not (waiter.seek.asks or waiter.id in question.agreed):
                ticket.ask(None)
                continue
            said = (
                waiter.id,
                waiter.agreement.game,
                question.size,
                waiter.agreement.players,
                len(question.agreed),
            )
            ticket.ask(Asked(*said, is_answered=waiter.id in question.agreed))

    async def answer(self, ticket: SeekTicket, agrees: bool) -> None:
        """Answer what one is asked: begin with those who are there, or wait on. Raises NotSaved."""
        asked = ticket.asked
        if asked is None or (agrees and asked.is_answered):
            return
        if await self._context.database.write(store.answer_seek, asked.seek, asked.size, agrees) and agrees:
            ticket.ask(replace(asked, is_answered=True, agreed=asked.agreed + (not asked.is_answered)))
        else:
            ticket.ask(None)

    async def waiters(self) -> list[Waiter]:
        """Return who waits, in all processes. Raises StoreUnavailable."""
        rows = await self._context.database.read(store.open_seeks, self._context.clock.now())
        rows = await self._without_paused([row for row in rows if not self._is_orphaned(row)])
        accounts = set(ids_of(row.person for row in rows))
        blocks = await self._context.conduct.blocks_among(sorted(accounts)) if len(accounts) > 1 else frozenset()
        sources = self._context.presence.connections.guest_sources()
        return await _aside(len(rows), partial(_waiters, rows, blocks, sources, self._context.machines))

    async def _without_paused(self, rows: list[StoredSeek]) -> list[StoredSeek]:
        """Leave out the rated seeks of who has to pause from rated matches since: they wait until that is over."""
        rated = {row.id for row in rows if row.data["seek"]["rated"]}
        seekers = set(ids_of(row.person for row in rows if row.id in rated))
        pausing = {person_key(one, None) for one in await self._context.conduct.pauses(seekers)} if seekers else ()
        return [row for row in rows if row.id not in rated or row.person not in pausing]

    def _is_orphaned(self, row: StoredSeek) -> bool:
        """Tell whether a seek of this process was stored after its connection had gone; then it is taken back."""
        is_ours = row.process_id == self._context.presence.process_id
        if not is_ours or row.ticket in self._tickets or self._context.clock.now() < row.since + ORPHANED_AFTER:
            return False
        self._context.tasks.spawn(self._drop(row.ticket), "orphaned seek")
        return True

    async def _book(self, found: Iterable[Pairing]) -> None:
        """Book pairings and begin their matches; those that other processes were faster with come to nothing."""
        prepared = []
        for pairing_ in found:
            try:
                prepared.append((pairing_, await self._matches.prepare(of_pairing(pairing_))))
            except (Refused, BadNotation) as error:
                log.warning("pairing.refused", why=str(error))
        wanted = [_booking(pairing_, ready) for pairing_, ready in prepared]
        lock = not self._context.database.is_sqlite
        self._matches.check_beginning()
        made = await self._context.database.write(store.book, wanted, self._context.clock.now(), lock)
        for (pairing_, ready), is_made in zip(prepared, made, strict=True):
            if is_made:
                match = self._matches.adopt(ready)
                persons = [waiter.person for waiter in pairing_.waiters]
                self._record_waits(pairing_)
                self._use_up(persons, match.id)
                self._booked(match.id, persons)

    def _record_waits(self, made: Pairing) -> None:
        """Note for how long those looked who have found each other."""
        now = self._context.clock.now()
        for waiter in made.waiters:
            agreed = waiter.seek.agreement
            kept = self._waited.setdefault((agreed.game, agreed.speed), deque(maxlen=WAITS_KEPT))
            kept.append((now - waiter.since).total_seconds())

    def usual_waits(self) -> tuple[tuple[str, str, int], ...]:
        """Return the median of the last waits in this process by game and speed, as seconds to the next ten."""
        found = sorted(self._waited.items())
        return tuple((game, speed, 10 * ceil(median(waits) / 10)) for (game, speed), waits in found)

    def _use_up(self, persons: Iterable[str], match_id: str) -> None:
        used = [ticket for ticket in self._tickets.values() if ticket.person in set(persons)]
        for ticket in used:
            ticket.found(match_id)
            del self._tickets[ticket.id]

    async def _hear(self) -> None:
        """Take note of the tickets that another process has paired."""
        if not self._tickets:
            return
        for ticket_id, match_id in (await self._context.database.read(store.booked, list(self._tickets))).items():
            ticket = self._tickets.pop(ticket_id, None)
            if ticket is not None:
                ticket.found(match_id)
                self._booked(match_id, [ticket.person])

    async def views(self) -> tuple[SeekView, ...]:
        """Return the open seeks as the lobby lists them: of too many, some of everybody's. Raises StoreUnavailable."""
        waiters = await self.waiters()
        return await _aside(len(waiters), partial(_views, waiters, self._context.clock.now()))


async def _aside(seeks: int, work: Callable[[], T]) -> T:
    """Do something with so many seeks; with more than a few on a thread, since others wait for the loop."""
    return work() if seeks <= FEW else await asyncio.to_thread(work)


def _plan(
    waiters: Sequence[Waiter], now: datetime, sizes: Mapping[str, range], rng: Random
) -> tuple[list[Pairing], list[SmallerMatch]]:
    """Return the matches to make now, and what to ask those who wait on."""
    found = pairing.wave(waiters, now, sizes, rng)
    booked = [waiter.person for one in found for waiter in one.waiters]
    return found, list(pairing.questions(waiters, now, sizes, booked))


def options_key(seek: Seek) -> str:
    """Return the options with their defaults filled in, as text: equal where the same is played.

    Raises BadNotation for options that no match can begin with.
    """
    rules = registry.get(seek.agreement.game)
    options = complete(rules.options(), seek.agreement.options)
    rules.setup(options, seek.agreement.players, bytes(SEED_BYTES))
    return msgspec.json.encode(options, order="deterministic").decode()


def _stored(seek: Seek) -> dict[str, Any]:
    """Return a seek as a flat document, as the release before reads it."""
    own = {one.name: getattr(seek, one.name) for one in fields(seek) if one.name != "agreement"}
    return {name: getattr(seek.agreement, name) for name in SOUGHT} | own


def _seek_of(data: Mapping[str, Any], machines: bool) -> Seek:
    """Read what `_stored` wrote. `machines` stands beside it, for the release before."""
    agreement = Agreement(**{name: data[name] for name in SOUGHT}, machines=machines)
    return Seek(agreement, **{name: value for name, value in data.items() if name not in SOUGHT})


def _waiters(
    rows: Iterable[StoredSeek],
    blocks: frozenset[tuple[int, int]],
    sources: Mapping[str, str],
    machines: MarkedAccounts,
) -> list[Waiter]:
    return [_waiter(row, blocks, sources, machines) for row in rows if row.data["seek"]["game"] in registry.KEYS]


def _waiter(
    row: StoredSeek, blocks: frozenset[tuple[int, int]], sources: Mapping[str, str], machines: MarkedAccounts
) -> Waiter:
    player = machines.marked(Player.from_json(row.data["player"]))
    mine = player.account_id
    blocked = {other for by, other in blocks if by == mine} | {by for by, other in blocks if other == mine}
    return Waiter(
        id=row.id,
        person=row.person,
        player=player,
        seek=_seek_of(row.data["seek"], row.data.get("machines") is True),
        options=row.data["options"],
        since=row.since,
        rating=row.data["rating"],
        provisional=row.data.get("provisional") is True,
        blocked=frozenset(person_key(one, None) for one in blocked) if mine is not None else frozenset(),
        declined=row.data.get("declined", 0),
        source=sources.get(row.person, ""),
    )


def _booking(found: Pairing, ready: Prepared) -> Booking:
    waiters = [waiter.id for waiter in found.waiters]
    return Booking(ready.stored, ready.arrangement, waiters, [waiter.person for waiter in found.waiters])


def _views(waiters: Sequence[Waiter], now: datetime) -> tuple[SeekView, ...]:
    waiting = pairing.waiting(waiters)
    shown = some_in_turn(pairing.distinct(waiters), SEEKS_SHOWN, rotating(now), pairing.person, pairing.share)
    in_order = in_turn(shown, pairing.person, pairing.share)
    return tuple(_view(waiter, waiting[pairing.kind_of(waiter)], now) for waiter in in_order)


def _view(waiter: Waiter, waiting: int, now: datetime) -> SeekView:
    low, high = pairing.window(waiter, now)
    rated = waiter.rating, waiter.provisional
    return SeekView(waiter.id, waiter.seek, waiter.player, *rated, low, high, waiting, waiter.since)

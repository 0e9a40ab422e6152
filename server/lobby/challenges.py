"""Challenges, each a room with a seat held for somebody: made, left standing, declined, withdrawn, and told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from game.contract import Json, Seat
from server.accounts.guestnames import is_guest_name
from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.accounts.rate_limits import count_sources
from server.lobby import listing, room_document, room_state
from server.lobby.context import LobbyContext
from server.lobby.errors import ChallengedAlready, LobbyRefused, NoSuchPerson
from server.lobby.model import Challenge, RoomSettings
from server.lobby.new_matches import playable
from server.lobby.permissions import blocks_between, check_may_begin
from server.lobby.room import Room, Wished
from server.lobby.room_state import RoomState
from server.lobby.rooms import Rooms
from server.lobby.stored_rooms import read_code, store_room
from server.matches.matches import Matches
from server.matches.playable import check_brings
from server.matches.speeds import DAILY
from server.store import accounts as stored_accounts
from server.store import events
from server.store import lobby as store
from server.store.appends import Effect
from server.store.errors import StoreUnavailable
from server.store.events import NewEvent
from server.store.lobby import NoSuchRoom, StoredRoom

KEPT_S = 1.0  # one look at the rooms serves everybody who asks within a moment
MOST_STANDING = 20  # challenges of one person who does not stay for them
STANDS, STANDS_DAILY = timedelta(minutes=30), timedelta(days=7)  # how long a challenge may be answered
INVITED = timedelta(minutes=5)  # how long a seat is kept for somebody who was invited
LIMIT, MOST_TO_ONE_PER_MIN = "challenges_per_min", 6  # challenges to the same person, by those who count for one
MINUTE = timedelta(minutes=1)
MOST_OF_ONE = 3  # challenges by one person that another is shown, the oldest first


@dataclass(frozen=True, slots=True)
class OpenChallenges:
    """The open challenges by who is challenged, and by who made those that stand without them, the oldest first."""

    by_name: Mapping[str, tuple[Challenge, ...]]
    by_maker: Mapping[str, tuple[Challenge, ...]]


class Challenges:
    """The challenges of a lobby; the open ones as this process has read them last."""

    def __init__(self, context: LobbyContext, matches: Matches, rooms: Rooms, changed: Callable[[str], None]) -> None:
        """`changed`: told of the code of a challenge that came or went and whose room nobody had read."""
        self._context = context
        self._matches = matches
        self._rooms = rooms
        self._changed = changed
        self._known = OpenChallenges({}, {})
        self._read_at = float("-inf")  # monotonic
        self._reading: asyncio.Future[OpenChallenges] | None = None

    async def make(
        self,
        player: Player,
        handle: str,
        settings: RoomSettings,
        session: str | None = None,
        wished: Wished | None = None,
    ) -> Room:
        """Open a private room with a seat held for somebody. Raises NoSuchPerson, and as `Rooms.create`.

        It answers alike whether the other is here or away, has blocked the challenger or wants no challenge of theirs:
        `to` says what the other is shown, and unanswered it lapses alike. It takes the place of an equal one, and
        begins when the other sits down on these terms. Raises LobbyRefused for a guest challenged to a rated match,
        ChallengedAlready where the other wants the same.
        """
        other = await self._challenged(player, handle, settings)
        room = await self._rooms.create(player, settings, session, wished)
        free = next(Seat(i) for i, held in enumerate(room.state.seats) if held.player is None)
        brings = await self._told(other, player)
        earlier = partial(_drop_equal, player, other.name, room.state.settings, room.code)
        until = self._context.clock.now() + stands(settings)
        await room.change(lambda state: room_state.challenged(state, free, other.name, until), (*brings, earlier))
        await self._release_equal(player, other.name, room.state.settings, room.code)
        return room

    async def leave(
        self, player: Player, handle: str, settings: RoomSettings, brings: Mapping[str, Json] | None = None
    ) -> None:
        """Challenge somebody without staying: the match begins when they sit down, or the challenge lapses.

        `brings`: what the challenger brings to the first seat; raises BadNotation for what it can't be. It answers
        alike as `make` does, takes the place of an equal one too, and raises the same.
        """
        other = await self._challenged(player, handle, settings)
        settings, now = playable(replace(settings, auto_start=True)), self._context.clock.now()
        agreed = settings.agreement
        kept = check_brings(agreed.game, agreed.players, 0, brings or {}, agreed.options)
        await check_may_begin(self._context, agreed, player)
        self._matches.beginnings.count(player)
        until = now + stands(settings)
        told = await self._told(other, player)

        def stored_with(code: str) -> Sequence[Effect]:
            return (partial(_drop_equal, player, other.name, settings, code), partial(_check_standing, player), *told)

        def standing(code: str) -> RoomState:
            return room_state.left_for(code, settings, player, other.name, until, kept)

        code = await store_room(self._context, standing, stored_with)
        await self._release_equal(player, other.name, settings, code)
        self._changed(code)

    async def invite(self, player: Player, handle: str, room: Room) -> None:
        """Keep a free seat of a room for somebody whom its host asks in, for INVITED; they answer as to a challenge.

        It answers alike as `make` does. Raises NoSuchPerson, NotSaved; LobbyRefused for who is not the host, where no
        seat is free, for a guest invited to a rated match.
        """
        other = await self._asked(player, handle, room.state.settings)
        until, told = self._context.clock.now() + INVITED, await self._told(other, player)
        await room.change(lambda state: room_state.invited(state, player.person, other.name, until), told)

    async def _release_equal(self, player: Player, handle: str, settings: RoomSettings, newer: str) -> None:
        """Keep no seat for somebody in other rooms of their challenger, where a newer challenge is the same."""
        for row in await self._context.database.read(store.all_rooms):
            state = room_document.from_json(row.data)
            if row.code != newer and state.members and _is_equal(state, player, handle, settings):
                with suppress(NoSuchRoom):
                    room = await self._rooms.room(row.code)
                    await room.change(lambda one: room_state.released(one, handle))

    async def decline(self, player: Player, code: str) -> None:
        """Decline a challenge: its seat is free for others, and who challenged is told. Raises LobbyRefused, NotSaved.

        One that stands is shown to its maker as declined, until they put it away or it lapses. Raises
        NoSuchRoom for what they are not shown: no room is looked up by a code that may be guessed.
        """
        code = read_code(code)
        if all(one.code != code for one in await self.to(player)):
            raise NoSuchRoom(code)
        room = await self._rooms.room(code)
        await room.change(lambda state: room_state.declined(state, player.name))
        with suppress(NoSuchRoom):
            await room.end_if_empty()

    async def withdraw(self, player: Player, code: str) -> None:
        """Take back a challenge that stands, or put a declined one away. Raises NotSaved.

        Raises NoSuchRoom where none of theirs does (any more).
        """
        code = read_code(code)
        if not await self._context.database.write(store.withdraw, player.person, code):
            raise NoSuchRoom(code)
        self._rooms.vanished(code)
        self._changed(code)

    async def to(self, player: Player) -> tuple[Challenge, ...]:
        """Return the open challenges to somebody, by whoever they may and want to meet. Raises StoreUnavailable."""
        found = (await self._open()).by_name.get(player.name, ())
        apart = await self._apart(player, [one.by for one in found]) if found else frozenset()
        return tuple(one for one in found if one.by.account_id not in apart) if apart else found

    async def standing(self, player: Player) -> tuple[Challenge, ...]:
        """Return the challenges of somebody that stand without them. Raises StoreUnavailable."""
        return (await self._open()).by_maker.get(player.person, ())

    def forget(self) -> None:
        """Take note that a room has changed: who asks from now on is not told what was read before."""
        self._reading, self._read_at = None, float("-inf")

    async def _challenged(self, player: Player, handle: str, settings: RoomSettings) -> Player:
        """Return who is challenged. Raises as `_asked`, ChallengedAlready."""
        other = await self._asked(player, handle, settings)
        wanted = playable(settings).agreement
        for one in await self.to(player):
            if one.by.is_same_person(other) and one.agreement == wanted:
                raise ChallengedAlready(other.name, one.code)
        return other

    async def person(self, player: Player, handle: str) -> Player:
        """Return whom somebody may ask to play. Raises NoSuchPerson; LobbyRefused for oneself and whom one has blocked.

        That one is blocked by them tells nothing: it is stored and shown to nobody.
        """
        other = await self._person(handle)
        if other is None:
            raise NoSuchPerson(handle)
        if other.is_same_person(player):
            raise LobbyRefused("challenge.self")
        if (player.account_id, other.account_id) in await blocks_between(self._context, (player, other)):
            raise LobbyRefused("people.you-blocked", handle=other.name)
        return other

    async def _asked(self, player: Player, handle: str, settings: RoomSettings) -> Player:
        """Return who is asked to play. Raises as `person`, RateLimited, LobbyRefused for a guest and a rated match."""
        other = await self.person(player, handle)
        room_state.check_no_guest(settings.agreement, other)
        await self._count(player, other)
        return other

    async def _count(self, player: Player, other: Player) -> None:
        """Count a challenge against whom it counts for, by whom it is to. Raises RateLimited."""
        who, now = self._context.presence.connections.counted(player), self._context.clock.now()

        def work(connection: Connection) -> None:
            about = other.person
            count_sources(connection, LIMIT, "challenge", who, MOST_TO_ONE_PER_MIN, MINUTE, now, about=about)

        await self._context.database.write(work)

    async def _person(self, handle: str) -> Player | None:
        """Return the account of a handle, wherever its person is, or a guest who is connected to any process."""
        if is_guest_name(handle):
            here = listing.connected(self._context.presence.connections)
            return next((one for one in here if one.name == handle), None)
        account = await self._context.database.read(stored_accounts.by_handle, handle)
        return None if account is None else Player("account", account.handle, account_id=account.id)

    async def _told(self, other: Player, by: Player) -> tuple[Effect, ...]:
        """Return what tells somebody of a challenge; where they must or will not know of it, it only takes as long."""
        event = NewEvent("challenge", self._context.clock.now(), None, by.account_id)
        is_shown = by.account_id not in await self._apart(other, (by,))
        return () if other.account_id is None else (events.add(other.account_id, event, is_told=is_shown),)

    async def _apart(self, player: Player, challengers: Sequence[Player]) -> frozenset[int | None]:
        """Return the accounts among some challengers whose challenges somebody may not or does not want to see.

        None stands for all guests.
        """
        blocks = await blocks_between(self._context, (player, *challengers))
        apart = frozenset(account_id for pair in blocks if player.account_id in pair for account_id in pair)
        if player.account_id is None:
            return apart
        return apart | await self._context.wanted.unwanted(player.account_id, [one.account_id for one in challengers])

    async def _open(self) -> OpenChallenges:
        if self._context.clock.monotonic() < self._read_at + KEPT_S:
            return self._known
        reading = self._reading
        if reading is None:
            reading = self._reading = asyncio.get_running_loop().create_future()
            self._context.tasks.spawn(self._read(reading), "challenges")
        return await asyncio.shield(reading)

    async def _read(self, reading: asyncio.Future[OpenChallenges]) -> None:
        began = self._context.clock.monotonic()
        try:
            rooms = await self._context.database.read(store.all_rooms)
            found = sorted_out(rooms, self._context.machines, self._context.clock.now())
        except StoreUnavailable as error:
            reading.set_exception(error)
            reading.exception()  # whoever asked may be gone
        else:
            reading.set_result(found)
            if self._reading is reading:
                self._known, self._read_at = found, began
        finally:
            reading.cancel()  # nothing where it has an answer already
            if self._reading is reading:
                self._reading = None


def stands(settings: RoomSettings) -> timedelta:
    """Return how long a challenge to these terms may be answered."""
    return STANDS_DAILY if settings.agreement.speed == DAILY else STANDS


def sorted_out(rooms: list[StoredRoom], machines: MarkedAccounts, now: datetime) -> OpenChallenges:
    """Sort the challenges out; of one challenger each is shown `MOST_OF_ONE` at most."""
    by_name: dict[str, tuple[Challenge, ...]] = {}
    by_maker: dict[str, tuple[Challenge, ...]] = {}
    for row in rooms:
        state = room_state.marked(room_document.from_json(row.data), machines)
        by = next((one for one in (*state.seats.players, *state.hosting) if one.person == state.host), None)
        if state.playing or by is None or state.has_lapsed(now):
            continue
        held_for = {held.held_for: held for held in state.seats if held.held_for}
        if state.stands_until is not None and state.declined and not held_for:
            lapses = state.stands_until
            answered = Challenge(
                state.code, by, state.declined[-1], state.settings, row.since, lapses, is_declined=True
            )
            by_maker[by.person] = (*by_maker.get(by.person, ()), answered)
        for name, held in held_for.items():
            if held.has_lapsed(now):
                continue
            until, is_invitation = held.held_until or state.stands_until, held.is_invitation
            since = until - INVITED if is_invitation and until is not None else row.since
            made = Challenge(state.code, by, name, state.settings, since, until, is_invitation=is_invitation)
            if state.stands_until is not None:
                by_maker[by.person] = (*by_maker.get(by.person, ()), made)
            if sum(one.by.is_same_person(by) for one in by_name.get(name, ())) < MOST_OF_ONE:
                by_name[name] = (*by_name.get(name, ()), made)
    return OpenChallenges(by_name, by_maker)


def _is_equal(room: RoomState, player: Player, handle: str, settings: RoomSettings) -> bool:
    """Tell whether a room is there for a challenge of somebody to a person, on these terms: open, or declined."""
    waits = not room.playing and any(state.held_for == handle and state.player is None for state in room.seats)
    was_declined = room.stands_until is not None and handle in room.declined
    return room.host == player.person and room.agreement == settings.agreement and (waits or was_declined)


def _drop_equal(player: Player, handle: str, settings: RoomSettings, newer: str, connection: Connection) -> None:
    """Delete the standing challenges whose place a newer one takes."""
    _lock(player, connection)
    rows = [row for row in store.standing(connection, player.person) if row.code != newer]
    equal = [row.code for row in rows if _is_equal(room_document.from_json(row.data), player, handle, settings)]
    store.drop_rooms(connection, equal)


def _check_standing(player: Player, connection: Connection) -> None:
    """Raise LobbyRefused where more challenges of one person stand than may, with the one just stored.

    As many that were declined are kept, the newest ones: who has two accounts could have thousands otherwise.
    """
    _lock(player, connection)
    rows = sorted(store.standing(connection, player.person), key=lambda row: row.since)
    declined = [row.code for row in rows if not any(seat["held_for"] for seat in row.data["chairs"])]
    if len(rows) - len(declined) > MOST_STANDING:
        raise LobbyRefused("lobby.error.too-many-challenges")
    store.drop_rooms(connection, declined[:-MOST_STANDING])


def _lock(player: Player, connection: Connection) -> None:
    """Have other connections of the same person wait, so that they don't count each for themselves."""
    if player.account_id is not None:
        stored_accounts.lock(connection, player.account_id)

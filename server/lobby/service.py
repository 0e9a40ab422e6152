"""The lobby: who is here, what they seek, the rooms they meet in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

from sqlalchemy import Connection

from game.contract import Json, Seat, Watcher
from server.accounts.following import COMES, PLAYS
from server.accounts.guesses import Guesses
from server.accounts.guestnames import is_guest_name
from server.accounts.identity import Identity, Player
from server.accounts.sources import Sources
from server.bus.bus import Bus, Payload, Subscription
from server.callbacks import call_back
from server.errors import Refused
from server.lobby import listing, seats
from server.lobby.arrivals import Arrival, MissedMatches
from server.lobby.challenges import Challenges
from server.lobby.context import LobbyContext
from server.lobby.entering import RoomFinder, enter
from server.lobby.errors import LobbyRefused, NoSuchPerson
from server.lobby.model import Challenge, LobbyView, PersonHere, RoomSettings, Seek
from server.lobby.new_matches import against_bots, check_level, playable
from server.lobby.permissions import blocks_between, check_may_begin, check_may_name, check_rooms
from server.lobby.room import Room
from server.lobby.seeking import Seeker, SeekTicket
from server.lobby.stored_rooms import end_unused, remove_gone, store_room
from server.log import get_logger
from server.matches.announcer import Announcer, Subscriber
from server.matches.match import Match
from server.matches.match_quota import MOST_MATCHES
from server.matches.model import Changed
from server.matches.service import Matches
from server.matches.speeds import DAILY
from server.periodic import Work, repeat
from server.presence.connections import Connected
from server.store import accounts as stored_accounts
from server.store import events
from server.store import lobby as store
from server.store.accounts import person_key
from server.store.appends import Effect
from server.store.errors import StoreUnavailable
from server.store.events import NewEvent
from server.store.lobby import NoSuchRoom

log = get_logger("lobby")
TOPIC = "lobby"
WAVE_S = 1.0
VIEW_S = 3.0  # between two views
LOOK_S = 0.5  # how often it is asked whether a new one is due
ROOMS_S = 3.0
ENTER_S = 30.0  # who asked for a room may be about to come in
MOST_STANDING = 20  # challenges of one person who does not stay for them
STANDS, STANDS_DAILY = timedelta(minutes=30), timedelta(days=7)  # how long such a challenge may be answered
SWEEP_S = 30.0  # between two looks for rooms that a server left behind


class Lobby:
    """The lobby of this process. `start` before use, `close` at the end."""

    def __init__(
        self,
        context: LobbyContext,
        matches: Matches,
        bus: Bus | None = None,
        rng: Random | None = None,
        guesses: Guesses | None = None,
    ) -> None:
        self._matches = matches
        self._context = context
        self._bus = bus
        self.seeker = Seeker(context, matches, self._booked, rng)
        self._arrivals: dict[str, Arrival] = {}
        self._rooms: dict[str, Room] = {}
        self._makers: dict[str, Sources] = {}  # by room: on whose account it counts, until it is gone
        self._challenges = Challenges(self._context)
        self._guesses = guesses or Guesses(self._context.clock, bus)
        self._finder = RoomFinder(self._context, self._guesses, self.room, self._is_listed)
        self._missed = MissedMatches(self._context, self._arrivals.keys(), self._notify)
        self._announcer = Announcer(self._context.tasks)
        self._view = LobbyView(0, self._context.clock.now(), (), (), (), ())
        self._refreshed_at = float("-inf")  # monotonic
        self._heard: Subscription | None = None
        matches.on_begin.append(self._begun)
        matches.on_offers.append(self._offers_changed)
        matches.on_end.append(self._ended)

    # Life

    async def start(self) -> None:
        """Begin to pair, to look and to listen."""
        if self._bus is not None:
            self._heard = self._bus.subscribe(TOPIC, self._follow_hint)
        self._repeat(WAVE_S, self.seeker.wave, "wave")
        self._repeat(LOOK_S, self.refresh, "lobby view")
        self._repeat(ROOMS_S, self.poll_rooms, "rooms")
        self._repeat(ROOMS_S, self._missed.poll, "missed matches")
        self._repeat(SWEEP_S, self.sweep_rooms, "empty rooms")

    async def close(self) -> None:
        """Forget this process's seeks, and end what the lobby does by itself."""
        if self._heard is not None:
            self._heard.close()
        self._guesses.close()
        await self.seeker.close()
        await self._context.tasks.close()

    def _repeat(self, every_s: float, work: Work, name: str) -> None:
        self._context.tasks.spawn(repeat(self._context.clock, every_s, work), name)

    # Who is here, and what they see

    def arrive(
        self,
        identity: Identity,
        session: str,
        on_match: Callable[[str], None],
        on_offers: Callable[[Match], None] | None = None,
        on_end: Callable[[str], None] | None = None,
    ) -> Arrival:
        """Note a connection. `on_match(match id)` is called on the loop when a match of that person begins.

        `on_offers(match)`: when what is offered in a match of theirs has changed. `on_end(match id)`: when one has
        ended that is open in this process.
        """
        now = self._context.clock.now()
        arrival = Arrival(self.left, identity, session, on_match, now, on_offers, on_end)
        self._arrivals[session] = arrival
        self._context.presence.connections.arrive(Connected(session, identity, now))
        if self._context.clock.monotonic() >= self._refreshed_at + VIEW_S:
            self._context.tasks.spawn(self._refresh_now(), "lobby view")
        return arrival

    def register_newcomer(self, identity: Identity, session: str) -> None:
        """Register a connection at the first screens: admins see it, nobody can reach it yet."""
        now = self._context.clock.now()
        self._context.presence.connections.arrive(Connected(session, identity, now, looks_on=True))

    def remove_newcomer(self, session: str) -> None:
        """Note that a connection at the first screens is gone."""
        self._context.presence.connections.leave(session)

    def left(self, arrival: Arrival) -> None:
        """Note that a connection is gone."""
        if self._arrivals.pop(arrival.session, None) is None:
            return
        self._context.presence.connections.leave(arrival.session)
        for ticket in arrival.tickets:
            ticket.cancel()
        for room in self._rooms.values():
            if any(one.session == arrival.session for one in room.state.members):
                room.leave(arrival.session)

    def snapshot(self) -> LobbyView:
        """Return what the lobby shows: the same for everybody, a new one at most every three seconds."""
        return self._view

    async def people_here(self) -> tuple[PersonHere, ...]:
        """Return who is here at this moment, as everybody may know it. Raises StoreUnavailable."""
        return await listing.people_now(self._context, self._matches)

    def subscribe(self, changed: Changed) -> Subscriber:
        """Call back on the loop whenever `snapshot` is a new one."""
        return self._announcer.listen(Watcher.PUBLIC, changed)

    async def refresh(self) -> None:
        """Look at everything anew, where anybody looks or is here. Raises StoreUnavailable."""
        now, seen = self._context.clock.monotonic(), self._view
        is_empty = not (seen.seeks or seen.rooms or seen.matches or seen.here)
        if (is_empty and not self._arrivals and not len(self._announcer)) or now < self._refreshed_at + VIEW_S:
            return
        self._refreshed_at = now
        view = await listing.read_view(self._context, self._matches, self.seeker, self._view)
        if view is not self._view:
            self._view = view
            self._announcer.announce()
        await self._notify_waiting(view)

    async def _notify_waiting(self, view: LobbyView) -> None:
        """Tell those who wait for somebody that they are here, or play: as everybody may see it. Mostly nobody does."""
        wanted = self._context.wanted
        for person in view.here if wanted.wished else ():
            for tell in (COMES, PLAYS) if person.playing is not None else (COMES,):
                if (person.name, tell) in wanted.wished:
                    await wanted.come_true(person.name, tell, person.playing)

    async def _refresh_now(self) -> None:
        with suppress(StoreUnavailable):
            await self.refresh()

    def _booked(self, match_id: str, persons: Sequence[str]) -> None:
        """A match begins: tell its people, here and elsewhere."""
        self._notify(match_id, persons)
        self._publish({"match": match_id, "persons": list(persons)})

    def _notify(self, match_id: str, persons: Sequence[str], began: datetime | None = None) -> None:
        """Tell those who have not heard of a match; with `began`, not those who came when it ran already."""
        for arrival in tuple(self._arrivals.values()):
            came_later = began is not None and arrival.since > began
            if arrival.identity.player.person in persons and match_id not in arrival.told and not came_later:
                arrival.told.add(match_id)
                call_back(arrival.on_match, match_id)

    def _begun(self, match: Match, after: str | None) -> None:
        """A match was begun in this process, by whatever way: its people's other terminals learn of it too."""
        self._booked(match.id, [match.terms.players[seat].person for seat in match.terms.people])
        if after is not None and match.terms.room is not None:
            self._context.tasks.spawn(self._record_rematch(match), "room rematch")

    def _offers_changed(self, match_id: str) -> None:
        """What is offered in a match has changed: who plays or played it hears of it, wherever they are."""
        if (match := self._matches.opened(match_id)) is not None:
            for arrival in self._players_here(match):
                if arrival.on_offers is not None:
                    call_back(arrival.on_offers, match)

    def has_others(self, session: str) -> bool:
        """Tell whether the person of a connection is here with another one of this process, too."""
        own = self._arrivals.get(session)
        others = (one for one in self._arrivals.values() if one is not own)
        return own is not None and any(one.identity.person == own.identity.person for one in others)

    def sits(self, player: Player, match_id: str) -> bool:
        """Tell whether somebody has a match before them already, in whatever session."""
        match = self._matches.opened(match_id)
        return match is not None and match.seat_of(player) in match.live.attendance.at_table

    def _ended(self, match_id: str) -> None:
        """A match has ended: who played hears of it, wherever they are."""
        match = self._matches.opened(match_id)
        for arrival in () if match is None else self._players_here(match):
            if arrival.on_end is not None:
                call_back(arrival.on_end, match_id)

    def _players_here(self, match: Match) -> list[Arrival]:
        """Return the connections of this process whose persons play a match."""
        return [one for one in self._arrivals.values() if match.seat_of(one.identity.player) is not None]

    async def _record_rematch(self, match: Match) -> None:
        """A rematch that was agreed on beside the board is the room's next match."""
        try:
            room = await self.room(match.terms.room or "")
            terms = match.terms
            await room.change(lambda state: seats.rearranged(state, match.id, terms.players, terms.seat_options))
        except Refused as error:
            log.info("room.no-rematch", why=error.key)

    # Playing

    async def seek(self, player: Player, seek: Seek | Sequence[Seek], session: str | None = None) -> SeekTicket:
        """Seek a match; several seeks at once are one ticket, and one of them comes true.

        The match arrives through `on_match`. With `session` the seek ends when that connection does. Raises
        LobbyRefused, BadNotation, NotSaved.
        """
        ticket = await self.seeker.seek(player, (seek,) if isinstance(seek, Seek) else seek)
        arrival = self._arrivals.get(session or "")
        if arrival is not None:
            arrival.tickets.append(ticket)
        elif session is not None:
            ticket.cancel()  # the connection went while the seek was stored
        return ticket

    async def answer(self, ticket: SeekTicket, agrees: bool) -> None:
        """Answer what `ticket.asked` asks: begin with those who are there, or wait on. Raises NotSaved."""
        await self.seeker.answer(ticket, agrees)

    async def play_bot(
        self,
        player: Player,
        game: str,
        level: str = "normal",
        options: Mapping[str, Json] | None = None,
        speed: str | None = None,
        seat: Seat | None = None,
        players: int | None = None,
        brings: Mapping[str, Json] | None = None,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Match:
        """Begin a match with built-in players on all other seats.

        Raises BadNotation, Draining, LobbyRefused, NotSaved, RateLimited. Without a `speed` there is no clock. `brings`
        is what the person brings to their seat; `seat_options` what every seat brings, whoever sits there.
        """
        check_level(game, level)
        carried = brings or {}, seat_options
        new = against_bots(player, game, level, options or {}, speed, seat, players, *carried)
        await self._check_may_play_bots(player)
        self._matches.beginnings.count(player)
        return await self._matches.create(new)

    async def play_on(self, player: Player, match_id: str, seq: int, seat: Seat, level: str = "normal") -> Match:
        """Play on against bots from a moment of a finished match; casual. Raises as `Matches.branch`, LobbyRefused.

        Raises RateLimited; a long match counts several times.
        """
        await self._check_may_play_bots(player)
        self._matches.beginnings.count(player, seq)
        return await self._matches.branch(match_id, player, seq, seat, level)

    async def _check_may_play_bots(self, player: Player) -> None:
        running = await self._matches.running_ids(player)
        if len(running) >= MOST_MATCHES or await self._matches.begun.is_full(player):
            raise LobbyRefused("lobby.error.too-many-matches")

    # Rooms

    async def create_room(self, player: Player, settings: RoomSettings, session: str | None = None) -> Room:
        """Open a room, its maker in it and on its first seat. Raises BadNotation, LobbyRefused, AccountError, NotSaved.

        Raises RateLimited; the room's first match is counted with it. `session`: the connection that is in the room
        from now on; left out, the person's newest one.
        """
        settings = playable(settings)
        sources = self._context.presence.connections.counted(player)
        self._makers = {code: who for code, who in self._makers.items() if code in self._rooms}
        check_rooms(sources, self._makers.values())
        check_may_name(self._context, settings, player)
        await check_may_begin(self._context, settings.agreement, player)
        self._matches.beginnings.count(player)
        code = await store_room(self._context, lambda code: seats.opened(code, settings, player))
        try:
            room = await self.room(code)
            self._makers[code] = sources
            await room.enter(player, session or self._session_of(player))
        except (asyncio.CancelledError, StoreUnavailable):
            end_unused(self._context, code)
            raise
        await room.sit(player)
        return room

    def _session_of(self, player: Player) -> str:
        """Return the newest connection of a person."""
        person = player.person
        mine = [one.session for one in self._arrivals.values() if one.identity.player.person == person]
        return mine[-1] if mine else person

    async def join(
        self,
        player: Player,
        code: str,
        session: str | None = None,
        seat: Seat | None = None,
        brings: Mapping[str, Json] | None = None,
        has_code: bool = True,
    ) -> Room:
        """Enter a room by its code and take a seat there if one is free. Raises as `find`, `Room.enter`, `Room.sit`."""
        session = session or self._session_of(player)
        arrival = self._arrivals.get(session)
        source = "" if arrival is None else arrival.identity.source
        room = await self.find(player, code, source, has_code=has_code)
        await enter(self._context, room, player, session, seat, brings)
        return room

    async def find(self, player: Player, code: str, source: str, sits: bool = False, has_code: bool = True) -> Room:
        """Return the room that a code opens for somebody. Raises NoSuchRoom, RateLimited.

        `source`: the address they come from. `sits`: they come to play, not to look on. `has_code`: they brought the
        code, by hand or as players of a match there; else a page knew it, and it opens no private room.
        """
        return await self._finder.find(player, code, source, sits, has_code)

    def _is_listed(self, code: str) -> bool:
        return any(room.code == code for room in self._view.rooms)

    async def room(self, code: str) -> Room:
        """Return a room, for whoever knows that it is there. Raises NoSuchRoom."""
        stored = await self._context.database.read(store.room, code)
        if stored is None:
            self._forget_room(code)
            raise NoSuchRoom(code)
        room = self._rooms.get(code)
        if room is None:
            room = self._rooms[code] = Room(self._context, stored, self._matches, self._room_changed)
            await room.open()
        else:
            await room.update(stored)
        room.record_asked()
        return room

    def _room_changed(self, room: Room) -> None:
        self._challenges.forget()
        self._publish({"room": room.code, "version": room.version})

    async def poll_rooms(self) -> None:
        """Read the rooms that were changed elsewhere, forget those that nobody looks at. Raises StoreUnavailable."""
        if not self._rooms:
            return
        asked = dict(self._rooms)
        versions = await self._context.database.read(store.room_versions, list(asked))
        lately = self._context.clock.monotonic() - ENTER_S
        for code, room in asked.items():
            version = versions.get(code)
            if version is None or not (room.is_watched or room.asked_at > lately):
                self._forget_room(code)
            elif version > room.version:
                with suppress(NoSuchRoom):  # it has ended since
                    await self.room(code)

    def _forget_room(self, code: str) -> None:
        """Forget a room, and follow no more what goes on in it."""
        room = self._rooms.pop(code, None)
        if room is not None:
            room.close()

    async def sweep_rooms(self) -> None:
        """Remove people whose process has ended from their rooms; end the empty ones. Raises StoreUnavailable."""
        await remove_gone(self._context, self.room)

    async def challenge(self, player: Player, handle: str, settings: RoomSettings, session: str | None = None) -> Room:
        """Open a private room with a seat held for somebody. Raises NoSuchPerson, and as `create_room`.

        It answers alike whether the other is here or away, has blocked the challenger or wants no challenge of theirs:
        `challenges` says what the other is shown. Raises LobbyRefused for a guest challenged to a rated match.
        """
        other = await self._challenged(player, handle, settings)
        room = await self.create_room(player, settings, session)
        free = next(Seat(i) for i, held in enumerate(room.state.seats) if held.player is None)
        brings = await self._told(other, player)
        await room.change(lambda state: seats.held(state, free, other.name), brings)
        self._notify_of_challenges(room.code)
        return room

    async def leave_challenge(self, player: Player, handle: str, settings: RoomSettings) -> None:
        """Challenge somebody without staying: the match begins when they sit down, or the challenge lapses.

        It answers alike as `challenge` does, and raises the same.
        """
        other = await self._challenged(player, handle, settings)
        settings, now = playable(replace(settings, auto_start=True)), self._context.clock.now()
        await check_may_begin(self._context, settings.agreement, player)
        self._matches.beginnings.count(player)
        until = now + (STANDS_DAILY if settings.agreement.speed == DAILY else STANDS)
        check: Effect = partial(_check_standing, player)
        brings = (check, *await self._told(other, player))
        code = await store_room(
            self._context, lambda code: seats.left_for(code, settings, player, other.name, until), brings
        )
        self._notify_of_challenges(code)

    async def _challenged(self, player: Player, handle: str, settings: RoomSettings) -> Player:
        """Return who is challenged. Raises NoSuchPerson, LobbyRefused for a guest challenged to a rated match."""
        other = await self._person(handle)
        if other is None or other.is_same_person(player):
            raise NoSuchPerson(handle)
        seats.check_no_guest(settings.agreement, other)
        return other

    async def _told(self, other: Player, by: Player) -> tuple[Effect, ...]:
        """Return what tells somebody of a challenge; where they must or will not know of it, it only takes as long."""
        event = NewEvent("challenge", self._context.clock.now(), None, by.account_id)
        is_shown = by.account_id not in await self._apart(other, (by,))
        return () if other.account_id is None else (events.add(other.account_id, event, is_told=is_shown),)

    def _notify_of_challenges(self, code: str) -> None:
        self._challenges.forget()
        self._publish({"challenge": code})
        self._announcer.announce()

    async def decline(self, player: Player, code: str) -> None:
        """Decline a challenge: its seat is free for others, and who challenged is told. Raises LobbyRefused, NotSaved.

        Raises NoSuchRoom where it was taken back.
        """
        room = await self.room(code)
        await room.change(lambda state: seats.declined(state, player.name))
        with suppress(NoSuchRoom):
            await room.end_if_empty()
        self._notify_of_challenges(code)

    async def challenges(self, player: Player) -> tuple[Challenge, ...]:
        """Return the open challenges to somebody, by whoever they may and want to meet. Raises StoreUnavailable."""
        found = await self._challenges.of(player)
        apart = await self._apart(player, [one.by for one in found]) if found else frozenset()
        return tuple(one for one in found if one.by.account_id not in apart) if apart else found

    async def standing_challenges(self, player: Player) -> tuple[Challenge, ...]:
        """Return the challenges of somebody that stand without them. Raises StoreUnavailable."""
        return await self._challenges.standing(player)

    async def withdraw(self, player: Player, code: str) -> None:
        """Take back a challenge that stands. Raises NoSuchRoom where none of theirs does (any more), NotSaved."""
        code = code.strip().upper()
        if not await self._context.database.write(store.withdraw, player.person, code):
            raise NoSuchRoom(code)
        self._forget_room(code)
        self._notify_of_challenges(code)

    async def _apart(self, player: Player, challengers: Sequence[Player]) -> frozenset[int]:
        """Return the accounts among some challengers whose challenges somebody may not or does not want to see."""
        blocks = await blocks_between(self._context, (player, *challengers))
        apart = frozenset(account_id for pair in blocks if player.account_id in pair for account_id in pair)
        if player.account_id is None:
            return apart
        ids = [one.account_id for one in challengers if one.account_id is not None]
        return apart | await self._context.wanted.unwanted(player.account_id, ids)

    async def separate(self, account_id: int) -> None:
        """Separate somebody from whom they have blocked, in the rooms they are in from here."""
        for room in tuple(self._rooms.values()):
            if room.state.is_here(person_key(account_id, None)):
                with suppress(NoSuchRoom):
                    await room.separate()

    def mark(self, account_id: int) -> None:
        """Show the mark of a machine, or no longer, where somebody's name stands in the lobby and its rooms."""
        person = person_key(account_id, None)
        for room in tuple(self._rooms.values()):
            if room.state.seat_of(person) is not None:
                self._context.tasks.spawn(room.mark(), "mark")
        self._challenges.forget()
        self._refreshed_at = float("-inf")

    async def rename(self, account_id: int, name: str) -> None:
        """Call somebody by their new handle: here, in their seeks, and in the rooms that this process looks at.

        Raises StoreUnavailable.
        """
        for arrival in self._arrivals.values():
            if arrival.identity.account_id == account_id:
                arrival.rename(name)
        self._context.presence.connections.rename(account_id, name)
        await self.seeker.rename(account_id, name)
        for room in tuple(self._rooms.values()):
            with suppress(NoSuchRoom):
                await room.read_again()
        self._challenges.forget()
        self._announcer.announce()

    async def _person(self, handle: str) -> Player | None:
        """Return the account of a handle, wherever its person is, or a guest who is connected to any process."""
        if is_guest_name(handle):
            here = listing.connected(self._context.presence.connections)
            return next((one for one in here if one.name == handle), None)
        account = await self._context.database.read(stored_accounts.by_handle, handle)
        return None if account is None else Player("account", account.handle, account_id=account.id)

    # Hints

    def _publish(self, payload: Payload) -> None:
        if self._bus is not None:
            self._bus.publish(TOPIC, {"from": self._context.presence.process_id, **payload})

    def _follow_hint(self, payload: Payload) -> None:
        if payload.get("from") == self._context.presence.process_id:
            return
        match payload:
            case {"match": str(match_id), "persons": list(persons)}:
                told = [str(person) for person in persons]
                self._context.tasks.spawn(self._notify_of(match_id, told), "match hint")
            case {"room": str(code)} if code in self._rooms:
                self._context.tasks.spawn(self._reread(code), "room hint")
            case {"challenge": str()}:
                self._challenges.forget()
                self._announcer.announce()

    async def _notify_of(self, match_id: str, persons: Sequence[str]) -> None:
        """Tell of a match that began elsewhere, if there is one: a bus may be shared with another server."""
        if not any(arrival.identity.player.person in persons for arrival in self._arrivals.values()):
            return
        try:
            await self._matches.open(match_id, beginning=False)
        except Refused as error:
            log.info("match.hint-unread", why=error.key)
        else:
            self._notify(match_id, persons)

    async def _reread(self, code: str) -> None:
        try:
            await self.room(code)
        except Refused as error:
            log.info("room.unread", why=error.key)


def _check_standing(player: Player, connection: Connection) -> None:
    """Raise LobbyRefused where more challenges of one person stand than may, with the one just stored."""
    if player.account_id is not None:
        stored_accounts.lock(connection, player.account_id)  # so that two connections don't count each for themselves
    if len(store.standing(connection, player.person)) > MOST_STANDING:
        raise LobbyRefused("lobby.error.too-many-challenges")

"""The lobby: who is here, what they seek and see, and hints of it from other processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from random import Random

from game.contract import Json, Seat, Watcher
from server.accounts.following import COMES, PLAYS
from server.accounts.identity import Identity, Player
from server.accounts.wrong_codes import WrongCodes
from server.bus.bus import Bus, Payload, Subscription
from server.callbacks import call_back
from server.errors import Refused
from server.lobby import listing, room_state
from server.lobby.arrivals import Arrival, MissedMatches
from server.lobby.challenges import Challenges
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.model import LobbyView, PersonHere, Seek
from server.lobby.new_matches import against_bots, check_level
from server.lobby.room import Room
from server.lobby.room_state import RoomState
from server.lobby.rooms import Rooms
from server.lobby.seeking import Seeker, SeekTicket
from server.log import get_logger
from server.matches.announcer import Announcer, Subscriber
from server.matches.match import Match
from server.matches.match_quota import MOST_MATCHES
from server.matches.matches import Matches
from server.matches.model import Changed
from server.periodic import Work, repeat
from server.presence.connections import Connected
from server.store.errors import StoreUnavailable

log = get_logger("lobby")
TOPIC = "lobby"
WAVE_S = 1.0
VIEW_S = 3.0  # between two views
LOOK_S = 0.5  # how often it is asked whether a new one is due
ROOMS_S = 3.0
SWEEP_S = 30.0  # between two looks for rooms that a server left behind


class Lobby:
    """The lobby of this process. `start` before use, `close` at the end."""

    def __init__(
        self,
        context: LobbyContext,
        matches: Matches,
        bus: Bus | None,
        rng: Random | None = None,
        wrong_codes: WrongCodes | None = None,
    ) -> None:
        self._matches = matches
        self._context = context
        self._bus = bus
        self.seeker = Seeker(context, matches, self._booked, rng)
        self._arrivals: dict[str, Arrival] = {}
        self._wrong_codes = wrong_codes or WrongCodes(self._context.clock, bus)
        self.rooms = Rooms(context, matches, self._wrong_codes, self._arrivals, self._is_listed, self._room_changed)
        self.challenges = Challenges(context, matches, self.rooms, self._challenges_changed)
        self._missed = MissedMatches(self._context, self._arrivals.keys(), self._notify)
        self._announcer = Announcer(self._context.tasks)
        self.hints = 0  # how often it was told that a challenge came or went, or a name changed
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
        self._repeat(ROOMS_S, self.rooms.poll, "rooms")
        self._repeat(ROOMS_S, self._missed.poll, "missed matches")
        self._repeat(SWEEP_S, self.rooms.sweep, "empty rooms")

    async def close(self) -> None:
        """Forget this process's seeks, and end what the lobby does by itself."""
        if self._heard is not None:
            self._heard.close()
        self._wrong_codes.close()
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

    def left(self, arrival: Arrival, is_lost: bool = False) -> None:
        """Note that a connection is gone, or lost."""
        if self._arrivals.pop(arrival.session, None) is None:
            return
        self._context.presence.connections.leave(arrival.session)
        for ticket in arrival.tickets:
            ticket.cancel()
        self.rooms.leave(arrival.session, is_lost)

    def snapshot(self) -> LobbyView:
        """Return what the lobby shows: the same for everybody, a new one at most every three seconds."""
        return self._view

    async def people_here(self) -> tuple[PersonHere, ...]:
        """Return who is here at this moment, as everybody may know it. Raises StoreUnavailable."""
        return await listing.people_now(self._context, self._matches)

    def subscribe(self, changed: Changed) -> Subscriber:
        """Call back on the loop whenever `snapshot` is a new one, or `hints` another number."""
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
        for person in view.here if wanted.alerts else ():
            for tell in (COMES, PLAYS) if person.playing is not None else (COMES,):
                if (person.name, tell) in wanted.alerts:
                    await wanted.raise_alert(person.name, tell, person.playing)

    async def _refresh_now(self) -> None:
        with suppress(StoreUnavailable):
            await self.refresh()

    def _booked(self, match_id: str, persons: Sequence[str]) -> None:
        """Tell the people of a match that it begins, here and elsewhere."""
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
        """Tell the other terminals of its people of a match that was begun in this process, by whatever way."""
        self._booked(match.id, [match.terms.players[seat].person for seat in match.terms.people])
        if after is not None and match.terms.room is not None:
            self._context.tasks.spawn(self._record_rematch(match), "room rematch")

    def _offers_changed(self, match_id: str) -> None:
        """Tell who plays or played a match, wherever they are, that what is offered in it has changed."""
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
        """Tell who played a match, wherever they are, that it has ended."""
        match = self._matches.opened(match_id)
        for arrival in () if match is None else self._players_here(match):
            if arrival.on_end is not None:
                call_back(arrival.on_end, match_id)

    def _players_here(self, match: Match) -> list[Arrival]:
        """Return the connections of this process whose persons play a match."""
        return [one for one in self._arrivals.values() if match.seat_of(one.identity.player) is not None]

    async def _record_rematch(self, match: Match) -> None:
        """Record a rematch that was agreed on beside the board as the room's next match."""
        try:
            room = await self.rooms.room(match.terms.room or "")
            terms = match.terms
            await room.change(lambda state: room_state.rearranged(state, match.id, terms.players, terms.seat_options))
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
        level: str,
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

    def _is_listed(self, code: str) -> bool:
        return any(room.code == code for room in self._view.rooms)

    def _room_changed(self, room: Room, before: RoomState) -> None:
        if room.state.seats.held_for != before.seats.held_for:
            self._challenges_changed(room.code)
        else:
            self.challenges.forget()
        self._publish({"room": room.code, "version": room.version})

    def _challenges_changed(self, code: str) -> None:
        self._publish({"challenge": code})
        self._tell_hint()

    def _tell_hint(self) -> None:
        self.challenges.forget()
        self.hints += 1
        self._announcer.announce()

    def mark(self, account_id: int) -> None:
        """Show the mark of a machine, or no longer, where somebody's name stands in the lobby and its rooms."""
        self.rooms.mark(account_id)
        self.challenges.forget()
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
        await self.rooms.read_again()
        self._tell_hint()

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
            case {"room": str(code)} if code in self.rooms:
                self._context.tasks.spawn(self._reread(code), "room hint")
            case {"challenge": str()}:
                self._tell_hint()

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
            await self.rooms.room(code)
        except Refused as error:
            log.info("room.unread", why=error.key)

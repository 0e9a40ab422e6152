"""A room as this process sees it: a handle on its stored state, for everybody who is in it from here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from game import registry
from game.contract import Json, Seat, Watcher
from game.errors import BadNotation
from server.accounts.identity import BOT, Player, bot_player
from server.bus.bus import Subscription
from server.errors import Refused
from server.lobby import room_document, room_state
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings, RoomView
from server.lobby.new_matches import of_room, playable
from server.lobby.permissions import (
    blocks_between,
    check_may_name,
    check_may_play,
    check_may_sit,
    check_not_blocked,
    check_pauses,
)
from server.lobby.room_state import Member, RoomState
from server.log import get_logger
from server.matches.agreement import Agreement
from server.matches.announcer import Announcer, Subscriber
from server.matches.match import Match
from server.matches.matches import Matches
from server.matches.model import Changed, ChatLine
from server.matches.playable import check_brings
from server.matches.records import is_level
from server.ratings.bradley_terry import Rating
from server.store import lobby as store
from server.store.accounts import person_key
from server.store.appends import Effect
from server.store.errors import StoreUnavailable
from server.store.lobby import StoredRoom

log = get_logger("lobby.room")
COUNTDOWN = timedelta(seconds=3)  # that people who are all ready are given
LISTED_FOR = timedelta(seconds=10)  # in which others may have read what was to be played before the host changed it
CHAT_SHOWN = 50
Change = Callable[[RoomState], RoomState]
Wished = Callable[[Agreement], Sequence[Mapping[str, Json]]]  # what somebody likes to bring, by seat, to such a match


class Room:
    """One room. Every change is a transaction on its stored document; `snapshot` shows the last one read."""

    def __init__(
        self, context: LobbyContext, stored: StoredRoom, matches: Matches, told: Callable[[Room, RoomState], None]
    ) -> None:
        self._matches = matches
        self._context = context
        self._told = told
        self._announcer = Announcer(self._context.tasks)
        self.is_gone = False  # it has ended: the store has it no more
        self._ratings: tuple[Rating | None, ...] = ()
        self._rated: tuple[object, ...] = ()
        self._casual: str | None = None
        self._watching: Subscriber | None = None
        self._match: Match | None = None  # the one being played, or the last
        self._asked: frozenset[str] = frozenset()  # who asked for a rematch, as last told
        self._shown = 0
        self._chat_subscription: Subscription | None = None
        self.version = stored.version
        self.asked_at = context.clock.monotonic()  # when somebody last asked for it
        self.since = stored.since
        self.state = self._read(stored.data)
        self._record_members()

    @property
    def code(self) -> str:
        return self.state.code

    @property
    def is_watched(self) -> bool:
        """Tell whether anybody in this process is in the room or looks at it."""
        here = self._context.presence.process_id
        return len(self._announcer) > 0 or any(one.process == here for one in self.state.members)

    def snapshot(self) -> RoomView:
        """Return the room as its members see it."""
        room = self.state
        return RoomView(
            code=room.code,
            version=self._shown,
            settings=room.settings,
            host=room.host_name,
            seats=room_state.seats_of(self.state, self._ratings),
            members=tuple(dict.fromkeys(one.player.name for one in room.members if self._is_seen(one.player))),
            removed=room.removed,
            match=room.match,
            playing=room.playing,
            played=room.played,
            results=room.results,
            won=room_state.score(room),
            ended_as=room.ended_as,
            rematch=self._rematch(),
            chat=self._chat(),
            can_start=room.can_start,
            declined=room.declined,
            casual_because=self._casual,
            begins_at=self._begins_at,
        )

    def _is_seen(self, player: Player) -> bool:
        """Tell whether others see somebody in the room: who does not want to be seen connected is only on a seat."""
        is_invisible = self._context.presence.connections.is_invisible(player)
        return (
            not is_invisible or self.state.seats.seat_of(player.person) is not None or self.state.host == player.person
        )

    @property
    def _begins_at(self) -> datetime | None:
        at, room = self.state.begins_at, self.state
        return at if at is not None and room.can_start and at > self._context.clock.now() else None

    def _rematch(self) -> frozenset[str]:
        """Return who has asked to play the last match again."""
        if self._match is None or self.state.playing or self._match.offers.next_match is not None:
            return frozenset()
        offers, players = self._match.offers.open, self._match.terms.players
        return frozenset(players[seat].name for seat, what in offers if what == "rematch")

    @property
    def _channel(self) -> str:
        return f"room:{self.code}"

    def _chat(self) -> tuple[ChatLine, ...]:
        lines = self._context.chat.recent(self._channel)[-CHAT_SHOWN:]
        return tuple(ChatLine(line.at, line.name, line.text, None, line.account_id) for line in lines)

    async def say(self, player: Player, text: str) -> None:
        """Say something to everybody in the room. Raises ChatRefused, NotSaved, MatchRefused to a silent table."""
        if self._match is not None and self.state.playing:
            self._match.chat.check_may_talk(player)
        await self._context.chat.say(self._channel, player, text)

    def subscribe(self, changed: Changed) -> Subscriber:
        """Call back on the loop whenever `snapshot` has something new."""
        if self._chat_subscription is None:
            self._chat_subscription = self._context.chat.subscribe(self._channel, self.changed)
        return self._announcer.listen(Watcher.PUBLIC, changed)

    def changed(self) -> None:
        """Tell everybody who shows the room."""
        self._shown += 1
        self._announcer.announce()

    # What members do

    async def enter(self, player: Player, session: str) -> None:
        """Come in, without a seat yet. Raises NoSuchRoom for who has blocked somebody here, or is blocked by them."""
        await check_not_blocked(self._context, self.state, player)
        member = Member(session, self._context.presence.process_id, player)
        came_from = self._networks(player) if player.kind == "guest" else ()
        try:
            await self.change(lambda room: room_state.joined(room, member, came_from))
        except (asyncio.CancelledError, StoreUnavailable):
            self.leave(session)  # it may be stored all the same, and nobody would ever take it back
            raise

    def lose(self, session: str) -> None:
        """Take note that a connection was lost. It happens soon, whatever the store says now."""
        self._context.tasks.spawn(self._context.retry(partial(self.lost, session)), f"lose {self.code}")

    def leave(self, who: Player | str) -> None:
        """Go: one session, or all of a person's. It happens soon, whatever the store says now."""
        sessions = [who]
        if isinstance(who, Player):
            person = who.person
            sessions = [one.session for one in self.state.members if one.player.person == person]
        for session in sessions:
            self._context.tasks.spawn(self._context.retry(partial(self.left, str(session))), f"leave {self.code}")

    async def left(self, session: str) -> None:
        """Let a session go; the room ends when the last one has gone and nothing is played in it."""
        await self.change(lambda room: room_state.left(room, session))
        await self.end_if_empty()

    async def lost(self, session: str) -> None:
        """Let a session go whose connection was lost: its person keeps the seat until they are removed as gone."""
        now = self._context.clock.now()
        await self.change(lambda room: room_state.lost(room, session, now))
        await self.end_if_empty()

    async def end_if_empty(self) -> None:
        """End the room where nobody is in it, nothing is played and no challenge stands, unless somebody comes in now.

        Raises NoSuchRoom where another process has ended it.
        """
        while not (self.state.members or self.state.playing or self.state.stands(self._context.clock.now())):
            if await self._context.database.write(store.drop_room, self.code, self.version):
                self.is_gone = True
                return
            await self.change(lambda room: room)  # it has changed meanwhile

    async def remove_gone(self, is_gone: Callable[[Member], bool]) -> None:
        """Remove the connections that are gone; the room ends with the last one, unless a match is played in it.

        No seat is kept for who was invited and has not come in time.
        """
        now = self._context.clock.now()
        await self.change(lambda room: room_state.lapsed(room_state.without_gone(room, is_gone), now))
        await self.end_if_empty()

    def holds(self, session: str) -> bool:
        """Tell whether a connection is in the room."""
        return any(one.session == session for one in self.state.members)

    async def separate(self) -> None:
        """Separate those who are here from whom they have blocked (`room_state.separated`). Raises NotSaved."""
        people = (*self.state.seats.players, *(one.player for one in self.state.members))
        for by, whom in sorted(await blocks_between(self._context, people)):
            await self.change(partial(room_state.separated, by=person_key(by, None), whom=person_key(whom, None)))

    async def read_again(self) -> None:
        """Take what is stored: somebody has another handle. Raises NotSaved, NoSuchRoom."""
        await self.change(lambda room: room)

    def _read(self, data: Mapping[str, Any]) -> RoomState:
        return room_state.marked(room_document.from_json(data), self._context.machines)

    async def mark(self) -> None:
        """Show who of those who sit here is a machine now."""
        self.state = room_state.marked(self.state, self._context.machines)
        await self._rate_seats()
        self.changed()

    async def sit(
        self,
        player: Player,
        seat: Seat | None = None,
        brings: Mapping[str, Json] | None = None,
        wished: Wished | None = None,
    ) -> None:
        """Take a seat, or move to another one. `brings`: what one brings to it (a deck); else what one likes to.

        Where it begins by that and what is played was changed just now, one has COUNTDOWN to read it and leave.
        """
        if brings is not None:
            brings = self._checked(player, seat, brings)
        agreed = self.state.agreement
        by_seat = self._wished(wished) if brings is None and wished is not None else ()
        await check_may_sit(self._context, self.state, player)
        await check_pauses(self._context, self.state.agreement, (player, *self.state.seats.players), player)
        who = self._context.machines.marked(player)

        def sat(room: RoomState) -> RoomState:
            return room_state.sat(room, who, seat, brings, by_seat if room.agreement == agreed else ())

        await self.change(sat)
        changed_at = self.state.changed_at
        if changed_at is not None and self._context.clock.now() < changed_at + LISTED_FOR:
            await self._count_down(player)
        else:
            await self._start_when_ready(player)

    async def stand(self, player: Player) -> None:
        """Give the seat back."""
        await self.change(lambda room: room_state.stood(room, player.person))

    async def set(self, player: Player, settings: RoomSettings) -> None:
        """Change what is played; the host's to do. Raises BadNotation, LobbyRefused, AccountError for a pause."""
        settings = playable(settings)
        check_may_name(self._context, settings, player, self.state.settings)
        if player.person == self.state.host:
            room_state.check_no_guest(settings.agreement, player)
            await check_pauses(self._context, settings.agreement, self.state.seats.players, player)
        now = self._context.clock.now()
        await self.change(lambda room: room_state.configured(room, player.person, settings, now))

    async def add_bot(self, player: Player, seat: Seat, level: str = "normal") -> None:
        """Put a built-in player on a free seat; the host's to do."""
        if not is_level(BOT + level, registry.levels(self.state.agreement.game)):
            raise LobbyRefused("room.error.no-such-bot")
        await self.change(lambda room: room_state.bot_added(room, player.person, seat, level))
        await self._start_when_ready(player)

    async def remove(self, player: Player, seat: Seat) -> None:
        """Free somebody's seat; the host's to do. They don't come back as a guest, nor under another guest's name."""
        networks = self._networks(self.state.seats[seat].player) if seat < len(self.state.seats) else ()
        await self.change(lambda room: room_state.removed(room, player.person, seat, networks))

    async def remove_onlooker(self, player: Player, name: str) -> None:
        """Send somebody away who has no seat; the host's to do."""
        networks = self._networks(next((one.player for one in self.state.members if one.player.name == name), None))
        await self.change(lambda room: room_state.onlooker_removed(room, player.person, name, networks))

    def _networks(self, player: Player | None) -> Collection[str]:
        """Return the networks that somebody comes from, as far as they are known."""
        return () if player is None else self._context.presence.connections.networks(player)

    async def bring(self, player: Player, brings: Mapping[str, Json]) -> None:
        """Choose what one brings to the seat. Raises BadNotation for what it can't be."""
        kept = self._checked(player, None, brings)
        await self.change(lambda room: room_state.brought(room, player.person, kept))

    async def ready(self, player: Player, is_ready: bool = True, counts_down: bool = False) -> None:
        """Say that one wants to begin; with the last one's word it begins. Raises AccountError for a pause.

        `counts_down`: several people are told first, and begin COUNTDOWN later, unless somebody takes the word back.
        """
        if is_ready:
            await check_pauses(self._context, self.state.agreement, self.state.seats.players, player)
        await self.change(lambda room: room_state.readied(room, player.person, is_ready))
        if counts_down:
            await self._count_down(player)
        else:
            await self._start_when_ready(player)

    async def _count_down(self, player: Player) -> None:
        """Begin COUNTDOWN later, where everybody would and there are several people; who is alone begins at once."""
        if self.state.can_start and len(self.state.seats.people) > 1:
            at = self._context.clock.now() + COUNTDOWN
            await self.change(lambda room: replace(room, begins_at=at) if room.can_start else room)
            self._context.tasks.spawn(self._begin_at(at, player), f"room {self.code}")
        else:
            await self._start_when_ready(player)

    async def _begin_at(self, at: datetime, player: Player) -> None:
        await self._context.clock.sleep(COUNTDOWN.total_seconds())
        if self.state.begins_at == at:
            with suppress(Refused):
                await self._start_when_ready(player)

    async def start(self, player: Player) -> Match:
        """Begin, when everybody else is ready; the host's to do."""
        if player.person != self.state.host:
            raise LobbyRefused("room.error.not-host")
        if self.state.seats.seat_of(player.person) is not None:
            await self.change(lambda room: room_state.readied(room, player.person, True))
        if not self.state.can_start:
            raise LobbyRefused("room.error.not-ready")
        await check_pauses(self._context, self.state.agreement, self.state.seats.players, player)
        return await self._start(player)

    async def rematch(self, player: Player) -> None:
        """Say that one would play again: when all who stay have said so it begins, with everybody one seat on.

        Raises LobbyRefused where nothing was played yet, or by others.
        """
        if self._match is None or not self._match.is_over:
            raise LobbyRefused("room.error.nothing-to-repeat")
        seat = self._match.terms.seat_of(player)
        if seat is None:
            raise LobbyRefused("room.error.not-seated")
        await self._match.offer(seat, "rematch")

    def accepted_on(self, player: Player) -> Seat | None:
        """Return the seat on which somebody accepts a challenge by coming in, None where they would not."""
        return room_state.seat_for(self.state, player, None) if room_state.accepts(self.state, player) else None

    def brought_by(self, player: Player) -> Mapping[str, Json]:
        """Return what somebody brings to their seat: theirs to see, nobody else's."""
        return room_state.brought_by(self.state, player.person)

    def _wished(self, wished: Wished) -> tuple[Mapping[str, Json], ...]:
        """Return what somebody likes to bring to each seat, in plain form; nothing to one that it does not fit."""
        agreed, found = self.state.agreement, list[Mapping[str, Json]]()
        for seat, brings in enumerate(wished(agreed) or ({},) * agreed.players):
            try:
                found.append(check_brings(agreed.game, agreed.players, seat, brings, agreed.options))
            except BadNotation:
                found.append({})
        return tuple(found)

    def _checked(self, player: Player, seat: Seat | None, brings: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return what somebody brings, in plain form. Raises BadNotation."""
        settings = self.state.settings
        at = room_state.seat_for(self.state, player, seat)
        return check_brings(settings.agreement.game, settings.agreement.players, at, brings, settings.agreement.options)

    # Changes

    async def change(self, change: Change, brings: Sequence[Effect] = ()) -> RoomState:
        """Change the room's stored state, and tell everybody, also in other processes.

        `brings`: what is stored with the change.
        """
        work, now, before = self.as_work(change), self._context.clock.now(), self.state
        stored = await self._context.database.write(store.change_room, self.code, work, now, brings)
        if stored.version != self.version:
            await self.update(stored)
            self._told(self, before)
        return self.state

    async def open(self) -> None:
        """Look up what the stored state alone does not tell."""
        await self._rate_seats()
        await self.follow_match()

    def record_asked(self) -> None:
        """Note that somebody asked for the room now: they may be about to come in."""
        self.asked_at = self._context.clock.monotonic()

    def _record_members(self) -> None:
        presence, members = self._context.presence, self.state.members
        presence.rooms.store(self.code, (one.player for one in members))
        ours = frozenset(one.session for one in members if one.process == presence.process_id and not one.lost_at)
        presence.connections.record_room(self.code, ours)

    def vanish(self) -> None:
        """Take note that the store has it no more: who looks at it is told."""
        self.is_gone, self.state = True, replace(self.state, members=())
        self.changed()
        self.close()

    def close(self) -> None:
        """Look no more at the match that is played here, nor at the chat."""
        self._context.presence.rooms.forget(self.code)
        self._context.presence.connections.record_room(self.code, ())
        if self._chat_subscription is not None:
            self._chat_subscription.close()
        if self._watching is not None:
            self._watching.close()

    async def update(self, stored: StoredRoom) -> None:
        """Take note of what the store has."""
        if stored.version <= self.version:
            return
        self.version, self.state = stored.version, self._read(stored.data)
        self._record_members()
        if self._match is not None and self._match.terms.agreement.private:
            self._match.live.changed()  # who has gone may look on no more
        await self._rate_seats()
        self.changed()
        await self.follow_match()

    async def _rate_seats(self) -> None:
        """Look up the ratings of who sits here, and whether a match of theirs would count, when that has changed."""
        room, ratings = self.state, self._context.ratings
        held, game = tuple(held.player for held in room.seats), room.agreement.game
        if self._rated == (held, game, room.agreement.rated, room.played):
            return
        players = tuple(player or bot_player("easy") for player in held)
        self._ratings = await ratings.of_seats(game, players)
        shared = self._context.presence.connections.shared_sources(players)
        self._casual = (
            await ratings.casual_because(players, shared) if room.agreement.rated and room.seats.is_full else None
        )
        self._rated = held, game, room.agreement.rated, room.played

    async def follow_match(self) -> None:
        """Notice the end of the match that is played here, and who would like it repeated."""
        room = self.state
        if room.match is None or (self._match is not None and room.match == self._match.id):
            return
        try:
            match = await self._matches.open(room.match, beginning=False)
        except Refused as error:
            log.warning("room.match-unread", match=room.match, why=error.key)
            return
        if self._watching is not None:
            self._watching.close()
        self._match = match
        self._watching = match.subscribe(Watcher.PUBLIC, lambda: self._match_changed(match))
        self._match_changed(match)

    def _match_changed(self, match: Match) -> None:
        if not match.is_over or self.state.match != match.id:
            return
        if self.state.playing:
            self._context.tasks.spawn(self._record_end(match), f"room {self.code}")
        elif self._asked != (asked := self._rematch()):
            self._asked = asked
            self.changed()

    async def _record_end(self, match: Match) -> None:
        result = match.snapshot(Watcher.PUBLIC).result
        now, process = self._context.clock.now(), self._context.presence.process_id
        seats, players = match.live.attendance.at_table, match.terms.players
        at_board = [Member(f"{match.id}:{seat}", process, players[seat], now) for seat in sorted(seats)]
        while True:
            try:
                await self.change(lambda room: room_state.ended(room, match.id, players, result, at_board))
                await self.separate()
                await self.end_if_empty()
                break
            except store.NoSuchRoom:
                break
            except Refused:
                await self._context.clock.sleep(1.0)

    # Beginning

    async def _start_when_ready(self, player: Player) -> None:
        if self.state.can_start:
            with suppress(LobbyRefused):  # somebody else's word begins it at this moment
                await self._start(player)

    async def _start(self, player: Player) -> Match:
        """Begin a match of those who sit here, by a person's word; when two begin it at once, one match comes of it."""
        await check_may_play(self._context, self.state.seats.players)
        if self.state.match is not None:  # the first one was counted with the room
            self._matches.beginnings.count(player)
        wanted = of_room(self.state)
        prepared = await self._matches.prepare(wanted)

        def begin(room: RoomState) -> RoomState:
            fits = room.can_start and of_room(room) == wanted
            return room_state.begun(room, prepared.match.id) if fits else room

        now, rows = self._context.clock.now(), (prepared.stored, prepared.arrangement)
        self._matches.check_beginning()
        stored = await self._context.database.write(store.begin_in_room, self.code, self.as_work(begin), *rows, now)
        if stored is None:
            raise LobbyRefused("room.error.not-ready")
        match, before = self._matches.adopt(prepared), self.state
        await self.update(stored)
        self._told(self, before)
        return match

    def as_work(self, change: Change) -> Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], bool] | None]:
        """Return a change as `store.change_room` takes it: from a room's document to a new one, and if it is listed."""

        def work(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool] | None:
            before = self._read(data)
            after = change(before)
            return None if after == before else (room_document.to_json(after), not after.agreement.private)

        return work

"""The rooms that this process looks at: opening one, the ways in, and forgetting those that nobody here looks at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from game.contract import Json, Seat
from server.accounts.identity import BOT, Player
from server.accounts.sources import Sources
from server.accounts.wrong_codes import WrongCodes
from server.lobby import room_state
from server.lobby.arrivals import Arrival
from server.lobby.context import LobbyContext
from server.lobby.entering import RoomFinder, enter
from server.lobby.model import RoomSettings
from server.lobby.new_matches import playable
from server.lobby.permissions import check_may_begin, check_may_name, check_rooms
from server.lobby.room import Room, Wished
from server.lobby.room_state import RoomState
from server.lobby.stored_rooms import end_unused, remove_gone, store_room
from server.matches.matches import Matches
from server.store import lobby as store
from server.store.accounts import person_key
from server.store.errors import StoreUnavailable
from server.store.lobby import NoSuchRoom

ENTER_S = 30.0  # who asked for a room may be about to come in


class Rooms:
    """The rooms of a lobby, by code."""

    def __init__(
        self,
        context: LobbyContext,
        matches: Matches,
        wrong_codes: WrongCodes,
        arrivals: Mapping[str, Arrival],
        is_listed: Callable[[str], bool],
        changed: Callable[[Room, RoomState], None],
    ) -> None:
        """`arrivals`: who is here, by session; `is_listed`: tells whether the lobby shows a room, by its code."""
        self._context = context
        self._matches = matches
        self._arrivals = arrivals
        self._changed = changed
        self._rooms: dict[str, Room] = {}
        self._makers: dict[str, Sources] = {}  # by room: on whose account it counts, until it is gone
        self._finder = RoomFinder(context, wrong_codes, self.room, is_listed)

    def __contains__(self, code: str) -> bool:
        return code in self._rooms

    async def create(
        self, player: Player, settings: RoomSettings, session: str | None = None, wished: Wished | None = None
    ) -> Room:
        """Open a room, its maker in it and on its first seat. Raises BadNotation, LobbyRefused, AccountError, NotSaved.

        Raises RateLimited; the room's first match is counted with it. `session`: the connection that is in the room
        from now on; left out, the person's newest one. `wished`: what they like to bring to their seat.
        """
        settings = playable(settings)
        sources = self._context.presence.connections.counted(player)
        self._makers = {code: who for code, who in self._makers.items() if self._is_open(code)}
        check_rooms(sources, self._makers.values())
        check_may_name(self._context, settings, player)
        await check_may_begin(self._context, settings.agreement, player)
        self._matches.beginnings.count(player)
        code = await store_room(self._context, lambda code: room_state.opened(code, settings, player))
        try:
            room = await self.room(code)
            self._makers[code] = sources
            await room.enter(player, session or self._session_of(player))
        except (asyncio.CancelledError, StoreUnavailable):
            end_unused(self._context, code)
            raise
        await room.sit(player, wished=wished)
        return room

    async def reopen(self, player: Player, room: Room, settings: RoomSettings, session: str, wished: Wished) -> Room:
        """Open a room anew, by invite only or for everybody, for its host who is alone in it; bots come along.

        It has another code: what was said and played among few is not for all, and a code that was listed is no
        secret. The old one ends when the host leaves it. Raises as `create`, and LobbyRefused where others are in it.
        """
        room_state.check_alone(room.state, player.person)
        fresh = await self.create(player, settings, session, wished)
        levels = [one.name.removeprefix(BOT) for one in room.state.seats.players if one.is_bot]
        free = [Seat(seat) for seat, state in enumerate(fresh.state.seats) if state.player is None]
        for seat, level in zip(free, levels, strict=False):
            await fresh.add_bot(player, seat, level)
        return fresh

    def _is_open(self, code: str) -> bool:
        """Tell whether a room of this process is there: one that has ended is forgotten with the next `poll`."""
        room = self._rooms.get(code)
        return room is not None and not room.is_gone

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
        wished: Wished | None = None,
    ) -> Room:
        """Enter a room by its code and take a seat there if one is free. Raises as `find`, `Room.enter`, `Room.sit`."""
        session = session or self._session_of(player)
        arrival = self._arrivals.get(session)
        source = "" if arrival is None else arrival.identity.source
        room = await self.find(player, code, source, has_code=has_code)
        await enter(self._context, room, player, session, seat, brings, wished)
        return room

    async def find(self, player: Player, code: str, source: str, sits: bool = False, has_code: bool = True) -> Room:
        """Return the room that a code opens for somebody. Raises NoSuchRoom, RateLimited.

        `source`: the address they come from. `sits`: they come to play, not to look on. `has_code`: they brought the
        code, by hand or as players of a match there; else a page knew it, and it opens no private room.
        """
        return await self._finder.find(player, code, source, sits, has_code)

    async def room(self, code: str) -> Room:
        """Return a room, for whoever knows that it is there. Raises NoSuchRoom."""
        stored = await self._context.database.read(store.room, code)
        if stored is None:
            self.vanished(code)
            raise NoSuchRoom(code)
        room = self._rooms.get(code)
        if room is None:
            room = self._rooms[code] = Room(self._context, stored, self._matches, self._changed)
            await room.open()
        else:
            await room.update(stored)
        room.record_asked()
        return room

    def forget(self, code: str) -> None:
        """Forget a room, and follow no more what goes on in it."""
        room = self._rooms.pop(code, None)
        if room is not None:
            room.close()

    def vanished(self, code: str) -> None:
        """Forget a room that has ended, and tell who looks at it here."""
        if (room := self._rooms.pop(code, None)) is not None:
            room.vanish()

    async def poll(self) -> None:
        """Read the rooms that were changed elsewhere, forget those that nobody looks at. Raises StoreUnavailable."""
        if not self._rooms:
            return
        asked = dict(self._rooms)
        versions = await self._context.database.read(store.room_versions, list(asked))
        lately = self._context.clock.monotonic() - ENTER_S
        for code, room in asked.items():
            version = versions.get(code)
            if version is None:
                self.vanished(code)
            elif not (room.is_watched or room.asked_at > lately):
                self.forget(code)
            elif version > room.version:
                with suppress(NoSuchRoom):  # it has ended since
                    await self.room(code)

    async def sweep(self) -> None:
        """Remove people whose process has ended from their rooms; end the empty ones. Raises StoreUnavailable."""
        await remove_gone(self._context, self.room)

    def leave(self, session: str, is_lost: bool = False) -> None:
        """Let a connection be in no room any more. `is_lost`: its person may come back to their seat for a while."""
        for room in self._rooms.values():
            if any(one.session == session for one in room.state.members):
                room.lose(session) if is_lost else room.leave(session)

    def missing(self, player: Player) -> str | None:
        """Return the code of a room of this process in which somebody's seat waits for them to come back."""
        return next((code for code, room in self._rooms.items() if room.state.is_missed(player.person)), None)

    async def separate(self, account_id: int) -> None:
        """Separate somebody from whom they have blocked, in the rooms they are in from here."""
        for room in tuple(self._rooms.values()):
            if room.state.is_here(person_key(account_id, None)):
                with suppress(NoSuchRoom):
                    await room.separate()

    def mark(self, account_id: int) -> None:
        """Show the mark of a machine, or no longer, where somebody sits."""
        person = person_key(account_id, None)
        for room in tuple(self._rooms.values()):
            if room.state.seats.seat_of(person) is not None:
                self._context.tasks.spawn(room.mark(), "mark")

    async def read_again(self) -> None:
        """Read everything about the rooms again: somebody has another name. Raises StoreUnavailable."""
        for room in tuple(self._rooms.values()):
            with suppress(NoSuchRoom):
                await room.read_again()

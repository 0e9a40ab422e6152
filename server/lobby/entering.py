"""The way into a room by its code. One answer for "no such room" and "not for you", whoever asks and however."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from game.contract import Json, Seat
from server.accounts.identity import Player
from server.accounts.wrong_codes import WrongCodes
from server.lobby import room_document, room_state
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.permissions import check_pauses, is_blocked
from server.lobby.room import Room, Wished
from server.lobby.room_state import RoomState
from server.lobby.stored_rooms import read_code
from server.matches.guestlimits import closed_because
from server.matches.visibility import Asker, RoomFacts, knows_room
from server.store import lobby as store
from server.store.lobby import NoSuchRoom


class RoomFinder:
    """Finds the room that a code opens for somebody.

    `room` returns a room by its code, `is_listed` tells whether the lobby shows it: such a code is no secret.
    """

    def __init__(
        self,
        context: LobbyContext,
        wrong_codes: WrongCodes,
        room: Callable[[str], Awaitable[Room]],
        is_listed: Callable[[str], bool],
    ) -> None:
        self._context = context
        self._wrong_codes = wrong_codes
        self._room = room
        self._is_listed = is_listed

    async def find(self, player: Player, code: str, source: str, sits: bool = False, has_code: bool = True) -> Room:
        """Return the room that a code opens for somebody. Raises NoSuchRoom, RateLimited.

        `sits`: they come to play, not to look on. `has_code`: the code is theirs, not one that a page knows. A private
        room that is not for them answers as one that is not there, and the store is asked the same questions.
        """
        code = read_code(code)
        if self._is_listed(code):
            return await self._opened(player, code, sits, has_code)
        with self._wrong_codes.guess(self._context.presence.connections.counted(player, source)) as guess:
            try:
                return await self._opened(player, code, sits, has_code)
            except NoSuchRoom:
                guess.fail()
                raise

    async def _opened(self, player: Player, code: str, sits: bool, has_code: bool) -> Room:
        stored = await self._context.database.read(store.room, code)
        state = None if stored is None else room_document.from_json(stored.data)
        state = None if state is None or state.has_lapsed(self._context.clock.now()) else state
        apart = await is_blocked(self._context, state, player)
        if state is None or apart or not knows_room(_facts(state, player, sits), Asker(player), has_code):
            raise NoSuchRoom(code)
        return await self._room(code)


async def enter(
    context: LobbyContext,
    room: Room,
    player: Player,
    session: str,
    seat: Seat | None = None,
    brings: Mapping[str, Json] | None = None,
    wished: Wished | None = None,
) -> None:
    """Come into a room that was found, and take a seat if one is free. Raises as `Room.enter` and `Room.sit`."""
    free = any(held.player is None for held in room.state.seats)
    sits = not room.state.playing and free and room.state.seats.seat_of(player.person) is None
    if sits:
        await check_pauses(context, room.state.agreement, (player, *room.state.seats.players), player)
    await room.enter(player, session)
    if sits:
        try:
            await room.sit(player, seat, brings, wished)
        except LobbyRefused:
            if seat is not None or not room.state.agreement.watchable:
                raise


def _facts(room: RoomState, player: Player, sits: bool) -> RoomFacts:
    """Return what decides whether somebody may know of a room; `sits`: they come to play, not to look on."""
    has_seat = not room.playing and room_state.seat_for(room, player, None) is not None
    has_place = has_seat or (room.agreement.watchable and not sits)
    if room.stands_until is not None or closed_because(player, room.agreement.rated, room.agreement.speed):
        has_place = False  # a challenge that stands is for whom it names
    people = frozenset((*room.seats.people, *(one.player.person for one in room.members)))
    return RoomFacts(room.agreement.private, people, room.seats.held_for, has_place)

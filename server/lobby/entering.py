"""The way into a room by its code. One answer for "no such room" and "not for you", whoever asks and however."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from game.contract import Json, Seat
from server.accounts.guesses import Guesses
from server.accounts.identity import Player
from server.lobby import seats
from server.lobby.admission import check_pauses, is_blocked
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.room import Room
from server.lobby.seats import RoomState
from server.lobby.stored_rooms import read_code
from server.store import lobby as store
from server.store.lobby import NoSuchRoom


class RoomFinder:
    """Finds the room that a code opens for somebody.

    `room` returns a room by its code, `is_listed` tells whether the lobby shows it: such a code is no secret.
    """

    def __init__(
        self,
        context: LobbyContext,
        guesses: Guesses,
        room: Callable[[str], Awaitable[Room]],
        is_listed: Callable[[str], bool],
    ) -> None:
        self._context = context
        self._guesses = guesses
        self._room = room
        self._is_listed = is_listed

    async def find(self, player: Player, code: str, source: str, sits: bool = False) -> Room:
        """Return the room that a code opens for somebody. Raises NoSuchRoom, RateLimited.

        `sits`: they come to play, not to look on. A private room that is not for them answers as one that is
        not there, and the store is asked the same questions.
        """
        code = read_code(code)
        if self._is_listed(code):
            return await self._opened(player, code, sits)
        with self._guesses.guess(self._context.presence.connections.counted(player, source)) as guess:
            try:
                return await self._opened(player, code, sits)
            except NoSuchRoom:
                guess.fail()
                raise

    async def _opened(self, player: Player, code: str, sits: bool) -> Room:
        stored = await self._context.database.read(store.room, code)
        state = None if stored is None else seats.from_json(stored.data)
        apart = await is_blocked(self._context, state, player)
        if state is None or apart or (state.settings.private and not _is_for(state, player, sits)):
            raise NoSuchRoom(code)
        return await self._room(code)


async def enter(
    context: LobbyContext,
    room: Room,
    player: Player,
    session: str,
    seat: Seat | None = None,
    brings: Mapping[str, Json] | None = None,
) -> None:
    """Come into a room that was found, and take a seat if one is free. Raises as `Room.enter` and `Room.sit`."""
    free = any(held.player is None for held in room.state.seats)
    sits = not room.state.playing and free and room.state.seat_of(player.person) is None
    if sits:
        await check_pauses(context, room.state.settings, (player,), player)
    await room.enter(player, session)
    if sits:
        try:
            await room.sit(player, seat, brings)
        except LobbyRefused:
            if seat is not None or not room.state.settings.watchable:
                raise


def _is_for(room: RoomState, player: Player, sits: bool) -> bool:
    """Tell whether a private room has a place for somebody: one of theirs, a free one, or one to look on from."""
    if room.seat_of(player.person) is not None:
        return True
    if room.settings.rated and player.kind == "guest":
        return False
    has_seat = not room.playing and seats.seat_for(room, player, None) is not None
    return has_seat or (room.settings.watchable and not sits)

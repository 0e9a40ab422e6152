"""A room's seats as everybody may see them."""

from __future__ import annotations

from collections.abc import Sequence

from game import registry
from game.contract import Seat
from game.options import brings_now
from server.lobby.model import RoomSeat
from server.lobby.seats import RoomState
from server.matches.context import SeatRating


def seats_of(room: RoomState, ratings: Sequence[SeatRating | None]) -> tuple[RoomSeat, ...]:
    """Return the seats as everybody may see them; what a person brings stays hidden."""
    return tuple(_seat(room, Seat(i), ratings[i] if i < len(ratings) else None) for i in range(len(room.seats)))


def _seat(room: RoomState, seat: Seat, rating: SeatRating | None) -> RoomSeat:
    held = room.seats[seat]
    here = held.is_bot or (held.person is not None and room.is_here(held.person))
    shown = None if rating is None else rating.shown
    chosen = brings_now(registry.get(room.settings.game).options(), held.brings)
    return RoomSeat(seat, held.player, shown, held.ready, here, chosen, held.held_for)

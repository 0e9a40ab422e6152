"""A room's seats as everybody may see them."""

from __future__ import annotations

from collections.abc import Sequence

from game import registry
from game.contract import Seat
from game.options import brings_now
from server.lobby.model import RoomSeat
from server.lobby.seats import RoomState
from server.matches.house import SeatRating


def seats_of(room: RoomState, ratings: Sequence[SeatRating | None]) -> tuple[RoomSeat, ...]:
    """Return the seats as everybody may see them; what a person brings stays hidden."""
    return tuple(_seat(room, Seat(i), ratings[i] if i < len(ratings) else None) for i in range(len(room.chairs)))


def _seat(room: RoomState, seat: Seat, rating: SeatRating | None) -> RoomSeat:
    chair = room.chairs[seat]
    here = chair.is_bot or (chair.person is not None and room.is_here(chair.person))
    shown = None if rating is None else rating.shown
    chosen = brings_now(registry.get(room.settings.game).options(), chair.brings)
    return RoomSeat(seat, chair.player, shown, chair.ready, here, chosen, chair.held_for)

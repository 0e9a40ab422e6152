"""The matches that rooms, pairings and people who play bots ask for."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from game import registry
from game.contract import Json, Seat
from game.errors import BadNotation
from game.options import given_seat
from server.accounts.identity import BOT, Player, bot_player
from server.lobby import pairing
from server.lobby.model import TITLE_CHARS, RoomSettings
from server.lobby.pairing import Pairing
from server.lobby.room_state import RoomState, score
from server.matches.agreement import Agreement
from server.matches.model import NewMatch
from server.matches.records import is_level
from server.matches.speeds import UNTIMED
from server.ratings.weights import can_count
from server.sanitize import clean

FILLER: Final = bot_player("normal")  # takes seats nobody came for


def playable(settings: RoomSettings) -> RoomSettings:
    """Return settings in plain form, with a clean title. Raises BadNotation as `Agreement.checked` does."""
    return replace(settings, agreement=settings.agreement.checked(), title=clean(settings.title, TITLE_CHARS))


def speed_with(settings: RoomSettings, players: Sequence[Player | None]) -> str:
    """Return the speed of a match of these: untimed where only built-in players sit with one, and none was named."""
    is_alone = len(players) > 1 and all(players) and sum(one is not None and one.kind != "bot" for one in players) == 1
    return settings.agreement.speed if settings.is_speed_named or not is_alone else UNTIMED.name


def agreed_with(settings: RoomSettings, players: Sequence[Player | None]) -> Agreement:
    """Return what a match of these is like, which bots alone make casual and untimed; as agreed on while one lacks."""
    agreed, seated = settings.agreement, [player for player in players if player is not None]
    counts = len(seated) < len(players) or can_count(seated)
    return replace(agreed, speed=speed_with(settings, players), rated=agreed.rated and counts)


def of_room(room: RoomState) -> NewMatch:
    """Return the match of those who sit in a room."""
    players = tuple(held.player for held in room.seats if held.player is not None)
    return NewMatch(
        agreement=replace(room.agreement, speed=speed_with(room.settings, players), machines=False),
        players=players,
        seat_options=tuple(held.brings for held in room.seats),
        room=room.code,
        won=score(room),
    )


def of_pairing(found: Pairing) -> NewMatch:
    """Return the match that a pairing asks for."""
    return NewMatch(
        agreement=replace(found.waiters[0].agreement, machines=False),
        players=tuple(FILLER if waiter is None else waiter.player for waiter in found.seats),
        seat_options=pairing.seat_options(found),
    )


def check_level(game: str, level: str) -> None:
    """Raise BadNotation where the game has no built-in player of this level."""
    if not is_level(BOT + level, registry.levels(game)):
        raise BadNotation("match.unknown-bot", level)


def against_bots(
    player: Player,
    game: str,
    level: str,
    options: Mapping[str, Json],
    speed: str | None,
    seat: Seat | None,
    players: int | None,
    brings: Mapping[str, Json],
    seat_options: Sequence[Mapping[str, Json]],
) -> NewMatch:
    """Return what is to begin: casual, built-in players on all other seats; a drawn seat where none is asked for.

    Where no speed is named there is no clock. `brings` is what the person brings to their seat;
    `seat_options` what every seat brings, whoever sits there. Raises BadNotation.
    """
    size = players or registry.get(game).seats[0]
    at = secrets.randbelow(size) if seat is None else seat
    if not 0 <= at < size:
        raise BadNotation("match.unknown-seat", str(at))
    bot = bot_player(level)
    held = tuple(player if i == at else bot for i in range(size))
    asked = tuple(seat_options) or tuple(brings if i == at else {} for i in range(size))
    carried = tuple(given_seat(registry.get(game).options(), one) for one in asked)
    return NewMatch(Agreement(game, size, options, speed or UNTIMED.name), held, carried)

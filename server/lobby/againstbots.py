"""A match of one person against built-in players."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from game import registry
from game.contract import Json, Seat
from game.errors import BadNotation
from server.accounts.identity import BOT, Player, bot_player
from server.matches.model import NewMatch
from server.matches.records import is_level
from server.matches.speeds import UNTIMED


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
    `seat_options` what every seat brings, whoever sits there. Raises
    BadNotation.
    """
    size = players or registry.get(game).seats[0]
    at = secrets.randbelow(size) if seat is None else seat
    if not 0 <= at < size:
        raise BadNotation("match.unknown-seat", str(at))
    bot = bot_player(level)
    held = tuple(player if i == at else bot for i in range(size))
    carried = tuple(seat_options) or tuple(brings if i == at else {} for i in range(size))
    return NewMatch(game, options, held, speed or UNTIMED.name, False, seat_options=carried)

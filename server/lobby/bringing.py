"""What somebody brings to a seat is tried out before anybody else meets it there."""

from __future__ import annotations

from collections.abc import Mapping

from game import registry
from game.contract import Json
from game.errors import BadNotation
from game.options import complete_seat
from game.rng import SEED_BYTES


def check_brings(
    game: str, players: int, seat: int | None, brings: Mapping[str, Json], options: Mapping[str, Json]
) -> None:
    """Raise BadNotation unless a match can begin with this on the seat; without a seat, on whichever it will be.

    `options` are the room's: they may say which decks are taken.

    A deck that the rules refuse would else be found out only when the match is to begin, and fall on the others.
    """
    rules = registry.get(game)
    complete_seat(rules.options(), brings)
    for at in () if not brings else range(players) if seat is None else (seat,):
        rules.setup(options, players, bytes(SEED_BYTES), [brings if i == at else {} for i in range(players)])


def fits(game: str, players: int, seat: int | None, brings: Mapping[str, Json], options: Mapping[str, Json]) -> bool:
    """Tell whether a match can begin with this on the seat, as `check_brings` does."""
    try:
        check_brings(game, players, seat, brings, options)
    except BadNotation:
        return False
    return True

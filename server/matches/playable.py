"""Whether a match can be played: checks of its game, speed and what seats bring; and its terms."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from game import registry
from game.contract import Json
from game.errors import BadNotation
from game.options import given_seat, stored_seat
from game.rng import SEED_BYTES, commitment
from server.clock import Clock, parse_rfc3339, rfc3339
from server.matches import records
from server.matches.model import NewMatch
from server.matches.speeds import speed_of
from server.matches.terms import Terms, new_id


def check_brings(
    game: str, players: int, seat: int | None, brings: Mapping[str, Json], options: Mapping[str, Json]
) -> dict[str, Json]:
    """Return what is brought to a seat, in plain form.

    Raises BadNotation unless a match can begin with it on the seat; without a seat, on whichever it will be. `options`
    are the room's: they may say which decks are taken.

    A deck that the rules refuse would else be found out only when the match is to begin, and fall on the others.
    """
    rules = registry.get(game)
    kept = given_seat(rules.options(), brings)
    for at in () if not kept else range(players) if seat is None else (seat,):
        rules.setup(options, players, bytes(SEED_BYTES), [kept if i == at else {} for i in range(players)])
    return kept


def fits(game: str, players: int, seat: int | None, brings: Mapping[str, Json], options: Mapping[str, Json]) -> bool:
    """Tell whether a match can begin with this on the seat, as `check_brings` does."""
    try:
        check_brings(game, players, seat, brings, options)
    except BadNotation:
        return False
    return True


def terms_of(new: NewMatch, clock: Clock) -> Terms:
    """Return the terms of a match that begins now. Raises BadNotation for what can't be played."""
    people = sum(player.kind != "bot" for player in new.players)
    agreement = replace(new.agreement, players=len(new.players)).checked(people <= 1, new.rules_version)
    game = registry.get(agreement.game, new.rules_version)
    for player in new.players:
        if player.kind == "bot" and not records.is_level(player.name, registry.levels(agreement.game)):
            raise BadNotation("match.unknown-bot", player.name)
    seed = new.seed or secrets.token_bytes(SEED_BYTES)
    chance = b"" if new.seed is None else secrets.token_bytes(SEED_BYTES)  # a seed that was given is no secret
    return Terms(
        id=new_id(),
        agreement=agreement,
        rules_version=game.version,
        players=new.players,
        seat_options=tuple(stored_seat(game.options(), one) for one in new.seat_options)
        if any(new.seat_options)
        else (),
        seed=seed,
        commitment=commitment(seed),
        speed=speed_of(agreement.speed),
        room=new.room,
        started_at=parse_rfc3339(rfc3339(clock.now())),
        return_of=new.return_of,
        won=new.won,
        chance=chance,
        stays_private=new.stays_private,
    )

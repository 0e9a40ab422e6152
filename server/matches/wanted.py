"""The terms of a match that somebody wants, checked."""

from __future__ import annotations

import secrets

from game import registry
from game.errors import BadNotation
from game.rng import SEED_BYTES, commitment
from server.clock import Clock, parse_rfc3339, rfc3339
from server.matches import records
from server.matches.model import NewMatch
from server.matches.speeds import SPEEDS
from server.matches.terms import Terms, new_id


def check_playable(game: str, n_players: int, speed: str) -> None:
    """Raise BadNotation for a game, a number of players or a speed that there is not."""
    if n_players not in registry.get(game).seats:
        raise BadNotation("match.unknown-seat", str(n_players))
    if speed not in SPEEDS:
        raise BadNotation("match.unknown-speed", speed)


def terms_of(new: NewMatch, clock: Clock) -> Terms:
    """Return the terms of a match that begins now. Raises BadNotation for what can't be played."""
    check_playable(new.game, len(new.players), new.speed)
    game = registry.get(new.game)
    for player in new.players:
        if player.kind == "bot" and not records.is_level(player.name, registry.LEVELS):
            raise BadNotation("match.unknown-bot", player.name)
    seed = new.seed or secrets.token_bytes(SEED_BYTES)
    return Terms(
        id=new_id(),
        game=new.game,
        rules_version=game.version,
        options=dict(new.options),
        players=new.players,
        seat_options=new.seat_options if any(new.seat_options) else (),
        seed=seed,
        commitment=commitment(seed),
        speed=SPEEDS[new.speed],
        rated=new.rated,
        private=new.private,
        room=new.room,
        started_at=parse_rfc3339(rfc3339(clock.now())),
        bots_replace=new.bots_replace,
        watchable=new.watchable,
        return_of=new.return_of,
        won=new.won,
    )

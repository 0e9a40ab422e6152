"""A newcomer's first match: RaiNet against the weakest bot, with the cards placed, so that the next key is a move."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Final

from game import registry
from game.contract import LEVELS
from game.errors import GameError
from game.rng import Rng
from server.errors import Refused
from server.matches.speeds import UNTIMED
from server.session.session import Session

GAME: Final = registry.FIRST


async def begin_first_match(session: Session) -> str:
    """Begin it, place the person's cards and return its id. Raises LobbyRefused, RateLimited."""
    level, me = LEVELS[0], session.identity.player
    begun = await session.services.lobby.play_bot(me, GAME, level, {}, UNTIMED.name, None, 2)
    session.person.prefer(bot_game=GAME, bot_level=level)
    match = await session.services.matches.find(begun.id, session.identity)
    seat = match.seat_of(me)
    shot = match.snapshot(seat) if seat is not None else None
    if seat is not None and shot is not None and shot.pending is not None:
        placed = registry.bots(GAME)[level].decide(shot.view, shot.pending, Rng(secrets.token_bytes(32)))
        with suppress(Refused, GameError):  # then they place them by themselves
            await match.act(seat, placed.text, shot.turn_seq, session.services.clock.now())
    return begun.id

"""What orders call by name: built-in players, seats, what one brings to them."""

from __future__ import annotations

from typing import Any

from game import registry
from game.contract import Seat
from game.errors import BadNotation
from server.accounts.identity import Player
from server.matches.match import Match
from server.ssh.bot.refusals import NotFound

AGAINST = "bot:"


def level_named(game: str, bot: str) -> str:
    """Read `bot:LEVEL`. Raises NotFound for one that the game has not."""
    level = bot.removeprefix(AGAINST)
    if not bot.startswith(AGAINST) or level not in registry.bots(game):
        raise NotFound(f"no built-in player {bot[:40]}")
    return level


def seat_named(rules: Any, players: int, said: int | str | None) -> Seat | None:
    """Read `as`: a number or the game's own name. Raises BadNotation for a seat that is not there."""
    if said is None:
        return None
    names = [name.casefold() for name in rules.seat_names(players)]
    if isinstance(said, str) and said.casefold() in names:
        return Seat(names.index(said.casefold()))
    if isinstance(said, int) and 0 <= said < players:
        return Seat(said)
    raise BadNotation("match.unknown-seat", str(said)[:40])


def brought(rules: Any, deck: Any) -> dict[str, Any]:
    """Return what a deck is to this game: the option that each seat brings. Raises BadNotation where there is none."""
    if deck is None:
        return {}
    for option in rules.options():
        if option.per_seat and option.kind == "deck":
            return {option.name: deck}
    raise BadNotation("option.unknown", "deck")


def match_seat(match: Match, player: Player) -> Seat:
    """Return where a player sits. Raises NotFound for who does not."""
    seat = match.terms.seat_of(player)
    if seat is None:
        raise NotFound("you have no seat in this match")
    return seat

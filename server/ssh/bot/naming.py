"""Names in instructions: bots, seats, and what a player brings to a seat."""

from __future__ import annotations

from typing import Any

from game import registry
from game.contract import Json, Seat
from game.errors import BadNotation
from game.options import reading_deck
from server.accounts.identity import BOT, Player
from server.matches.checkpoint import AnyGame
from server.matches.match import Match
from server.roundrobin import RoundRobin
from server.ssh.bot.refusals import NoSuchTarget
from server.tasks import stepped


def level_named(game: str, bot: str) -> str:
    """Read `bot:LEVEL`. Raises NoSuchTarget for a level that the game does not have."""
    level = bot.removeprefix(BOT)
    if not bot.startswith(BOT) or level not in registry.bots(game):
        raise NoSuchTarget(f"no bot {bot[:40]}")
    return level


def seat_named(rules: AnyGame, players: int, said: int | str | None) -> Seat | None:
    """Read `as`: a number or the game's own name. Raises BadNotation for an unknown seat."""
    if said is None:
        return None
    names = [name.casefold() for name in rules.seat_names(players)]
    if isinstance(said, str) and said.casefold() in names:
        return Seat(names.index(said.casefold()))
    if isinstance(said, int) and 0 <= said < players:
        return Seat(said)
    raise BadNotation("match.unknown-seat", str(said)[:40])


async def brought(rules: AnyGame, deck: Json, return_deck: Json, turns: RoundRobin) -> dict[str, Any]:
    """Return the decks as the options that a seat brings, in plain form; others have their `turns` while they are read.

    `return_deck`: for the other side, where a second game or a rematch changes sides. Raises BadNotation if the game
    has no such option, and for what is no deck.
    """
    given = {False: ("deck", deck), True: ("return_deck", return_deck)}
    decks = [option for option in rules.options() if option.per_seat and option.kind == "deck"]
    found: dict[str, Any] = {}
    for is_return, (name, said) in given.items():
        if said is None:
            continue
        option = next((one for one in decks if bool(one.returns) is is_return), None)
        if option is None:
            raise BadNotation("option.unknown", name)
        found[option.name] = await stepped(reading_deck(option, said), turns)
    return found


def match_seat(match: Match, player: Player) -> Seat:
    """Return a player's seat. Raises NoSuchTarget for somebody without one."""
    seat = match.terms.seat_of(player)
    if seat is None:
        raise NoSuchTarget("you have no seat in this match")
    return seat

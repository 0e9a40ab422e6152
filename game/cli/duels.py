"""The command `duel`: lets bots play each other."""

from __future__ import annotations

import os

from game.cli import output
from game.cli.arguments import game_named, read_options, read_seat
from game.cli.commandline import CommandLine
from game.cli.commands import Rules, Say
from game.contract import Json
from game.duel import Duel, Share, play, report
from game.errors import BadNotation


def duel(arguments: CommandLine, say: Say) -> int:
    """Let bots play each other and print their results. Returns 1 when a bot answered illegally."""
    wanted = read_duel(game_named(arguments), arguments)
    outcome = play(wanted, arguments.number("jobs", os.cpu_count() or 1, low=1))
    if "json" in arguments.flags:
        bots = [
            {"bot": one.bot, **numbers_of(one), "seats": [{"matches": s.matches, **numbers_of(s)} for s in one.seats]}
            for one in outcome.standings
        ]
        numbers = {"matches": outcome.matches, "plies": outcome.plies, "illegal": outcome.illegal}
        brought = [
            {"seat": one.seat, "brought": dict(one.brought), "matches": one.matches, **numbers_of(one)}
            for one in outcome.brought
        ]
        more = {"brought": brought} if brought else {}
        say(output.line("duel", game=wanted.game, seed=wanted.seed, bots=bots, **numbers, **more))
    else:
        for text in report(wanted, outcome):
            say(text)
    return 1 if outcome.illegal else 0


def numbers_of(one: Share) -> dict[str, float]:
    """Return a share as JSON says it."""
    return {"share": one.share, "low": one.low, "high": one.high, "won": one.won, "drawn": one.drawn}


def read_duel(game: Rules, arguments: CommandLine) -> Duel:
    """Read what is to be played. Raises BadNotation."""
    bots = tuple((arguments.one("bots") or "").split(","))
    n = arguments.number("players", len(bots))
    if n not in game.seats:
        raise BadNotation("usage.players", f"{n} ({game.seats[0]} to {game.seats[-1]}, as many as --bots names)")
    if len(bots) != n:
        raise BadNotation("usage.bots", f"{len(bots)} of {n}, {','.join(bots)[:60]}")
    room, brought = read_options(game, arguments.options.get("option", ()))
    seat_options: list[dict[str, Json]] = [{} for _ in range(n)] if brought else []
    for name, values in brought.items():
        seat_options[read_seat(name, game.seat_names(n))] |= values
    matches, seed = arguments.number("matches", None, low=1), arguments.number("seed", 0)
    pairings = arguments.one("pairings") or ""
    positions = arguments.number("positions", 0, low=1)
    return Duel(game.key, bots, matches, seed, room, tuple(seat_options), game.version, pairings, positions)

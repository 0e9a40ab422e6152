"""The command `levels`: how strong the built-in players of a game are, as it was measured or measured anew."""

from __future__ import annotations

import os
from dataclasses import asdict

from game import registry
from game.cli import output
from game.cli.arguments import game_named
from game.cli.commandline import CommandLine
from game.cli.commands import Say
from game.levels import ANCHOR, kept_duels, measure, rated


def levels(arguments: CommandLine, say: Say) -> int:
    """Print the ratings of a game's levels; with `--matches` let each play the next one first."""
    key = game_named(arguments).key
    if "matches" in arguments.options:
        matches, seed = arguments.number("matches", None, low=1), arguments.number("seed", 0)
        duels = tuple(measure(key, matches, seed, arguments.number("jobs", os.cpu_count() or 1, low=1)))
    else:
        duels = kept_duels(key)
    ratings = rated(registry.levels(key), duels) if duels else {}
    if "json" in arguments.flags:
        numbers = {level: asdict(one) for level, one in ratings.items()}
        say(output.line("levels", game=key, levels=numbers, duels=[asdict(one) for one in duels]))
        return 0
    if not duels:
        say(f"not measured yet; `levels {key} --matches N` plays each level against the next")
    for level, one in ratings.items():
        interval = "the anchor" if level == ANCHOR else f"95 % interval {one.low} to {one.high}"
        say(f"{level:8} {one.rating:5}  {interval}")
    for duel in duels:
        say(f"{duel.stronger} won {duel.share:.1%} of {duel.matches} against {duel.weaker}: {duel.command}")
    return 0

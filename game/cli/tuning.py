"""The command `tune`: changes or fits the weights of a bot by self-play, and says how the result was made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from game.cli.arguments import game_named, read_options
from game.cli.commandline import CommandLine
from game.cli.commands import Rules, Say
from game.duel import Duel, check
from game.errors import BadNotation
from game.training.logit import Fitted
from game.training.spsa import Round, against, tune
from game.training.tunable import tuning as tuning_of

ROUNDS, MATCHES, CHECK = 50, 8, 100  # defaults: of rounds, of matches in a round, of matches that check the result
FITTED_MATCHES = 64  # default, with `--fit`
DIGITS = 3  # after the decimal point of a weight


def run(arguments: CommandLine, say: Say) -> int:
    """Tune a bot's weights between two seats, print the table, and write it to `--out`; with `--fit` fit a table.

    Returns 1 when the tuned weights won less than half of the matches against those that the bot has.
    """
    game = game_named(arguments)
    level = arguments.one("bot") or "hard"
    tuning = tuning_of(game.key)
    if "fit" in arguments.options:
        return _fit(game, tuning, level, arguments, say)
    start: dict[str, float] = tuning.weights(level)
    options, brought = read_options(game, arguments.options.get("option", ()))
    if 2 not in game.seats or brought or arguments.number("players", 2) != 2:
        raise BadNotation("usage.players", "two seats play, and bring the game's own pairings")
    rounds, matches = arguments.number("rounds", ROUNDS, low=1), arguments.number("matches", MATCHES, low=2)
    last_matches, seed = arguments.number("check", CHECK, low=2), arguments.number("seed", 0)
    duel = Duel(game.key, (level, level), matches, seed, options, version=game.version)
    check(duel)
    end = Round(0, 0.5, start)
    for end in tune(duel, start, lambda weights: tuning.bot(level, weights), rounds):
        if "json" not in arguments.flags:
            say(f"round {end.number} of {rounds}: {end.share:.1%}")
    tuned = {name: round(value, DIGITS) for name, value in end.weights.items()}
    last = replace(duel, matches=last_matches)
    share = against(last, tuning.bot(level, tuned), tuning.bot(level, start), (rounds + 2) * matches)
    made: dict[str, object] = {"rounds": rounds, "matches": matches, "check": last_matches, "seed": seed}
    made |= {"bot": level, "options": dict(options), "rules_version": game.version, "start": {**start}}
    measured = {"share": round(share.share, 4), "low": round(share.low, 4), "high": round(share.high, 4)}
    table = {"v": 1, "type": "tuned", "game": game.key, "weights": tuned, "against_start": measured, "made": made}
    _tell(table, arguments, say)
    return 0 if share.share >= 0.5 else 1


def _fit(game: Rules, tuning: Any, level: str, arguments: CommandLine, say: Say) -> int:
    """Fit one of a game's tables to matches of a bot against itself. Returns 1 when the table is worse than none."""
    fits: Mapping[str, Callable[[str, int, int], Fitted]] = getattr(tuning, "FITS", {})
    what = arguments.choice("fit", tuple(fits), "")
    matches, seed = arguments.number("matches", FITTED_MATCHES, low=1), arguments.number("seed", 0)
    fitted = fits[what](level, matches, seed)
    made = {"fit": what, "bot": level, "matches": matches, "seed": seed, "positions": fitted.positions}
    made |= {"left_out": fitted.left_out, "rules_version": game.version}
    weights = {name: _rounded(value) for name, value in fitted.weights.items()}
    likelihoods = {name: round(value, DIGITS) for name, value in fitted.likelihoods.items()}
    table: dict[str, object] = {
        "v": 1,
        "type": "fitted",
        "game": game.key,
        "weights": weights,
        "log_likelihood": likelihoods,
    }
    table["made"] = made
    _tell(table, arguments, say)
    return 0 if fitted.likelihoods["fitted"] >= fitted.likelihoods["none"] else 1


def _rounded(weight: float | Sequence[float]) -> float | list[float]:
    """Return a weight, or a row of them, as the table shows it."""
    return round(weight, DIGITS) if not isinstance(weight, Sequence) else [round(one, DIGITS) for one in weight]


def _tell(table: Mapping[str, object], arguments: CommandLine, say: Say) -> None:
    """Print a table, and write it to the file that was named."""
    said = json.dumps(table, ensure_ascii=False, indent=None if "json" in arguments.flags else 1)
    say(said)
    if (out := arguments.one("out")) is not None:
        _write(out, said)


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise BadNotation("usage.file", name[:200]) from error

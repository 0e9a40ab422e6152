"""The weights that `python -m game tune rainet` may change: the margin and the bluff of a level (`bot.Level`)."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Bot
from game.errors import BadNotation
from game.rainet.bots.levels import LEVELS, RaiNetBot
from game.rainet.view import View
from game.training.rainet.fitting import fit_habits

FITS = {"habits": fit_habits}  # what `--fit` may name


def weights(level: str) -> dict[str, float]:
    """Return the weights of a level. Raises BadNotation for a level that has none."""
    if level not in LEVELS:
        raise BadNotation("match.unknown-bot", level[:40])
    return {"margin": LEVELS[level].margin, "bluff": LEVELS[level].bluff}


def bot(level: str, changed: dict[str, float]) -> Bot[View]:
    """Return the bot of a level with other weights; a margin below 0 is 0."""
    return RaiNetBot(replace(LEVELS[level], margin=max(0.0, changed["margin"]), bluff=changed["bluff"]))

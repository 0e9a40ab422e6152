"""The weights of the evaluation that `python -m game tune relati` may change."""

from __future__ import annotations

from dataclasses import asdict, replace

from game.contract import Bot
from game.errors import BadNotation
from game.relati.bots.evaluation import Weights
from game.relati.bots.levels import BOTS, LevelBot
from game.relati.view import View


def weights(level: str) -> dict[str, float]:
    """Return the weights of a level. Raises BadNotation for a level that has none."""
    return asdict(_player(level).weights)


def bot(level: str, changed: dict[str, float]) -> Bot[View]:
    """Return the bot of a level with other weights."""
    return replace(_player(level), weights=Weights(**changed))


def _player(level: str) -> LevelBot:
    found = BOTS.get(level)
    if not isinstance(found, LevelBot):
        raise BadNotation("match.unknown-bot", level[:40])
    return found

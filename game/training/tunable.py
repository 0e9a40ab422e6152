"""What of each game's bots can be tuned: found by the game's key."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from game import registry
from game.errors import BadNotation


def tuning(key: str) -> Any:
    """Return a game's module `tuning` below this package.

    Its `weights(level)` are the weights of a bot by name, its `bot(level, weights)` is that bot with others; both raise
    BadNotation for a level whose weights can't be tuned. Raises BadNotation for a game without that module.
    """
    registry.get(key)
    if find_spec(f"game.training.{key}") is None:
        raise BadNotation("usage.no-tuning", key)
    return import_module(f"game.training.{key}.tuning")

"""The weights of hard's search that `python -m game tune netrunner` may change."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Bot
from game.errors import BadNotation
from game.netrunner.bots.search import Searcher
from game.netrunner.view import NetrunnerView

NAMES = ("margin", "reach", "trust")


def weights(level: str) -> dict[str, float]:
    """Return the weights of a level. Raises BadNotation for a level that has none."""
    if level != "hard":
        raise BadNotation("match.unknown-bot", level[:40])
    return {name: float(getattr(Searcher(), name)) for name in NAMES}


def bot(level: str, changed: dict[str, float]) -> Bot[NetrunnerView]:
    """Return the bot with other weights."""
    return replace(Searcher(), margin=changed["margin"], reach=changed["reach"], trust=changed["trust"])

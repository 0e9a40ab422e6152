"""The colour of each game, wherever it is named."""

from __future__ import annotations

from functools import cache

from game import registry
from server.terminal.theme import GAMES


@cache
def game_style(game: str) -> str:
    """Return the style of a game's name: those of one server have different ones, as long as there are enough."""
    listed = registry.in_order(registry.KEYS)
    return f"game{(listed.index(game) if game in listed else len(listed)) % GAMES}"

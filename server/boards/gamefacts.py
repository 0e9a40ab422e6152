"""The games there are to play, and what is said of each in a line: what it is, for how many, how long it takes."""

from __future__ import annotations

from functools import cache

from game import registry
from server.boards.board import has_board
from server.terminal.look import Look


def playable() -> tuple[str, ...]:
    """Return the games that can be played on screen."""
    return tuple([game for game in _in_order(registry.KEYS) if has_board(game)])


@cache
def _in_order(keys: tuple[str, ...]) -> tuple[str, ...]:
    return registry.in_order(keys)


def seat_range(game: str) -> range:
    """Return the numbers of players a game takes."""
    return registry.get(game).seats


def about(game: str, look: Look) -> str:
    """Say in one line what a game is; empty where it has no such words."""
    return _words(f"game.{game}.about", look)


def game_words(game: str, look: Look) -> str:
    """Say of a game for how many it is, how long it takes and what it is."""
    return look.t("list.comma").join(filter(None, (size_words(game, look), about(game, look))))


def size_words(game: str, look: Look) -> str:
    """Say of a game for how many it is, and how long it takes."""
    size = look.t("lobby.games.size", players=players_words(game, look))
    return look.t("list.comma").join(filter(None, (size, takes(game, look))))


def takes(game: str, look: Look) -> str:
    """Say how long a game takes; empty where it has no such words."""
    return _words(f"game.{game}.takes", look)


def players_words(game: str, look: Look) -> str:
    """Say for how many a game is, as "2–6"."""
    sizes = seat_range(game)
    return f"{sizes.start}{look.glyphs.dash}{sizes.stop - 1}" if len(sizes) > 1 else str(sizes.start)


def _words(key: str, look: Look) -> str:
    return look.t(key) if look.has(key) else ""

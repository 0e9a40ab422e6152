"""The ladder that a seat of a match counts on, as its game's `Spec` says."""

from __future__ import annotations

from game import registry
from game.contract import plain_ladder


def ladder_of(game: str, n_seats: int, seat: int) -> str:
    """Return the ladder's name. It is stored with ratings, so a name that was used must not change.

    >>> ladder_of("relati", 2, 0), ladder_of("relati", 6, 3), ladder_of("netrunner", 2, 1)
    ('relati', 'relati-many', 'netrunner-runner')
    """
    return registry.get(game).spec.ladder(n_seats, seat) if game in registry.KEYS else plain_ladder(game, n_seats)


def ladders(game: str) -> tuple[str, ...]:
    """Return every ladder of a game."""
    return registry.get(game).spec.ladders


def all_ladders() -> tuple[str, ...]:
    """Return the name of every ladder there is, game by game."""
    return tuple(ladder for game in registry.KEYS for ladder in ladders(game))

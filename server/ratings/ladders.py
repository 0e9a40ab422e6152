"""Which ladder a seat of a match counts on. Games say themselves which of their seats are another game."""

from __future__ import annotations

from functools import cache

from game import registry


def ladder_of(game: str, n_seats: int, seat: int) -> str:
    """Return the ladder's name; stored with ratings, so what a game had stays.

    >>> ladder_of("relati", 2, 0), ladder_of("relati", 6, 3), ladder_of("netrunner", 2, 1)
    ('relati', 'relati-many', 'netrunner-runner')
    """
    if seat < len(sides := _sides(game)):
        return f"{game}-{sides[seat]}"
    return game if n_seats <= 2 else f"{game}-many"


def ladders(game: str) -> tuple[str, ...]:
    """Return every ladder of a game: one for each side, or one for duels and one for tables of more."""
    if sides := _sides(game):
        return tuple(f"{game}-{side}" for side in sides)
    return tuple(dict.fromkeys(ladder_of(game, n_seats, 0) for n_seats in registry.get(game).seats))


def all_ladders() -> tuple[str, ...]:
    """Return the name of every ladder there is, game by game."""
    return tuple(ladder for game in registry.KEYS for ladder in ladders(game))


@cache
def _sides(game: str) -> tuple[str, ...]:
    """Return a game's sides; none for one that is stored, but not played any more."""
    return registry.sides(game) if game in registry.KEYS else ()

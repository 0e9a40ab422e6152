"""Which ladder a seat of a match counts on."""

from __future__ import annotations

from collections.abc import Mapping

# games that are another game from the other side of the table: a ladder for each side, by seat
SIDES: Mapping[str, tuple[str, ...]] = {"netrunner": ("corp", "runner")}
# games for more than two: duels and tables are rated apart
MANY = ("relati", "passage")
DUELS = ("rainet", *MANY)


def ladder_of(game: str, n_seats: int, seat: int) -> str:
    """Return the ladder's name.

    >>> ladder_of("relati", 2, 0), ladder_of("relati", 6, 3), ladder_of("netrunner", 2, 1)
    ('relati', 'relati-many', 'netrunner-runner')
    """
    if (sides := SIDES.get(game)) is not None and seat < len(sides):
        return f"{game}-{sides[seat]}"
    return game if n_seats <= 2 else f"{game}-many"


def ladders(game: str) -> tuple[str, ...]:
    """Return every ladder of a game."""
    if (sides := SIDES.get(game)) is not None:
        return tuple(f"{game}-{side}" for side in sides)
    return (game, f"{game}-many") if game in MANY else (game,)


def all_ladders() -> tuple[str, ...]:
    """Return the name of every ladder there is."""
    return tuple(ladder for game in (*DUELS, *SIDES) for ladder in ladders(game))

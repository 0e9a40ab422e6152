"""The ladder that a seat of a match counts on, as its game's `Spec` says."""

from __future__ import annotations

from typing import Final

from game import registry
from game.contract import plain_ladder

MACHINES: Final = "-machines"  # how the names of the ladders end on which machines stand


def ladder_of(game: str, n_seats: int, seat: int, is_machine: bool = False) -> str:
    """Return the ladder's name. It is stored with ratings, so a name that was used must not change.

    >>> ladder_of("relati", 2, 0), ladder_of("relati", 6, 3), ladder_of("netrunner", 2, 1, is_machine=True)
    ('relati', 'relati-many', 'netrunner-runner-machines')
    """
    known = game in registry.KEYS
    ladder = registry.get(game).spec.ladder(n_seats, seat) if known else plain_ladder(game, n_seats)
    return of_machines(ladder) if is_machine else ladder


def of_machines(ladder: str) -> str:
    """Return the name of the ladder on which machines stand that play what people on this one do."""
    return f"{ladder}{MACHINES}"


def is_of_machines(ladder: str) -> bool:
    """Tell whether machines stand on a ladder."""
    return ladder.endswith(MACHINES)


def other_ladder(ladder: str) -> str:
    """Return the ladder of machines beside one of people, and the other way round."""
    return ladder.removesuffix(MACHINES) if is_of_machines(ladder) else of_machines(ladder)


def ladders(game: str) -> tuple[str, ...]:
    """Return every ladder of a game, those of people."""
    return registry.get(game).spec.ladders


def all_ladders() -> tuple[str, ...]:
    """Return the name of every ladder there is, game by game: those of people, then those of machines."""
    people = tuple(ladder for game in registry.KEYS for ladder in ladders(game))
    return (*people, *map(of_machines, people))

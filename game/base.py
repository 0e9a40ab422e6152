"""Defaults for rules objects: what a plain game need not say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, Self, TypeVar

from game.contract import Action, Choice, Json, Option, Result, Seat, Spec, View
from game.errors import BadNotation
from game.options import complete

S = TypeVar("S")
V = TypeVar("V", bound=View)


class GameBase(ABC, Generic[S, V]):
    """A rules object with defaults for a plain game. A subclass has a `spec` and its own rules.

    Without more, a game has one version, no options, no personal settings, all seats are in until the end, and every
    action counts as a move.
    """

    spec: ClassVar[Spec]

    def __init__(self, version: int | None = None) -> None:
        """Make the rules of a version; none: the newest."""
        self.version = self.spec.version if version is None else version
        self._others: dict[int, Self] = {}

    @property
    def key(self) -> str:
        """Return the game's stable name."""
        return self.spec.key

    @property
    def seats(self) -> range:
        """Return the legal numbers of players."""
        return self.spec.seats

    def under(self, version: int) -> Self:
        """Return the rules of a version. Raises BadNotation when there is none of that number."""
        if version == self.version:
            return self
        if not 1 <= version <= self.spec.version:
            raise BadNotation("match.other-rules", f"{self.key} version {version}"[:80])
        return self._others.setdefault(version, type(self)(version))

    def seat_names(self, n_seats: int) -> tuple[str, ...]:
        """Return the names that the spec gives the seats."""
        return self.spec.names_of(n_seats)

    def options(self) -> tuple[Option, ...]:
        """Return the options of the spec."""
        return self.spec.options

    def moot(self, options: Mapping[str, Json]) -> frozenset[str]:
        """Return nothing: every option counts. A game whose options lean on each other overrides this."""
        return frozenset()

    def entailed(self, options: Mapping[str, Json], changed: str) -> dict[str, Json]:
        """Return the options as they are: none asks anything of another one."""
        return dict(options)

    def checked(
        self, options: Mapping[str, Json], n_seats: int, seat_options: Sequence[Mapping[str, Json]] = ()
    ) -> dict[str, Json]:
        """Return the room's options complete, for a `setup` in which seats bring nothing.

        Raises BadNotation for an unknown option, a value it does not take, or a number of players that is not legal.
        """
        if n_seats not in self.seats:
            raise BadNotation("option.value", f"players={n_seats}")
        if any(seat_options):
            raise BadNotation("option.unknown", "seats bring nothing")
        return complete(self.options(), options)

    def n_seats(self, state: S) -> int:
        """Return how many seats the match began with: the fewest that the game is for."""
        return self.seats[0]

    def settings(self, state: S, seat: Seat) -> tuple[Choice, ...]:
        """Return no personal settings."""
        return ()

    def automatic(self, state: S, seat: Seat) -> Action | None:
        """Return no answer: the person is asked."""
        return None

    def playing(self, state: S) -> tuple[Seat, ...]:
        """Return all seats until the end. A game in which seats go out overrides this."""
        return () if self.result(state) is not None else tuple(map(Seat, range(self.n_seats(state))))

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """Return how the match ended, or None."""

    def is_move(self, action: Action) -> bool:
        """Count every action."""
        return True

    def told(self, action: Action) -> Action:
        """Tell all of it."""
        return action

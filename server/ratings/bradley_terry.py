"""The rating model, Bradley-Terry by placements (openskill), and the numbers that people see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryPart

MODEL = BradleyTerryPart()
START_MU: float = MODEL.mu
START_SIGMA: float = MODEL.sigma
SHOWN_START = 1500
SHOWN_PER_MU = 40
SETTLED_AFTER = 10  # matches; with fewer a rating is provisional and on no ladder's list


@dataclass(frozen=True, slots=True)
class Rating:
    """Somebody's rating on one ladder: mean and deviation of the model, and the number of matches."""

    mu: float = START_MU
    sigma: float = START_SIGMA
    matches: int = 0

    @property
    def shown(self) -> int:
        return shown(self.mu)

    @property
    def provisional(self) -> bool:
        return self.matches < SETTLED_AFTER


def shown(mu: float) -> int:
    """Return the number that people see.

    >>> shown(START_MU)
    1500
    """
    return round(SHOWN_START + SHOWN_PER_MU * (mu - START_MU))


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match; `places` gives each one's tier, 0 the best, equal ones tied."""
    teams = [[MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = MODEL.rate(teams, ranks=[float(place) for place in places])
    pairs = zip(before, after, strict=True)
    return [Rating(float(team[0].mu), float(team[0].sigma), old.matches + 1) for old, team in pairs]


def compared(own: Rating, other: Rating, score: float) -> Rating:
    """Return somebody's rating after a match of two: `score` 1 won, 0.5 tied, 0 lost."""
    return rated([own, other], [0, 0] if score == 0.5 else [0, 1] if score > 0.5 else [1, 0])[0]

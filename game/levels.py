"""How strong the levels of built-in players are, by the duels between neighbours that are kept beside each game."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from game import registry
from game.duel import Z95, Duel, play

FILE: Final = "levels.json"  # in the folder of the game
ANCHOR: Final = "normal"
ANCHOR_RATING: Final = 1500  # what a person has at the start
# Of the server's ladders: of two settled people whose ratings are so far apart, the better wins e times as often.
POINTS_PER_LOGIT: Final = 236


@dataclass(frozen=True, slots=True)
class LevelDuel:
    """A level against the next one for two players; `share` is what the stronger one won, 0 to 1.

    `command` repeats it.
    """

    weaker: str
    stronger: str
    matches: int
    share: float
    command: str


@dataclass(frozen=True, slots=True)
class LevelRating:
    """A level's rating, and its 95 % interval; that of the anchor is fixed."""

    rating: int
    low: int
    high: int


def measure(key: str, matches: int, seed: int = 0, jobs: int = 1) -> Iterator[LevelDuel]:
    """Let each level of a game play the next one, so many matches. Raises BadNotation for an unknown game."""
    for weaker, stronger in pairwise(registry.levels(key)):
        outcome = play(Duel(key, (weaker, stronger), matches, seed), jobs)
        command = f"python -m game duel {key} --bots {weaker},{stronger} --matches {matches} --seed {seed}"
        yield LevelDuel(weaker, stronger, matches, round(outcome.standings[1].share, 4), command)


def rated(levels: Sequence[str], duels: Iterable[LevelDuel]) -> dict[str, LevelRating]:
    """Return the levels' ratings, weakest first, as the duels of neighbours say; the anchor stands fast.

    A level that no duels link with the anchor has none.

    >>> duels = [LevelDuel("easy", "normal", 100, 0.75, ""), LevelDuel("normal", "hard", 100, 0.5, "")]
    >>> [one.rating for one in rated(("easy", "normal", "hard"), duels).values()]
    [1244, 1500, 1500]
    """
    steps = {(duel.weaker, duel.stronger): _step(duel) for duel in duels}
    anchor = levels.index(ANCHOR)
    found = {}
    for i, level in enumerate(levels):
        pairs = list(pairwise(levels[min(i, anchor) : max(i, anchor) + 1]))
        if not steps.keys() >= set(pairs):
            continue
        way = [steps[pair] for pair in pairs]
        rating = ANCHOR_RATING + sum(points for points, _ in way) * (1 if i > anchor else -1)
        spread = Z95 * math.sqrt(sum(error**2 for _, error in way))
        found[level] = LevelRating(round(rating), round(rating - spread), round(rating + spread))
    return found


def _step(duel: LevelDuel) -> tuple[float, float]:
    """Return how many points lie between two levels, and the standard error.

    Half a match is added to what each won, so that who wins all is not infinitely better.
    """
    won, lost = duel.share * duel.matches + 0.5, (1 - duel.share) * duel.matches + 0.5
    return POINTS_PER_LOGIT * math.log(won / lost), POINTS_PER_LOGIT * math.sqrt(1 / won + 1 / lost)


@cache
def kept_duels(key: str) -> tuple[LevelDuel, ...]:
    """Return the duels that are kept of a game's levels; none: it was not measured."""
    kept = files(registry.get(key).__class__.__module__.rpartition(".")[0]) / FILE
    if not kept.is_file():
        return ()
    rows: list[dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8"))
    return tuple(LevelDuel(**row) for row in rows)


@cache
def kept_ratings(key: str) -> Mapping[str, LevelRating]:
    """Return the ratings of a game's levels for two players by the duels that are kept; empty: it was not measured."""
    duels = kept_duels(key)
    return rated(registry.levels(key), duels) if duels else {}

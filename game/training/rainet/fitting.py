"""`tune rainet --fit habits`: the weights of the habits (`inference`), fitted to matches of a level against itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from game.contract import Seat
from game.errors import BadNotation
from game.rainet.board import VIRUS
from game.rainet.bots.inference import AT_MOST, FITTED_STYLES, STYLES, Seen, habits_of
from game.rainet.bots.levels import LEVELS, RaiNetBot
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rainet.tracking import is_open
from game.rainet.view import Deal, deals
from game.rng import Rng
from game.training.logit import Fitted, Sample, fit, likelihood

HABITS = (
    *("forward", "backward", "fled", "offered", "left", "boosted", "guarded", "waited", "entered", "took"),
    *("far", "on_guard", "stayed"),
)
DEPTH, BUDGET = 2, 1500  # the most of the level's own depth and positions, so that matches are short
EVERY = 6  # decisions from one position to the next
LEFT_OUT = 4  # one in so many matches is not fitted to, but measures the fit


def fit_habits(level: str, matches: int, seed: int) -> Fitted:
    """Return the weights of the habits of a level over some matches against itself.

    A weight is what one more count of a habit adds to the log-odds of being a virus. Every fourth match is left out,
    and its positions say how likely the deals were by these weights, by those that bots have, and by none. Raises
    BadNotation for a level that has none, or fewer than four matches.
    """
    if level not in LEVELS:
        raise BadNotation("match.unknown-bot", level[:40])
    if matches < LEFT_OUT:
        raise BadNotation("usage.number", f"--matches {matches} (at least {LEFT_OUT})")
    fitted_to, left_out = list[Sample](), list[Sample]()
    for number in range(matches):
        (left_out if number % LEFT_OUT == LEFT_OUT - 1 else fitted_to).extend(_samples(level, seed, number))
    weights = fit(fitted_to)
    tables = {"fitted": weights, "adopted": FITTED_STYLES[0][0], "plain": STYLES[0][0], "none": [0.0] * len(HABITS)}
    likelihoods = {name: likelihood(left_out, table) for name, table in tables.items()}
    return Fitted(dict(zip(HABITS, weights, strict=True)), len(fitted_to), len(left_out), likelihoods)


def _samples(level: str, seed: int, number: int) -> Iterator[Sample]:
    """Play a match and yield what each side's opponent could not see, at some of the positions."""
    plain = LEVELS[level]
    player = RaiNetBot(replace(plain, depth=min(plain.depth, DEPTH), budget=min(plain.budget, BUDGET)))
    begun = hashlib.sha256(f"habits {seed} {number}".encode()).digest()
    state, rng = GAME.setup({}, 2, begun).state, Rng(begun)
    decisions = 0
    while owed := GAME.pending(state):
        stream, rng = rng.split()
        action = player.decide(GAME.view(state, owed[0].seat), owed[0], stream)
        state = GAME.apply(state, owed[0].seat, action).state
        decisions += 1
        if decisions % EVERY == 0 and state.board and state.result is None:
            for seat in Seat(0), Seat(1):
                sample = sampled(state, seat)
                if sample is not None:
                    yield sample


def sampled(state: State, seat: Seat) -> Sample | None:
    """Return a side's hidden cards as its opponent sees them: each habit, summed over the viruses of each deal.

    None where there is nothing to guess, or where a 404 may have exchanged two cards.
    """
    view = GAME.view(state, Seat(1 - seat))
    if any(map(is_open, view.log)):
        return None
    ways = list(deals(view, seat))
    if len(ways) < 2:
        return None
    seen = habits_of(view, seat, False)
    counted = [_counted(seen, deal) for deal in ways]
    true = next(n for n, deal in enumerate(ways) if _is_true(state, seat, deal))
    return Sample(tuple(zip(*counted, strict=True)), true)


def _counted(seen: Seen, deal: Deal) -> list[float]:
    """Return how often each habit was seen of the cards that a deal makes viruses."""
    total = [0.0] * len(HABITS)
    keys = [square for square, virus in deal.on_grid if virus] + [-1 - place for place, virus in deal.in_stack if virus]
    for key in keys:
        number = seen.at.get(key)
        if number is not None:
            for habit, (count, most) in enumerate(zip(seen.habits[number], AT_MOST, strict=False)):
                total[habit] += min(count, most)
    return total


def _is_true(state: State, seat: int, deal: Deal) -> bool:
    on_grid = all(bool(state.board[square] & VIRUS) is virus for square, virus in deal.on_grid)
    return on_grid and all(bool(state.stacks[seat][place] & VIRUS) is virus for place, virus in deal.in_stack)

"""Static evaluation: stacks first, then the distance of links to the enemy server.

Squares are in the bot's own frame: it always plays up the board, from ranks 1 and 2 to the EXITs d8 and e8.
"""

from __future__ import annotations

from math import exp, log

from game.rainet.board import EXITS

WIN = 100.0
_PER_LOGIT = 20.0  # how much worth moves the odds of winning by a factor of e

# The worth of n links and of n viruses in a stack; an uncertain card counts as a fraction.
LINKS = (0.0, 7.0, 15.0, 26.0, WIN, WIN)
VIRUSES = (0.0, -3.0, -7.0, -15.0, -WIN, -WIN)

# The part of a link's worth in the stack that it has at 0, 1, 2, 3 … moves from entering; on the grid 1 is the least.
_NEARNESS = (1.0, 0.84, 0.44, 0.33, 0.26, 0.20, 0.15, 0.11, 0.07, 0.04, 0.02, 0.0, 0.0)
GUARDS = {2: 0.5, 11: 0.7, 12: 0.7, 5: 0.5, 10: 0.25, 13: 0.25, 19: 0.25, 20: 0.25}  # c1 d2 e2 f1 c2 f2 d3 e3
_FAR_LINK = 22.0  # the most that a link is worth at two moves or more: the one that would win has not won yet
_ENEMY_EXITS = [(square % 8, square // 8) for square in EXITS[1]]


def stack_worth(links: float, viruses: float) -> float:
    """Return what a stack with these true types is worth to its owner."""
    i, j = int(links), int(viruses)
    return (
        LINKS[i] + (links - i) * (LINKS[i + 1] - LINKS[i]) + VIRUSES[j] + (viruses - j) * (VIRUSES[j + 1] - VIRUSES[j])
    )


def _steps(square: int) -> int:
    """Return the moves a card needs to enter from here: to the EXIT, and one more."""
    return 1 + min(abs(square % 8 - file) + abs(square // 8 - rank) for file, rank in _ENEMY_EXITS)


STEPS = tuple(_steps(square) for square in range(64))


def link_table(next_link: float, boosted: bool) -> list[float]:
    """Return what a link is worth on each square, when one more in the stack is worth `next_link`."""
    table = []
    for steps in STEPS:
        near = (steps + 2) // 2 if boosted and steps > 1 else steps
        weight = _NEARNESS[near]
        table.append(weight * (next_link if near <= 1 else min(next_link, _FAR_LINK)))
    return table


def virus_table(bluff: float) -> list[float]:
    """Return what a virus is worth on each square: guarding its own EXITs, or advancing as a link does (`bluff`)."""
    return [GUARDS.get(square, 0.0) + bluff * _NEARNESS[steps] for square, steps in enumerate(STEPS)]


def survived(value: float, risk: float) -> float:
    """Return what a gamble is worth that loses the match with the odds `risk` and leads to `value` otherwise.

    Worth is taken for log-odds of winning: a lead is not given up for a win that is less likely.
    """
    wins = (1.0 - risk) / (1.0 + exp(-value / _PER_LOGIT))
    return max(-2 * WIN, _PER_LOGIT * log(wins / (1.0 - wins))) if wins > 0.0 else -2 * WIN

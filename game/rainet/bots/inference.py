"""Inference of card types from behaviour: odds from the public log, turned into probabilities.

A card that runs, flees, is boosted or guarded behaves like a link; one that offers itself or waits on an EXIT like a
virus. Each habit multiplies the odds; all ways to deal the unknown cards are then weighed (RaiNet §1.10). The last
three habits are not actions: how far from an EXIT the card stands, whether it guards one, whether it never moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, prod

from game.rainet.board import CARD, EXITS, FACE_UP, NAMES, NEIGHBOURS, SQUARES, UNKNOWN, VIRUS, owner
from game.rainet.bots.evaluation import GUARDS
from game.rainet.notation import public_text
from game.rainet.tracking import NOBODY, follow
from game.rainet.view import Deal, View, deals

FORWARD, BACKWARD, FLED, OFFERED, LEFT, BOOSTED, GUARDED, WAITED, ENTERED, TOOK, FAR, ON_GUARD, STAYED = range(13)

# How often each habit counts at most.
AT_MOST = (8, 4, 3, 3, 4, 2, 1, 3, 1, 3, 9, 1, 1)

Weights = tuple[float, ...]
Styles = tuple[tuple[Weights, float], ...]
_PLAIN = (-0.50, -0.10, -0.30, 0.10, 0.50, -1.20, -0.50, 1.00, -3.00, 0.00, 0.00, 0.00, 0.00)
_OFFERS = (0.30, 0.00, -0.30, 2.00, 0.50, -0.50, 0.00, 1.00, -3.00, 0.00, 0.00, 0.00, 0.00)
_FITTED = (-0.17, -0.28, -0.10, 1.00, 0.00, -2.86, -1.35, 0.50, -3.00, 0.00, 0.38, 0.85, 0.70)


def _scaled(candour: float) -> Weights:
    return tuple(candour * weight for weight in _PLAIN)


# What each habit adds to the log-odds of being a virus, for each style of play, and the prior probability of the style:
# plain, mixed, bluffing, offering viruses to be captured. Cards that were shown change these probabilities.
STYLES: Styles = (
    (_scaled(1.0), 0.45),
    (_scaled(0.4), 0.25),
    (_scaled(-0.3), 0.15),
    (_OFFERS, 0.15),
)
# The style fitted to the level hard (docs/decisions/a-level-that-thinks.md), mixed with those above.
FITTED_STYLES: Styles = ((_FITTED, 0.4), *((weights, 0.6 * chance) for weights, chance in STYLES))


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The probability that a card is a virus: of cards on the grid by square, of a side's own stack by place."""

    on_grid: dict[int, float]
    in_stack: dict[int, float]


def beliefs(view: View, seat: int, uses_habits: bool, styles: Styles = STYLES) -> Beliefs:
    """Return the probabilities of one side's hidden types; without habits all deals are equally likely."""
    ways = list(deals(view, seat))
    grid: dict[int, float] = {}
    stack: dict[int, float] = {}
    for weight, deal in zip(_weights(view, seat, ways, styles if uses_habits else ()), ways, strict=True):
        for square, virus in deal.on_grid:
            grid[square] = grid.get(square, 0.0) + (weight if virus else 0.0)
        for place, virus in deal.in_stack:
            stack[place] = stack.get(place, 0.0) + (weight if virus else 0.0)
    return Beliefs(grid, stack)


def _weights(view: View, seat: int, ways: list[Deal], styles: Styles) -> list[float]:
    """Return the probability of each deal, averaged over the styles in which this player may play."""
    if not styles or not ways:
        return [1.0 / len(ways) for _ in ways]
    seen = (habits_of(view, seat, False), habits_of(view, seat, True))
    mixed = [0.0] * len(ways)
    for style, chance in styles:
        readings = (seen[0].read(style), seen[1].read(style))
        fit = chance * readings[0].likelihood()
        weights = [exp(readings[deal.swapped].sum_of_viruses(deal)) for deal in ways]
        share = fit / sum(weights)
        mixed = [old + share * weight for old, weight in zip(mixed, weights, strict=True)]
    total = sum(mixed)
    return [weight / total for weight in mixed]


def from_outside(view: View, seat: int) -> View:
    """Return the view as somebody sees it who does not know this seat's secrets."""
    board = bytes(_hidden(card, seat) for card in view.board)
    stacks = (
        bytes(_hidden(card, seat) for card in view.stacks[0]),
        bytes(_hidden(card, seat) for card in view.stacks[1]),
    )
    return replace(view, board=board, stacks=stacks, log=tuple(map(public_text, view.log)))


def _hidden(card: int, seat: int) -> int:
    return card & ~VIRUS | UNKNOWN if card & CARD and not card & FACE_UP and owner(card) == seat else card


@dataclass(frozen=True, slots=True)
class Reading:
    """The evidence of the habits for one style, under one assumption about a 404.

    `odds` are log-odds of being a virus by square, and by place in the own stack as -1 - place; `shown` are those of
    the cards whose type was revealed, each with whether it is a virus.
    """

    odds: dict[int, float]
    shown: tuple[tuple[float, bool], ...]

    def sum_of_viruses(self, deal: Deal) -> float:
        """Add up the log-odds of the cards that this deal makes viruses."""
        total = sum(self.odds.get(square, 0.0) for square, virus in deal.on_grid if virus)
        return total + sum(self.odds.get(-1 - place, 0.0) for place, virus in deal.in_stack if virus)

    def likelihood(self) -> float:
        """Return the likelihood of the revealed types under this style."""
        return prod(1.0 / (1.0 + exp(-odds if virus else odds)) for odds, virus in self.shown)


@dataclass(frozen=True, slots=True)
class Seen:
    """The habits of one side's cards, under one assumption about a 404. Cards are numbered as in `Tracks`.

    `habits`: the count of each habit, by card. `at`: the card on a square, or in the own stack at -1 - place. `types`:
    the cards whose type was revealed, each with whether it is a virus.
    """

    habits: dict[int, list[int]]
    at: dict[int, int]
    types: tuple[tuple[int, bool], ...]

    def read(self, style: Weights) -> Reading:
        """Return the evidence of the habits for one style."""
        score = {number: _score(counts, style) for number, counts in self.habits.items()}
        shown = ((_score(self.habits[n][:ENTERED], style), virus) for n, virus in self.types)
        return Reading({key: score[number] for key, number in self.at.items()}, tuple(shown))


def habits_of(view: View, seat: int, swapped: bool) -> Seen:
    """Return the habits of one side's cards: what they did, and where they stand."""
    habits = watch(view, seat, swapped)
    tracks = follow(view.origin, view.first, view.log, swapped)
    at = {square: number for square, number in enumerate(tracks.at) if number in habits}
    for square, number in at.items():
        counts = habits[number]
        counts += (DISTANCE[seat][square] + 1, square ^ (56 * seat) in GUARDS, counts[FORWARD] + counts[BACKWARD] == 0)
    before = len(view.stacks[seat]) - len(tracks.stacked[seat])
    at |= {-1 - (before + place): number for place, number in enumerate(tracks.stacked[seat]) if number in habits}
    return Seen(habits, at, tuple((number, virus) for number, virus in tracks.viruses.items() if number in habits))


def _score(counts: list[int], style: Weights) -> float:
    return sum(w * min(n, most) for w, n, most in zip(style, counts, AT_MOST, strict=False))


def watch(view: View, seat: int, swapped: bool) -> dict[int, list[int]]:
    """Count each habit of each of one side's cards, by the card's number (the square it stood on when play began)."""
    watcher = _Watcher(view.origin, seat)
    for ply, entry in enumerate(view.log):
        watcher.read(entry.partition(":")[0], (view.first + ply) % 2, swapped)
    return watcher.habits


def _distances(seat: int) -> tuple[int, ...]:
    exits = [(square % 8, square // 8) for square in EXITS[1 - seat]]
    return tuple(min(abs(s % 8 - f) + abs(s // 8 - r) for f, r in exits) for s in range(64))


DISTANCE = (_distances(0), _distances(1))  # steps to the nearest enemy EXIT, for each side


class _Watcher:
    """The board during a replay of the log, with the habits counted so far."""

    __slots__ = ("at", "habits", "seat")

    def __init__(self, origin: bytes, seat: int) -> None:
        self.seat = seat
        self.at = [square if card else NOBODY for square, card in enumerate(origin)]
        self.habits = {i: [0] * 10 for i, card in enumerate(origin) if card and owner(card) == seat}

    def read(self, text: str, mover: int, swapped: bool) -> None:
        at = self.at
        mine = mover == self.seat
        if mine:
            self._note_waiting(text)
        if text[0] in "abcdefgh":
            self._read_move(text, mine)
        elif text[0] in "+#" and mine:
            number = at[SQUARES[text[1:]]]
            if number in self.habits:
                self.habits[number][BOOSTED if text[0] == "+" else GUARDED] += 1
        elif text[0] == "@" and (text[-1] == "x" or (text[-1] == "?" and swapped)):
            one, other = SQUARES[text[1:3]], SQUARES[text[3:5]]
            at[one], at[other] = at[other], at[one]
        if mine:
            self._note_left(text)

    def _read_move(self, text: str, mine: bool) -> None:
        at, start = self.at, SQUARES[text[:2]]
        number, at[start] = at[start], NOBODY
        if ">" in text:
            if mine:
                self.habits[number][ENTERED] += 1
            return
        target = SQUARES[text[-2:]]
        took = at[target] != NOBODY
        at[target] = number
        if not mine:
            return
        counts, steps = self.habits[number], DISTANCE[self.seat]
        counts[TOOK] += took
        counts[FORWARD if steps[target] < steps[start] else BACKWARD] += 1
        was, now = self._is_exposed(start), self._is_exposed(target)
        counts[FLED] += was and not now and not took
        counts[OFFERED] += now and not was

    def _is_exposed(self, square: int) -> bool:
        """Tell whether an enemy card stands beside the square."""
        return any(self.at[n] != NOBODY and self.at[n] not in self.habits for n in NEIGHBOURS[square])

    def _note_waiting(self, text: str) -> None:
        """Count a card on an enemy EXIT that could enter and does not."""
        for square in EXITS[1 - self.seat]:
            number = self.at[square]
            if number in self.habits and not text.startswith(f"{NAMES[square]}>"):
                self.habits[number][WAITED] += 1

    def _note_left(self, text: str) -> None:
        """Count the cards left standing beside an enemy card when another card moved."""
        target = SQUARES.get(text[-2:]) if text[0] in "abcdefgh" else None
        for square, number in enumerate(self.at):
            exposed = number in self.habits and square != target and square not in EXITS[1 - self.seat]
            if exposed and self._is_exposed(square):
                self.habits[number][LEFT] += 1

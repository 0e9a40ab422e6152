"""`tune passage --bot master --fit policy|evaluation`: the numbers of the master, found by self-play.

Hill climbing changes the numbers of the policy for two players, one after the other, and keeps what wins more. A
conditional logit finds the weights of the evaluation. The same arguments give the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from game.contract import MASTER
from game.errors import BadNotation
from game.passage.bots import fitted
from game.passage.bots.evaluation import NAMES, Row, rows
from game.passage.bots.policy import PLAIN, PLAINLY, Style, Styles
from game.passage.cards import ATTACKS, Card
from game.passage.table import Table
from game.rng import Rng
from game.training.logit import Fitted, Sample, fit, likelihood
from game.training.passage import selfplay

# The policy's numbers, by hill climbing.

MATCHES = 800  # of a changed style against the present one
CLEARLY, HARDLY = 0.508, 0.485  # a change is kept above the first share of wins, and given up early below the second
STEPS = {
    "none": (0.2, 0.55, 0.7, 0.85, 0.95, 1.01),
    "warden": (0.6, 0.9, 0.95, 1.01),
    "veto_from": (0.03, 0.06, 0.1, 0.2, 0.3),
    "after": (0.0, 0.2, 0.5, 1.5),
    "skips": (0, 1, 2, 99),
    "again": (0.0, 0.15, 0.3, 0.6, 1.0),
}
WORTH_STEP = 1.2
CARDS = (Card.SLIP, *ATTACKS, Card.REVERSAL, Card.JUDGE, Card.KOTODAMA, Card.FORESIGHT, Card.TITHE, Card.RECONNECT)


def changed(style: Style) -> Iterator[tuple[str, Style]]:
    """Yield the name of each number, or of a card's worth or place, with every change of the style in it."""
    yield from (("warden", replace(style, afraid=(style.afraid[0], to))) for to in STEPS["warden"])
    yield from (("none", replace(style, afraid=(to, style.afraid[1]))) for to in STEPS["none"])
    yield from (("veto_from", replace(style, veto_from=to)) for to in STEPS["veto_from"])
    yield from (("after", replace(style, after=to)) for to in STEPS["after"])
    yield from (("skips", replace(style, skips=int(to))) for to in STEPS["skips"])
    for card in style.ways_out:
        rest = [other for other in style.ways_out if other is not card]
        for at in range(len(style.ways_out)):
            yield f"{card.value} at", replace(style, ways_out=(*rest[:at], card, *rest[at:]))
    yield from (("again", replace(style, again=to)) for to in STEPS["again"])
    for card in CARDS:
        for step in (-WORTH_STEP, WORTH_STEP):
            worth = {**style.worth, card: round(style.worth[card] + step, 2)}
            yield f"{card.value} worth", replace(style, worth=worth)


def climb(style: Style, players: int, rng: Rng) -> Style:
    """Return a style changed number by number, each to the value that won most against the style so far."""
    names = list(dict.fromkeys(name for name, _ in changed(style)))
    for name in names:
        best, most = style, CLEARLY
        for other in [one for of, one in changed(style) if of == name and one != style]:
            streams = []
            for _ in range(3):
                stream, rng = rng.split()
                streams.append(stream)
            share = against(other, style, players, MATCHES // 2, streams[0])
            if share >= HARDLY:
                share = (share + against(other, style, players, MATCHES // 2, streams[1])) / 2
            if share > most:
                share = (share + against(other, style, players, MATCHES, streams[2])) / 2
            if share > most:
                best, most = other, share
        style = best
    return style


def against(one: Style, other: Style, players: int, matches: int, rng: Rng) -> float:
    """Return the share (0 to 1) of matches that one style wins: every second seat has it, each deal is played twice."""
    sides: tuple[Styles, Styles] = ((one, one), (other, other))
    won = 0
    for _ in range(matches // 2):
        stream, rng = rng.split()
        for rotation in range(2):
            side_of = [(seat + rotation) % 2 for seat in range(players)]
            won += side_of[selfplay.play([sides[side] for side in side_of], stream)] == 0
    return won / (matches // 2 * 2)


def fit_policy(level: str, matches: int, seed: int) -> Fitted:
    """Return the numbers of the policy for two players after one climb from the plain ones.

    Likelihoods are the natural logarithms of the share won in `matches` matches (at least 2) against the plain policy,
    and of an even share. Raises BadNotation for another level than master.
    """
    check(level)
    stream, rng = Rng(seed.to_bytes(32, "big")).split()
    style = climb(PLAIN, 2, stream)
    last, _ = rng.split()
    share = against(style, PLAIN, 2, matches, last)
    numbers = {card.value: worth for card, worth in style.worth.items()}
    numbers |= {"again": style.again, "afraid, none": style.afraid[0], "afraid, warden": style.afraid[1]}
    numbers |= {"veto_from": style.veto_from, "skips": float(style.skips), "after": style.after}
    numbers |= {f"{card.value}, as a way out": float(nth) for nth, card in enumerate(style.ways_out)}
    return Fitted(numbers, matches, matches, {"fitted": log(max(share, 1e-9)), "plain": log(0.5), "none": log(0.5)})


def check(level: str) -> None:
    """Raise BadNotation for a level whose numbers are not found here."""
    if level != MASTER:
        raise BadNotation("match.unknown-bot", level[:40])


# The weights of the evaluation, by a conditional logit.

SEEN_ONE_IN = 14  # decisions: so far apart are the positions of one match
RIDGE = 3.0
LEFT_OUT = 5  # one in so many positions is not fitted to, but measures the fit
SEATS = (2, 2, 3, 4, 4)  # of the matches, in turn


def fit_evaluation(level: str, matches: int, seed: int) -> Fitted:
    """Return the weights for two who are left, then those for more, fitted to matches of two policies.

    Raises BadNotation for another level than master, or too few matches to fit to.
    """
    check(level)
    found = samples(matches, SEATS, (PLAINLY, fitted.STYLES), Rng(seed.to_bytes(32, "big")))
    weights: dict[str, float] = {}
    likelihoods: dict[str, float] = {}
    for name, is_more in (("two", False), ("more", True)):
        used = [one for one in found if (len(one.features[0]) > 2) == is_more]
        left_out = used[: len(used) // LEFT_OUT]
        if not left_out:
            raise BadNotation("usage.number", f"--matches {matches}")
        made = fit(used[len(left_out) :], RIDGE)
        weights |= {f"{name}: {key}": value for key, value in zip(NAMES, made, strict=True)}
        likelihoods |= {f"{name}: fitted": likelihood(left_out, made)}
        likelihoods |= {f"{name}: none": likelihood(left_out, [0.0] * len(NAMES))}
    likelihoods |= {"fitted": likelihoods["two: fitted"], "none": likelihoods["two: none"]}
    return Fitted(weights, len(found), len(found) // LEFT_OUT, likelihoods)


def samples(matches: int, seats: Sequence[int], styles: Sequence[Styles], rng: Rng) -> list[Sample]:
    """Play matches in styles drawn for each seat, and return positions of them in which somebody is about to play."""
    found: list[Sample] = []
    for nth in range(matches):
        stream, rng = rng.split()
        sits: list[Styles] = []
        for _ in range(seats[nth % len(seats)]):
            style, rng = rng.choose(styles)
            sits.append(style)
        seen = Sampler(rng.below(SEEN_ONE_IN)[0])
        winner = selfplay.play(sits, stream, seen.look)
        for held in seen.found:
            who = [seat for seat, _ in held].index(winner)
            found.append(Sample(tuple(zip(*(dense for _, dense in held), strict=True)), who))
    return found


class Sampler:
    """Collects positions of a match, one in SEEN_ONE_IN decisions; `first` is how many come before the first."""

    def __init__(self, first: int) -> None:
        self.left = first
        self.found: list[list[tuple[int, tuple[float, ...]]]] = []

    def look(self, t: Table) -> None:
        """Note the features of a table, if one is due and a seat is about to play with nothing half resolved."""
        self.left -= 1
        if self.left < 0 and not t.stack and t.phase == "play":
            self.left = SEEN_ONE_IN
            self.found.append([(seat, densely(row)) for seat, row in rows(t)])


def densely(row: Row) -> tuple[float, ...]:
    """Return a row with a value for every feature."""
    values = [0.0] * len(NAMES)
    for place, value in row:
        values[place] += value
    return tuple(values)

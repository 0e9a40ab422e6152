"""`tune passage --bot master --fit network`: trains a network of the master in matches against `hard`.

Proximal policy optimization (Schulman and others 2017): after each round of matches the choices that led to more than
was expected get likelier, but in small steps. What was expected is estimated by a second network, the critic
(generalized advantage estimation: Schulman and others 2016). It sees the hidden cards, too, since it judges and never
plays. The same arguments give the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import Final

from game.contract import Action, Pending
from game.errors import BadNotation
from game.passage.bots import fitted, network, policy
from game.passage.bots.endgame import prove
from game.passage.bots.levels import Master
from game.passage.bots.network import LEAK, Left, Network, Vector, added
from game.passage.bots.policy import Words
from game.passage.bots.search import Candidate, Search, unproved
from game.passage.bots.sight import Sight, from_view, in_words_of_the_hand
from game.passage.bots.situation import WAYS_OUT, Feature, choice, choices, distance, situation
from game.passage.bots.toss import Toss
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.state import State
from game.rng import Rng
from game.training.logit import Fitted

HIDDEN: Final = 16  # units
TABLES: Final[dict[Left, tuple[int, ...]]] = {"two": (4, 2), "more": (4,)}  # seats of the matches, in turn
ROUND: Final = 400  # matches between two changes of the weights
PASSES: Final = 3  # over the choices of a round
BATCH: Final = 2048  # choices in one step
RATE: Final = 0.005  # of Adam (Kingma and Ba 2015)
MEMORY: Final = (0.9, 0.999)  # of Adam: of the mean gradient, and of its square
CLIP: Final = 0.2  # a probability that has changed by more than this share is not pushed further
TRACE: Final = 0.9  # how far what comes later counts for a choice: lambda
ENTROPY: Final = 0.003  # the worth of staying undecided
TRUST: Final = 3.0  # at first, in the score of the tuned policy's choice
PROOFS: Final = 1500  # positions of a proof near the end, as in the search
DEEP: Final = 12  # the first so many cards of the pile are told to the critic

RIVALS: Final = Search()  # the level hard
OTHERWISE: Final = Master(2500)  # plays where the other network chooses

Features = Sequence[Feature]


@dataclass(slots=True)
class Experience:
    """A choice that was made: what was weighed, which was `taken` with what probability, and what came of it.

    `hidden`: what the critic sees besides the situation. `expected`: its estimate of the probability of winning.
    `gain`: by how much it came better.
    """

    situation: Features
    choices: Sequence[Features]
    hidden: Features
    taken: int
    probability: float
    expected: float
    gain: float = 0.0
    won: float = 0.0


@dataclass(slots=True)
class Learner:
    """A network that is trained, with the running means of Adam for every row of its weights."""

    network: Network
    means: dict[tuple[str, str], tuple[Vector, Vector]] = field(default_factory=dict)
    steps: int = 0

    def climb(self, gradient: Gradient, count: int) -> None:
        """Change the weights up a gradient that was summed over `count` choices."""
        self.steps += 1
        fast, slow = MEMORY
        for (part, name), row in gradient.rows.items():
            mean, square = self.means.get((part, name)) or ([0.0] * len(row), [0.0] * len(row))
            row = [value / count for value in row]
            mean = [fast * old + (1 - fast) * new for old, new in zip(mean, row, strict=True)]
            square = [slow * old + (1 - slow) * new * new for old, new in zip(square, row, strict=True)]
            self.means[part, name] = mean, square
            by, over = RATE / (1 - fast**self.steps), 1 - slow**self.steps
            change = [by * up / (sqrt(var / over) + 1e-6) for up, var in zip(mean, square, strict=True)]
            self.change(part, name, change)

    def change(self, part: str, name: str, change: Vector) -> None:
        """Add to a row of the weights."""
        it = self.network
        match part:
            case "bias" | "out":
                row = it.bias if part == "bias" else it.out
                row[:] = [old + more for old, more in zip(row, change, strict=True)]
            case "direct":
                it.direct[name] = it.direct.get(name, 0.0) + change[0]
            case _:
                rows = it.situation if part == "situation" else it.choice
                rows[name] = [old + more for old, more in zip(rows[name], change, strict=True)]


@dataclass(slots=True)
class Gradient:
    """The gradient of a score, or of many, by the rows of the weights."""

    rows: dict[tuple[str, str], Vector] = field(default_factory=dict)

    def add(self, network: Network, shared: Features, options: Sequence[Features], slopes: Sequence[float]) -> None:
        """Add that of the options' scores, each times its slope."""
        before = network.before(shared)
        total = [0.0] * len(before)
        for features, slope in zip(options, slopes, strict=True):
            hidden = added(before, network.choice, features)
            self._row("out", "", [slope * (unit if unit > 0 else LEAK * unit) for unit in hidden])
            down = [
                slope * weight * (1.0 if unit > 0 else LEAK) for unit, weight in zip(hidden, network.out, strict=True)
            ]
            total = [one + other for one, other in zip(total, down, strict=True)]
            for name, value in features:
                if name in network.choice:
                    self._row("choice", name, [unit * value for unit in down])
                    self._row("direct", name, [slope * value])
        self._row("bias", "", total)
        for name, value in shared:
            if name in network.situation:
                self._row("situation", name, [unit * value for unit in total])

    def _row(self, part: str, name: str, more: Vector) -> None:
        row = self.rows.get((part, name))
        self.rows[part, name] = more if row is None else [one + other for one, other in zip(row, more, strict=True)]


def fit_last_network(level: str, matches: int, seed: int) -> Fitted:
    """Return the network between two who are left, as `fit_network` does for more."""
    return train(level, "two", matches, seed)


def fit_network(level: str, matches: int, seed: int) -> Fitted:
    """Return the weights of the network among more than two, and what it won in the last round of `matches` matches.

    Likelihoods are the natural logarithms of that share and of an even one. Raises BadNotation for another level than
    master.
    """
    return train(level, "more", matches, seed)


def train(level: str, left: Left, matches: int, seed: int) -> Fitted:
    """Return what `fit_network` does, for a network between two who are left or among more."""
    if level != "master":
        raise BadNotation("match.unknown-bot", level[:40])
    stream, rng = Rng(seed.to_bytes(32, "big")).split()
    toss, tables = Toss(stream.below(1 << 62)[0]), TABLES[left]
    actor, critic = Learner(beginner(left, toss, TRUST)), Learner(overseer(left, toss))
    share = even = 0.0
    played = 0
    while played < matches:
        count = min(ROUND, matches - played)
        steps: list[Experience] = []
        won, even = 0, 0.0
        for nth in range(played, played + count):
            stream, rng = rng.split()
            players = tables[nth % len(tables)]
            mine, is_won = play(actor.network, critic.network, left, players, nth // len(tables) % players, stream)
            judge(mine, float(is_won))
            steps += mine
            won += is_won
            even += 1 / players / count
        played, share = played + count, won / count
        if steps:
            learn(actor, critic, steps, toss)
    chances = {"fitted": log(max(share, 1e-9)), "none": log(max(even, 1e-9))}
    return Fitted(actor.network.weights(), matches, 0, chances)


def beginner(left: Left, toss: Toss, trust: float) -> Network:
    """Return a network that hardly knows anything: small random weights, and `trust` in the tuned policy."""
    present = network.load(left)
    situation = {name: some(toss, 0.15) for name in present.situation}
    choice = {name: some(toss, 0.5) for name in present.choice}
    return Network(situation, choice, {"tuned choice": trust}, [0.0] * HIDDEN, some(toss, 0.1))


def overseer(left: Left, toss: Toss) -> Network:
    """Return a critic that hardly knows anything."""
    it = beginner(left, toss, 0.0)
    for card in (Card.WARDEN, "ways out"):
        it.situation.update({f"{card} of {away}": some(toss, 0.15) for away in range(max(TABLES["more"]))})
    it.situation.update({f"passage at {place}": some(toss, 0.15) for place in range(DEEP)})
    return it


def some(toss: Toss, size: float) -> Vector:
    """Return random weights up to a size, one for each hidden unit."""
    return [size * (toss(2001) - 1000) / 1000 for _ in range(HIDDEN)]


# Matches.


def play(
    actor: Network, critic: Network, left: Left, players: int, seat: int, rng: Rng
) -> tuple[list[Experience], bool]:
    """Play a match with the network on a seat among `hard`; return its choices, and whether it won.

    Where as many are left as the network is not for, the master of now plays on for it.
    """
    seed, rng = rng.split()
    number, rng = rng.below(1 << 62)
    toss = Toss(number)
    state, steps = GAME.setup({}, players, seed.seed).state, list[Experience]()
    while (owed := GAME.pending(state)) and seat in state.living():
        one = owed[0]
        stream, rng = rng.split()
        if one.seat != seat:
            words = RIVALS.choose(GAME.view(state, one.seat), one, stream)
        elif (len(state.living()) == 2) == (left == "two"):
            words = try_one(actor, critic, state, one, stream, toss, steps)
        else:
            words = OTHERWISE.choose(GAME.view(state, one.seat), one, stream)
        state = GAME.apply(state, one.seat, Action(" ".join(words))).state
    return steps, state.living() == (seat,)


def try_one(
    actor: Network, critic: Network, state: State, owed: Pending, rng: Rng, toss: Toss, steps: list[Experience]
) -> Words:
    """Return a choice drawn by its probability, noted in `steps` unless it is the only one; a proof comes before."""
    view = GAME.view(state, owed.seat)
    s = from_view(view, int(owed.seat))
    own, plain = (in_words_of_the_hand(s, policy.decide(s, toss, styles)) for styles in (fitted.STYLES, policy.PLAINLY))
    proof = prove(view, owed, rng, PROOFS)
    found = [one.words for one in unproved([*map(Candidate, choices(s, owed, own))], own, proof, owed)]
    if len(found) < 2:
        return found[0]
    shared = shown(situation(s, view))
    options = [shown(choice(s, words, (own, plain))) for words in found]
    chances = softmax(scores(actor, shared, options))
    left, taken = toss(1 << 30) / (1 << 30), 0
    while taken + 1 < len(chances) and left >= chances[taken]:
        left -= chances[taken]
        taken += 1
    unseen = shown(hidden(state, s))
    expected = sigmoid(scores(critic, [*shared, *unseen], [()])[0])
    steps.append(Experience(shared, options, unseen, taken, chances[taken], expected))
    return found[taken]


def hidden(state: State, s: Sight) -> Iterator[Feature]:
    """Yield features of what all hold and of the pile, for the critic."""
    for seat in s.living:
        hand, away = state.hands[seat], 0 if seat == s.seat else distance(s, seat)
        yield f"{Card.WARDEN} of {away}", float(Card.WARDEN in hand)
        yield f"ways out of {away}", sum(card in WAYS_OUT for card in hand) / 4
    for place, card in enumerate(state.pile[:DEEP]):
        yield f"passage at {place}", float(card is Card.PASSAGE)


def shown(features: Iterator[Feature]) -> Features:
    """Return the features that are not 0."""
    return [(name, value) for name, value in features if value]


def scores(network: Network, shared: Features, options: Sequence[Features]) -> Vector:
    """Return the score of each option."""
    before = network.before(shared)
    return [network.score(before, option) for option in options]


def softmax(values: Vector) -> Vector:
    """Return the probabilities of options with these scores."""
    most = max(values)
    powers = [exp(value - most) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def sigmoid(value: float) -> float:
    """Return the probability of a score against 0."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


def judge(steps: Sequence[Experience], won: float) -> None:
    """Set what came of each choice of a match: by how much the estimates after it are better than the one before."""
    later, gain = won, 0.0
    for step in reversed(steps):
        gain = later - step.expected + TRACE * gain
        step.gain, step.won, later = gain, won, step.expected


# Learning.


def learn(actor: Learner, critic: Learner, steps: list[Experience], toss: Toss) -> None:
    """Change both networks by the choices of a round."""
    mean = sum(step.gain for step in steps) / len(steps)
    spread = sqrt(sum((step.gain - mean) ** 2 for step in steps) / len(steps)) + 1e-6
    for _ in range(PASSES):
        for at in range(len(steps) - 1, 0, -1):
            other = toss(at + 1)
            steps[at], steps[other] = steps[other], steps[at]
        for start in range(0, len(steps), BATCH):
            batch = steps[start : start + BATCH]
            better, truer = Gradient(), Gradient()
            for step in batch:
                chances = softmax(scores(actor.network, step.situation, step.choices))
                better.add(
                    actor.network, step.situation, step.choices, slopes(step, chances, (step.gain - mean) / spread)
                )
                everything = [*step.situation, *step.hidden]
                seen = sigmoid(scores(critic.network, everything, [()])[0])
                truer.add(critic.network, everything, [()], [step.won - seen])
            actor.climb(better, len(batch))
            critic.climb(truer, len(batch))


def slopes(step: Experience, chances: Vector, gain: float) -> Vector:
    """Return how much a higher score of each choice improves the objective: the clipped gain, and the entropy."""
    ratio = chances[step.taken] / step.probability
    pushes = ratio * gain if (ratio < 1 + CLIP if gain > 0 else ratio > 1 - CLIP) else 0.0
    entropy = -sum(chance * log(chance + 1e-12) for chance in chances)
    return [
        pushes * ((nth == step.taken) - chance) - ENTROPY * chance * (log(chance + 1e-12) + entropy)
        for nth, chance in enumerate(chances)
    ]

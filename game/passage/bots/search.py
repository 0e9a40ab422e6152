"""The search of the level hard: proofs near the end, else play-outs of determinized states by the policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from game.choices import expand
from game.contract import Pending
from game.passage.answers import answer
from game.passage.bots import policy
from game.passage.bots.endgame import Proof, prove
from game.passage.bots.playout import advance, is_over
from game.passage.bots.policy import Words
from game.passage.bots.shortcut import go_on
from game.passage.bots.sight import Sight, from_view, in_words_of_the_hand
from game.passage.bots.suspicion import suspect
from game.passage.bots.toss import Toss
from game.passage.bots.worth import share
from game.passage.cards import Card
from game.passage.determinize import determinize
from game.passage.flow import settle
from game.passage.state import Alms, Gift, State
from game.passage.table import Table
from game.passage.view import PassageView
from game.rng import Rng


@dataclass(slots=True)
class Candidate:
    """A choice under evaluation, with its outcome (0 to 1) in each determinized state so far."""

    words: Words
    scores: list[float] = field(default_factory=list)

    def mean(self) -> float:
        """Return the average outcome."""
        return sum(self.scores) / max(1, len(self.scores))

    def try_out(self, state: State, seat: int, seed: int, horizon: int) -> int:
        """Play a determinized state out after this choice; return the number of positions used."""
        t = Table(state)
        t.silent = True
        answer(t, seat, [str(word) for word in self.words])
        settle(t)
        used = play_on(t, seat, seed, horizon)
        self.scores.append(outcome(t, seat))
        return used


@dataclass(frozen=True, slots=True)
class Search:
    """The search of the level hard. Effort is counted, not timed, so the same inputs give the same answer.

    `budget`: positions that may be looked at for one decision. `batch`: determinized states between two selections of
    the promising options. `horizon`: decisions after which a play-out is evaluated (`worth`). `margin`: by how many
    standard errors an option must beat the policy's own choice. `proofs`: positions of the budget that may go into a
    proof near the end of a match (`endgame`).
    """

    budget: int = 5000
    batch: int = 6
    horizon: int = 30
    margin: float = 1.0
    proofs: int = 1500

    def choose(self, view: PassageView, owed: Pending, rng: Rng) -> Words:
        """Return the choice that does best on average; the policy's own unless another is clearly better."""
        seat = int(owed.seat)
        seed, rng = rng.below(1 << 62)
        sight = from_view(view, seat)
        favourite = in_words_of_the_hand(sight, policy.decide(sight, Toss(seed)))
        proof = prove(view, owed, rng, self.proofs)
        left = unproved(candidates(sight, owed, favourite), favourite, proof, owed)
        spent, tried = proof.spent, 0
        while spent < self.budget and len(left) > 1:
            for _ in range(self.batch):
                stream, rng = rng.split()
                state = suspect(view, determinize(view, stream), stream)
                spent += sum(option.try_out(state, seat, seed + tried, self.horizon) for option in left)
                tried += 1
            left = promising(left)
        return verdict(left, self.margin) if tried else left[0].words


def unproved(options: list[Candidate], favourite: Words, proof: Proof, owed: Pending) -> list[Candidate]:
    """Return the options to compare: a single one if it wins by force, else those that don't lose by force, if any."""
    if proof.wins:
        return [Candidate(favourite if favourite in proof.wins else min(proof.wins))]
    left = [option for option in options if option.words not in proof.loses]
    if not left:
        every = (tuple(action.text.split()) for action in expand(owed.choice))
        left = [Candidate(words) for words in every if words not in proof.loses]
    return left or options


def promising(options: Sequence[Candidate]) -> list[Candidate]:
    """Return the policy's own choice and the better half of the others; of these none that is clearly worse."""
    own, *others = options
    others.sort(key=Candidate.mean, reverse=True)
    best = [option for option in others if lead(option, own) > -1.0]
    return [own, *best[: max(1, (len(others) + 1) // 2)]] if best else [own]


def lead(option: Candidate, own: Candidate) -> float:
    """Return by how many standard errors an option is ahead of another, compared state by state."""
    n = min(len(option.scores), len(own.scores))
    gaps = [a - b for a, b in zip(option.scores[-n:], own.scores[-n:], strict=True)]
    mean = sum(gaps) / n
    spread = sum((gap - mean) ** 2 for gap in gaps) / n
    error = (spread / n) ** 0.5
    return mean / error if error > 0 else (99.0 if mean > 0 else -99.0 if mean < 0 else 0.0)


def verdict(options: Sequence[Candidate], margin: float) -> Words:
    """Return the best option, if it is clearly better than the policy's own."""
    own, *others = options
    best = max(others, key=Candidate.mean, default=own)
    return best.words if best is not own and lead(best, own) > margin else own.words


# Candidates.


def candidates(s: Sight, owed: Pending, favourite: Words) -> list[Candidate]:
    """Return the choices worth trying, the policy's own first."""
    if s.seat in s.blind or isinstance(s.frame, Gift | Alms) or owed.prompt in ("discard", "trade", "rescue"):
        return [Candidate(favourite)]
    words = [tuple(action.text.split()) for action in expand(owed.choice)]
    if owed.prompt in ("return", "place"):
        words = places(s, words)
    elif owed.prompt == "play":
        words = [one for one in words if is_worth_trying(s, one)]
    return [Candidate(favourite), *(Candidate(one) for one in words if one != tuple(map(str, favourite)))]


def places(s: Sight, words: list[Words]) -> list[Words]:
    """Return the actions that put a card at some places: the next few draws, the middle, the last two."""
    last = len(words) - 1
    wanted = {*range(min(last, len(s.living) + s.draws) + 1), last // 2, last - 1, last}
    return [words[at] for at in sorted(wanted) if 0 <= at <= last]


def is_worth_trying(s: Sight, words: Words) -> bool:
    """Tell whether a play is tried at all: of Kotodama's positions only the next ones to be drawn."""
    if words[:2] == ("play", Card.KOTODAMA.value):
        return int(words[2]) in (0, 1, s.size - 1)
    return not (words[:2] == ("play", Card.FORESIGHT.value) and 0 in s.known)


# Play-outs.


def play_on(t: Table, seat: int, seed: int, horizon: int) -> int:
    """Let the policy play until the match ends, the seat is out or the horizon; return the number of positions."""
    toss = Toss(seed)

    def reply(s: Sight) -> Words:
        return policy.decide(s, toss)

    policies = [reply] * len(t.hands)
    used = 1
    while used <= horizon and seat not in t.eliminated and not is_over(t):
        if not go_on(t):
            advance(t, policies)
        used += 1
    return used


def outcome(t: Table, seat: int) -> float:
    """Return the value of a table to a seat: 0 if it is out, else its estimated probability of winning."""
    return 0.0 if seat in t.eliminated else share(t, seat)

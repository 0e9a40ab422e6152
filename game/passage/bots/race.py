"""The search of the level master: proofs near the end, else successive halving of the choices by play-outs.

In each round all choices left are played out in the same determinized states, and the worse half is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from game.contract import Pending
from game.passage.answers import answer
from game.passage.bots import policy
from game.passage.bots.endgame import prove
from game.passage.bots.evaluation import Weights, rows, strength
from game.passage.bots.network import Network
from game.passage.bots.playout import advance, is_over, player
from game.passage.bots.policy import Styles, Words
from game.passage.bots.search import Candidate, candidates, lead, unproved
from game.passage.bots.shortcut import go_on
from game.passage.bots.sight import Sight, from_view, in_words_of_the_hand
from game.passage.bots.situation import choice, choices, situation
from game.passage.bots.suspicion import suspect
from game.passage.bots.toss import Toss
from game.passage.determinize import determinize
from game.passage.flow import settle
from game.passage.state import Gift, State
from game.passage.table import Table
from game.passage.view import PassageView
from game.rng import Rng


@dataclass(frozen=True, slots=True)
class Race:
    """The search of the level master. Effort is counted, not timed, so the same inputs give the same answer.

    `styles`: of the policy that makes the first choice and plays this seat in play-outs. `weights`: of the evaluation
    (`evaluation`). `budget`: positions that may be looked at for one decision. `horizon`: decisions after which a
    play-out is evaluated, at the next play phase. `margin`: by how many standard errors an option must beat the
    first choice. `rivals`: of the policy that plays the other seats in play-outs; None: the same. `network`: makes the
    first choice instead of the policy. `proofs`: positions that may go into a proof near the end of a match
    (`endgame`).
    """

    styles: Styles
    weights: Weights
    budget: int
    horizon: int = 40
    margin: float = 2.0
    rivals: Styles | None = None
    network: Network | None = None
    proofs: int = 1500

    def choose(self, view: PassageView, owed: Pending, rng: Rng) -> Words:
        """Return the choice that does best on average; the first choice unless another is clearly better."""
        seat = int(owed.seat)
        seed, rng = rng.below(1 << 62)
        sight = from_view(view, seat)
        favourite = self.favourite(view, owed, sight, seed)
        proof = prove(view, owed, rng, self.proofs)
        left = unproved(self.candidates(sight, owed, favourite), favourite, proof, owed)
        if len(left) < 2:
            return left[0].words
        spent, tried = proof.spent, 0
        rounds = (len(left) - 1).bit_length()
        for nth in range(rounds):
            until = spent + (self.budget - spent) // (rounds - nth)
            while True:
                stream, rng = rng.split()
                state = suspect(view, determinize(view, stream), stream)
                spent += sum(self.try_out(option, state, seat, seed + tried) for option in left)
                tried += 1
                if spent >= until and tried % 2 == 0:
                    break
            own, *others = left
            others.sort(key=Candidate.mean, reverse=True)
            left = [own, *others[: max(1, (len(left) + 1) // 2 - 1)]]
        own, best, *_ = left
        return best.words if lead(best, own) > self.margin else own.words

    def favourite(self, view: PassageView, owed: Pending, s: Sight, seed: int) -> Words:
        """Return the first choice: that of the network, where there is one and the hand is open, else the policy's."""
        tuned = in_words_of_the_hand(s, policy.decide(s, Toss(seed), self.styles))
        network = self.network
        if network is None or s.seat in s.blind:
            return tuned
        plain = in_words_of_the_hand(s, policy.decide(s, Toss(seed)))
        before = network.before(situation(s, view))
        return max(choices(s, owed, tuned), key=lambda words: network.score(before, choice(s, words, (tuned, plain))))

    def candidates(self, s: Sight, owed: Pending, favourite: Words) -> list[Candidate]:
        """Return the choices that the level hard tries, the first choice first, and other cards to give or discard."""
        found = candidates(s, owed, favourite)
        gives = owed.prompt == "discard" or isinstance(s.frame, Gift)
        return [*found, *self.other_cards(s, favourite)] if gives and s.seat not in s.blind else found

    def other_cards(self, s: Sight, favourite: Words) -> list[Candidate]:
        """Return choices of another single card to give or discard: those of least worth."""
        if len(favourite) != 2:
            return []
        style = self.styles[len(s.living) > 2]
        order = list(dict.fromkeys(policy.cheapest(s, len(s.hand), style)))
        verb = favourite[0]
        found = [in_words_of_the_hand(s, (verb, card)) for card in order[:4]]
        return [Candidate(words) for words in found if words != favourite]

    def try_out(self, option: Candidate, state: State, seat: int, seed: int) -> int:
        """Play a determinized state out after a choice; return the number of positions used."""
        t = Table(state)
        t.silent = True
        answer(t, seat, [str(word) for word in option.words])
        settle(t)
        toss = Toss(seed)
        rivals = self.rivals or self.styles
        styles = [self.styles if one == seat else rivals for one in range(len(t.hands))]
        policies = [player(style, toss) for style in styles]
        used = 1
        while seat not in t.eliminated and not is_over(t):
            if used > self.horizon and not t.stack and t.phase == "play":
                break
            if not go_on(t, styles[t.turn]):
                advance(t, policies)
            used += 1
        option.scores.append(self.value(t, seat))
        return used

    def value(self, t: Table, seat: int) -> float:
        """Return the probability that a seat wins: the softmax of the living seats' strengths."""
        if seat in t.eliminated:
            return 0.0
        if is_over(t):
            return 1.0
        held = rows(t)
        weights = self.weights[len(held) > 2]
        own = total = 0.0
        for other, row in held:
            chances = exp(strength(weights, row))
            total += chances
            if other == seat:
                own = chances
        return own / total

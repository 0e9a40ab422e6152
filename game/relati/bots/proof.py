"""Proof-number search: whether one of the last two seats wins by force, whatever the other does.

Where a threat has to be answered few choices are left, so lines of threats are proved with few positions.

Source: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search", Artificial Intelligence 66 (1994).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from game.bots.budget import OutOfBudget
from game.relati.attacks import hits_of, lines
from game.relati.bots.search import Node, Search
from game.relati.geometry import bits, king
from game.relati.notation import Spoken
from game.relati.state import Board

NEVER = 1 << 60  # the proof number of what can't be proved: greater than every sum of others
QUIET = 4  # the estimated number of answers of a player whose source is not threatened

# The stages of a search: whether only the attacker's threats are followed, and the most decisions of both players.
THREATS, SHORT, ALL = (True, 99), (False, 5), (False, 99)
NARROW = 45  # with more choices than this only threats are followed


@dataclass(slots=True, eq=False)
class Claim:
    """The claim that the attacker wins from a position.

    `proof` is the least number of open positions that have to be wins to prove it, `disproof` the least number that
    must not be, to refute it: 0 where that is done, NEVER where it can't be.
    """

    node: Node
    left: int  # decisions within which the win has to come
    proof: int
    disproof: int
    following: list[Claim] | None = None  # of the positions after each choice; None: not looked at yet
    leading: list[Claim] = field(default_factory=list)  # of the positions before it

    @property
    def is_open(self) -> bool:
        """Tell whether the claim is neither proved nor refuted."""
        return bool(self.proof and self.disproof)


@dataclass(slots=True)
class ProofNumberSearch:
    """The search for a win of one attacker; `search.spent` counts the positions."""

    search: Search
    attacker: int
    threats_only: bool  # only those of the attacker's choices are followed that threaten the other's source
    decisions: int  # of both players, within which the win has to come
    last: int = 0  # the value of `search.spent` at which the search ends
    claims: dict[tuple[Board, int, int], Claim] = field(default_factory=dict)

    def winning(self, node: Node, positions: int) -> Spoken | None:
        """Return a winning choice of the attacker, who is to move; None when so many positions did not prove one."""
        self.last = self.search.spent + positions
        root = Claim(node, self.decisions, 1, 1)
        try:
            self._expand(root)
            while root.is_open:
                self._expand(self._most_proving(root))
        except OutOfBudget:
            return None
        choices = zip(self.search.choices(node), root.following or (), strict=False)
        return next((spoken for spoken, claim in choices if not claim.proof), None)

    def _most_proving(self, root: Claim) -> Claim:
        """Return the claim to look at next: the one that can decide the first claim with the fewest positions."""
        claim = root
        while claim.following is not None:
            is_attack = claim.node.turn == self.attacker
            claim = min(claim.following, key=_proof_of if is_attack else _disproof_of)
        return claim

    def _expand(self, claim: Claim) -> None:
        """Look at the positions after each choice, until one of them decides the claim. Raises OutOfBudget."""
        claim.following = []
        is_attack = claim.node.turn == self.attacker
        for spoken in self.search.choices(claim.node):
            one = self._claim(self.search.after(claim.node, spoken), claim.left - 1)
            claim.following.append(one)
            one.leading.append(claim)
            if not (one.proof if is_attack else one.disproof):
                break
        self._count(claim)

    def _count(self, begun: Claim) -> None:
        """Update the numbers of a claim, then of those that lead to it, one decision further back in each pass."""
        changed = {id(begun): begun}
        while changed:
            before: dict[int, Claim] = {}
            for claim in changed.values():
                following = claim.following or ()
                if claim.node.turn == self.attacker:
                    proof = min(map(_proof_of, following), default=NEVER)
                    disproof = min(sum(map(_disproof_of, following)), NEVER)
                else:
                    proof = min(sum(map(_proof_of, following)), NEVER)
                    disproof = min(map(_disproof_of, following), default=NEVER)
                if (proof, disproof) != (claim.proof, claim.disproof):
                    claim.proof, claim.disproof = proof, disproof
                    before |= {id(one): one for one in claim.leading}
            changed = before

    def _claim(self, node: Node, left: int) -> Claim:
        """Return the claim about a position, made when it is met first. Raises OutOfBudget."""
        key = (node.board, node.turn, left)
        found = self.claims.get(key)
        if found is None:
            self._spend()
            found = self.claims[key] = Claim(node, left, *self._numbers(node, left))
        return found

    def _numbers(self, node: Node, left: int) -> tuple[int, int]:
        """Return the first proof and disproof numbers of a position: decided, or estimated by the number of answers."""
        is_attack = node.turn == self.attacker
        if node.over:
            return (0, NEVER) if is_attack else (NEVER, 0)  # the turn is the winner's then
        (other,) = (seat for seat in node.alive if seat != node.turn)
        board = node.board
        mover, rival, stride = board.sides[node.turn], board.sides[other], board.size + 1
        hits, rival_hits = hits_of(board, (node.turn, other), self.search.ruleset)
        strikes = hits & rival.source or mover.shield & king(rival.source, stride)
        if strikes and left and self._strikes(node, rival.source):
            return (0, NEVER) if is_attack else (NEVER, 0)
        if left <= (0 if is_attack else 1):
            return NEVER, 0
        answers = QUIET
        if not mover.source:
            answers = mover.shield.bit_count()
        elif rival_hits & mover.source or rival.shield & king(mover.source, stride):
            answers = 1
        elif self.threats_only and not is_attack:
            return NEVER, 0
        return (1, answers) if is_attack else (answers, 1)

    def _strikes(self, node: Node, source: int) -> bool:
        """Tell whether the player to move wins at once by hitting or bombing the other's source."""
        for spoken in self._attacks_on(node, source):
            self._spend()
            after = self.search.after(node, spoken)
            if after.over and not after.out >> node.turn & 1:
                return True
        return False

    def _attacks_on(self, node: Node, source: int) -> Iterator[Spoken]:
        """Yield the attacks of the player to move on a source, and the bombs beside it."""
        board = node.board
        for line in lines(board, node.turn, self.search.ruleset):
            if source >> line.target & 1:
                yield Spoken(line.kind, line.target, line.medium)
        for cell in bits(board.sides[node.turn].shield & king(source, board.size + 1)):
            yield Spoken("B", cell)

    def _spend(self) -> None:
        if self.search.spent >= self.last:
            raise OutOfBudget
        self.search.spent += 1


def winning(search: Search, node: Node, positions: int) -> Spoken | None:
    """Return a choice of the player to move that wins by force, if one is found in so many positions.

    Where two seats are left, both with a source. A short win is returned before a long one.
    """
    stages = (SHORT, THREATS, ALL) if _is_narrow(search, node) else (THREATS,)
    last = search.spent + positions
    for stage in stages:
        spoken = ProofNumberSearch(search, node.turn, *stage).winning(node, last - search.spent)
        if spoken is not None:
            return spoken
    return None


def _is_narrow(search: Search, node: Node) -> bool:
    return len(search.choices(node)) <= NARROW


def _proof_of(claim: Claim) -> int:
    return claim.proof


def _disproof_of(claim: Claim) -> int:
    return claim.disproof

"""Proof-number search: whether one of the last two seats wins by force, whatever the other does.

Where a threat has to be answered few choices are left, so that lines of threats are proved with few positions.

Source: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search", Artificial Intelligence 66 (1994).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from game.bots.budget import OutOfBudget
from game.relati.attacks import hits_of, lines
from game.relati.geometry import bits, king
from game.relati.notation import Spoken
from game.relati.search import Node, Search
from game.relati.state import Board

NEVER = 1 << 60  # the number of what can't be proved
QUIET = 4  # how many answers a player seems to have whose source nothing threatens

# What is looked at in turn: the attacker's threats only or all choices, and how many decisions of both.
THREATS, SHORT, ALL = (True, 99), (False, 5), (False, 99)
NARROW = 45  # where there are more choices, only threats are looked at


@dataclass(slots=True, eq=False)
class Claim:
    """That the attacker wins from a position.

    `proof` is how many positions have to be won, at the least, to prove it, `disproof` how many not to be, to refute
    it; 0 where that is done, NEVER where it can't be.
    """

    node: Node
    left: int  # decisions within which the win has to come
    proof: int
    disproof: int
    following: list[Claim] | None = None  # of the positions after each choice; None: not looked at yet
    leading: list[Claim] = field(default_factory=list)  # of the positions before it

    @property
    def is_open(self) -> bool:
        return bool(self.proof and self.disproof)


@dataclass(slots=True)
class ProofNumberSearch:
    """The search of one attacker's wins; `search.spent` counts the positions."""

    search: Search
    attacker: int
    threats_only: bool  # of the attacker's choices only those count that leave the other few answers
    decisions: int  # of both, within which the win has to come
    last: int = 0  # what the search may have spent at most
    claims: dict[tuple[Board, int, int], Claim] = field(default_factory=dict)

    def winning(self, node: Node, positions: int) -> Spoken | None:
        """Return a choice of the attacker, who is to move, that wins; None when so many positions did not prove one."""
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
        """Return the claim that does most to decide the first one, whichever way."""
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
        """Work out the numbers of a claim again, and of all that lead to it: a decision apart, so each once."""
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
        """Return proof and disproof of a position by itself: decided, or by how many answers there seem to be."""
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
        """Tell whether who moves wins at once by hitting or bombing the other's source."""
        for spoken in self._strokes(node, source):
            self._spend()
            after = self.search.after(node, spoken)
            if after.over and not after.out >> node.turn & 1:
                return True
        return False

    def _strokes(self, node: Node, source: int) -> Iterator[Spoken]:
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

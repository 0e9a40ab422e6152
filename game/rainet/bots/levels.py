"""The bots: easy looks one ply ahead, normal infers card types and looks two plies, hard more; master infers better."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from game.bots.budget import OutOfBudget
from game.contract import MASTER, Action, Bot, OneOf, Pending
from game.rainet.board import NAMES
from game.rainet.bots.evaluation import WIN, survived
from game.rainet.bots.inference import FITTED_STYLES, STYLES, Styles
from game.rainet.bots.scene import Piece, Scene, board_of, scene_of
from game.rainet.bots.search import ATTACH, DETACH, ENTER, GONE, STEP, WALL, Move, SearchPosition
from game.rainet.notation import action, read_action
from game.rainet.play import play
from game.rainet.state import CHECK, NOT_FOUND, State
from game.rainet.view import SETUPS, View
from game.rng import Rng

CHECK_PRICE = 1.2  # the worth of keeping the Virus Check
NOT_FOUND_PRICE = 1.2
ENTERING = 1.0  # penalty for waiting on an EXIT instead of entering
REPEATING = 2.5  # penalty for repeating a position


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    `depth`: plies looked ahead, after the bot's own. `budget`: positions for one decision. `margin`: it draws among the
    actions worth at most so much less than the best, so that it can't be predicted. `noise`: the most that is added to
    a value at random. `infers`: it takes card types from behaviour.
    """

    depth: int
    budget: int
    margin: float
    noise: float
    infers: bool
    schemes: bool  # weighs Virus Check and 404, and hides what enters
    bluff: float  # the worth of its own viruses that advance as links do (`virus_table`)
    styles: Styles = STYLES  # the ways in which an opponent may play


@dataclass(frozen=True, slots=True)
class Idea:
    """An action, as text, and what it is worth."""

    value: float
    text: str


class RaiNetBot:
    """A bot of one level. Between decisions it keeps only a count of its work, for statistics."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._decisions = self._looked_at = 0

    @property
    def positions(self) -> float:
        """Mean number of positions looked at for a decision so far."""
        return self._looked_at / max(1, self._decisions)

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Answer with one of the offered actions, from the view alone."""
        assert isinstance(pending.choice, OneOf)
        if view.is_setup:
            return _choose_setup(rng)
        offered = {offer.text for offer in pending.choice.actions}
        thinker = _Thinker(self.level, view, int(pending.seat), rng)
        ideas, rng = thinker.ideas()
        self._decisions, self._looked_at = self._decisions + 1, self._looked_at + thinker.positions
        ideas = [idea for idea in ideas if idea.text in offered]
        if not ideas:
            return rng.choose(pending.choice.actions)[0]
        ideas.sort(key=lambda idea: (-idea.value, idea.text))
        ideas = _avoid_repeating(view, ideas)
        close = [idea for idea in ideas if idea.value >= ideas[0].value - self.level.margin]
        return action(rng.choose(close)[0].text)


class Master(RaiNetBot):
    """A bot whose budget can be set."""

    def within(self, positions: int) -> Master:
        """Return the same player with another budget."""
        return Master(replace(self.level, budget=positions))


def _choose_setup(rng: Rng) -> Action:
    """Draw an assignment; those with a link or two, not more, in front are a little likelier."""
    weights = [3 if cards[3:5] in ("LV", "VL") else 2 for cards in SETUPS]
    at, _ = rng.below(sum(weights))
    for cards, weight in zip(SETUPS, weights, strict=True):
        at -= weight
        if at < 0:
            return action(f"setup {cards}")
    raise AssertionError("the weights were summed above")


class _Thinker:
    """The search of one decision; it draws from a random stream of its own."""

    def __init__(self, level: Level, view: View, seat: int, rng: Rng) -> None:
        self.level = level
        self.view = view
        self.seat = seat
        self.rng = rng
        self.flip = 56 if seat else 0
        self.scene = scene_of(view, seat, level.infers, level.styles)
        self.board = self._board(self.scene)
        self.board.budget = level.budget
        self.positions = 0

    def _board(self, scene: Scene) -> SearchPosition:
        return board_of(scene, self.level.bluff)

    def ideas(self) -> tuple[list[Idea], Rng]:
        """Return the actions with their worth, and the random stream after them."""
        scored, depth = self._search()
        if self.level.noise:
            scored = [(value + self._noise(), move) for value, move in scored]
        best = max((value for value, _ in scored), default=-WIN)
        ideas = [Idea(value, self._text(move)) for value, move in scored]
        if self.level.schemes and best < WIN:
            ideas += self._checks(depth) + self._not_founds(depth)
        return ideas, self.rng

    def _noise(self) -> float:
        drawn, self.rng = self.rng.below(1000)
        return drawn * self.level.noise / 1000

    def _search(self) -> tuple[list[tuple[float, Move]], int]:
        """Search with iterative deepening while the budget lasts; return the last complete result and its depth."""
        board = self.board
        scored = [(0.0, move) for move in board.moves(0, True)]
        depth = 0
        for depth in range(self.level.depth + 1):
            try:
                scored = self._look([move for _, move in scored], depth)
            except OutOfBudget:
                self.positions += board.nodes
                self.board = self._board(self.scene)
                return scored, depth - 1
            if board.nodes * 4 > board.budget or scored[0][0] > WIN:
                break
        self.positions += board.nodes
        return scored, depth

    def _look(self, moves: list[Move], depth: int) -> list[tuple[float, Move]]:
        """Score moves, best first; those that fall behind the best by more than the margin are only bounded."""
        scored: list[tuple[float, Move]] = []
        alpha = -1e9
        for move in moves:
            value = self.board.after(0, move, depth + 1, alpha, 1e9, 2) if self.level.depth else self._glance(move)
            scored.append((value + ENTERING if move[0] == ENTER else value, move))
            alpha = max(alpha, value - self.level.margin - 0.01)
        scored.sort(key=lambda item: -item[0])
        return scored

    def _glance(self, move: Move) -> float:
        """Return the static value after a move, without looking at the opponent's reply."""
        risk = self.board.risk(0, move)
        undo = self.board.make(0, move)
        value = self.board.outcome(0, 0) or self.board.value()
        self.board.unmake(0, move, undo)
        return survived(value, risk) if risk else value

    def _text(self, move: Move) -> str:
        kind, number, target, via = move
        there = NAMES[target ^ self.flip]
        if kind > ENTER:
            return {ATTACH: "+", DETACH: "-", WALL: "#"}.get(kind, "~") + there
        start = self.board.place[number]
        path = NAMES[start ^ self.flip] + (NAMES[via ^ self.flip] if via != GONE else "")
        if kind == STEP:
            return path + there
        return f"{path}>{self._filing(start)}"

    def _filing(self, square: int) -> str:
        """Return how an entering card is filed: a face-up one has no choice, a hidden one goes to a random area."""
        if any(piece.face_up for piece in self.scene.pieces if piece.square == square):
            return ""
        if not self.level.schemes:
            return "+"
        drawn, self.rng = self.rng.below(2)
        return "lv"[drawn]

    def _checks(self, depth: int) -> list[Idea]:
        """Weigh a Virus Check of the two cards it would tell most about."""
        if not self.view.hands[self.seat] & CHECK:
            return []
        hidden = [i for i, p in enumerate(self.scene.pieces) if p.side == 1 and not p.face_up and 0.03 < p.virus < 0.97]
        hidden.sort(key=lambda i: -self._interest(self.scene.pieces[i]))
        ideas = []
        for i in hidden[:2]:
            piece = self.scene.pieces[i]
            worth = sum(
                chance * self._after(self._known(i, virus), depth)
                for virus, chance in ((1.0, piece.virus), (0.0, 1.0 - piece.virus))
            )
            ideas.append(Idea(worth - CHECK_PRICE, "?" + NAMES[piece.square ^ self.flip]))
        return ideas

    def _interest(self, piece: Piece) -> float:
        """Return how much a Virus Check of an enemy card would tell: more near the own side, and beside own cards."""
        near_home = 8 - (piece.square >> 3)
        touching = sum(1 for p in self.scene.pieces if p.side == 0 and _distance(p.square, piece.square) == 1)
        return piece.virus * (1.0 - piece.virus) * (near_home + 4 * touching + 2 * piece.boosted)

    def _known(self, index: int, virus: float) -> Scene:
        """Return the scene with one enemy card known, and the odds of the others adjusted."""
        pieces = list(self.scene.pieces)
        piece = pieces[index]
        rest = [i for i, p in enumerate(pieces) if p.side == 1 and not p.face_up and i != index]
        share = (piece.virus - virus) / len(rest) if rest else 0.0
        pieces[index] = replace(piece, virus=virus, seen_virus=virus, face_up=True)
        for i in rest:
            odds = min(1.0, max(0.0, pieces[i].virus + share))
            pieces[i] = replace(pieces[i], virus=odds, seen_virus=odds)
        return replace(self.scene, pieces=tuple(pieces))

    def _after(self, scene: Scene, depth: int) -> float:
        """Return what a scene is worth when the opponent moves next, two plies ahead at most.

        The search ends with the same side's move as one of `depth` plies does, so that their values compare.
        """
        board = self._board(scene)
        value = -board.search(1, min(depth, 2 - depth % 2), -1e9, 1e9, 1)
        self.positions += board.nodes
        return value

    def _not_founds(self, depth: int) -> list[Idea]:
        """Weigh a 404: a swap that brings a link forward, or hiding what was shown."""
        if not self.view.hands[self.seat] & NOT_FOUND:
            return []
        mine = [i for i, piece in enumerate(self.scene.pieces) if piece.side == 0]
        swapped: list[tuple[float, str, Scene]] = []
        for i, j in combinations(mine, 2):
            one, other = self.scene.pieces[i], self.scene.pieces[j]
            squares = "".join(sorted(NAMES[piece.square ^ self.flip] for piece in (one, other)))
            for swaps in (False, True):
                if one.virus != other.virus if swaps else one.face_up or other.face_up:
                    scene = self._mixed(i, j, swaps)
                    swapped.append((self._board(scene).value(), f"@{squares}{'x' if swaps else '='}", scene))
        swapped.sort(key=lambda item: (-item[0], item[1]))
        return [Idea(self._after(scene, depth) - NOT_FOUND_PRICE, text) for _, text, scene in swapped[:3]]

    def _mixed(self, i: int, j: int, swaps: bool) -> Scene:
        """Return the scene after a 404: both cards face down and equally suspect; `swaps` exchanges their types."""
        pieces = list(self.scene.pieces)
        one, other = pieces[i], pieces[j]
        types = (other.virus, one.virus) if swaps else (one.virus, other.virus)
        suspicion = (one.seen_virus + other.seen_virus) / 2
        for index, virus in zip((i, j), types, strict=True):
            seen = 0.5 * virus + 0.5 * suspicion
            pieces[index] = replace(pieces[index], virus=virus, seen_virus=seen, face_up=False)
        return replace(self.scene, pieces=tuple(pieces))


def _distance(one: int, other: int) -> int:
    return abs(one % 8 - other % 8) + abs(one // 8 - other // 8)


def _avoid_repeating(view: View, ideas: list[Idea]) -> list[Idea]:
    """Penalise the best few ideas for repeated positions; a third repetition is a draw."""
    head = [_repriced(view, idea) if idea.value < WIN else idea for idea in ideas[:8]]
    return sorted(head + ideas[8:], key=lambda idea: (-idea.value, idea.text))


def _repriced(view: View, idea: Idea) -> Idea:
    if idea.text[0] in "?@" or ">" in idea.text:
        return idea
    state = State(
        view.options,
        None,
        (None, None),
        view.board,
        view.turn,
        view.hands,
        view.firewalls,
        view.stacks,
        view.clock,
        view.first,
        view.origin,
        view.log,
        view.seen,
    )
    after = play(state, idea.text, read_action(idea.text)).state
    times = after.seen.count(after.seen[-1])
    if times >= 3:
        return replace(idea, value=min(idea.value, 0.0))
    return replace(idea, value=idea.value - REPEATING * (times - 1))


LEVELS = {
    "easy": Level(depth=0, budget=400, margin=0.0, noise=2.5, infers=False, schemes=False, bluff=0.8),
    "normal": Level(depth=1, budget=1500, margin=0.3, noise=0.0, infers=True, schemes=True, bluff=0.8),
    "hard": Level(depth=5, budget=8000, margin=0.45, noise=0.0, infers=True, schemes=True, bluff=4.0),
    "master": Level(5, 8000, 0.45, 0.0, infers=True, schemes=True, bluff=4.0, styles=FITTED_STYLES),
}
BOTS: dict[str, Bot[View]] = {name: (Master if name == MASTER else RaiNetBot)(level) for name, level in LEVELS.items()}

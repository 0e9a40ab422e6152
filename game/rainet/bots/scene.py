"""A bot's model of a view: cards with odds, turned so that the bot plays up the board."""

from __future__ import annotations

from dataclasses import dataclass

from game.rainet.board import BOOSTED, FACE_UP, VIRUS, owner
from game.rainet.bots.inference import STYLES, Styles, beliefs, from_outside
from game.rainet.bots.search import GONE, IN_HAND, SearchPosition
from game.rainet.state import BOOST, FIREWALL, NOWHERE
from game.rainet.view import View

TRUTH = 0.6  # how much of a face-down card's type an opponent is assumed to know


@dataclass(frozen=True, slots=True)
class Piece:
    """A card in the bot's model.

    `side`: 0 the bot's, 1 the opponent's. `virus`: the probability that it is a virus, `seen_virus`: that with
    which a captor reckons.
    """

    side: int
    square: int
    virus: float
    seen_virus: float
    boosted: bool
    face_up: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A bot's model of a view, turned so that it plays up the board. Pairs are (the bot's, the opponent's).

    `links` and `viruses` are the expected numbers in each side's stack.
    """

    pieces: tuple[Piece, ...]
    boosts: tuple[int, int]  # IN_HAND, GONE (there is none) or 0 (on a card)
    walls: tuple[int, int]  # a square, IN_HAND or GONE
    links: tuple[float, float]
    viruses: tuple[float, float]
    own_exit: bool
    boost_into_server: bool
    firewall_anywhere: bool


def scene_of(view: View, seat: int, infers: bool, styles: Styles = STYLES) -> Scene:
    """Read a view, with the odds for every card that is not known; `styles`: the ways an opponent may play."""
    theirs = beliefs(view, 1 - seat, infers, styles)
    mine = beliefs(from_outside(view, seat), seat, infers).on_grid
    flip = 56 if seat else 0
    pieces = []
    for square, card in enumerate(view.board):
        if not card:
            continue
        if owner(card) == seat:
            virus = 1.0 if card & VIRUS else 0.0
            seen = virus if card & FACE_UP else TRUTH * virus + (1 - TRUTH) * mine.get(square, virus)
        else:
            virus = seen = theirs.on_grid.get(square, 1.0 if card & VIRUS else 0.0)
        side = owner(card) ^ seat
        pieces.append(Piece(side, square ^ flip, virus, seen, bool(card & BOOSTED), bool(card & FACE_UP)))
    seats = (seat, 1 - seat)
    stacks = [_stack_counts(view.stacks[s], theirs.in_stack if s != seat else {}) for s in seats]
    return Scene(
        tuple(pieces),
        (_boost(view, seats[0]), _boost(view, seats[1])),
        (_wall(view, seats[0], flip), _wall(view, seats[1], flip)),
        (stacks[0][0], stacks[1][0]),
        (stacks[0][1], stacks[1][1]),
        view.options.own_exit,
        view.options.boost_into_server,
        view.options.firewall_anywhere,
    )


def _stack_counts(stack: bytes, odds: dict[int, float]) -> tuple[float, float]:
    viruses = sum(odds.get(place, 1.0 if card & VIRUS else 0.0) for place, card in enumerate(stack))
    return len(stack) - viruses, viruses


def _boost(view: View, seat: int) -> int:
    if view.hands[seat] & BOOST:
        return IN_HAND
    return 0 if any(card & BOOSTED and owner(card) == seat for card in view.board) else GONE


def _wall(view: View, seat: int, flip: int) -> int:
    if view.hands[seat] & FIREWALL:
        return IN_HAND
    return GONE if view.firewalls[seat] == NOWHERE else view.firewalls[seat] ^ flip


def board_of(scene: Scene, bluff: float) -> SearchPosition:
    """Return the search board of a scene; `bluff` is the worth of the bot's own viruses that advance as links do."""
    board = SearchPosition(scene.own_exit, scene.boost_into_server, bluff, scene.firewall_anywhere)
    board.boost = [0 if boost == IN_HAND else GONE for boost in scene.boosts]
    board.walls = list(scene.walls)
    board.links, board.viruses = list(scene.links), list(scene.viruses)
    for piece in scene.pieces:
        board.put(piece.side, piece.square, piece.virus, piece.seen_virus, piece.boosted)
    board.settle()
    return board

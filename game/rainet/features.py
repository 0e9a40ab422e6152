"""A view as numbers: planes of squares from the viewer's side of the board, then what lies beside it."""

from __future__ import annotations

from game.contract import Watcher
from game.rainet.board import BOOSTED, FACE_UP, UNKNOWN, VIRUS, owner
from game.rainet.state import BOOST, CHECK, FIREWALL, NOT_FOUND, NOWHERE
from game.rainet.view import View

SQUARES = 64
PLANES = ("link", "virus", "unknown", "face-up", "boosted", "firewall")  # of the viewer's side, then of the other
MOST_PLIES = 200.0  # on the clock that draws the match


def features(view: View) -> list[float]:
    """Return 787 numbers between 0 and 1.

    12 planes of 64 squares, the viewer's own six first (PLANES). Square 0 is a1 of South; North's board is mirrored, so
    that everybody plays up. Then for the viewer and for the other: four terminal cards in hand (Boost, Check, Firewall,
    404), and a quarter for each link, virus and unknown card in the stack. Last: whether it is the setup, whether it is
    the viewer's turn, the plies since the last capture out of 200, the repetitions out of 3, and a constant 1.
    Watchers see as South.
    """
    seat = 0 if isinstance(view.viewer, Watcher) else int(view.viewer)
    flip = 56 if seat else 0
    planes = [0.0] * (2 * len(PLANES) * SQUARES)

    def mark(side: int, plane: int, square: int) -> None:
        planes[((side != seat) * len(PLANES) + plane) * SQUARES + (square ^ flip)] = 1.0

    for square, card in enumerate(view.board):
        if card:
            mark(owner(card), 2 if card & UNKNOWN else 1 if card & VIRUS else 0, square)
            if card & FACE_UP:
                mark(owner(card), 3, square)
            if card & BOOSTED:
                mark(owner(card), 4, square)
    for side, square in enumerate(view.firewalls):
        if square != NOWHERE:
            mark(side, 5, square)
    beside: list[float] = []
    for side in (seat, 1 - seat):
        beside += [float(bool(view.hands[side] & card)) for card in (BOOST, CHECK, FIREWALL, NOT_FOUND)]
        unknown = sum(1 for card in view.stacks[side] if card & UNKNOWN)
        viruses = sum(1 for card in view.stacks[side] if card & VIRUS and not card & UNKNOWN)
        beside += [(len(view.stacks[side]) - unknown - viruses) / 4, viruses / 4, unknown / 4]
    is_mine = not view.is_setup and view.result is None and view.turn == seat
    beside += [float(view.is_setup), float(is_mine), view.clock / MOST_PLIES, min(view.repetitions, 3) / 3, 1.0]
    return [*planes, *beside]

"""What a player sees in a RaiNet position: cards by square, the last action, exits under threat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.contract import Watcher
from game.rainet.board import EXITS, NEIGHBOURS, NORTH, SOUTH, SQUARES, START_SQUARES
from game.rainet.notation import public_text
from game.rainet.view import Card, View
from server.boards.games.rainet.selection import NOBODY, NORTH_SERVER, SERVER_OF, SETUP, Selection, Shown, side
from server.boards.seats import short_name_at
from server.terminal.look import Look
from server.terminal.memo import by_identity


def threatened_exits(view: View) -> frozenset[int]:
    """Return the exits that an enemy card stands on or can step on next, of the viewer's side; for watchers of both."""
    if view.is_setup or view.result is not None:
        return frozenset()
    sides = (SOUTH, NORTH) if isinstance(view.viewer, Watcher) else (int(view.viewer),)
    return frozenset(exit_at for seat in sides for exit_at in EXITS[seat] if _is_threatened(view, seat, exit_at))


def _is_threatened(view: View, seat: int, exit_at: int) -> bool:
    """Tell whether a card of the other side is on an exit, or one move away from it (RaiNet §1.4)."""
    cards = cards_on(view)

    def is_theirs(square: int) -> bool:
        card = cards.get(square)
        return card is not None and card.owner != seat

    if is_theirs(exit_at):
        return True
    if view.firewalls[seat] == exit_at:
        return False
    if any(is_theirs(square) for square in NEIGHBOURS[exit_at]):
        return True
    between = [square for square in NEIGHBOURS[exit_at] if square not in cards and square != view.firewalls[seat]]
    return any(is_theirs(far) and cards[far].boosted for square in between for far in NEIGHBOURS[square])


@by_identity(1024)
def cards_on(view: View) -> Mapping[int, Card]:
    """Return the cards on the grid by square."""
    found = ((square, view.card_at(square)) for square, code in enumerate(view.board) if code)
    return {square: card for square, card in found if card is not None}


def placed_cards(snapshot: Shown, chosen: Selection) -> Mapping[int, Card]:
    """Return the cards on the grid; while the sides set up, one's own as they are placed, the other's hidden."""
    view = snapshot.view
    if not view.is_setup:
        return cards_on(view)
    cards: dict[int, Card] = {}
    for seat in (SOUTH, NORTH):
        known = view.setups[seat] or ""
        letters = chosen.placed if chosen.mode == SETUP and seat == side(snapshot) else known
        for i, square in enumerate(START_SQUARES[seat]):
            kind = {"L": "link", "V": "virus"}.get(letters[i : i + 1]) if len(letters) == 8 else None
            cards[square] = Card(seat, kind, False, False)
    return cards


def last_squares(view: View) -> frozenset[int]:
    """Return the squares of the last action and of the viewer's own last one, as far as they are known."""
    if view.is_setup or not view.log or isinstance(view.viewer, Watcher):
        return _named(view.log[-1:]) if not view.is_setup else frozenset()
    own_is_last = (view.first + len(view.log) - 1) % 2 == view.viewer
    return _named(view.log[-1:] if own_is_last else view.log[-2:])


def _named(log: Sequence[str]) -> frozenset[int]:
    """Return the squares that actions name."""
    texts = [public_text(one).split(":")[0] for one in log]
    names = [text[i : i + 2] for text in texts for i in range(len(text) - 1)]
    return frozenset(SQUARES[name] for name in names if name in SQUARES)


def entered_server(view: View) -> int:
    """Return the server that a card was taken into by the last action, NOBODY where that was something else."""
    last = public_text(view.log[-1]) if view.log and not view.is_setup else ""
    if ">" not in last:
        return NOBODY
    return SERVER_OF[SOUTH if SQUARES[last[:2]] in EXITS[SOUTH] else NORTH]


def server_name(snapshot: Shown, place: int, look: Look) -> str:
    """Say whose server a server centre is."""
    owner = NORTH if place == NORTH_SERVER else SOUTH
    if isinstance(snapshot.viewer, Watcher):
        return look.t("rainet.square.server", name=short_name_at(snapshot, owner, look))
    return look.t("rainet.square.server-own" if owner == snapshot.viewer else "rainet.square.server-theirs")

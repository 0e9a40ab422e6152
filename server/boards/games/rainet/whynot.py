"""Why a place can't be chosen: the rules' reason for the action that was meant there."""

from __future__ import annotations

from game.rainet.board import EXITS, NAMES, NEIGHBOURS
from game.rainet.view import Card
from server.boards import whynot
from server.boards.games.rainet import selection
from server.boards.games.rainet.position import server_name
from server.boards.games.rainet.selection import SERVER_OF, Mode, Selection, Shown
from server.terminal.look import Look

BOOSTED_STEPS = 2


def why(snapshot: Shown, chosen: Selection, mode: Mode, look: Look) -> str:
    """Say why enter does nothing at the cursor, and which place that is; empty where there is nothing to say."""
    cursor = chosen.cursor
    if chosen.mode == selection.CARD == mode:
        said = _not_there(snapshot, chosen.squares[0], cursor, look)
    else:
        tried = selection.tried(snapshot, chosen, mode)
        said = whynot.reason(snapshot, tried, look) if tried else ""
    place = server_name(snapshot, cursor, look) if cursor in SERVER_OF else NAMES[cursor]
    return look.t("board.why", place=place, why=said) if said else ""


def _not_there(snapshot: Shown, start: int, target: int, look: Look) -> str:
    """Say why a card can't go from one place to the other: of a boosted one, why not in two steps."""
    card = snapshot.view.card_at(start)
    if card is None:
        return ""
    if target in SERVER_OF:
        return _not_in(snapshot, start, card, look)
    steps = selection.steps(start, target)
    if not card.boosted or steps < BOOSTED_STEPS:
        return whynot.reason(snapshot, NAMES[start] + NAMES[target], look)
    if steps > BOOSTED_STEPS:
        return look.t("rainet.why.two-steps")
    between = sorted(set(NEIGHBOURS[start]) & set(NEIGHBOURS[target]))
    free = [
        mid for mid in between if mid in selection.offers(snapshot).moves.get(start, {}) and not _held(snapshot, mid)
    ]
    mid = (free or between)[0]  # past a square that it can stand on, what is wrong is wrong with the target
    if not free and all(_held(snapshot, one) for one in between):
        return look.t("rainet.error.blocked")
    return whynot.reason(snapshot, NAMES[start] + NAMES[mid] + NAMES[target], look)


def _held(snapshot: Shown, square: int) -> bool:
    return snapshot.view.card_at(square) is not None


def _not_in(snapshot: Shown, start: int, card: Card, look: Look) -> str:
    """Say why a card can't enter: a boosted one may have stepped onto an exit first."""
    filing = "" if card.face_up else "+"
    near = [exit_at for exit_at in EXITS[1 - card.owner] if exit_at in NEIGHBOURS[start]]
    first = NAMES[near[0]] if card.boosted and near else ""
    return whynot.reason(snapshot, f"{NAMES[start]}{first}>{filing}", look)

"""What each viewer of Tiny may know, and full states that fit it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from game.contract import Json, Seat, Viewer, Watcher
from game.rng import Rng
from tests.conformance.tiny.notation import write_frame, write_rules
from tests.conformance.tiny.state import VETO, Frame, Player, Rules, State, full_deck

HIDDEN = "?"  # a bid that is laid aside, but not to be seen


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer knows. `auto` and `charm` are the viewer's own.

    A hand is its cards, or only how many; another seat's open hand holds the card laid aside too.
    """

    viewer: Viewer
    rules: Rules
    round: int
    prize: str
    hands: tuple[tuple[str, ...] | int, ...]
    lives: tuple[int, ...]
    coins: tuple[int, ...]
    bids: tuple[str | None, ...]
    deck_size: int
    discard: tuple[str, ...]
    out: tuple[Seat, ...]
    stack: tuple[Frame, ...]
    auto: bool = False
    charm: str = "none"


def view(state: State, viewer: Viewer) -> View:
    """Build what `viewer` may know."""
    sees_all = viewer is Watcher.OMNISCIENT
    own = None if isinstance(viewer, Watcher) else state.players[viewer]
    hands: list[tuple[str, ...] | int] = []
    bids: list[str | None] = []
    for seat, player in enumerate(state.players):
        if sees_all or seat == viewer:
            hands.append(player.hand)
            bids.append(player.bid)
            continue
        bids.append(player.bid and HIDDEN)
        laid_aside = (player.bid,) if player.bid else ()  # an open hand that shrinks would tell
        hands.append(tuple(sorted(player.hand + laid_aside)) if state.rules.open_hands else len(player.hand))
    return View(
        viewer,
        state.rules,
        state.round,
        state.prize,
        tuple(hands),
        tuple(player.lives for player in state.players),
        tuple(player.coins for player in state.players),
        tuple(bids),
        len(state.deck),
        state.discard,
        state.out,
        state.stack,
        own is not None and own.auto,
        own.charm if own else "none",
    )


def determinize(seen: View, rng: Rng) -> State:
    """Deal the cards this viewer has not seen at random to hidden hands, hidden bids and the deck."""
    unseen, rng = rng.shuffle(_unseen(seen))
    pool = list(unseen)
    players = []
    for seat, (shown, bid) in enumerate(zip(seen.hands, seen.bids, strict=True)):
        hand = list(shown) if isinstance(shown, tuple) else _take(pool, shown)
        if bid == HIDDEN and isinstance(shown, tuple):
            aside, rng = rng.choose(hand)
            hand.remove(aside)
            bid = aside
        elif bid == HIDDEN:
            bid = _take(pool, 1)[0]
        own = seat == seen.viewer
        auto, charm = (seen.auto, seen.charm) if own else (False, "none")
        players.append(Player(tuple(sorted(hand)), seen.lives[seat], seen.coins[seat], bid, auto, charm))
    stream, _ = rng.split()
    deck = tuple(_take(pool, seen.deck_size))
    return State(seen.rules, stream, tuple(players), deck, seen.round, seen.prize, seen.discard, seen.out, seen.stack)


def _unseen(seen: View) -> list[str]:
    """Return the cards that this viewer has not seen, sorted."""
    known = Counter(seen.discard)
    for hand in seen.hands:
        known.update(hand if isinstance(hand, tuple) else ())
    known.update(bid for bid in seen.bids if bid not in (None, HIDDEN))
    left = Counter(full_deck(len(seen.hands)))
    left.subtract(known)
    return sorted(left.elements())


def _take(pool: list[str], n: int) -> list[str]:
    """Take n cards from the pool; a hand-written position may hold fewer cards than the game has, never more."""
    taken = pool[:n]
    del pool[:n]
    return taken + [VETO] * (n - len(taken))


def to_json(seen: View) -> dict[str, Json]:
    """Return the view as programs read it: the position with numbers and `?` where something is hidden."""
    return {
        "position": {
            "players": len(seen.hands),
            "options": write_rules(seen.rules),
            "round": seen.round,
            "prize": seen.prize,
            "hands": [list(hand) if isinstance(hand, tuple) else hand for hand in seen.hands],
            "lives": list(seen.lives),
            "coins": list(seen.coins),
            "bids": list(seen.bids),
            "deck": seen.deck_size,
            "discard": list(seen.discard),
            "out": list(seen.out),
            "stack": [write_frame(frame) for frame in seen.stack],
        },
        "auto": seen.auto,
        "charm": seen.charm,
    }

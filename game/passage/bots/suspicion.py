"""Estimates of where others have put Passages back, from the open discards."""

from __future__ import annotations

from dataclasses import replace

from game.passage.cards import Card
from game.passage.state import State
from game.passage.view import PassageView
from game.rng import Rng

# Of ten Passages put back, six lie at the bottom, two where the next players draw, two anywhere.
BURIED, ON_TOP = 6, 8


def put_back_unseen(view: PassageView) -> int:
    """Return the likely number of Passages put back unseen by this viewer.

    Those whose position this viewer knows are not counted.
    """
    if view.switches.passage_returns or view.n_seats == 2:
        return 0
    known = sum(card is Card.PASSAGE for _, card in view.known)
    return max(0, discarded_wardens(view) - known)


def discarded_wardens(view: PassageView) -> int:
    """Return the number of Wardens discarded since the last Reconnect: mostly, as many Passages were put back."""
    discard = view.discard
    since = len(discard) - discard[::-1].index(Card.RECONNECT) if Card.RECONNECT in discard else 0
    return discard[since:].count(Card.WARDEN)


def suspect(view: PassageView, state: State, rng: Rng) -> State:
    """Return a determinized state in which unseen Passages lie where players usually put them.

    Only cards that this viewer does not know change places, so the view still fits.
    """
    hidden = [at for at, card in enumerate(view.pile) if card is Card.HIDDEN]
    pile = list(state.pile)
    passages = [at for at in hidden if pile[at] is Card.PASSAGE]
    for nth, at in enumerate(passages[: put_back_unseen(view)]):
        roll, rng = rng.below(10)
        if roll < BURIED:
            to = hidden[-1 - nth]
        elif roll < ON_TOP:
            near, rng = rng.below(min(len(hidden), len(view.living())))
            to = hidden[near]
        else:
            continue
        pile[at], pile[to] = pile[to], pile[at]
    return replace(state, pile=tuple(pile))

"""What a viewer is certain of in the pile: what was seen there, and what follows from where all other cards are."""

from __future__ import annotations

from collections import Counter

from game.passage.cards import Card
from game.passage.determinize import HiddenCards, unseen
from game.passage.state import Known
from game.passage.view import PassageView
from server.terminal.memo import by_identity


@by_identity(256)
def certain(view: PassageView) -> Known:
    """Return the places of the pile that the view makes certain, with their cards.

    The cards that are nowhere in sight fill the gaps; where all of them are of one kind, so are the gaps. A Passage is
    never in a hand, so as many Passages as the pile has gaps are there. A written position may lack cards of the deck:
    then nothing follows.
    """
    gaps = [at for at, card in enumerate(view.pile) if card is Card.HIDDEN]
    sides = [HiddenCards(view, seat) for seat in range(view.n_seats)]
    pool = unseen(view)
    for side in sides:
        pool -= Counter(side.certain)
    if not gaps or pool.total() != len(gaps) + sum(side.gaps for side in sides):
        return view.known
    if len(pool) == 1:
        only = next(iter(pool))
    elif pool[Card.PASSAGE] == len(gaps):
        only = Card.PASSAGE
    else:
        return view.known
    return tuple(sorted((*view.known, *((at, only) for at in gaps))))

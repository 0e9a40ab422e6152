"""Every message key of Passage with the names of its parameters, for the catalogues.

`seat`, `to`, `target`, `actor` and `by` are seats; `card` and `cards` are card keys; `position` counts from the top of
the pile, 0 first; `draws` and `bottom` are N and M; `end` is 'top' or 'bottom'. A parameter marked (own) is there only
for those who may know it.
"""

from __future__ import annotations

STAKES = (
    "card",
    "seat",  # who played it
    "target",  # whom it is aimed at, or null
    "position",  # Kotodama: where the card lay, else null
    "judges",  # vetoes so far (veto_chain)
    "by",  # who gave the last of them, or null
    "draws",
    "bottom",
    "draws_after",
    "bottom_after",
)

PROMPTS: dict[str, tuple[str, ...]] = {
    "passage.prompt.play": ("draws", "bottom"),
    "passage.prompt.discard": ("count",),
    "passage.prompt.veto": STAKES,
    "passage.prompt.aim": ("card",),  # revealed blind: name its target or position
    "passage.prompt.place": ("card", "position"),  # Kotodama: where does the card go
    "passage.prompt.return": ("size",),  # where does the Passage go, 0 to size
    "passage.prompt.rescue": (),  # blind: pick a card against the Passage
    "passage.prompt.give": ("to",),
    "passage.prompt.trade": ("to",),
    "passage.prompt.beg": ("to",),
    "passage.prompt.take": (),
    "passage.prompt.duel": ("seat", "target"),
}

EVENTS: dict[str, tuple[str, ...]] = {
    "passage.event.dealt": ("seat", "count", "cards"),  # cards (own)
    "passage.event.turn": ("seat", "draws", "bottom"),
    "passage.event.played": ("seat", "card", "target", "position", "draws", "bottom"),
    "passage.event.revealed": ("seat", "card"),  # a face-down card turned up under Nightmare
    "passage.event.no-effect": ("card", "seat"),
    "passage.event.blank-acts": ("seat", "card"),  # a Blank was played or turned up, and counts as this card
    "passage.event.passed": ("seat", "card"),
    "passage.event.judged": ("seat", "card", "actor", "chain"),  # chain: vetoes before this one
    "passage.event.vetoed": ("seat", "card"),  # seat: whose card does nothing
    "passage.event.counts": ("seat", "draws", "bottom"),
    "passage.event.owes-bottom": ("seat", "target", "bottom"),
    "passage.event.transferred": ("seat", "to", "draws", "bottom"),
    "passage.event.reversed": ("direction",),  # 1 clockwise, -1 the other way
    "passage.event.looked": ("seat", "position", "card"),  # card (own)
    "passage.event.unmoved": ("seat", "position"),
    "passage.event.moved": ("seat", "position", "to"),  # to (own)
    "passage.event.shuffled": ("size",),
    "passage.event.sealed": ("seat", "count", "cards"),  # cards (own)
    "passage.event.unsealed": ("seat", "count"),
    "passage.event.blinded": ("seat",),
    "passage.event.woke": ("seat",),
    "passage.event.decided": ("seat",),
    "passage.event.alms": ("seat", "gave", "refused"),  # lists of seats
    "passage.event.gave": ("seat", "to", "count", "cards"),  # cards (own): the two who see them
    "passage.event.duel-over": ("seat", "target"),
    "passage.event.discarded": ("seat", "cards"),
    "passage.event.drawing": ("seat", "draws", "bottom"),
    "passage.event.drew": ("seat", "end", "card"),  # card (own)
    "passage.event.drew-nothing": ("seat",),
    "passage.event.drew-passage": ("seat", "end"),
    "passage.event.drew-blank": ("seat", "end"),
    "passage.event.saved": ("seat",),
    "passage.event.put-back": ("seat", "position"),  # position: null for those who may not know it
    "passage.event.mixed-in": ("size",),
    "passage.event.out": ("seat", "cards"),
    "passage.event.returned": ("seat", "cards"),
    "passage.event.nobody-returns": (),
    "passage.event.left": ("seat",),
    "passage.event.passage-left": ("position",),
    "passage.event.auto": ("seat", "auto"),  # seen by that seat only
    "passage.event.won": ("seat",),
}

REASONS: dict[str, tuple[str, ...]] = {
    "passage.reason.last-standing": (),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "passage.error.unreadable": (),
    "passage.error.position": (),
    "passage.error.setup": (),
    "passage.error.blank": (),  # in the deck without a meaning
    "passage.error.deck": (),  # fewer than four functions for each player
    "passage.error.not-playing": (),  # out already, or the match is over
    "passage.error.not-awaited": (),
    "passage.error.not-now": (),
    "passage.error.not-in-hand": (),
    "passage.error.not-playable": (),
    "passage.error.bad-target": (),
    "passage.error.wrong-count": (),
    "passage.error.out-of-range": (),
    "passage.error.face-down": (),
}

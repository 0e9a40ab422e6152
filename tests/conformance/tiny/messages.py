"""Every message key of Tiny with the names of its parameters."""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, ...]] = {
    "tiny.prompt.bid": ("prize",),
    "tiny.prompt.veto": (),
    "tiny.prompt.cards": (),
    "tiny.prompt.swap": (),
}
EVENTS: dict[str, tuple[str, ...]] = {
    "tiny.event.round": ("n", "prize"),
    "tiny.event.bid": ("seat", "card"),  # card: for the seat itself
    "tiny.event.revealed": ("bids",),
    "tiny.event.passed": ("seat",),
    "tiny.event.vetoed": ("seat",),
    "tiny.event.won": ("seat", "prize"),
    "tiny.event.drew": ("seat", "n", "cards"),  # cards: for the seat itself
    "tiny.event.swapped": ("seat", "n", "cards"),
    "tiny.event.lost-life": ("seat", "left"),
    "tiny.event.out": ("seat", "cards"),
}
REASONS: dict[str, tuple[str, ...]] = {"tiny.reason.last-standing": (), "tiny.reason.most-coins": ()}
ERRORS: dict[str, tuple[str, ...]] = {
    "tiny.error.verb": (),
    "tiny.error.not-now": (),
    "tiny.error.out": (),
    "tiny.error.players": (),
    "tiny.error.position": (),
    "tiny.error.options": (),
    "tiny.error.charm": (),
}

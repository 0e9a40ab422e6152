"""Every message key of RaiNet with the names of its parameters, for the catalogues.

Seats are 0 (South) and 1 (North), squares are names, `card` is a letter as in positions (L V l v), `area` is 'link' or
'virus', `action` is the action in the form that viewer may know.
"""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, ...]] = {
    "rainet.prompt.setup": (),
    "rainet.prompt.move": (),
}

EVENTS: dict[str, tuple[str, ...]] = {
    "rainet.event.ready": ("seat", "setup"),  # setup: for the seat itself
    "rainet.event.begin": ("seat",),  # who moves first
    "rainet.event.move": ("seat", "action", "from", "to"),
    "rainet.event.capture": ("seat", "square", "card"),  # seat: the captor; card: the captured one
    "rainet.event.enter": ("seat", "action", "from", "card"),  # it was face up already
    "rainet.event.enter-shown": ("seat", "action", "from", "card"),
    "rainet.event.enter-hidden": ("seat", "action", "from", "area", "card"),  # card: for the seat itself
    "rainet.event.boost": ("seat", "action", "square"),
    "rainet.event.unboost": ("seat", "action", "square"),
    "rainet.event.boost-returns": ("seat",),  # its card was captured or entered; seat: the owner
    "rainet.event.check": ("seat", "action", "square", "card"),
    "rainet.event.firewall": ("seat", "action", "square"),
    "rainet.event.unfirewall": ("seat", "action", "square"),
    "rainet.event.404": ("seat", "action", "first", "second"),
    "rainet.event.404-swapped": ("first", "second"),  # seen by the player of the 404 only
    "rainet.event.404-kept": ("first", "second"),  # seen by the player of the 404 only
}

REASONS: dict[str, tuple[str, ...]] = {
    "rainet.reason.links": (),  # the winner's stack holds four links
    "rainet.reason.viruses": (),  # the loser's stack holds four viruses
    "rainet.reason.repetition": (),
    "rainet.reason.plies": (),
    "rainet.reason.stuck": (),  # a loaded position ran out of legal actions
    "rainet.reason.forfeit": (),
    "rainet.reason.timeout": (),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "rainet.error.unreadable": (),
    "rainet.error.position": (),
    "rainet.error.over": (),
    "rainet.error.not-your-turn": (),
    "rainet.error.in-setup": (),
    "rainet.error.in-play": (),
    "rainet.error.ready-already": (),
    "rainet.error.not-four-and-four": (),
    "rainet.error.no-card": (),  # no own card stands there
    "rainet.error.too-far": (),  # a step goes to a neighbouring square
    "rainet.error.own-card": (),
    "rainet.error.own-exit": (),
    "rainet.error.enemy-firewall": (),
    "rainet.error.not-boosted": (),
    "rainet.error.blocked": (),  # a card stands in between
    "rainet.error.back-again": (),  # coming back is no move
    "rainet.error.not-on-exit": (),
    "rainet.error.exit-then-server": (),  # a first step onto the EXIT, the server with the second
    "rainet.error.face-up-already": (),  # a face-up card enters as it is
    "rainet.error.reveal-or-hide": (),  # a face-down card: say which
    "rainet.error.not-in-hand": (),  # Line Boost or Firewall
    "rainet.error.used": (),  # Virus Check or 404
    "rainet.error.no-target": (),  # no face-down card of the opponent stands there
    "rainet.error.firewall-exit": (),
    "rainet.error.firewall-card": (),
    "rainet.error.firewall-taken": (),
    "rainet.error.no-firewall": (),
    "rainet.error.404-same": (),
    "rainet.error.404-order": (),
}

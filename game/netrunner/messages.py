"""Every message key of Netrunner with the names of its parameters, for the catalogues.

`side` is 0 for the Corp, 1 for the Runner; `card` and `cards` are titles, `card` null where the reader may not know it;
`source` is the card whose effect it is, where there is one and everybody may know it; `total` what a side then has;
`place` is where a card lies ('ice:hq', 'root:remote1', 'rig', 'hq', …); `kind` a kind of counter or damage.
"""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, ...]] = {
    "netrunner.prompt.access": ("server",),
    "netrunner.prompt.accessed": ("card_zone",),
    "netrunner.prompt.action": ("clicks",),
    "netrunner.prompt.arrange": ("n",),
    "netrunner.prompt.beta-test": ("looked",),
    "netrunner.prompt.bid": ("high",),
    "netrunner.prompt.bottom": (),
    "netrunner.prompt.break": ("most",),
    "netrunner.prompt.bypass": ("card", "credits"),
    "netrunner.prompt.cheapen": ("card", "n"),
    "netrunner.prompt.choose": ("card", "effect", "most", "nth", "what"),  # `most`, `nth`: null where one is picked
    "netrunner.prompt.discard": ("count",),
    "netrunner.prompt.draw-up-to": ("high",),
    "netrunner.prompt.either": ("card", "effect"),  # effect: its place in the card's entry
    "netrunner.prompt.forfeit": (),
    "netrunner.prompt.host": ("card",),
    "netrunner.prompt.identity": (),
    "netrunner.prompt.install-where": (),
    "netrunner.prompt.jack-out": (),
    "netrunner.prompt.link": ("strength", "link"),  # trace strength against link strength
    "netrunner.prompt.make-room": (),
    "netrunner.prompt.may": ("card", "credits", "effect"),
    "netrunner.prompt.memory": (),
    "netrunner.prompt.more-access": ("high",),
    "netrunner.prompt.mulligan": (),
    "netrunner.prompt.order": (),
    "netrunner.prompt.pay": ("credits", "purpose"),
    "netrunner.prompt.place-up-to": ("high",),
    "netrunner.prompt.prevent": ("what", "n"),
    "netrunner.prompt.rez-cheaper": ("less",),
    "netrunner.prompt.rez-or-trash": (),
    "netrunner.prompt.server": ("card",),
    "netrunner.prompt.shuffle-cost": (),
    "netrunner.prompt.spend-any": ("card", "high"),
    "netrunner.prompt.spring": (),
    "netrunner.prompt.swap-from": (),
    "netrunner.prompt.swap-to": (),
    "netrunner.prompt.take": ("high",),
    "netrunner.prompt.trace": ("base",),
    "netrunner.prompt.trash-cost": ("what",),
    "netrunner.prompt.type": ("card",),
    "netrunner.prompt.window": (),
    "netrunner.prompt.x": ("high",),
}

_EVENTS: dict[str, tuple[str, ...]] = {
    "netrunner.event.accessed": ("card", "place"),
    "netrunner.event.action": ("action", "side"),
    "netrunner.event.added-to-score": ("card", "points"),
    "netrunner.event.approach": ("ice", "place"),
    "netrunner.event.archives-turned-up": ("cards",),
    "netrunner.event.arranged": ("count", "side"),
    "netrunner.event.auto": ("mode", "side", "step"),  # seen by that side only
    "netrunner.event.bad-publicity": ("bad_publicity", "count"),
    "netrunner.event.became-agenda": ("card", "points"),
    "netrunner.event.bids": ("corp", "runner"),
    "netrunner.event.broke": ("broken", "ice", "with"),  # subroutines broken so far; with: null for a spent click
    "netrunner.event.bypassed": ("place",),
    "netrunner.event.changed": ("card", "count", "kind", "place"),
    "netrunner.event.clicks": ("clicks", "side"),
    "netrunner.event.counters": ("card", "count", "kind", "place"),
    "netrunner.event.damage": ("cards", "count", "kind"),
    "netrunner.event.derezzed": ("card",),
    "netrunner.event.discarded": ("cards", "count", "side"),
    "netrunner.event.drew": ("cards", "count", "side"),
    "netrunner.event.encounter": ("card", "place"),
    "netrunner.event.exposed": ("card", "place"),
    "netrunner.event.forfeited": ("card",),
    "netrunner.event.gained": ("credits", "side", "total"),
    "netrunner.event.hosted": ("card", "place"),
    "netrunner.event.installed": ("card", "place", "side"),
    "netrunner.event.jacked-out": (),
    "netrunner.event.keep": ("side",),
    "netrunner.event.looked": ("card", "count", "side"),
    "netrunner.event.lost": ("credits", "side", "total"),
    "netrunner.event.milled": ("card",),
    "netrunner.event.moved": ("other", "place"),
    "netrunner.event.moved-outermost": ("server",),
    "netrunner.event.mulligan": ("side",),
    "netrunner.event.named": ("type",),
    "netrunner.event.paid": (
        "credits",
        "from",
        "side",
    ),  # from: how many of each source, 'pool', 'bad-publicity' or a title
    "netrunner.event.passed-ice": (),
    "netrunner.event.played": ("card", "side"),
    "netrunner.event.prevented": ("count", "what"),
    "netrunner.event.purged": (),
    "netrunner.event.put-at-bottom": ("side",),
    "netrunner.event.put-into-rd": ("card",),
    "netrunner.event.redirected": ("server",),
    "netrunner.event.removed": ("card",),
    "netrunner.event.returned": ("card", "side"),  # into the stack
    "netrunner.event.revealed": ("card", "place"),
    "netrunner.event.rezzed": ("card", "cost", "place"),
    "netrunner.event.run": ("server",),
    "netrunner.event.run-ends": ("server",),
    "netrunner.event.run-over": ("server", "successful"),
    "netrunner.event.scored": ("card", "points"),
    "netrunner.event.shuffled": ("side",),
    "netrunner.event.stolen": ("card", "points"),
    "netrunner.event.subroutine": ("card", "index", "place"),
    "netrunner.event.successful": ("server",),
    "netrunner.event.swapped": ("other", "place"),
    "netrunner.event.tags": ("count", "tags"),
    "netrunner.event.taken": ("card", "side"),
    "netrunner.event.traced": ("link", "successful", "trace"),
    "netrunner.event.trashed": ("card", "cost", "place", "side"),  # cost: if the Runner paid it on accessing the card
    "netrunner.event.turn": ("clicks", "side"),
    "netrunner.event.used": ("card", "side"),
    "netrunner.event.won": ("reason", "side"),
}

# These have no `source`: no card's effect brings them about, or they name the card whose effect it is themselves.
_NO_EFFECT = frozenset(
    f"netrunner.event.{kind}"
    for kind in (
        *("accessed", "action", "approach", "auto", "encounter", "jacked-out", "keep", "mulligan", "passed-ice"),
        *("run-over", "stolen", "subroutine", "successful", "turn", "won"),
    )
)
EVENTS: dict[str, tuple[str, ...]] = {
    key: params if key in _NO_EFFECT else (*params, "source") for key, params in _EVENTS.items()
}

REASONS: dict[str, tuple[str, ...]] = {
    "netrunner.reason.agendas": (),
    "netrunner.reason.flatline": (),
    "netrunner.reason.decked": (),
    "netrunner.reason.conceded": (),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "netrunner.error.card": (),
    "netrunner.error.deck": (),
    "netrunner.error.list-card": (),
    "netrunner.error.list-form": (),
    "netrunner.error.list-identity": (),
    "netrunner.error.list-long": (),
    "netrunner.error.list-no-identity": (),
    "netrunner.error.list-number": (),
    "netrunner.error.list-total": (),
    "netrunner.error.not-awaited": (),
    "netrunner.error.not-now": (),
    "netrunner.error.over": (),
    "netrunner.error.position": (),
    "netrunner.error.rez-agenda": (),
    "netrunner.error.rez-cost": (),
    "netrunner.error.rez-ice": (),
    "netrunner.error.rez-when": (),
    "netrunner.error.rezzed": (),
    "netrunner.error.score-counters": (),
    "netrunner.error.score-when": (),
    "netrunner.error.setup": (),
    "netrunner.error.unreadable": (),
}

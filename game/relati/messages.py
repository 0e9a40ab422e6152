"""Every message key of Relati with the names of its parameters, for the catalogues.

Cells are names ('c8'), `cells` and `killed` lists of them; `seat` and `owner` are seats.
"""

from __future__ import annotations

PROMPTS: dict[str, tuple[str, ...]] = {
    "relati.prompt.locate": (),
    "relati.prompt.act": (),
}

EVENTS: dict[str, tuple[str, ...]] = {
    "relati.event.locate": ("seat", "cell"),
    "relati.event.connect": ("seat", "cell"),
    "relati.event.escape": ("seat", "cell", "lost"),  # lost: how many live pieces were given up
    "relati.event.contact": ("seat", "target", "owner", "medium", "spent"),
    "relati.event.shot": ("seat", "target", "owner", "medium", "spent"),
    "relati.event.bomb": ("seat", "cell", "killed"),
    "relati.event.defend": ("seat", "cell"),
    "relati.event.captured": ("seat", "cells"),  # seat: whose ring
    "relati.event.source-lost": ("seat",),
    "relati.event.cut": ("seat", "count"),  # so many pieces lost their link
    "relati.event.freed": ("seat", "count"),  # so many pieces have it again
    "relati.event.out-stuck": ("seat",),  # no legal action at the start of the own turn
    "relati.event.out-left": ("seat",),
    "relati.event.out-late": ("seat",),
    "relati.event.won": ("seat",),
}

REASONS: dict[str, tuple[str, ...]] = {
    "relati.reason.stuck": (),  # the last but one could not act
    "relati.reason.left": (),
    "relati.reason.late": (),
    "relati.reason.last": (),  # a position in which one seat is left
}

ERRORS: dict[str, tuple[str, ...]] = {
    "relati.error.unreadable": (),
    "relati.error.off-board": (),
    "relati.error.option": (),
    "relati.error.players": (),
    "relati.error.position": (),
    "relati.error.position-board": (),  # the position's board and the option's differ
    "relati.error.position-players": (),
    "relati.error.position-row": (),
    "relati.error.position-size": (),
    "relati.error.position-turn": (),
    "relati.error.over": (),
    "relati.error.out": (),
    "relati.error.not-your-turn": (),
    "relati.error.occupied": (),
    "relati.error.located": (),  # some cell carries your mark already
    "relati.error.not-linked": (),  # no valid piece of yours is linked to that cell
    "relati.error.connectable": (),  # escape only where you can't connect
    "relati.error.no-escape": (),  # no valid piece in line, or something in between
    "relati.error.not-defendable": (),
    "relati.error.not-your-shield": (),
    "relati.error.no-line": (),  # target, medium and the cell beyond are not in one line on the board
    "relati.error.no-target": (),  # nothing of another player's that lives
    "relati.error.target-safe": (),  # between its owner's shields
    "relati.error.no-medium": (),
    "relati.error.nothing-to-spend": (),
    "relati.error.spent-safe": (),  # the piece to be spent stands between another player's shields
    "relati.error.line-blocked": (),
}

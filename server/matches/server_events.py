"""What the server does to a match, as events beside the game's own: keys and parameters, never prose."""

from __future__ import annotations

from collections.abc import Mapping

from game.contract import Event, Json
from game.replay import Entry

TAKEN_BACK = "match.takeback"  # to programs: takeback

# Kind -> names of its parameters. The catalogue has `match.event.KIND` for each, without the leading 'match.'.
SERVER_EVENTS: Mapping[str, tuple[str, ...]] = {
    "match.resign": ("seat",),
    "match.out_of_time": ("seat",),
    "match.left": ("seat", "claimed_by"),
    "match.returned": ("seat",),
    "match.bot_seated": ("seat", "level"),
    "match.draw_agreed": (),
    "match.deserted": (),
    "match.adjourned": (),
    "match.resumed": (),
    "match.void": ("by",),
    "match.clock_credited": ("ms",),
    TAKEN_BACK: ("seat", "to"),
    "match.vacation": ("seat", "until"),
    "match.vacation_over": ("seat",),
}
DESERTED = "deserted"  # by whom a draw is agreed on where only bots are left: they share the first place
ENDINGS = frozenset(("resign", "out_of_time", "left", DESERTED))  # the rules know only that a seat was given up


def server_event(entry: Entry) -> Event | None:
    """Return the public event of an entry that is more than the game's own step, or None.

    A window that somebody let pass is not told here: the rules say what came of it.
    """
    kind = "match." + entry.kind
    if entry.kind == "timeout" and entry.data.get("forfeit"):
        kind = "match.out_of_time"
    if entry.kind == "draw_agreed" and entry.data.get("by") == DESERTED:
        kind = "match." + DESERTED
    until = entry.data.get("away_until")
    if until is not None:
        kind = "match.vacation" if entry.data.get("ms") else "match.vacation_over"
    names = SERVER_EVENTS.get(kind)
    if names is None:
        return None
    known: dict[str, Json] = {"seat": entry.seat, **entry.data, "until": until}
    return Event(kind, {name: known.get(name) for name in names})


def ending(last: Entry) -> str | None:
    """Return how a match ended whose last entry this is, where not the rules but the server knows it, or None."""
    told = server_event(last)
    kind = told.kind.removeprefix("match.") if told is not None else None
    return kind if kind in ENDINGS else None

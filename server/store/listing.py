"""Lists of stored matches, as they may be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from server.store import arrangements, matches, withheld
from server.store.matches import MatchFilter, MatchPeople, StoredMatch

Choose = Callable[[Sequence[MatchPeople]], Sequence[str]]  # from the newest first; the ids of those to list


@dataclass(frozen=True, slots=True)
class Listed:
    """A match's row as it may be shown, and what was agreed on for it."""

    match: StoredMatch
    arrangement: Mapping[str, Any]


def listed(connection: Connection, wanted: MatchFilter, now: datetime, choose: Choose | None = None) -> list[Listed]:
    """Return the matches that fit, newest first; one whose end is withheld at `now` counts as live.

    Where more fit than `wanted.limit`, `choose` chooses among them all; without it the newest are returned.
    """
    held = withheld.ended(connection, now)
    found = matches.query(connection, wanted, frozenset(held))
    if choose is not None and len(found) == wanted.limit:
        chosen = choose(matches.people(connection, replace(wanted, limit=None), frozenset(held)))
        found = sorted(matches.get_all(connection, chosen), key=lambda one: one.id)
        found.sort(key=lambda one: one.started_at, reverse=True)
    if not found:
        return []
    held |= withheld.running(connection, [one for one in found if one.status in matches.RUNNING], now)
    shown = [one if one.id not in held else withheld.as_shown(one, held[one.id]) for one in found]
    arranged = arrangements.agreed(connection, [one.id for one in shown])
    return [Listed(one, arranged.get(one.id, {})) for one in shown]

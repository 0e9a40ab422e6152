"""Lists of stored matches, as they may be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from server.store import arrangements, matches, withheld
from server.store.matches import MatchFilter, StoredMatch


@dataclass(frozen=True, slots=True)
class Listed:
    """A match's row as it may be shown, and what was agreed on for it."""

    match: StoredMatch
    arrangement: Mapping[str, Any]


def listed(connection: Connection, wanted: MatchFilter, now: datetime) -> list[Listed]:
    """Return the matches that fit, newest first; one whose end is withheld at `now` counts as live."""
    held = withheld.ended(connection, now)
    found = matches.query(connection, wanted, frozenset(held))
    if not found:
        return []
    held |= withheld.running(connection, [one for one in found if one.status in matches.RUNNING], now)
    shown = [one if one.id not in held else withheld.as_shown(one, held[one.id]) for one in found]
    arranged = arrangements.agreed(connection, [one.id for one in shown])
    return [Listed(one, arranged.get(one.id, {})) for one in shown]

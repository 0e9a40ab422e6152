"""Withheld entries: stored, but not to be shown yet, with everything that follows from them.

Its entry says until when (`shown_at`); every later entry of the match waits as long. Until then a list shows the
match, and a ladder its players, as if the answer were still owed (docs/decisions/what-is-withheld.md). An answer that
leaves its window open (`quiet_until`) is not told either, until something comes that everybody may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Text, and_, bindparam, exists, or_, select, type_coerce

from server.clock import parse_rfc3339
from server.store.appends import LogEntry
from server.store.database import parts
from server.store.matches import LIVE, StoredMatch, log
from server.store.tables import entries, matches

LONGEST = timedelta(seconds=30)  # nothing is withheld for longer: older entries are not looked at
LONGEST_QUIET = timedelta(hours=12)  # the free time of a window in daily play
MOST_AFTER = 256  # entries that may follow a withheld one before it is shown


def ended(connection: Connection, now: datetime) -> dict[str, int]:
    """Return the matches that have ended and whose end is withheld: by id, the last entry that may be shown."""
    recent = connection.execute(_RECENT, {"since": now - LONGEST})
    return _shown(connection, [(row.id, row.last_seq) for row in recent], now)


_DATA = type_coerce(entries.c.data, Text)
_HAS_MARK = exists().where(  # without one a log need not be read: most have none
    entries.c.match_id == matches.c.id,
    entries.c.seq > matches.c.last_seq - MOST_AFTER,
    or_(_DATA.contains("shown_at"), _DATA.contains("quiet_until")),
)
_RECENT = select(matches.c.id, matches.c.last_seq).where(  # built once
    matches.c.ended_at > bindparam("since"), _HAS_MARK
)


def running(connection: Connection, found: Sequence[StoredMatch], now: datetime) -> dict[str, int]:
    """Return those of these matches in which something is withheld: by id, the last entry that may be shown."""
    ids, recent = [one.id for one in found], list[tuple[str, int]]()
    last = entries.alias("last")
    at_end = and_(last.c.match_id == matches.c.id, last.c.seq == matches.c.last_seq)
    may_be_untold = or_(last.c.kind == "setting", type_coerce(last.c.data, Text).contains("quiet_until"))
    for part in parts(ids):
        chosen = select(matches.c.id, matches.c.last_seq).join(last, at_end)
        chosen = chosen.where(
            matches.c.id.in_(part),
            or_(last.c.at > now - LONGEST, and_(last.c.at > now - LONGEST_QUIET, may_be_untold)),
            _HAS_MARK,
        )
        recent += [(row.id, row.last_seq) for row in connection.execute(chosen)]
    return _shown(connection, recent, now)


def as_shown(match: StoredMatch, last_seq: int) -> StoredMatch:
    """Return a match's row as it was after entry `last_seq`, with a window open: it was being played."""
    return replace(
        match,
        last_seq=last_seq,
        status=LIVE,
        ended_at=None,
        result=None,
        state_hash=None,
        log_hash=None,
        finish_no=None,
        rated_places=None,
    )


def _shown(connection: Connection, ends: Iterable[tuple[str, int]], now: datetime) -> dict[str, int]:
    found = {}
    for match_id, last_seq in ends:
        try:
            rows = log(connection, match_id, last_seq - MOST_AFTER)
        except ValueError:  # rows that were damaged: the match is listed as its own row says
            continue
        end = next((at for at, one in enumerate(rows) if _waits(one, "shown_at", now)), len(rows))
        shown = _without_quiet(rows[:end], now)
        if len(shown) < len(rows):
            found[match_id] = rows[len(shown)].seq - 1
    return found


def _without_quiet(rows: Sequence[LogEntry], now: datetime) -> Sequence[LogEntry]:
    """Return the entries up to the first of those at the end that nobody is told of; settings may lie between them."""
    end = len(rows)
    for at in range(len(rows) - 1, -1, -1):
        if _waits(rows[at], "quiet_until", now):
            end = at
        elif rows[at].kind != "setting":
            break
    return rows[:end]


def _waits(entry: LogEntry, name: str, now: datetime) -> bool:
    until = entry.data.get(name) if isinstance(entry.data, dict) else None
    return isinstance(until, str) and parse_rfc3339(until) > now

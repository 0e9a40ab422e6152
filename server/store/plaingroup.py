"""A group of plain appends on PostgreSQL as one statement, which is a transaction by itself: one round trip.

A transaction around a look at each log, the entries and the new ends takes seven. The statement does the same: it locks
the matches in one order (so that two writers never wait for each other in a circle), moves on those whose log ends
where the append begins, and puts the entries of these only.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.store.appends import Append, fault_of
from server.store.columns import to_json, to_micros
from server.store.database import OneTrip

# The row that a locking SELECT gives is the newest there is, also where another writer was waited for; what is compared
# is that row's `last_seq`, never the one of the statement's own snapshot. NO KEY: whoever puts rows that refer to a
# match (a checkpoint, an offer) holds its key, in an order of their own, and is not waited for.
STATEMENT = """
WITH wanted AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[]) AS w (id, before, after, due)
), locked AS MATERIALIZED (
    SELECT id, last_seq FROM matches WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
), moved AS (
    UPDATE matches SET last_seq = w.after, deadline = w.due
    FROM wanted w JOIN locked l ON l.id = w.id AND l.last_seq = w.before
    WHERE matches.id = l.id RETURNING matches.id
), put AS (
    INSERT INTO entries (match_id, seq, kind, seat, action, at, data)
    SELECT e.* FROM unnest($5::text[], $6::int[], $7::text[], $8::int[], $9::text[], $10::bigint[], $11::text[])
        AS e (match_id, seq, kind, seat, action, at, data) JOIN moved ON moved.id = e.match_id
)
SELECT id, last_seq FROM locked
"""


async def store_group(database: OneTrip, appends: Sequence[Append]) -> list[Exception | None]:
    """Store those of `appends` (plain, of different matches) that fit; return each one's outcome, in order.

    None: stored. SeqTaken and NoSuchRow say why one was not; the others are. Raises NotSaved when the answer did not
    come, which leaves open whether it happened, and NotTaken for an entry that the database can't take: then nothing
    is stored.
    """
    found = await database.write_alone(STATEMENT, *_ends(appends), *_entries(appends))
    last: dict[str, int] = dict(found)
    return [fault_of(append, last) for append in appends]


def _ends(appends: Sequence[Append]) -> tuple[list[object], ...]:
    """Return by column: the matches, where their logs must end, where they will, and when somebody's time is up."""
    return (
        [append.match_id for append in appends],
        [append.first - 1 for append in appends],
        [append.last for append in appends],
        [append.deadline and to_micros(append.deadline) for append in appends],
    )


def _entries(appends: Sequence[Append]) -> tuple[list[object], ...]:
    """Return by column the rows of all entries."""
    both = [(append.match_id, entry) for append in appends for entry in append.entries]
    return (
        [match_id for match_id, _ in both],
        [entry.seq for _, entry in both],
        [entry.kind for _, entry in both],
        [entry.seat for _, entry in both],
        [entry.action for _, entry in both],
        [to_micros(entry.at) for _, entry in both],
        [to_json(entry.data) if entry.data else None for _, entry in both],
    )

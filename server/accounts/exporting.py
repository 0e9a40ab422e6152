"""What is stored of a person, read in portions: of somebody who has played much it is megabytes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from server.clock import Clock
from server.store import personal_data
from server.store.database import Database

Lists = AsyncGenerator[tuple[str, Sequence[dict[str, object]]]]  # the name of a list with its next rows, maybe none


async def read_lists(database: Database, clock: Clock, account_id: int) -> Lists:
    """Yield every list of an export in portions, as JSON values. Raises StoreUnavailable."""
    for name in personal_data.lists:
        portion = await database.read(personal_data.exported, account_id, name, None, clock.now())
        yield name, portion.rows
        while portion.after is not None:
            portion = await database.read(personal_data.exported, account_id, name, portion.after, clock.now())
            yield name, portion.rows

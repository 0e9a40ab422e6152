"""Daily upkeep: deleting old addresses from the database and the log."""

from __future__ import annotations

from datetime import timedelta

from server import log as logs
from server.clock import Clock
from server.log import get_logger
from server.store import addresses
from server.store.database import Database

log = get_logger("upkeep")
EVERY_S = 86_400.0
FIRST_S = 60.0  # after the start


async def forget_addresses(database: Database, clock: Clock) -> None:
    """Delete addresses older than DAYS_KEPT. Raises NotSaved; the log is tidied all the same."""
    logs.tidy()
    rows = await database.write(addresses.forget_before, clock.now() - timedelta(days=logs.DAYS_KEPT))
    log.info("addresses.forgotten", rows=rows)

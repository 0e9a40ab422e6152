"""Daily upkeep: deleting old addresses from the database and the log, and keys whose sanctions are over."""

from __future__ import annotations

from datetime import timedelta

from server import log as logs
from server.clock import Clock
from server.log import get_logger
from server.store import addresses, departed_keys
from server.store.database import Database

log = get_logger("upkeep")
EVERY_S = 86_400.0
FIRST_S = 60.0  # after the start


async def forget_addresses(database: Database, clock: Clock) -> None:
    """Delete addresses older than DAYS_KEPT, and departed keys for which nothing is in force any more.

    Raises NotSaved; the log is tidied all the same.
    """
    logs.tidy()
    rows = await database.write(addresses.forget_before, clock.now() - timedelta(days=logs.DAYS_KEPT))
    await database.write(departed_keys.forget_over, clock.now())
    log.info("addresses.forgotten", rows=rows)

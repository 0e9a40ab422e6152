"""Daily upkeep: deleting old addresses from the database and the log."""

from __future__ import annotations

from datetime import timedelta

from server import log as logs
from server.clock import Clock
from server.log import get_logger
from server.store import addresses
from server.store.database import Database
from server.store.errors import StoreUnavailable

log = get_logger("upkeep")
EVERY_S = 86_400.0
FIRST_S = 60.0  # after the start


async def keep_tidy(database: Database, clock: Clock) -> None:
    """Delete addresses older than DAYS_KEPT, every day, until cancelled."""
    await clock.sleep(FIRST_S)
    while True:
        logs.tidy()
        now = clock.now()
        try:
            rows = await database.write(addresses.forget_before, now - timedelta(days=logs.DAYS_KEPT))
            log.info("addresses.forgotten", rows=rows)
        except StoreUnavailable as error:
            log.warning("addresses.kept", why=error.why)
        await clock.sleep(EVERY_S)

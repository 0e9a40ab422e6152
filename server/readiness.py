"""Whether this process is ready for people, as /readyz says it: asking often costs no more than asking seldom."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Protocol

from server.log import get_logger
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.failedwrites import FailedWrites
from server.store.health import try_write

log = get_logger("readiness")
TRY_EVERY_S = 5.0
PATIENCE_S = 2.0  # for a write, before it counts as failed


class BotStarter(Protocol):
    """What starts bots' processes."""

    async def can_start(self) -> bool:
        """Tell whether bots' processes can be started."""
        ...


class WriteCheck:
    """Finds out whether the database takes writes. It is tried at most once in TRY_EVERY_S, whoever asks."""

    def __init__(self, database: Database, failed: FailedWrites, monotonic: Callable[[], float]) -> None:
        self._database = database
        self._failed = failed
        self._monotonic = monotonic
        self._tried_at = float("-inf")
        self._trying: asyncio.Task[bool] | None = None

    async def passes(self) -> bool:
        """Tell whether a write worked lately, and none has failed since."""
        if self._failed.was_within(TRY_EVERY_S):
            return False
        if self._trying is None or self._monotonic() >= self._tried_at + TRY_EVERY_S:
            self._tried_at = self._monotonic()
            self._trying = asyncio.create_task(self._try(), name="write check")
        return await asyncio.shield(self._trying)

    async def _try(self) -> bool:
        try:
            await asyncio.wait_for(self._database.write(try_write, secrets.randbits(31)), PATIENCE_S)
        except (StoreUnavailable, TimeoutError):
            return False
        except Exception:  # the guard of a check: whatever it is, nothing is stored (no right to write, no such table)
            log.exception("write-check.failed")
            return False
        return True

    async def close(self) -> None:
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)


async def readiness(is_draining: bool, has_files: bool, writes: WriteCheck, bots: BotStarter) -> tuple[bool, str]:
    """Return whether people can be served, and what there is to say of it.

    Where only the bots can't play, people can: it is ready, and degraded.
    """
    if is_draining:
        return False, "draining"
    if not has_files:
        return False, "no file descriptors left"
    if not await writes.passes():
        return False, "the database takes no writes"
    return True, "ok" if await bots.can_start() else "degraded: bots"

"""The time source that everything in the server is given: the real one here, a hand-driven one in the tests."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where time comes from. Nothing else in `server/` asks the system for it."""

    def now(self) -> datetime:
        """Return the wall time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards; only differences mean something."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Come back after `seconds` of this clock."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def rfc3339(moment: datetime) -> str:
    """Write a moment as the outside reads it: RFC 3339, UTC, milliseconds.

    >>> rfc3339(datetime(2026, 1, 2, 3, 4, 5, 678900, UTC))
    '2026-01-02T03:04:05.678Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_rfc3339(text: str) -> datetime:
    """Read what `rfc3339` wrote. Raises ValueError for anything that is not a moment with its zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment.astimezone(UTC)

"""The server's time source; tests use a manual one."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of time. Nothing else in `server/` asks the system for it."""

    def now(self) -> datetime:
        """Return the wall time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return monotonic seconds; only differences are meaningful."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for `seconds` of this clock."""
        ...


# Goes on while the machine is suspended, as the wall clock does: a suspended server has had an outage.
_ELAPSED = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The machine's wall clock, read once; afterwards monotonic, even if the wall clock is set."""

    def __init__(self) -> None:
        self._began = elapsed_s()
        self._start = wall_time()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=elapsed_s() - self._began)

    def be(self, now: datetime) -> None:
        """Set the time: at the start, or after this process alone was suspended."""
        self._start, self._began = now, elapsed_s()

    def ahead_s(self) -> float:
        """Return by how much the wall clock is ahead of this clock, in seconds; negative: behind."""
        return (wall_time() - self.now()).total_seconds()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def wall_time() -> datetime:
    """Return the machine's wall time. It may jump: only `SystemClock` reads it."""
    return datetime.now(UTC)


def elapsed_s() -> float:
    """Return monotonic seconds, independent of the wall clock."""
    return time.clock_gettime(_ELAPSED)


def rfc3339(moment: datetime) -> str:
    """Format a moment: RFC 3339, UTC, milliseconds.

    >>> rfc3339(datetime(2026, 1, 2, 3, 4, 5, 678900, UTC))
    '2026-01-02T03:04:05.678Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment_words(moment: datetime) -> str:
    """Write a moment as people read it, to the minute.

    >>> moment_words(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02 03:04 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def minute_after(moment: datetime) -> str:
    """Return the first whole minute from a moment on, in UTC.

    >>> minute_after(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)), minute_after(datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
    ('03:05', '03:04')
    """
    return f"{moment.astimezone(UTC) + timedelta(seconds=59, microseconds=999_999):%H:%M}"


def parse_rfc3339(text: str) -> datetime:
    """Read what `rfc3339` wrote. Raises ValueError for anything that is not a moment with its zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment.astimezone(UTC)

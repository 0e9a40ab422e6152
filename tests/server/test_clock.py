"""Time: the written form, and the tests' own clock."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from server.clock import SystemClock, parse_rfc3339, rfc3339
from tests.clocks import FakeClock


def test_a_moment_is_written_in_utc_and_read_back() -> None:
    moment = datetime(2026, 11, 21, 1, 2, 3, 4000, UTC)
    assert rfc3339(moment) == "2026-11-21T01:02:03.004Z"
    assert parse_rfc3339(rfc3339(moment)) == moment
    with pytest.raises(ValueError):
        parse_rfc3339("2026-11-21T01:02:03")


def test_the_system_clock_is_aware() -> None:
    assert SystemClock().now().tzinfo is UTC


async def test_sleepers_wake_in_order_at_their_own_moment() -> None:
    clock, woken = FakeClock(), list[tuple[str, float]]()

    async def wait(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((name, clock.monotonic()))

    tasks = [asyncio.create_task(wait("late", 5)), asyncio.create_task(wait("early", 2))]
    await clock.advance(3)
    assert woken == [("early", 2.0)]
    await clock.advance(3)
    assert woken == [("early", 2.0), ("late", 5.0)]
    await asyncio.gather(*tasks)

"""Work in steps: however many work so at a time, the loop goes round as quickly."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from itertools import pairwise

import pytest

from server import tasks
from server.roundrobin import RoundRobin

WORKERS, STEPS = 40, 5


async def test_many_decks_read_at_once_held_everybody_else_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SLICE_S", -1.0)  # every slice is over at once
    done, rounds = list[int](), list[int]()

    def reading(who: int) -> Generator[None, None, int]:
        for _ in range(STEPS):
            done.append(who)
            yield
        return who

    async def lives() -> None:
        while len(done) < WORKERS * STEPS:
            rounds.append(len(done))
            await asyncio.sleep(0)

    turns = RoundRobin()
    read = await asyncio.gather(*(tasks.stepped(reading(who), turns) for who in range(WORKERS)), lives())
    assert read[:WORKERS] == list(range(WORKERS))
    assert all(later - before <= 1 for before, later in pairwise(rounds)), rounds
    assert set(done[WORKERS : 2 * WORKERS]) == set(range(WORKERS)), "each has its turn"


async def test_who_followed_a_match_that_changed_as_they_were_banned_went_on_following() -> None:
    """A removed key's `watch` stayed for ever: `wait_for` of Python 3.11 lost the cancellation."""
    changed = asyncio.Event()
    waits = asyncio.create_task(tasks.wait_at_most(changed, 60))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    changed.set()
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits


async def test_an_event_is_waited_for_no_longer_than_said() -> None:
    changed = asyncio.Event()
    assert not await tasks.wait_at_most(changed, 0.01)
    changed.set()
    assert await tasks.wait_at_most(changed, 60)

"""Work in steps: however many work so at a time, the loop goes round as quickly."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from itertools import pairwise

import pytest

from server import tasks

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

    read = await asyncio.gather(*(tasks.stepped(reading(who)) for who in range(WORKERS)), lives())
    assert read[:WORKERS] == list(range(WORKERS))
    assert all(later - before <= 1 for before, later in pairwise(rounds)), rounds
    assert set(done[WORKERS : 2 * WORKERS]) == set(range(WORKERS)), "each has its turn"

"""A session's part of the loop: whoever draws very much draws later, and loses no frame."""

from __future__ import annotations

import asyncio

import pytest

from server.terminal import loop as loops
from server.terminal.drawqueue import CoalescedTimers, DrawQueue
from server.terminal.loop import DRAW_RESERVE_S, SessionLoop
from tests.waiting import PATIENCE_S


async def test_a_session_that_draws_too_much_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = [0.0]
    monkeypatch.setattr(loops, "thread_time", lambda: cpu[0])
    drawn: list[float] = []

    def draw() -> None:
        cpu[0] += DRAW_RESERVE_S / 2
        drawn.append(asyncio.get_running_loop().time())

    session = SessionLoop(CoalescedTimers(DrawQueue()), draw, lambda error: pytest.fail(repr(error)))
    for _ in range(3):
        session.wake()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert len(drawn) >= 2, "a burst is drawn at once"
    assert session.draws_at > asyncio.get_running_loop().time()
    before = len(drawn)
    session.wake()
    session.wake()
    async with asyncio.timeout(PATIENCE_S):
        while len(drawn) == before:
            await asyncio.sleep(0.01)
    assert len(drawn) == before + 1, "and then once, later"
    session.close()

"""Timers that ring together: one round of the loop for all that are due at about the same time."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from server.terminal.drawqueue import SLACK_S, CoalescedTimers, DrawQueue
from tests.waiting import until


async def test_all_that_is_due_at_about_the_same_time_rings_in_one_round() -> None:
    loop, rung = asyncio.get_running_loop(), list[float]()
    timers = CoalescedTimers(DrawQueue())
    begins = (loop.time() // SLACK_S + 1) * SLACK_S
    rounds = [0]

    def count() -> None:
        rounds[0] += 1
        loop.call_soon(count)

    count()
    for share in (0.1, 0.5, 0.9):
        timers.at(begins + share * SLACK_S, lambda: rung.append(rounds[0]))
    await until(lambda: len(rung) == 3)
    assert len(set(rung)) == 1
    assert loop.time() >= begins + SLACK_S


async def test_what_is_taken_back_does_not_ring_even_by_one_that_rings_with_it() -> None:
    loop, rung = asyncio.get_running_loop(), list[str]()
    timers, due = CoalescedTimers(DrawQueue()), loop.time()

    def first() -> None:
        rung.append("first")
        second.cancel()

    timers.at(due, lambda: rung.append("gone")).cancel()
    timers.at(due, first)
    second = timers.at(due, lambda: rung.append("second"))
    timers.at(due, lambda: rung.append("third"))
    await until(lambda: "third" in rung)
    assert rung == ["first", "third"]


async def test_a_timer_that_is_over_keeps_nobody_alive() -> None:
    class Session:
        def ring(self) -> None:
            pass

    def holding(session: Session) -> Callable[[], None]:
        def ring() -> None:
            timer.cancel()
            session.ring()

        timer = CoalescedTimers(DrawQueue()).at(asyncio.get_running_loop().time() + 60, ring)
        return timer.cancel

    gc.disable()
    try:
        session = Session()
        gone, cancel = weakref.ref(session), holding(session)
        del session
        assert gone() is not None
        cancel()
        assert gone() is None
    finally:
        gc.enable()


async def test_a_moment_at_which_nothing_rings_any_more_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, handles = asyncio.get_running_loop(), list[asyncio.TimerHandle]()
    real = loop.call_at

    def call_at(when: float, callback: Any, *args: Any) -> asyncio.TimerHandle:
        handles.append(real(when, callback, *args))
        return handles[-1]

    monkeypatch.setattr(loop, "call_at", call_at)
    timers, due = CoalescedTimers(DrawQueue()), loop.time() + 60
    one, other = (timers.at(due, lambda: None) for _ in range(2))
    one.cancel()
    [handle] = handles
    assert not handle.cancelled()
    other.cancel()
    other.cancel()
    assert handle.cancelled()
    assert not timers.slots

"""Who draws next: keys are answered first, and a change that everybody sees holds the loop for a slice at a time."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from server.terminal import drawqueue
from server.terminal.drawqueue import SLICE_S, DrawQueue


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only drawings move."""
    now = [0.0]
    monkeypatch.setattr(drawqueue, "perf_counter", lambda: now[0])
    return now


async def rounds(n: int) -> None:
    for _ in range(n):
        await asyncio.sleep(0)


async def test_a_change_for_many_is_drawn_in_slices_with_rounds_of_the_loop_between(hand: list[float]) -> None:
    queue, drawn, held = DrawQueue(), 0, []

    def draw() -> None:
        nonlocal drawn
        drawn += 1
        hand[0] += SLICE_S / 2

    for _ in range(10):
        queue.ask(draw)
    before = 0
    while drawn < 10:
        await rounds(1)
        held.append(drawn - before)
        before = drawn
    assert max(held) == 2
    assert len(held) >= 5


async def test_what_answers_a_key_goes_before_what_was_asked_for_earlier(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []

    def drawing(name: str) -> None:
        drawn.append(name)
        hand[0] += SLICE_S

    for name in "abc":
        queue.ask(partial(drawing, name))
    queue.ask(lambda: drawing("key"), at_once=True)
    await rounds(8)
    assert drawn == ["key", "a", "b", "c"], "the others get on too, one in each round"


async def test_a_drawing_that_hurries_is_done_once(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []
    queue.ask(lambda: drawn.append("other"))
    turn = queue.ask(lambda: drawn.append("mine"))
    turn.hurry()
    turn.hurry()
    await rounds(4)
    assert drawn == ["mine", "other"]


async def test_what_was_cancelled_is_not_drawn_and_what_fails_stops_nobody(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []
    failed: list[object] = []

    def fails() -> None:
        raise ZeroDivisionError

    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failed.append(context["exception"]))
    queue.ask(lambda: drawn.append("gone")).cancel()
    queue.ask(fails)
    queue.ask(lambda: drawn.append("last"))
    await rounds(4)
    assert drawn == ["last"]
    assert [type(error) for error in failed] == [ZeroDivisionError]


async def test_what_answers_a_key_is_drawn_in_the_round_that_brought_the_key(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []

    def take() -> None:
        queue.ask(lambda: drawn.append("clock"))
        queue.ask(lambda: drawn.append("key"), at_once=True)
        assert drawn == [], "not while keys are taken in: each would be drawn by itself"

    queue.answer(take)
    assert drawn == ["key"]
    await rounds(2)
    assert drawn == ["key", "clock"]


async def test_what_was_asked_for_before_a_key_failed_is_drawn(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []

    def take() -> None:
        queue.ask(lambda: drawn.append("clock"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        queue.answer(take)
    await rounds(2)
    assert drawn == ["clock"]


async def test_what_ticks_together_is_drawn_in_one_round_a_slice_at_most(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []

    def drawing(i: int) -> None:
        drawn.append(i)
        hand[0] += SLICE_S / 2

    queue.together(lambda: [queue.ask(partial(drawing, i)) for i in range(5)])
    assert drawn == [0, 1]
    await rounds(6)
    assert drawn == [0, 1, 2, 3, 4]


async def test_what_ticks_together_waits_behind_a_queue(hand: list[float]) -> None:
    queue, drawn = DrawQueue(), []
    queue.ask(lambda: drawn.append("first"))
    queue.together(lambda: queue.ask(lambda: drawn.append("second")))
    assert drawn == []
    await rounds(2)
    assert drawn == ["first", "second"]


async def test_a_drawing_that_asks_behind_cancelled_ones_does_not_empty_the_queue_under_the_round(
    hand: list[float],
) -> None:
    queue, drawn = DrawQueue(), []
    failed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failed.append(context["exception"]))

    def lead() -> None:
        """Draw for a group whose other drawings are no longer wanted, and ask for the next frame, as a clock does."""
        for one in others:
            one.cancel()
        queue.ask(lambda: drawn.append("next"))

    queue.ask(lead)
    others = [queue.ask(lambda: drawn.append("gone")) for _ in range(3)]
    await rounds(1)
    assert drawn == [], "what a drawing asks for is not drawn before the next round"
    await rounds(2)
    assert drawn == ["next"]
    assert failed == []

"""Circles are looked for once as many have left as are there, and not for each who leaves."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from server import collector
from server.collector import LEAST_GONE, Leavings


class Knot:
    def __init__(self) -> None:
        self.knows = self


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(collector, "SOON_S", 0.0)
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("staying", [0, LEAST_GONE, 3 * LEAST_GONE])
async def test_a_round_comes_when_as_many_have_left_as_stay(staying: int) -> None:
    leavings, knot = Leavings(), weakref.ref(Knot())
    for _ in range(max(staying, LEAST_GONE) - 1):
        leavings.gone(staying)
    await asyncio.sleep(0.05)
    assert knot() is not None
    leavings.gone(staying)
    while knot() is not None:
        await asyncio.sleep(0.01)
    again = weakref.ref(Knot())
    leavings.gone(staying)
    await asyncio.sleep(0.05)
    assert again() is not None

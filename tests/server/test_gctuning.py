"""Circles are looked for once as many have left as are there, and not for each who leaves."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from server import gctuning
from server.gctuning import FEW, MANY, FullCollections


class Knot:
    def __init__(self) -> None:
        self.knows = self


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(gctuning, "SOON_S", 0.0)
    gc.disable()
    yield
    gc.enable()


async def is_untied(knot: weakref.ref[Knot]) -> bool:
    """Tell whether a circle is found within a moment."""
    for _ in range(20):
        await asyncio.sleep(0.005)
    return knot() is None


@pytest.mark.parametrize("staying", [FEW + 1, MANY, 3 * MANY])
async def test_a_round_comes_when_as_many_have_left_as_stay(staying: int) -> None:
    full_collections, knot = FullCollections(), weakref.ref(Knot())
    for _ in range(max(staying, MANY) - 1):
        full_collections.gone(staying)
    assert not await is_untied(knot)
    full_collections.gone(staying)
    assert await is_untied(knot)
    again = weakref.ref(Knot())
    full_collections.gone(staying)
    assert not await is_untied(again)


async def test_a_round_comes_after_a_while_where_few_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    full_collections, knot = FullCollections(), weakref.ref(Knot())
    full_collections.gone(FEW)
    assert not await is_untied(knot)
    monkeypatch.setattr(gctuning, "QUIET_S", 0.0)
    full_collections = FullCollections()
    full_collections.gone(FEW + 1)
    assert not await is_untied(knot)
    full_collections.gone(FEW)
    assert await is_untied(knot)


async def test_a_round_is_not_put_off_for_ever_by_those_who_come_and_go() -> None:
    full_collections, knot = FullCollections(), weakref.ref(Knot())
    for n in range(3 * MANY):
        full_collections.gone(3 * MANY - n)
    assert await is_untied(knot)


def test_modules_that_were_loaded_are_never_looked_through() -> None:
    """Switching the collector on again had it look through all that was loaded meanwhile."""
    before = gc.get_freeze_count()
    gc.enable()
    try:
        with gctuning.loading():
            assert not gc.isenabled()
            loaded = [[] for _ in range(1000)]  # type: ignore[var-annotated]
        assert gc.isenabled()
        assert gc.get_freeze_count() - before >= len(loaded)
    finally:
        gc.unfreeze()

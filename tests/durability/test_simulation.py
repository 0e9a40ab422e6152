"""Thousands of ways for things to go wrong; and three planted bugs, to know that the simulation would tell."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from server.errors import Refused
from server.matches.live import LoggedMatch
from server.store.appends import Append
from server.store.logwriter import LogWriter
from tests.durability.simulation import simulate

SEEDS = 4
SEEDS_SOAKED = 3_000


def check(seeds: range) -> None:
    print("seeds", seeds)
    for seed in seeds:
        assert simulate(seed) == [], f"seed {seed}"


def test_nothing_is_lost_doubled_or_misshown_whatever_fails() -> None:
    begin = random.randrange(10**6)
    check(range(begin, begin + SEEDS))


@pytest.mark.soak
def test_nothing_is_lost_doubled_or_misshown_in_thousands_of_runs() -> None:
    begin = random.randrange(10**6)
    check(range(begin, begin + SEEDS_SOAKED))


def is_found() -> bool:
    """Tell whether the simulation notices that something is wrong."""
    return any(simulate(seed) for seed in range(12))


def test_it_finds_a_lost_append(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    append = LogWriter.append

    async def forgetful(self: LogWriter, wanted: Append) -> None:
        if rng.random() > 0.03:
            await append(self, wanted)

    monkeypatch.setattr(LogWriter, "append", forgetful)
    assert is_found()


def test_it_finds_an_entry_that_is_applied_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    append = LogWriter.append

    async def eager(self: LogWriter, wanted: Append) -> None:
        await append(self, wanted)
        if rng.random() < 0.1:
            again = tuple(replace(entry, seq=entry.seq + 1) for entry in wanted.entries)
            await append(self, replace(wanted, entries=again))

    monkeypatch.setattr(LogWriter, "append", eager)
    assert is_found()


def test_it_finds_an_append_that_is_tried_again_without_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    submit = LoggedMatch.submit

    async def stubborn(self: LoggedMatch, draft: Any) -> int:
        try:
            return await submit(self, draft)
        except Refused:
            return self.line.head.seq

    monkeypatch.setattr(LoggedMatch, "submit", stubborn)
    assert is_found()


def test_it_finds_a_stale_view(monkeypatch: pytest.MonkeyPatch) -> None:
    view = LoggedMatch._view

    def lazy(self: LoggedMatch, viewer: Any, standing: Any) -> Any:
        seq, held = self._views.get(viewer, (-1, None))
        return held if held is not None and standing.seq - seq < 2 else view(self, viewer, standing)

    monkeypatch.setattr(LoggedMatch, "_view", lazy)
    assert is_found()

"""Matches of its own for each test, with the tiny game in them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from game import registry
from tests.clocks import FakeClock
from tests.conformance import tiny
from tests.conformance.tiny import bot, rules
from tests.matches.table import Table, new_database, open_matches


@pytest.fixture(autouse=True)
def tiny_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `registry.get("tiny")` find the game that lives in the tests."""
    monkeypatch.setattr(registry, "KEYS", (*registry.KEYS, "tiny"))
    for name, module in {"game.tiny": tiny, "game.tiny.rules": rules, "game.tiny.bot": bot}.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


@pytest.fixture
async def table(url: str, clock: FakeClock) -> AsyncIterator[Table]:
    async with open_matches(url, clock) as opened:
        yield opened

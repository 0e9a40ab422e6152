"""Matches of its own for each test, with the tiny game in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clocks import FakeClock
from tests.conformance.tiny.registering import tiny_is_registered
from tests.matches.table import Table, new_database, open_matches

__all__ = ["clock", "table", "tiny_is_registered", "url"]


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

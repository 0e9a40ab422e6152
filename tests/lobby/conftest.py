"""A lobby of its own for each test, over matches of the tiny game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clocks import FakeClock
from tests.conformance.tiny.registering import tiny_is_registered
from tests.lobby.opened import OpenLobby, open_lobby
from tests.matches.table import new_database

__all__ = ["tiny_is_registered"]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


@pytest.fixture
async def lobby(url: str, clock: FakeClock) -> AsyncIterator[OpenLobby]:
    async with open_lobby(url, clock) as opened:
        yield opened

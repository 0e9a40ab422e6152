"""A server for every test of sessions and screens that wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.session.fakeserver import FakeServer


@pytest.fixture(autouse=True)
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screens offer RaiNet only, so that a new game changes no golden screen."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game == "rainet")


@pytest.fixture(autouse=True)
def drawing_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no frame or answer come later because the machine is slow: what a session may draw is counted in CPU time."""
    monkeypatch.setattr("server.terminal.loop.thread_time", lambda: 0.0)
    monkeypatch.setattr("server.session.dialogue.thread_time", lambda: 0.0)


@pytest.fixture
async def server(migrated_file: Path) -> AsyncIterator[FakeServer]:
    made = FakeServer(migrated_file)
    await made.start()
    yield made
    await made.close()

"""A server of fakes for every test of sessions and screens that wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from server.accounts.preferences import Preferences
from tests.session.fakeserver import FakeServer


@pytest.fixture(autouse=True)
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screens offer RaiNet only, so that a new game changes no golden screen."""
    monkeypatch.setattr("server.screens.playnow.has_board", lambda game: game == "rainet")


@pytest.fixture(autouse=True)
def drawing_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no frame come later because the machine is slow: what a session may draw is counted in CPU time."""
    monkeypatch.setattr("server.terminal.loop.thread_time", lambda: 0.0)


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    made = FakeServer()
    for account_id in range(1, 7):
        made.accounts.kept[account_id] = Preferences(calibrated=True)
    yield made
    await made.close()

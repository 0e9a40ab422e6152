"""What the durability tests share with those of matches, and how they tell their figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.matches.conftest import clock, table, tiny_is_registered, url

__all__ = ["clock", "say", "table", "tiny_is_registered", "url"]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Say something at once, past what pytest keeps to itself: the figures of long tests, of others only in need."""
    is_long = request.node.get_closest_marker("soak") is not None

    def tell(matchlog: str) -> None:
        if not is_long:
            print(matchlog)
            return
        with capsys.disabled():
            print(f"\n{matchlog}", flush=True)

    return tell

"""The tiny game as one of the registry, for tests of what all games share."""

from __future__ import annotations

import sys

import pytest

from game import registry
from tests.conformance import tiny
from tests.conformance.tiny import bot, rules


@pytest.fixture(autouse=True)
def tiny_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `registry.get("tiny")` find the game that lives in the tests."""
    monkeypatch.setattr(registry, "KEYS", (*registry.KEYS, "tiny"))
    for name, module in {"game.tiny": tiny, "game.tiny.rules": rules, "game.tiny.bot": bot}.items():
        monkeypatch.setitem(sys.modules, name, module)

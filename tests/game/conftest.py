"""The tiny game, registered like any other for the tests of what all games share."""

from __future__ import annotations

import sys

import pytest

import tests.conformance.tiny as tiny
import tests.conformance.tiny.bot as bot
import tests.conformance.tiny.rules as rules
from game import registry


@pytest.fixture(autouse=True)
def tiny_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `registry.get("tiny")` find the game that lives in the tests."""
    monkeypatch.setattr(registry, "KEYS", (*registry.KEYS, "tiny"))
    for name, module in {"game.tiny": tiny, "game.tiny.rules": rules, "game.tiny.bot": bot}.items():
        monkeypatch.setitem(sys.modules, name, module)

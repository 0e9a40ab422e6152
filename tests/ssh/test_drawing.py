"""Events as text for `watch` and `replay`: the sentences of the board."""

from __future__ import annotations

from typing import Any

from game import registry
from game.contract import Watcher
from server.boards.recordings import event_text
from server.matches.model import SeenEvent
from server.terminal.look import Look
from tests.boards.positions import snapshot

LOOK = Look("monochrome", "unicode", "en")


def told(kind: str, **params: Any) -> str:
    state = registry.get("netrunner").setup({}, 2, bytes(32)).state
    return event_text(LOOK, snapshot("netrunner", state, Watcher.PUBLIC), SeenEvent(1, kind, params))


def test_an_event_that_is_worth_no_line_gets_none() -> None:
    """It was written by its name and parameters."""
    assert told("passed-ice") == ""
    assert told("gained", side=0, credits=5) == "mira gains 5¢"


def test_what_the_server_did_has_its_sentence_too() -> None:
    assert told("match.resign", seat=1) == "tarn resigns"

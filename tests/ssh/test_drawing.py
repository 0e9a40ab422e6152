"""Events as text for `watch` and `replay`: the sentences of the board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from game import registry
from game.contract import Watcher
from server.matches.model import SeenEvent
from server.ssh.call import Call
from server.ssh.commands.drawing import event_text
from tests.boards.positions import snapshot

CALL = cast(Call, SimpleNamespace(env={"LANG": "C.UTF-8"}, language="en"))


def told(kind: str, **params: Any) -> str:
    state = registry.get("netrunner").setup({}, 2, bytes(32)).state
    return event_text(CALL, snapshot("netrunner", state, Watcher.PUBLIC), SeenEvent(1, kind, params))


def test_an_event_that_is_worth_no_line_gets_none() -> None:
    """It was written by its name and parameters."""
    assert told("passed-ice") == ""
    assert told("gained", side=0, credits=5) == "mira gains 5¢"


def test_what_the_server_did_has_its_sentence_too() -> None:
    assert told("match.resign", seat=1) == "tarn resigns"

"""Events and positions as text for `watch`, `replay` and `show`: the sentences of the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.contract import Result, Seat, Watcher
from server.boards.recordings import event_text, position_text
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


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_position_told_who_is_to_act_below_a_screen_of_blanks_and_in_english(language: str) -> None:
    look = replace(LOOK, language=language)
    state = registry.get("passage").setup({}, 3, bytes(32)).state
    shot = snapshot("passage", state, Watcher.PUBLIC, n_seats=3)
    lines = position_text(look, shot).splitlines()
    name = shot.seats[shot.deciding[0][0]].player.name
    assert lines[-1] == look.t("match.waiting", name=name)
    assert lines[-2].strip()
    over = replace(shot, result=Result(((Seat(2),), (Seat(0),), (Seat(1),)), "last"), status="finished", deciding=())
    *_, said, places = position_text(look, over).splitlines()
    winner, second, last = (shot.seats[seat].player.name for seat in (2, 0, 1))
    assert winner in said
    assert places == f"{winner} > {second} > {last}"

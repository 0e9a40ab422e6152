"""docs/netrunner-notation.md: every example is played, and holds what stands under it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game.contract import Action, Seat
from game.errors import IllegalAction
from game.netrunner.action_text import SHAPES
from game.netrunner.rules import GAME
from game.netrunner.state import State
from game.netrunner.timing import TABLE
from tests.game.test_command_line_page import Example, check, examples

PAGE = Path(__file__).parents[2] / "docs" / "netrunner-notation.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```netrunner\n(.*?)```", TEXT, re.DOTALL)
SEATS = {"corp": 0, "runner": 1}


def lines_of(block: str) -> tuple[Any, list[str]]:
    """Return a block's position and the lines after it."""
    lines = block.splitlines()
    begins = next((i for i, line in enumerate(lines) if line[:2] in ("> ", "! ", "= ")), len(lines))
    return json.loads("\n".join(lines[:begins])), lines[begins:]


def play(state: State, text: str) -> State:
    """Play an action for whoever is asked, or for the side that it names."""
    side, colon, rest = text.partition(": ")
    if colon and side in SEATS:
        return GAME.apply(state, Seat(SEATS[side]), Action(rest)).state
    return GAME.apply(state, GAME.pending(state)[0].seat, Action(text)).state


def held(position: Any, path: str) -> Any:
    """Return what a position holds at a path of names and numbers."""
    for part in path.split("."):
        position = position[int(part)] if isinstance(position, list) else position.get(part, {})
    return position


def quiet(state: State) -> State:
    """Pass the windows that nobody has anything to do in."""
    while GAME.pending(state) and {str(p.choice) for p in GAME.pending(state)} == {PASS}:
        state = GAME.apply(state, GAME.pending(state)[0].seat, Action("pass")).state
    return state


PASS = str(GAME.pending(GAME.read_position({"step": "runner.1.2"}, {}))[0].choice)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[-1])
def test_the_page_tells_what_comes_of_a_position(block: str) -> None:
    position, lines = lines_of(block)
    state = GAME.read_position(position, {})
    for line in lines:
        mark, text = line[0], line[2:]
        if mark == ">":
            try:
                state = play(state, text)
            except IllegalAction:
                state = play(quiet(state), text)
        elif mark == "!":
            with pytest.raises(IllegalAction):
                play(state, text)
        else:
            path, _, value = text.partition(" ")
            assert held(GAME.write_position(state), path) == json.loads(value)


def console() -> Iterator[Example]:
    return examples(TEXT)


@pytest.mark.parametrize("example", list(console()), ids=lambda example: example.command[:50])
def test_the_page_tells_what_the_command_line_says(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    check(example, capsys)


def test_the_page_names_every_step_and_every_verb() -> None:
    named = set(re.findall(r"`((?:corp|runner|run|setup)\.[\w.]+)`", TEXT))
    assert set(TABLE) <= named
    assert all(f"`{verb}" in TEXT for verb in SHAPES)

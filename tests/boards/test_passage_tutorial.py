"""Passage's lessons: each can be read, done by the keys it speaks of, and has its words."""

from __future__ import annotations

import pytest

from game.choices import expand
from game.contract import Action
from server.boards.board import board
from server.boards.lesson import Lesson, Practice, lessons
from server.terminal.look import Look

KEYS = {
    "draw": "e",
    "look": "down enter",
    "slip": "down enter",
    "attack": "enter down enter",
    "bottom": "enter",
    "warden": "end enter",
    "judge": "v",
    "give": "down enter",
}


def test_every_lesson_is_tried() -> None:
    assert [lesson.name for lesson in lessons("passage")] == list(KEYS)


@pytest.mark.parametrize("lesson", lessons("passage"), ids=lambda lesson: lesson.name)
def test_a_lesson_is_done_by_the_keys_it_speaks_of(lesson: Lesson) -> None:
    table, shown = Practice("passage", lesson, "mira"), board("passage")
    chosen = shown.start(table.snapshot, b"")
    answer = None
    for key in KEYS[lesson.name].split():
        answer = shown.press(table.snapshot, chosen, key)
        chosen = chosen if answer is None or isinstance(answer, Action) else answer
    assert isinstance(answer, Action)
    assert table.play(answer)
    assert all(shown.say(table.snapshot, Look(), event) for event in table.events)


@pytest.mark.parametrize("lesson", lessons("passage"), ids=lambda lesson: lesson.name)
def test_a_lesson_can_be_done_wrong(lesson: Lesson) -> None:
    table = Practice("passage", lesson, "mira")
    pending = table.snapshot.pending
    assert pending is not None
    offered = list(expand(pending.choice))
    right = [action for action in offered if lesson.is_done_by(action.text)]
    assert right
    assert len(right) < len(offered) or lesson.name == "warden"

"""Netrunner's lessons, a part for each side: each can be read, done by the keys it speaks of, and has its words."""

from __future__ import annotations

import pytest

from game.choices import expand
from game.contract import Action
from server.boards.board import board
from server.boards.lesson import Lesson, Practice, parts
from server.i18n.catalogues import LANGUAGES, catalogue
from server.screens.tutorials import tutorials
from server.terminal.lines import width_cols
from server.terminal.look import Look
from tests.boards import golden
from tests.session.fakeserver import FakeServer, account

WORDS = ("title", "text", "done")
KEYS = {
    "corp-credit": "1",
    "corp-ice": "4 1",
    "corp-agenda": "3 1",
    "corp-advance": "3",
    "corp-score": "1",
    "corp-rez": "1",
    "corp-window": "space",
    "corp-quiet": "z",
    "corp-settings": "a enter",
    "corp-tag": "3",
    "corp-win": "1",
    "runner-event": "4",
    "runner-install": "5",
    "runner-run": "3 2",
    "runner-strength": "1",
    "runner-break": "1",
    "runner-jack-out": "1",
    "runner-access": "1",
    "runner-tag": "5",
}
ALL = [lesson for part in parts("netrunner").values() for lesson in part]


def test_every_lesson_is_tried() -> None:
    assert [*parts("netrunner")] == ["corp", "runner"]
    assert [lesson.name for lesson in ALL] == list(KEYS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_lesson_points_above_or_below_itself(language: str) -> None:
    """ "The dots above" stood below: the words are above the board or beside it, as wide as the screen is."""
    look = Look(language=language)
    for lesson in ALL:
        for word in WORDS:
            said = look.t(f"tutorial.netrunner.{lesson.name}.{word}").lower()
            assert not [one for one in ("above", "below", "上方", "下方", "上面", "下面") if one in said], said


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_is_done_by_the_keys_it_speaks_of(lesson: Lesson) -> None:
    table, shown = Practice("netrunner", lesson, "mira"), board("netrunner")
    chosen = shown.start(table.snapshot, b"")
    answer = None
    for key in KEYS[lesson.name].split(" "):
        answer = shown.press(table.snapshot, chosen, {"space": " "}.get(key, key))
        chosen = chosen if answer is None or isinstance(answer, Action) else answer
    if not isinstance(answer, Action):
        found = shown.unasked(table.snapshot, chosen)
        answer = found.action if found is not None else None
    assert isinstance(answer, Action)
    assert table.play(answer)


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_can_be_done_wrong(lesson: Lesson) -> None:
    shot = Practice("netrunner", lesson, "mira").snapshot
    assert shot.pending is not None
    offered = [action for choice in (shot.pending.choice, *shot.settings) for action in expand(choice)]
    right = [action for action in offered if lesson.is_done_by(action.text)]
    assert right
    assert len(right) < len(offered)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_have_their_words(language: str) -> None:
    known = catalogue(language)
    wanted = [f"tutorial.netrunner.{lesson.name}.{part}" for lesson in ALL for part in WORDS]
    assert [key for key in (*wanted, "tutorial.netrunner.end", "tutorial.of-side") if not known.has(key)] == []


async def test_each_side_has_its_tutorial_and_it_fits_the_smallest_screen(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))
    mira = await server.connect(account("mira"))
    await mira.type("u")
    golden.check("tutorials-80", mira.text)
    await mira.type("down", "down", "enter")
    golden.check("netrunner-tutorial-80", mira.text)
    await mira.type("4")
    assert mira.says("tutorial.netrunner.runner-event.done")
    for key in ("5", "3"):
        await mira.type("enter", key)
    await mira.type("2")
    assert mira.says("tutorial.netrunner.runner-run.done")


async def test_help_on_netrunner_leads_to_its_tutorials(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game == "netrunner")
    mira = await server.connect(account("mira"))
    await mira.type("b", "enter", "?", "u")
    assert "Netrunner: Corp" in mira.text
    assert "Netrunner: Runner" in mira.text


def test_games_without_sides_have_one_tutorial() -> None:
    assert tutorials(("rainet", "netrunner")) == [("rainet", ""), ("netrunner", "corp"), ("netrunner", "runner")]


@pytest.mark.parametrize("look", [Look(), Look(language="zh_CN")], ids=["en", "zh"])
@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_lesson_s_board_fits_below_its_words(lesson: Lesson, look: Look) -> None:
    table, shown = Practice("netrunner", lesson, "mira"), board("netrunner")
    lines = shown.render(table.snapshot, shown.start(table.snapshot, b""), look, 80, 10)
    assert [width_cols(line) for line in lines] == [80] * 10
    assert any(
        text.strip(f" {look.glyphs.pointer}").startswith(("1 ", look.t("key.space")))
        for text in ("".join(part for _, part in line) for line in lines)
    )


async def test_changing_when_to_stop_closed_its_list_and_esc_the_tutorial(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))
    mira = await server.connect(account("mira"))
    await mira.type("u", "down", "down", "enter", "a")
    assert mira.says("netrunner.do.auto")
    await mira.type("enter")
    assert mira.says("netrunner.do.auto")
    await mira.type("esc")
    assert not mira.says("netrunner.do.auto")
    assert "Netrunner" in mira.text
    await mira.type("4")
    assert mira.says("tutorial.netrunner.runner-event.done")


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.name)
def test_a_runner_in_the_middle_of_a_run_had_every_click_left(lesson: Lesson) -> None:
    """The lesson before had just taught that a run costs one."""
    shot = Practice("netrunner", lesson, "mira").snapshot
    if shot.view.scene.run is not None:
        assert shot.view.scene.clicks[1] < 4


async def test_the_key_that_goes_on_everywhere_else_was_dead_when_a_step_was_done(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))
    mira = await server.connect(account("mira"))
    await mira.type("u", "down", "down", "enter", "4")
    assert mira.says("tutorial.netrunner.runner-event.done")
    await mira.type(" ")
    assert mira.says("tutorial.netrunner.runner-install.title")

"""Every tutorial is played to its end by somebody who hears it: an action does the lesson, a word goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game import registry
from game.contract import Action, Number, OneOf, Subset
from game.errors import GameError
from server.boards.lesson import Lesson, Practice, lessons, parts
from server.i18n.catalogues import CHOICES
from server.screens.tutorial import TutorialPage
from server.terminal.look import Look
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import hear

TAUGHT = [(game, part) for game in registry.in_order(registry.KEYS) for part in parts(game)]


def possible(practice: Practice) -> Iterator[Action]:
    """Yield what may be tried: the actions that are offered, and the settings."""
    shot = practice.snapshot
    asked = [shot.pending.choice] if shot.pending is not None else []
    for choice in (*asked, *shot.settings):
        match choice:
            case OneOf(actions):
                yield from actions
            case Subset(verb, items):
                yield from (Action(f"{verb} {item}") for item in items)
            case Number(verb, low, high):
                yield from (Action(f"{verb} {n}") for n in range(low, high + 1))


def does(game: str, lesson: Lesson, action: Action) -> bool:
    """Tell whether an action does a lesson."""
    try:
        return Practice(game, lesson, "mira").play(action)
    except GameError:
        return False


def solution(game: str, lesson: Lesson) -> str:
    """Return the first action that does a lesson."""
    return next(one.text for one in possible(Practice(game, lesson, "mira")) if does(game, lesson, one))


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize(("game", "part"), TAUGHT)
async def test_nobody_could_go_on_to_the_second_lesson(server: FakeServer, game: str, part: str, language: str) -> None:
    hearer = await hear(server, account("mira"), edits=False)
    session, look = hearer.session, Look(language=language).heard()
    session.display.use(language=language)
    session.pages.push(TutorialPage(session, game, part))
    await hearer.line("again")
    for number, lesson in enumerate(lessons(game, part), 1):
        page = session.pages.top
        assert isinstance(page, TutorialPage)
        assert page.index + 1 == number, hearer.said.sent
        said = await hearer.line(solution(game, lesson))
        assert page.is_done, said
        said = await hearer.line(look.t("keys.tutorial.finish" if page.is_finished else "keys.tutorial.next"))
    assert not isinstance(session.pages.top, TutorialPage)
    await hearer.hang_up()


async def test_a_lesson_did_not_say_what_a_virus_check_had_shown(server: FakeServer) -> None:
    """Whoever sees the board sees it; whoever hears it heard only that the lesson was done."""
    hearer = await hear(server, account("mira"), edits=False)
    page = TutorialPage(hearer.session, "rainet")
    page.go_to(next(i for i, lesson in enumerate(page.lessons) if lesson.name == "check"))
    hearer.session.pages.push(page)
    await hearer.line("again")
    assert "d5: " in await hearer.line("?d5"), "and what it is"

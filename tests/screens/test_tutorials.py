"""What a stranger stumbled over in the tutorials: a wrong answer, Enter where nothing is, the end, the list."""

from __future__ import annotations

import pytest

from game import registry
from game.contract import Action
from server.accounts.preferences import Preferences
from server.boards.lesson import lessons, parts
from server.i18n.catalogues import CHOICES
from server.screens.tutorial import TutorialPage
from server.screens.tutorials import TutorialsPage
from server.session import places
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.hearing import hear
from tests.session.test_lessons_in_lines import possible, solution
from tests.texts import en

TAUGHT = [(game, part) for game in registry.in_order(registry.KEYS) for part in parts(game)]


async def at_lesson(server: FakeServer, game: str, name: str, part: str = "", cols: int = 80) -> Seated:
    """Sit down before a lesson, with its board in view."""
    seated = await server.connect(account("mira"), cols)
    page = TutorialPage(seated.session, game, part)
    page.go_to(next(i for i, lesson in enumerate(page.lessons) if lesson.name == name))
    page.reads = False
    seated.session.pages.push(page)
    await seated.settle()
    return seated


def page_of(seated: Seated) -> TutorialPage:
    found = seated.session.pages.top
    assert isinstance(found, TutorialPage)
    return found


def finish(page: TutorialPage) -> None:
    """Do every lesson of a tutorial, but for the key that leaves it."""
    for index, lesson in enumerate(page.lessons):
        page.begin(index)
        page.play(Action(solution(page.game, lesson)))


async def test_a_firewall_on_another_square_was_called_about_something_else(server: FakeServer) -> None:
    seated = await at_lesson(server, "rainet", "wall")
    await seated.type("f", "enter")
    assert seated.says("tutorial.other", ask=seated.session.t("tutorial.rainet.wall.ask"))
    assert "d2" in seated.session.t("tutorial.rainet.wall.ask")


@pytest.mark.parametrize(("game", "part"), TAUGHT)
async def test_every_step_says_what_it_wants_in_its_own_words(server: FakeServer, game: str, part: str) -> None:
    seated = await server.connect(account("mira"))
    page = TutorialPage(seated.session, game, part)
    for index, lesson in enumerate(page.lessons):
        page.begin(index)
        wrong = [one for one in possible(page.practice) if not lesson.is_done_by(one.text)]
        for action in [one for one in wrong if not page.practice.is_setting(one)][:1]:
            page.play(action)
            said = seated.session.prompts.said
            assert said is not None
            assert seated.session.t(f"tutorial.{game}.{lesson.name}.ask") in said.text


@pytest.mark.parametrize(("game", "part"), TAUGHT)
async def test_enter_in_a_tutorial_did_nothing_and_said_nothing(server: FakeServer, game: str, part: str) -> None:
    seated = await server.connect(account("mira"))
    for lesson in lessons(game, part):
        page = TutorialPage(seated.session, game, part)
        page.go_to(page.lessons.index(lesson))
        page.reads = False
        seated.session.pages.push(page)
        await seated.settle()
        for _ in range(4):
            before = page.selection, page.is_done
            await seated.type("enter")
            if seated.session.pages.top is not page:
                break
            says = seated.session.prompts.said is not None
            assert says or (page.selection, page.is_done) != before, (lesson.name, page.selection)
        seated.session.pages.pop_to(next(iter(seated.session.pages)))


async def test_enter_was_dead_while_404_asked_whether_to_swap(server: FakeServer) -> None:
    seated = await at_lesson(server, "rainet", "404")
    await seated.type("4", "enter", "down", "down", "enter")
    page = page_of(seated)
    while page.board.context(page.selection) != "rainet.404":
        await seated.type(".", "enter")
    await seated.type("enter")
    assert seated.says("match.no-enter")
    assert page_of(seated) is page


async def test_a_card_that_enters_was_asked_about_beside_the_name_of_a_server(server: FakeServer) -> None:
    """“North’s server” stood behind the question and broke it into two lines; nobody had said who North is."""
    seated = await at_lesson(server, "rainet", "enter")
    await seated.type("enter", "up")
    assert seated.says("rainet.here.enter", **{"from": "d8"})
    assert seated.says("rainet.square.server-theirs")
    await seated.type("enter")
    assert seated.says("rainet.do.enter", square="d8")
    assert not seated.says("rainet.square.server-theirs")


async def test_the_stacks_were_gone_just_when_a_card_had_come_there(server: FakeServer) -> None:
    seated = await at_lesson(server, "rainet", "take")
    await seated.type("enter", "up", "enter")
    assert seated.says("tutorial.rainet.take.done")
    assert seated.says("rainet.stack.link", n=1)


async def test_dots_of_progress_came_and_went_with_the_length_of_a_title(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    page = TutorialPage(seated.session, "passage")
    seated.session.pages.push(page)
    have = set[bool]()
    for index in range(len(page.lessons)):
        page.begin(index)
        page.reads = False
        seated.session.display.dirty()
        await seated.settle()
        glyphs = seated.session.look.glyphs
        have.add(glyphs.on in seated.text or glyphs.off * 2 in seated.text)
    assert len(have) == 1


@pytest.mark.parametrize("is_guest", [False, True])
async def test_a_finished_tutorial_was_not_marked_in_the_list_and_enter_led_elsewhere(
    server: FakeServer, is_guest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "relati"))
    seated = await server.connect(guest() if is_guest else account("mira"))
    seated.session.go(places.TutorialsPlace())
    await seated.settle()
    await seated.type("enter")
    page = page_of(seated)
    page.go_to(2)
    await seated.type("esc")
    assert isinstance(seated.session.pages.top, TutorialsPage), "esc goes back to the list"
    assert seated.says("tutorial.goes-on", n=3, of=len(page.lessons))
    await seated.type("enter")
    finish(page_of(seated))
    await seated.settle()
    assert seated.says("tutorial.finished")
    assert seated.says("keys.tutorial.finish")
    await seated.type("enter")
    assert isinstance(seated.session.pages.top, TutorialsPage)
    assert seated.says("tutorial.was-finished")
    assert not seated.says("tutorial.goes-on", n=3, of=len(page.lessons))
    await seated.type("enter")
    assert page_of(seated).index == 0, "it begins anew"
    page_of(seated).go_to(4)
    assert seated.session.person.has_finished_lessons(page.game, page.part), "and stays finished"


async def test_a_finished_tutorial_is_kept_with_the_account(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    page = TutorialPage(seated.session, "relati")
    page.go_to(3)
    finish(page)
    await seated.settle()
    again = await server.connect(account("mira"))
    assert again.session.person.has_finished_lessons("relati", "")
    assert again.session.person.lesson("relati", "", len(page.lessons)) == 0


async def test_the_board_was_gone_as_soon_as_the_first_step_was_done(server: FakeServer) -> None:
    """What was read of the goal stood above what was learnt, and both had no room beside the board."""
    seated = await at_lesson(server, "rainet", "move")
    await seated.type("enter", "up", "enter")
    assert page_of(seated).is_done
    assert not page_of(seated).shows_text
    assert seated.says("rainet.server"), "the board"


@pytest.mark.parametrize(("game", "part"), TAUGHT)
async def test_a_step_could_be_neither_left_out_nor_gone_back_from(server: FakeServer, game: str, part: str) -> None:
    seated = await at_lesson(server, game, lessons(game, part)[0].name, part)
    await seated.type("page up")
    assert seated.says("tutorial.is-first")
    for index in range(1, len(lessons(game, part))):
        await seated.type("page down")
        assert page_of(seated).index == index
    await seated.type("page down")
    assert seated.says("tutorial.is-last")
    assert not seated.session.person.has_finished_lessons(game, part), "left out is not done"
    await seated.type("page up")
    assert page_of(seated).index == len(lessons(game, part)) - 2


async def test_a_tutorial_had_no_list_of_its_steps(server: FakeServer) -> None:
    seated = await at_lesson(server, "rainet", "wall")
    page = page_of(seated)
    await seated.type("S")
    headings = [page.heading(index) for index in range(len(page.lessons))]
    assert all(any(heading in row for row in seated.rows) for heading in headings)
    here = seated.session.t("tutorial.here")
    assert [row for row in seated.rows if here in row] == [row for row in seated.rows if headings[page.index] in row]
    await seated.type("enter")
    assert page_of(seated) is page, "the chosen one is where one is"
    await seated.type("S", "home", "enter")
    assert page_of(seated).index == 0
    assert headings[0] in seated.text


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize(("game", "part"), TAUGHT)
async def test_which_step_one_is_at_was_cut_in_forty_columns(
    server: FakeServer, game: str, part: str, language: str
) -> None:
    server.prefer("mira", Preferences(calibrated=True, language=language))
    seated = await at_lesson(server, game, lessons(game, part)[0].name, part, cols=40)
    here = seated.session.t("tutorial.here")
    assert here not in page_of(seated).heading(0)
    await seated.type("S")
    assert [row for row in seated.rows if row.rstrip().endswith(here)]


async def test_a_key_of_the_tutorial_goes_to_the_board_while_something_is_chosen_there(server: FakeServer) -> None:
    seated = await at_lesson(server, "rainet", "wall")
    index = page_of(seated).index
    await seated.type("f", "page down")
    assert page_of(seated).index == index
    await seated.type("esc", "page down")
    assert page_of(seated).index == index + 1


async def test_steps_are_chosen_in_lines(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), True)
    await hearer.line("tutorial")
    page = TutorialPage(hearer.session, "rainet")
    hearer.session.pages.push(page)
    await hearer.settle()
    await hearer.line("other step")
    assert page.index == 1
    await hearer.line("other step back")
    assert page.index == 0
    said = await hearer.line("steps")
    assert page.heading(2) in said
    await hearer.line("3")
    assert page.index == 2


@pytest.mark.parametrize("name", ["contact", "shot", "escape"])
async def test_a_lesson_that_was_spoilt_was_well_done(server: FakeServer, name: str) -> None:
    """Who spent the source heard no word of it; now it is said, and the lesson stands as it was."""
    seated = await at_lesson(server, "relati", name)
    page = page_of(seated)
    before = page.snapshot
    spoilt = [one for one in possible(page.practice) if page.practice.lesson.is_spoilt_by(one.text)]
    assert spoilt
    for action in spoilt:
        page.play(action)
        await seated.settle()
        assert not page.is_done
        assert page.snapshot == before
        assert seated.says(f"tutorial.relati.{name}.spoilt")
    page.play(Action(solution("relati", page.practice.lesson)))
    assert page.is_done


async def test_a_tutorial_of_which_only_the_last_step_was_done_counted_as_finished(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    page, person = TutorialPage(seated.session, "rainet"), seated.session.person
    last = len(page.lessons) - 1
    page.play(Action(solution("rainet", page.lessons[0])))
    page.go_to(last)
    again = TutorialPage(seated.session, "rainet")
    assert (again.index, again.left_out) == (last, tuple(range(1, last)))
    again.play(Action(solution("rainet", again.lessons[last])))
    assert again.is_finished
    assert not person.has_finished_lessons("rainet", "")
    steps = en("list.comma").join(str(n) for n in range(2, last + 1))
    assert en("tutorial.left-out", steps=steps) in [one.text for one in again.told()]
    finish(again)
    assert person.has_finished_lessons("rainet", "")

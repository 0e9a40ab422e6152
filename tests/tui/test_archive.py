"""What one looks back on: replay, ladders, profile; and the tutorial. Typed at, and read off the screen."""

from __future__ import annotations

from typing import Any

import pytest

from game.contract import Viewer, Watcher
from server.ratings.ladders import all_ladders
from server.ratings.ratings import Ranked
from server.ratings.scale import Rating
from server.ssh.term import client_term
from server.tui.curve import curve
from server.tui.lines import text_of, width_cols
from server.tui.look import Look
from server.tui.screens.ladders import LaddersPage
from server.tui.screens.profile import ProfilePage
from server.tui.screens.replay import ReplayPage
from server.tui.screens.tutorial import TutorialPage
from server.tui.tutorials import lessons
from server.tui.tutorials.table import Table
from tests.tui.fakeplay import FakeMatch
from tests.tui.house import House, Seated, account
from tests.tui.positions import person

OPENING = "lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"


class PlayedMatch(FakeMatch):
    """A match that can be looked at as it was."""

    def __init__(self) -> None:
        super().__init__("rainet", (person("mira"), person("tarn")), "m9", OPENING)
        self.states = [self.state]
        for seat, action in enumerate(("d2d3", "d7d6", "d3d4", "d6d5", "d4d5")):
            self.play(seat % 2, action)
            self.states.append(self.state)
        self.changes = {"status": "finished"}

    def at(self, seq: int, viewer: Viewer) -> Any:
        now = self.state, self.seq
        self.state, self.seq = self.states[seq], seq
        try:
            return self.snapshot(viewer)
        finally:
            self.state, self.seq = now


async def on_page(house: House, make: Any, cols: int = 80) -> Seated:
    seated = await house.connect(account("mira"), cols, 24 if cols == 80 else 40)
    seated.session.push(make(seated.session))
    await seated.settle()
    return seated


async def test_a_replay_steps_jumps_and_looks_through_other_eyes(house: House) -> None:
    seated = await on_page(house, lambda session: ReplayPage(session, PlayedMatch()))
    assert "entry 5 of 5" in seated.text
    assert "all cards open" in seated.text
    await seated.type("home")
    assert "entry 0 of 5" in seated.text
    await seated.type("right", "right", "left")
    assert "entry 1 of 5" in seated.text
    await seated.type("g", "4", "enter")
    assert "entry 4 of 5" in seated.text
    await seated.type("v")
    assert "view: mira" in seated.text


async def test_a_replay_of_a_match_that_runs_shows_the_public_view_only(house: House) -> None:
    match = PlayedMatch()
    match.changes = {}
    seated = await on_page(house, lambda session: ReplayPage(session, match))
    assert seated.session.page.viewers == (Watcher.PUBLIC,)  # type: ignore[union-attr]
    assert "Play on" not in seated.text


async def test_a_replay_says_how_to_share_it(house: House) -> None:
    seated = await on_page(house, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("s")
    assert "replay m9" in seated.text


async def test_a_ladder_lists_players_and_an_empty_one_says_how_to_get_there(house: House) -> None:
    rows = {"rainet": [Ranked(1, 2, "tarn", Rating(27.0, 3.0, 14)), Ranked(2, 1, "mira", Rating(25.5, 3.0, 40))]}

    async def top(ladder: str) -> list[Ranked]:
        return rows.get(ladder, [])

    house.ratings.top = top
    seated = await on_page(house, LaddersPage)
    assert any("1  tarn" in row and "1580" in row for row in seated.rows)
    await seated.type("right")
    assert "Nobody stands here yet" in seated.text


async def test_a_ladder_leaves_out_whom_one_has_blocked(house: House) -> None:
    async def top(ladder: str) -> list[Ranked]:
        return [Ranked(1, 2, "tarn", Rating(27.0, 3.0, 14)), Ranked(2, 1, "mira", Rating(25.5, 3.0, 40))]

    house.ratings.top = top
    seated = await on_page(house, LaddersPage)
    seated.session.blocked = frozenset((2,))
    await seated.type("right", "left")
    assert "tarn" not in seated.text
    assert any("2  mira" in row for row in seated.rows), "the others keep their places"


@pytest.mark.parametrize("cols", [40, 80])
async def test_every_ladder_is_named_and_the_shown_one_stands_in_brackets(house: House, cols: int) -> None:
    seated = await house.connect(account("mira"), cols, 24, term=client_term("vt100", {}))
    await seated.type("l")
    for _ in all_ladders():
        chosen = seated.rows[0].split(" - ")[1].split("  ")[0].strip()
        top = "\n".join(seated.rows[2:8])
        assert f"[{chosen}" in top, seated.text
        for name in all_ladders():
            assert Look(glyph_set="ascii").t(f"ladder.{name}") in top
        await seated.type("right")


async def test_a_profile_of_nobody_says_so(house: House) -> None:
    async def by_handle(handle: str) -> None:
        return None

    house.accounts.by_handle = by_handle  # type: ignore[attr-defined]
    seated = await on_page(house, lambda session: ProfilePage(session, "zzz"))
    assert "nobody called zzz" in seated.text


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
def test_a_curve_has_the_size_asked_for_and_rises_with_its_values(glyphs: str) -> None:
    lines = curve([1500, 1510, 1490, 1600], Look(glyph_set=glyphs), 40, 6)
    assert [width_cols(line) for line in lines] == [40] * 6
    assert "1600" in text_of(lines[0])
    assert "1490" in text_of(lines[-1])


def test_a_curve_of_one_value_is_flat() -> None:
    lines = curve([1500], Look(), 30, 5)
    assert sum("⠁" <= char <= "⣿" for line in lines for char in text_of(line)) > 5


@pytest.mark.parametrize("lesson", lessons("rainet"), ids=lambda lesson: lesson.name)
def test_each_lesson_stands_and_can_be_done(lesson: Any) -> None:
    table = Table("rainet", lesson, "mira")
    pending = table.snapshot.pending
    assert pending is not None
    done = [action for action in pending.choice.actions if lesson.is_done_by(action.text)]  # type: ignore[union-attr]
    assert done, lesson.wanted
    assert table.play(done[0])


async def test_the_first_lesson_is_played_with_keys_and_leads_to_the_second(house: House) -> None:
    seated = await on_page(house, lambda session: TutorialPage(session, "rainet"))
    assert "1 of 9" in seated.text
    await seated.type("b", "enter")
    assert "not what this step is" in seated.text
    await seated.type("enter", "up", "enter")
    assert "Well done" in seated.text
    await seated.type("enter")
    assert "2 of 9" in seated.text


async def test_the_last_lesson_wins_the_match(house: House) -> None:
    seated = await on_page(house, lambda session: TutorialPage(session, "rainet"))
    page = seated.session.page
    assert isinstance(page, TutorialPage)
    page._begin(len(page.lessons) - 1)
    page._play(next(a for a in page.snapshot.pending.choice.actions if a.text == "d4c4"))  # type: ignore[union-attr]
    seated.session.dirty()
    await seated.settle()
    assert page.snapshot.result is not None
    assert "That is all you need" in seated.text

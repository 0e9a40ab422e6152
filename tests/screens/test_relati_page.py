"""A Relati match on the whole page, typed at and read through a terminal emulator."""

from __future__ import annotations

import pytest

from server.accounts.preferences import Preferences
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import NAMES, person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch

SIX = (
    "15/6Hf8/2Hf1HfO3Hf1XfAf2/2Df2DfODfHf6/1DfOwOwO1HxXf1XfAf4/3Dx2DfHfHfHf1Xf3/2O2O2Xf2Af3/2Df1Df2Hf2Xf4/"
    "3OxO2O4Af2/2DfODfAfUUwU1U1Xf2/2OUAfOAfAfUwAf1Af3/2OUUOUs1AfUwUXx3/2UOsOUAfUwUAx3Xf1/15/4Af10 O OxdUah"
)
DUEL = "9/1Os1X5/2O6/9/4Xs4/9/9/9/9 O OX"


async def at_table(
    server: FakeServer, cols: int, rows: int, name: str = "mira", language: str = "", position: str = SIX
) -> Seated:
    players = tuple(map(person, NAMES[: len(position.split()[-1])]))
    server.matches.add(StagedMatch("relati", players, "m1", position))
    who = account(name)
    assert who.account_id is not None
    server.prefer(who.name, Preferences(calibrated=True, language=language))
    seated = await server.connect(who, cols, rows)
    return seated


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_a_table_of_six_looks_as_it_did(server: FakeServer, cols: int, rows: int, language: str) -> None:
    seated = await at_table(server, cols, rows, language=language)
    golden.check(f"relati-page-{language}-{cols}", seated.text)


async def test_two_players_play_and_see_each_other(server: FakeServer) -> None:
    ours = await at_table(server, 80, 24, position=DUEL)
    theirs = await server.connect(account("tarn"), 80, 24)
    assert theirs.says("relati.danger.hit", name="mira", cell="e5", medium="c3")
    await ours.type("right", "right", "down", "enter")
    assert "mira connects d3" in ours.text
    assert "mira connects d3" in theirs.text
    await theirs.type("s", "up", "left", "enter")
    assert "tarn connects d4" in ours.text


async def test_an_attack_is_chosen_in_two_steps_and_ends_the_match(server: FakeServer) -> None:
    seated = await at_table(server, 80, 24, position=DUEL)
    await seated.type("a", "enter")
    assert seated.says("relati.line.shot", target="e5", medium="c3", spent="b2")
    await seated.type("esc")
    assert seated.says("relati.prompt.act")
    await seated.type("enter", "enter")
    beside = " ".join(row.partition(Look().glyphs.walls[1])[2].strip() for row in seated.rows)  # the card wraps
    assert "mira shoots e5 of tarn" in " ".join(beside.split())


@pytest.mark.parametrize("size", [(40, 20), (60, 24), (80, 20), (100, 30), (200, 60)])
async def test_the_cursor_is_on_the_screen_at_any_size(server: FakeServer, size: tuple[int, int]) -> None:
    seated = await at_table(server, 80, 24)
    await seated.resize(*size)
    for key in ("down", "down", "down", "right", "right"):
        await seated.type(key)
        assert "[" in seated.text
    assert not seated.task.done()


async def test_a_watcher_has_the_public_board(server: FakeServer) -> None:
    await at_table(server, 80, 24, position=DUEL)
    other = await server.connect(account("omid"), 80, 24)
    await other.type("w")
    assert "O*" in other.text
    assert "can hit" not in other.text
    assert "[" not in "".join(row[:31] for row in other.rows[2:12])

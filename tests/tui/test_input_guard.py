"""Windows on the screen: what is typed just as one opens answers nothing, and how long it stays open is always said."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from game import registry
from game.contract import Action, Seat, Watcher
from server.matches.model import Snapshot
from server.tui.screens.guard import GUARD_S, InputGuard
from tests.passage.build import at
from tests.tui.house import FakeClock, House, Seated
from tests.tui.positions import NOON, snapshot
from tests.tui.test_passage_session import seat

RULES = registry.get("passage")
# mira plays Attack at tarn, who alone is asked, and holds a Judge.
ATTACK: dict[str, Any] = {"players": 5, "hands": [["attack"], ["judge", "slip"], ["judge"]], "pile": ["slip"] * 20}


def asked() -> Snapshot:
    """Return what tarn sees while a window stands open."""
    state = RULES.apply(at(**ATTACK), Seat(0), Action("play attack 1")).state
    return replace(snapshot("passage", state, Seat(1), n_seats=5), turn_since=1)


def test_a_window_is_guarded_for_a_moment_and_no_longer() -> None:
    clock = FakeClock()
    guard, window = InputGuard(clock), asked()
    calm = replace(window, pending=None)
    guard.see(None, calm)
    assert not guard.holds
    guard.see(calm, window)
    assert guard.holds
    clock.pass_time(GUARD_S - 0.001)
    assert guard.holds
    clock.pass_time(0.001)
    assert not guard.holds


def test_what_others_do_in_the_same_window_does_not_guard_it_again() -> None:
    clock = FakeClock()
    guard, window = InputGuard(clock), asked()
    guard.see(None, window)
    clock.pass_time(GUARD_S)
    guard.see(window, replace(window, seq=25, turn_seq=25, version=9))
    assert not guard.holds
    guard.see(window, replace(window, turn_since=26))
    assert guard.holds, "the next one, with the same words"


def test_decisions_that_are_no_windows_are_not_guarded() -> None:
    clock = FakeClock()
    guard = InputGuard(clock)
    guard.see(None, snapshot("passage", at(**ATTACK), Seat(0), n_seats=5))
    assert not guard.holds


async def attacked(house: House, cols: int = 80, rows: int = 24) -> tuple[Seated, Seated]:
    """Let mira attack tarn; tarn's screen shows the window from this very moment."""
    mira, tarn = await seat(house, "mira", ATTACK, cols, rows), await seat(house, "tarn", ATTACK, cols, rows)
    house.matches.all["m1"].changes["deadline"] = NOON + timedelta(seconds=8)
    await mira.type("down", "enter", "enter")
    assert "mira played Attack at tarn" in tarn.text
    return mira, tarn


@pytest.mark.parametrize("key", ["v", "s", "down", "enter"])
async def test_a_key_meant_for_something_else_answers_no_window(house: House, key: str) -> None:
    _, tarn = await attacked(house)
    before = house.matches.all["m1"].seq
    await tarn.type_blindly(key)
    assert house.matches.all["m1"].seq == before
    assert "that key did nothing" in tarn.text
    house.clock.pass_time(GUARD_S)
    await tarn.type_blindly("v")
    assert house.matches.all["m1"].seq == before + 1
    assert "tarn judges" in tarn.text


async def test_a_click_on_a_key_hint_is_guarded_too(house: House) -> None:
    _, tarn = await attacked(house)
    row = max(i for i, text in enumerate(tarn.rows) if "v Judge" in text)
    before = house.matches.all["m1"].seq
    await tarn.click(tarn.rows[row].index("v Judge"), row)
    assert house.matches.all["m1"].seq == before
    house.clock.pass_time(GUARD_S)
    await tarn.click(tarn.rows[row].index("v Judge"), row)
    assert house.matches.all["m1"].seq == before + 1


async def test_coming_to_a_board_with_an_open_window_is_guarded(house: House) -> None:
    _, tarn = await attacked(house)
    await tarn.type("esc", "esc")
    assert tarn.rows[0].startswith(" Lobby")
    await tarn.type("enter")
    before = house.matches.all["m1"].seq
    await tarn.type_blindly("v")
    assert house.matches.all["m1"].seq == before


async def test_chat_and_help_are_not_guarded(house: House) -> None:
    _, tarn = await attacked(house)
    await tarn.type_blindly("tab", "v", "enter", "esc")
    assert "v" in [line.text for line in house.matches.all["m1"].snapshot(Watcher.PUBLIC).chat]


@pytest.mark.parametrize(("cols", "rows"), [(120, 40), (80, 24), (56, 24), (40, 20)])
async def test_the_time_of_a_window_stands_before_everything_else(house: House, cols: int, rows: int) -> None:
    mira, tarn = await attacked(house, cols, rows)
    for seated in (mira, tarn):
        first = max(i for i, row in enumerate(seated.rows) if row.startswith(" 0:08 "))
        assert first >= rows - (5 if cols < 80 else 3), "what is said takes as many lines as it needs, the time first"
    house.clock.pass_time(6)
    await tarn.type("\x0c")
    assert any(row.startswith(" 0:02 ") for row in tarn.rows)


async def test_an_offer_waits_until_the_window_is_answered(house: House) -> None:
    _, tarn = await attacked(house)
    await house.matches.all["m1"].offer(Seat(0), "adjourn")
    await tarn.settle()
    assert "mira played Attack at tarn" in tarn.text
    await tarn.type("y")
    assert house.matches.all["m1"].changes["offers"], "not accepted unseen"
    await tarn.type("s")
    assert "adjourn" in tarn.text


@pytest.mark.parametrize("cols", [40, 50, 55])
async def test_where_no_panel_fits_the_title_tells_the_clocks(house: House, cols: int) -> None:
    tarn = await seat(house, "tarn", ATTACK, cols, 24)
    assert "tarn 2:41" in tarn.rows[0], tarn.text
    house.clock.pass_time(11)
    await tarn.type("\x0c")
    assert "mira 2:30" in tarn.rows[0] or cols < 50, tarn.text

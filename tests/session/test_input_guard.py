"""Windows on the screen: what is typed just as one opens answers nothing, and how long it stays open is always said."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from game import registry
from game.contract import Action, Event, Seat, Watcher
from server.matches.model import AnyViewerState
from server.screens.keyguard import KeyGuard
from server.screens.match import MatchPage
from server.session import places
from server.session.heldkeys import AGAIN_S, HOLD_S, MOST_S, REPEAT_S, Hold
from server.terminal.look import Look
from tests.boards.positions import NOON, person, snapshot
from tests.passage.build import at
from tests.screens.test_passage_session import seat
from tests.session.evening import busy, in_lobby
from tests.session.fakeserver import FakeServer, ScreenClock, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

RULES = registry.get("passage")
# mira plays Attack at tarn, who alone is asked, and holds a Judge.
ATTACKED = en("passage.window.aimed-you", name="mira", card="Attack").rstrip(".")
ATTACK: dict[str, Any] = {"players": 5, "hands": [["attack"], ["judge", "slip"], ["judge"]], "pile": ["slip"] * 20}


def asked() -> AnyViewerState:
    """Return what tarn sees while a window stands open."""
    state = RULES.apply(at(**ATTACK), Seat(0), Action("play attack 1")).state
    return replace(snapshot("passage", state, Seat(1), n_seats=5), turn_since=1)


def guarded(before: AnyViewerState, now: AnyViewerState) -> tuple[KeyGuard, ScreenClock]:
    clock = ScreenClock()
    guard = KeyGuard(clock)
    guard.see(before, None, now)
    return guard, clock


def shows_held(seated: Seated) -> bool:
    """Tell whether the keys are not set off, because they do nothing just now."""
    return not any(seated.wire.screen.buffer[seated.wire.screen.lines - 2][x].bold for x in range(1, 8))


def test_a_new_question_is_guarded_for_a_moment_and_no_longer() -> None:
    window = asked()
    guard, clock = guarded(replace(window, pending=None), window)
    assert guard.holds
    clock.pass_time(HOLD_S - 0.001)
    assert guard.holds
    clock.pass_time(0.001)
    assert not guard.holds


def test_what_others_do_in_the_same_window_does_not_guard_it_again() -> None:
    window = asked()
    guard, clock = guarded(replace(window, pending=None), window)
    clock.pass_time(HOLD_S)
    assert not guard.see(window, None, replace(window, seq=25, turn_seq=25, version=9))
    assert not guard.holds
    assert guard.see(window, None, replace(window, turn_since=26))
    assert guard.holds, "the next one, with the same words"


def test_decisions_that_are_no_windows_are_guarded_too() -> None:
    turn = snapshot("passage", at(**ATTACK), Seat(0), n_seats=5, turn_since=7)
    guard, _ = guarded(replace(turn, pending=None), turn)
    assert guard.holds


def test_what_one_s_own_key_brought_about_is_not_guarded() -> None:
    window = asked()
    for own_first in (True, False):
        guard = KeyGuard(ScreenClock())
        if own_first:
            guard.record_own(window.turn_since)
        guard.see(replace(window, pending=None), None, window)
        if not own_first:
            guard.record_own(window.turn_since)
        assert not guard.holds
        guard.see(window, None, replace(window, turn_since=window.turn_since + 1))
        assert guard.holds, "the next one came by itself"


def test_the_end_of_a_match_is_guarded() -> None:
    window = asked()
    guard, _ = guarded(window, replace(window, pending=None, status="finished", seq=30))
    assert guard.holds


async def attacked(server: FakeServer, cols: int = 80, rows: int = 24) -> tuple[Seated, Seated]:
    """Let mira attack tarn; tarn's screen shows the window from this very moment."""
    mira, tarn = await seat(server, "mira", ATTACK, cols, rows), await seat(server, "tarn", ATTACK, cols, rows)
    server.matches.all["m1"].changes["deadline"] = NOON + timedelta(seconds=8)
    await mira.type("enter", "enter")
    assert ATTACKED in " ".join(tarn.text.split())
    return mira, tarn


@pytest.mark.parametrize("key", ["v", "s", "down", "enter"])
async def test_a_key_meant_for_something_else_answers_no_window(server: FakeServer, key: str) -> None:
    _, tarn = await attacked(server)
    before = server.matches.all["m1"].seq
    await tarn.type_blindly(key)
    assert server.matches.all["m1"].seq == before
    assert Look().t("session.held") in tarn.text
    server.clock.pass_time(AGAIN_S + 0.01)
    await tarn.type_blindly("v")
    assert server.matches.all["m1"].seq == before + 1
    assert "tarn judges" in tarn.text


async def test_a_key_that_is_held_down_answers_nothing_until_it_is_let_go(server: FakeServer) -> None:
    """The first repetition after half a second passed the window, and the next one answered what came then."""
    _, tarn = await attacked(server)
    before = server.matches.all["m1"].seq
    await tarn.type_blindly("v")
    server.clock.pass_time(0.66)  # a terminal's delay before it repeats
    for _ in range(100):
        await tarn.type_blindly("v")
        server.clock.pass_time(0.05)
    assert server.matches.all["m1"].seq == before
    server.clock.pass_time(REPEAT_S)
    await tarn.type_blindly("v")
    assert server.matches.all["m1"].seq == before + 1


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.5])
async def test_a_key_was_refused_twice_for_one_question(server: FakeServer, gap: float) -> None:
    """It was said to do it again, and doing it again was refused unless one waited."""
    _, tarn = await attacked(server)
    before = server.matches.all["m1"].seq
    await tarn.type_blindly("v")
    assert tarn.says("session.held")
    server.clock.pass_time(gap)
    await tarn.type_blindly("v")
    assert not tarn.says("session.held")
    server.clock.pass_time(REPEAT_S)
    await tarn.settle()
    assert server.matches.all["m1"].seq == before + 1


async def test_another_key_than_the_refused_one_was_refused_too(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    before = server.matches.all["m1"].seq
    await tarn.type_blindly("s", "v")
    assert server.matches.all["m1"].seq == before + 1


async def test_a_key_that_was_struck_before_the_window_and_is_held_down_answers_nothing(server: FakeServer) -> None:
    mira, tarn = await seat(server, "mira", ATTACK, 80, 24), await seat(server, "tarn", ATTACK, 80, 24)
    server.clock.pass_time(AGAIN_S)
    await tarn.type_blindly("v")
    await mira.type_blindly("enter", "enter")
    before = server.matches.all["m1"].seq
    server.clock.pass_time(HOLD_S + 0.1)
    for _ in range(9):
        await tarn.type_blindly("v")
        server.clock.pass_time(0.05)
    assert server.matches.all["m1"].seq == before
    server.clock.pass_time(AGAIN_S + 0.01)
    await tarn.type_blindly("v")
    assert server.matches.all["m1"].seq == before + 1


def test_keys_struck_one_by_one_make_the_moment_last_longer_but_lock_nobody_out() -> None:
    clock = ScreenClock()
    hold = Hold(clock)
    hold.begin()
    caught = 0.0
    while hold.catches("vs"[int(caught * 10) % 2]):
        clock.pass_time(0.4)
        caught += 0.4
        assert caught <= MOST_S + HOLD_S
    assert caught >= MOST_S
    assert not hold.is_on


def test_a_key_that_was_not_ignored_may_be_struck_twice_at_once() -> None:
    clock = ScreenClock()
    hold = Hold(clock)
    hold.begin()
    clock.pass_time(AGAIN_S)
    for _ in range(3):
        assert not hold.catches("1")
        hold.record("1")
        clock.pass_time(0.05)


async def test_a_click_on_a_key_hint_is_guarded_too(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    row = max(i for i, text in enumerate(tarn.rows) if "v Judge" in text)
    before = server.matches.all["m1"].seq
    await tarn.click(tarn.rows[row].index("v Judge"), row)
    assert server.matches.all["m1"].seq == before
    server.clock.pass_time(AGAIN_S + 0.01)
    await tarn.click(tarn.rows[row].index("v Judge"), row)
    assert server.matches.all["m1"].seq == before + 1


async def test_a_board_that_one_opened_oneself_takes_keys_at_once(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    await tarn.type("esc", "esc")
    assert tarn.rows[0].startswith(" Lobby")
    await tarn.type("enter")
    before = server.matches.all["m1"].seq
    await tarn.type_blindly("v")
    assert server.matches.all["m1"].seq == before + 1


async def test_the_screen_shows_that_keys_wait_and_that_they_do_no_longer(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    assert shows_held(tarn)
    server.clock.pass_time(HOLD_S)
    tarn.session.dirty()
    await tarn.settle()
    assert not shows_held(tarn)


async def test_a_cursor_that_moves_as_it_did_is_not_held(server: FakeServer) -> None:
    """In RaiNet arrows do the same in both players' turns: nothing to guard; enter selects only now."""
    await busy(server)
    south, north = await in_lobby(server, name="mira"), await in_lobby(server, name="tarn")
    await south.type("enter")
    await north.type("enter")
    page = north.session.pages.top
    assert isinstance(page, MatchPage)
    await south.type("enter", "right", "enter")
    cursor = page.answering.selection.cursor
    await north.type_blindly("left")
    assert page.answering.selection.cursor != cursor


async def test_a_match_that_begins_by_itself_takes_no_key_at_once_and_lets_a_line_be_finished(
    server: FakeServer,
) -> None:
    """`r` and `y` of a word typed to the lobby resigned the match that had just begun."""
    seated = await in_lobby(server)
    await seated.type("p", "tab", "g")
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m5"))
    server.tell("m5")
    await seated.settle()
    assert isinstance(seated.session.pages.top, MatchPage)
    await seated.type_blindly("r", "y")
    assert seated.session.prompts.typing is not None
    assert seated.session.prompts.typing.field.text == "gry"
    await seated.type("enter", "esc")
    assert [line.text for line in server.chat.recent("lobby")][-1:] == ["gry"]
    assert seated.session.prompts.question is None


async def test_a_match_that_begins_by_itself_holds_keys_back_for_a_moment(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("p")
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m5"))
    server.tell("m5")
    await seated.settle()
    await seated.type_blindly("r")
    assert seated.session.prompts.question is None
    await seated.type("r")
    assert seated.session.prompts.question is not None


async def test_an_offer_that_has_just_come_is_not_accepted_by_a_key_meant_for_something_else(
    server: FakeServer,
) -> None:
    _, tarn = await attacked(server)
    await tarn.type("s")
    await server.matches.all["m1"].offer(Seat(0), "adjourn")
    await tarn.settle()
    await tarn.type_blindly("y")
    assert server.matches.all["m1"].snapshot(Seat(0)).offers == ((Seat(0), "adjourn"),)
    await tarn.type("y")
    assert (Seat(1), "adjourn") in server.matches.all["m1"].snapshot(Seat(0)).offers


async def test_chat_and_help_are_not_guarded(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    await tarn.type_blindly("tab", "v", "enter", "esc")
    assert "v" in [line.text for line in server.matches.all["m1"].snapshot(Watcher.PUBLIC).chat]


@pytest.mark.parametrize(("cols", "rows"), [(120, 40), (80, 24), (56, 24), (40, 20)])
async def test_the_time_of_a_window_stands_before_everything_else(server: FakeServer, cols: int, rows: int) -> None:
    mira, tarn = await attacked(server, cols, rows)
    for seated in (mira, tarn):
        free = Look().t("match.free-time", time="0:08")
        first = max(i for i, row in enumerate(seated.rows) if row.startswith(f" {free} "))
        assert first >= rows - (5 if cols < 120 else 3), "what is said takes as many lines as it needs, the time first"
    server.clock.pass_time(6)
    await tarn.type("\x0c")
    free = Look().t("match.free-time", time="0:02")
    assert any(row.startswith(f" {free} ") for row in tarn.rows)


@pytest.mark.parametrize(("cols", "rows"), [(120, 40), (80, 24), (40, 20)])
async def test_an_offer_made_while_a_window_is_open_was_not_seen_and_could_not_be_answered(
    server: FakeServer, cols: int, rows: int
) -> None:
    """It showed only after the window, and from one window to the next never."""
    _, tarn = await attacked(server, cols, rows)
    match = server.matches.all["m1"]
    await match.offer(Seat(0), "adjourn")
    await tarn.settle()
    said = " ".join(tarn.text.split())
    assert ATTACKED in said, "the window is still said"
    assert en("match.offered.adjourn", name="mira") in said
    assert f"y {en('keys.match.accept')}" in said
    await tarn.type_blindly("y")
    assert match.snapshot(Seat(0)).offers == ((Seat(0), "adjourn"),), "not accepted by a key meant for something else"
    await tarn.type("s")
    assert match.snapshot(Seat(0)).offers == ((Seat(0), "adjourn"),), "who answers in a window does not turn it down"
    await tarn.type("e")
    assert match.snapshot(Seat(0)).offers == (), "who moves on does"


async def test_an_offer_is_accepted_and_declined_while_a_window_is_open(server: FakeServer) -> None:
    _, tarn = await attacked(server)
    match = server.matches.all["m1"]
    await match.offer(Seat(0), "adjourn")
    await tarn.settle()
    await tarn.type("n")
    assert match.snapshot(Seat(0)).offers == ()
    await match.offer(Seat(0), "adjourn")
    await tarn.settle()
    await tarn.type("y")
    assert (Seat(1), "adjourn") in match.snapshot(Seat(0)).offers
    assert match.snapshot(Seat(1)).is_in_window


@pytest.mark.parametrize("cols", [40, 50, 55])
async def test_where_no_panel_fits_the_title_tells_the_clocks(server: FakeServer, cols: int) -> None:
    tarn = await seat(server, "tarn", ATTACK, cols, 24)
    assert "tarn 2:41" in tarn.rows[0], tarn.text
    server.clock.pass_time(11)
    await tarn.type("\x0c")
    assert "mira 2:30" in tarn.rows[0] or cols < 50, tarn.text


async def netrunner_action(server: FakeServer) -> tuple[Seated, StagedMatch]:
    """Let mira take a credit in her action step; the windows after it are passed in silence."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.state = registry.get("netrunner").read_position({"step": "corp.2.3"}, {})
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("1")
    return mira, match


async def test_the_next_action_after_windows_that_were_passed_in_silence_takes_keys_at_once(server: FakeServer) -> None:
    """`1`, `1` took one credit: the windows in between made the second key 'just changed'."""
    mira, match = await netrunner_action(server)
    for seat_ in (0, 1):
        match.play(Seat(seat_), "pass")
    await mira.settle()
    assert not shows_held(mira)
    await mira.type_blindly("1")
    assert match.state.credits[0] == 7


async def test_the_next_action_after_something_happened_is_guarded(server: FakeServer) -> None:
    mira, match = await netrunner_action(server)
    for seat_ in (0, 1):
        match.play(Seat(seat_), "pass")
        match.seen.append((match.seq, Event("rezzed", {"side": 1, "card": "x", "cost": 1, "place": "rig"})))
    await mira.settle()
    await mira.type_blindly("1")
    assert match.state.credits[0] == 6

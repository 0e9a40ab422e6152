"""A program's seat: what is told, and what is not told twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from game import registry
from game.contract import Action, Seat
from server.accounts.errors import AccountError
from server.errors import RateLimited
from server.matches.model import SeenEvent
from server.ssh.bot.refusals import refusal_json
from server.ssh.bot.seat_feed import SeatFeed
from server.ssh.bot.session import BotSession
from tests.boards.positions import NOON, person, snapshot
from tests.clocks import FakeClock
from tests.session.stage import StagedMatch
from tests.ssh.schemas import check
from tests.texts import en

RULES = registry.get("rainet")


async def test_a_credited_clock_does_not_ask_for_the_same_decision_again() -> None:
    """After an outage the deadline moves: a program that answered would have answered twice, the second time stale."""
    sent: list[dict[str, Any]] = []

    feed = SeatFeed(cast(Any, None), Seat(0), FakeClock(), cast(Any, None), cast(Any, None))
    state = RULES.read_position("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0", {})
    first = snapshot("rainet", state, Seat(0), turn_since=2, deadline=NOON)
    sent += feed.new_turn(first)
    sent += feed.new_turn(replace(first, seq=24, turn_seq=24, deadline=NOON + timedelta(seconds=20)))
    assert [told["seq"] for told in sent] == [23]
    sent += feed.new_turn(replace(first, seq=25, turn_seq=25, turn_since=25))
    assert [told["seq"] for told in sent] == [23, 25]


@pytest.mark.parametrize("answered", [Action("pass"), None])
async def test_a_window_that_the_seats_own_settings_answer_is_not_told(answered: Action | None) -> None:
    """A program that answered each of them was too late nearly every time, and got the next turn twice for it."""
    sent: list[dict[str, Any]] = []

    match = SimpleNamespace(autopilot=SimpleNamespace(automatic=lambda seat: answered))
    feed = SeatFeed(cast(Any, match), Seat(0), FakeClock(), cast(Any, None), cast(Any, None))
    state = registry.get("netrunner").read_position({"step": "corp.2.2"}, {})
    window = snapshot("netrunner", state, Seat(0), turn_since=2, deadline=NOON)
    sent += feed.new_turn(window)
    sent += feed.new_turn(replace(window, seq=24, turn_seq=24))
    assert [told["pending"]["choice"] for told in sent] == ([] if answered else [{"one_of": ["pass"]}])
    action = registry.get("netrunner").read_position({}, {})
    sent += feed.new_turn(snapshot("netrunner", action, Seat(0), turn_since=3, deadline=NOON))
    assert sent[-1]["pending"]["prompt"] == "action"


async def test_an_entry_that_is_shown_while_news_are_gathered_was_told_twice() -> None:
    """A pass that was withheld could be shown after the state was made and before its events were asked for."""
    sent: list[dict[str, Any]] = []

    async def send(*told: dict[str, Any]) -> None:
        sent.extend(told)

    happened = [SeenEvent(24, "passed", {"seat": 1}), SeenEvent(25, "passed", {"seat": 0})]
    match = SimpleNamespace(
        id="m1",
        events=lambda seat, after: [event for event in happened if event.seq > after],
        autopilot=SimpleNamespace(automatic=lambda seat: None),
    )
    chat = SimpleNamespace(recent=lambda channel, hidden: ())
    feed = SeatFeed(cast(Any, match), Seat(0), FakeClock(), cast(Any, chat), send)
    state = RULES.read_position("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0", {})
    shown = snapshot("rainet", state, Seat(0), seq=24)
    await feed.send_news(shown)
    assert [told["seq"] for told in sent if told["type"] == "event"] == [24]
    await feed.send_news(replace(shown, seq=25))
    assert [told["seq"] for told in sent if told["type"] == "event"] == [24, 25]


async def test_the_seat_of_a_match_that_ended_before_hides_whom_its_owner_has_blocked_too() -> None:
    mira, match = person("mira"), StagedMatch("rainet", (person("mira"), person("tarn")))

    async def found(match_id: str, who: object, beginning: bool = True) -> StagedMatch:
        return match

    async def blocked_by(account_id: int) -> frozenset[int]:
        return frozenset((9,)) if account_id == mira.account_id else frozenset()

    services = SimpleNamespace(
        matches=SimpleNamespace(find=found), conduct=SimpleNamespace(blocked_by=blocked_by), clock=None, chat=None
    )
    call = SimpleNamespace(session="s1", identity=SimpleNamespace(player=mira, account_id=mira.account_id))
    feed = await BotSession(cast(Any, call), cast(Any, services)).feed_of("m1")
    assert feed.hidden == {9}


def test_a_wait_is_told_a_program_as_a_time_and_in_milliseconds() -> None:
    told = refusal_json(AccountError("account.paused", until="2026-01-01T12:05:00Z", retry_after_ms=300_000))
    assert told["why"] == en("account.paused", time="5:00")
    assert told["retry_after_ms"] == 300_000


def test_a_wait_of_33_ms_was_told_as_no_wait() -> None:
    told = refusal_json(RateLimited("actions_per_min", 33))
    assert "0:01" in told["why"]
    assert told["retry_after_ms"] == 33
    assert "0:02" not in refusal_json(RateLimited("actions_per_min", 1000))["why"]


async def test_an_acceptance_was_told_as_another_offer() -> None:
    told: list[dict[str, Any]] = []

    async def send(*messages: dict[str, Any]) -> None:
        told.extend(messages)

    match = SimpleNamespace(id="m1", events=lambda seat, seen: ())
    chat = SimpleNamespace(recent=lambda channel, hidden: ())
    feed = SeatFeed(cast(Any, match), Seat(2), FakeClock(), cast(Any, chat), send)
    state = registry.get("relati").setup({}, 4, bytes(32)).state
    shown = snapshot("relati", state, Seat(2), ("ada", "bob", "eve", "ivo"), n_seats=4)
    await feed.send_news(shown)
    told.clear()
    draws: tuple[tuple[Seat, Any], ...] = ((Seat(1), "draw"), (Seat(0), "draw"), (Seat(2), "draw"), (Seat(3), "draw"))
    for n in (1, 2, 3, 4):
        await feed.send_news(replace(shown, offers=draws[:n]))
    await feed.send_news(replace(shown, offers=((Seat(0), "adjourn"), (Seat(3), "adjourn"))))
    kinds = [(one["type"], one["seat"], one["what"]) for one in told]
    draw = [("offer", 1, "draw"), ("accept", 0, "draw"), ("accept", 3, "draw")]
    gone = ("withdrawn", 0, "draw")
    assert kinds == [*draw, ("offer", 0, "adjourn"), ("accept", 3, "adjourn"), gone]
    for one in told:
        check("bot-server", one)


async def test_who_was_away_before_the_start_was_told_was_never_said_to_be_away() -> None:
    """A bot that failed at once, or who had left before a program came: it could not know of the claim."""
    told: list[dict[str, Any]] = []

    async def send(*messages: dict[str, Any]) -> None:
        told.extend(messages)

    match = SimpleNamespace(id="m1", events=lambda seat, seen: ())
    chat = SimpleNamespace(recent=lambda channel, hidden: ())
    feed = SeatFeed(cast(Any, match), Seat(0), FakeClock(), cast(Any, chat), send)
    shown = snapshot("relati", registry.get("relati").setup({}, 2, bytes(32)).state, Seat(0))
    away = replace(shown, seats=(shown.seats[0], replace(shown.seats[1], here=False)))
    for state in (away, away, shown):
        await feed.send_news(state)
    presences = [(one["seat"], one["here"]) for one in told if one["type"] == "presence"]
    assert presences == [(1, False), (1, True)]

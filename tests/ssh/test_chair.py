"""A program's seat: what is told, and what is not told twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

from game import registry
from game.contract import Seat
from server.ssh.bot.chair import Chair
from tests.clocks import FakeClock
from tests.tui.positions import NOON, snapshot

RULES = registry.get("rainet")


async def test_a_credited_clock_does_not_ask_for_the_same_decision_again() -> None:
    """After an outage the deadline moves: a program that answered would have answered twice, the second time stale."""
    sent: list[dict[str, Any]] = []

    async def send(told: Any) -> None:
        sent.append(told)

    chair = Chair(cast(Any, None), Seat(0), FakeClock(), cast(Any, None), send)
    state = RULES.read_position("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0", {})
    first = snapshot("rainet", state, Seat(0), turn_since=2, deadline=NOON)
    await chair._tell_turn(first)
    await chair._tell_turn(replace(first, seq=24, turn_seq=24, deadline=NOON + timedelta(seconds=20)))
    assert [told["seq"] for told in sent] == [23]
    await chair._tell_turn(replace(first, seq=25, turn_seq=25, turn_since=25))
    assert [told["seq"] for told in sent] == [23, 25]

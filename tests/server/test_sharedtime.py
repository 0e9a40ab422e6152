"""The time of a server: set once, shared by its processes, and untouched by what becomes of the machine's clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from server import clock as module
from server import sharedtime
from server.clock import SystemClock
from server.sharedtime import TimeKeeper, shared_clock
from server.store import outages, processes
from server.store.database import Database

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass
class Machine:
    """A machine whose wall clock can be set, without a moment passing."""

    passed_s: float = 0.0
    set_by: timedelta = timedelta(0)

    def wall(self) -> datetime:
        return NOON + self.set_by + timedelta(seconds=self.passed_s)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(module, "wall_time", made.wall)
    monkeypatch.setattr(module, "elapsed_s", lambda: made.passed_s)
    monkeypatch.setattr(sharedtime, "elapsed_s", lambda: made.passed_s)
    return made


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    told: list[tuple[str, float]] = []
    monkeypatch.setattr(sharedtime.log, "warning", lambda event, seconds, **more: told.append((event, seconds)))
    return told


def test_time_goes_by_evenly_though_the_machine_s_clock_is_set_forward_and_back(machine: Machine) -> None:
    clock = SystemClock()
    machine.passed_s = 5
    machine.set_by = HOUR
    assert clock.now() == NOON + timedelta(seconds=5)
    machine.set_by = -HOUR
    machine.passed_s = 6
    assert clock.now() == NOON + timedelta(seconds=6)


def test_jumps_of_more_than_half_a_minute_are_logged_once(
    machine: Machine, said: list[tuple[str, float]], database: Database
) -> None:
    keeper = TimeKeeper(SystemClock(), database)
    for seconds in (0, 29, 3600, 3600, -3600):
        machine.set_by = timedelta(seconds=seconds)
        keeper.log_jump()
    assert said == [("clock.jumped", 3600), ("clock.jumped", -7200)]


async def beating(database: Database, machine: Machine, ahead: timedelta) -> None:
    """Be another process, which lives at another time, while this test's moments pass."""
    while True:
        machine.passed_s += 0.05
        await database.write(outages.quiet_beat, "other", machine.wall() + ahead)
        await asyncio.sleep(0)


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
async def test_a_process_that_starts_takes_the_time_of_those_who_run(
    machine: Machine, said: list[tuple[str, float]], either: Database, ahead: timedelta
) -> None:
    """The machine's clock had been set since they began: who came new ended the time of everybody they served."""
    await either.write(outages.arrive, "other", 1, "here", machine.wall() + ahead, False)
    other = asyncio.create_task(beating(either, machine, ahead))
    clock = await shared_clock(either)
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    assert abs(clock.now() - (machine.wall() + ahead)) < timedelta(seconds=1)
    assert [event for event, _ in said] == ["clock.follows"]


@pytest.mark.parametrize("ahead", [HOUR, timedelta(minutes=-3)])
async def test_the_time_of_who_is_gone_is_not_followed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, database: Database, ahead: timedelta
) -> None:
    async def pass_by(seconds: float) -> None:
        machine.passed_s += seconds

    monkeypatch.setattr(asyncio, "sleep", pass_by)
    await database.write(outages.arrive, "other", 1, "here", machine.wall() + ahead, True)
    assert (await shared_clock(database)).now() == machine.wall()


async def test_a_machine_that_was_paused_catches_up_with_the_others(
    machine: Machine, said: list[tuple[str, float]], database: Database
) -> None:
    clock = SystemClock()
    keeper = TimeKeeper(clock, database)
    await database.write(outages.arrive, "other", 1, "there", clock.now(), False)
    for moment in (HOUR, HOUR + timedelta(seconds=1)):
        await database.write(outages.quiet_beat, "other", NOON + moment)
        await keeper.follow_others()
    assert clock.now() == NOON + HOUR + timedelta(seconds=1)
    await database.write(outages.quiet_beat, "other", NOON)
    await keeper.follow_others()
    assert clock.now() == NOON + HOUR + timedelta(seconds=1), "never back"
    assert said == [("clock.follows", 3601.0)]


async def test_outages_are_found_after_a_machine_s_clock_was_set_back(either: Database) -> None:
    """What was alive in the future was the last that lived, and what was over there covered every outage."""
    await either.write(outages.arrive, "p1", 1, "here", NOON + HOUR, True)
    await either.write(outages.record, NOON + HOUR, NOON + HOUR + timedelta(seconds=10))
    await either.write(outages.quiet_beat, "p1", NOON + HOUR + timedelta(seconds=10))
    await either.write(outages.arrive, "p2", 2, "here", NOON, True)
    await either.write(outages.quiet_beat, "p2", NOON + timedelta(minutes=1))
    latest = await either.read(outages.latest)
    assert latest is not None
    known = latest.id
    found = await either.write(outages.arrive, "p3", 3, "here", NOON + timedelta(minutes=11), True)
    [outage] = await either.read(outages.since, known, NOON)
    assert found.last_outage == outage.id
    assert (outage.began, outage.ended) == (NOON + timedelta(minutes=1), NOON + timedelta(minutes=11))
    assert [*await either.read(processes.alive, NOON + timedelta(minutes=11))] == ["p3"]

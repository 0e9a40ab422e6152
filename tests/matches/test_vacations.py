"""Vacations: in daily play a clock stands still for some days of the year, and all are told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from game.contract import Seat
from server.boards import wire
from server.boards.seats import is_counted_away, seat_note
from server.clock import rfc3339
from server.errors import Refused
from server.matches import checkpoint_writer
from server.matches.match import Match
from server.matches.vacations import Vacation
from server.terminal.look import Look
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, Table, kinds, open_matches, spoil
from tests.texts import en

A, B = Seat(0), Seat(1)
DAY_S = 86_400
DAY_MS = DAY_S * 1000


async def after_a_day(table: Table, speed: str = "daily") -> Match:
    """Begin a match in which Mira has thought for a day."""
    match = await table.begin(MIRA, TARN, speed=speed)
    table.skip(DAY_S if speed == "daily" else 60)
    return match


async def test_a_clock_stands_still_and_what_was_thought_is_spent(table: Table) -> None:
    match = await after_a_day(table)
    until = await table.matches.vacations.begin(MIRA, 5)
    table.skip(4 * DAY_S)
    seen = match.snapshot(A)
    assert seen.seats[A].bank_ms == 2 * DAY_MS
    assert match.live.log.head.clocks.deadline(A) == until + timedelta(days=2)
    assert match.live.log.head.clocks.deadline(B) == match.terms.started_at + timedelta(days=3), "only hers"
    (told,) = match.events(B, 0)
    assert (told.kind, told.params["seat"], str(told.params["until"])[:10]) == (
        "match.vacation",
        A,
        f"{until:%Y-%m-%d}",
    )


async def test_decisions_that_begin_during_the_vacation_wait_for_its_end(table: Table) -> None:
    match = await after_a_day(table)
    until = await table.matches.vacations.begin(MIRA, 5)
    for seat in (0, 1):
        await table.play_any(match, seat)
    await table.play_on(match, lambda: match.live.log.head.owed_by(A) is not None)
    clocks = match.live.log.head.clocks
    assert match.live.log.head.changed[A] > 1, "it was asked after the entry"
    assert clocks.runs_from(A) == until
    assert clocks.deadline(A) == until + timedelta(milliseconds=clocks.banks[A])


async def test_who_comes_back_early_has_the_other_days_left(table: Table) -> None:
    match = await after_a_day(table)
    await table.matches.vacations.begin(MIRA, 5)
    table.skip(1.5 * DAY_S)
    await table.matches.vacations.end(MIRA)
    back = table.clock.now()
    assert match.live.log.head.clocks.runs_from(A) == back
    assert match.live.log.head.clocks.banks[A] == 2 * DAY_MS
    assert await table.matches.vacations.of(1) == Vacation(None, 12)
    assert await kinds(table, match.id) == ["clock_credited"] * 2
    assert match.events(B, 1)[0].kind == "match.vacation_over"


async def test_a_year_has_fourteen_days(table: Table) -> None:
    for days in (0, 15):
        with pytest.raises(Refused, match=r"vacation\.error\.days"):
            await table.matches.vacations.begin(MIRA, days)
    until = await table.matches.vacations.begin(MIRA, 14)
    assert await table.matches.vacations.of(1) == Vacation(until, 0)
    with pytest.raises(Refused, match=r"vacation\.error\.taken"):
        await table.matches.vacations.begin(MIRA, 1)
    table.skip(15 * DAY_S)
    with pytest.raises(Refused, match=r"vacation\.error\.days"):
        await table.matches.vacations.begin(MIRA, 1)
    table.skip(365 * DAY_S)
    assert await table.matches.vacations.of(1) == Vacation(None, 14)


async def test_fourteen_vacations_of_a_second_do_not_fill_somebodys_match(table: Table) -> None:
    match = await after_a_day(table)
    first = table.clock.now()
    for _ in range(2):
        await table.matches.vacations.begin(MIRA, 1)
        table.skip(1)
        await table.matches.vacations.end(MIRA)
    with pytest.raises(Refused, match=r"vacation\.error\.often") as refused:
        await table.matches.vacations.begin(MIRA, 1)
    assert refused.value.params["until"] == rfc3339(first + timedelta(days=7))
    assert await kinds(table, match.id) == ["clock_credited"] * 4
    assert await table.matches.vacations.of(1) == Vacation(None, 12), "each took a day"
    table.skip(7 * DAY_S - 2)
    await table.matches.vacations.begin(MIRA, 1)


async def test_a_vacation_that_ends_in_the_moment_it_began_takes_a_day(table: Table) -> None:
    """It was free, so it could begin for ever."""
    await table.matches.vacations.begin(MIRA, 3)
    await table.matches.vacations.end(MIRA)
    assert await table.matches.vacations.of(1) == Vacation(None, 13)


async def test_only_daily_matches_stand_still(table: Table) -> None:
    match = await after_a_day(table, "slow")
    await table.matches.vacations.begin(MIRA, 5)
    assert await kinds(table, match.id) == []


async def test_a_stored_checkpoint_keeps_the_vacation(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await after_a_day(first)
        until = await first.matches.vacations.begin(MIRA, 5)
        head, terms = match.live.log.head, match.terms
        kept = checkpoint_writer.write(match.id, terms.rules, head)
        assert checkpoint_writer.read(kept, terms.rules, terms.speed, head.seq) == head
    async with open_matches(url, clock, start=False) as second:
        again = await second.matches.open(match.id)
        assert again.live.log.head.clocks.deadline(A) == until + timedelta(days=2)


async def test_a_match_that_cannot_be_read_does_not_keep_the_other_clocks_running(url: str, clock: FakeClock) -> None:
    """The vacation was taken, and the daily matches that would have come next went on without the person."""
    async with open_matches(url, clock) as before:
        sound = await before.begin(MIRA, TARN, speed="daily")
        await before.wait(1)
        await spoil(before, (await before.begin(MIRA, TARN, speed="daily")).id)
    async with open_matches(url, clock) as table:
        until = await table.matches.vacations.begin(MIRA, 5)
        match = await table.matches.open(sound.id)
        assert match.live.log.head.clocks.runs_from(A) == until


async def test_a_daily_player_on_days_off_was_just_away(table: Table) -> None:
    """The panel counted for how long, as of somebody who had run off."""
    match = await after_a_day(table)
    until = await table.matches.vacations.begin(MIRA, 5)
    seen = match.snapshot(B)
    assert seen.seats[A].vacation_until == until
    assert seat_note(seen, A, Look(), table.clock.now()) == en("seat.vacation", until=f"{until:%m-%d}")
    assert not is_counted_away(seen, A)
    assert wire.seats_json(seen, table.clock.now())[A]["vacation_until"] == rfc3339(until)
    table.skip(5 * DAY_S)
    assert seat_note(seen, A, Look(), table.clock.now()) != en("seat.vacation", until=f"{until:%m-%d}")

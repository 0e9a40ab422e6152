"""Banks, refills, windows, timeouts, outages."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Connection, delete

from game.contract import Json, Number, Pending, Seat
from game.replay import Entry
from server.clock import rfc3339
from server.matches import clocks
from server.matches.errors import MatchOver, TooLate
from server.matches.speeds import CLOCK_RULE, FIRST_RULE, SPEEDS, speed_of
from server.store import matches as store
from server.store import outages
from server.store.errors import NotSaved
from server.store.logwriter import LogWriter
from server.store.tables import arrangements
from tests.clocks import FakeClock
from tests.matches.table import LIO, MIRA, TARN, Table, bank_ms, first_answer, kinds, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)
START = FakeClock().start


def owes(seat: Seat, window: str | None = None, n: int = 3) -> Pending:
    return Pending(seat, "p", Number("take", 0, n), window=window)


def entry(seq: int, after_s: float, seat: Seat | None = A, kind: str = "action", **data: Json) -> Entry:
    at = rfc3339(START + timedelta(seconds=after_s))
    return Entry(seq, kind, seat, "take 1" if kind == "action" else None, at, data)


def at(after_s: float) -> datetime:
    return START + timedelta(seconds=after_s)


def test_the_table_of_speeds_is_the_design_s() -> None:
    rows = [
        (s.name, s.bank // 1000, s.refill // 1000, s.window // 1000, (s.grace or 0) // 1000) for s in SPEEDS.values()
    ]
    assert rows == [
        ("fast", 180, 5, 5, 45),
        ("normal", 600, 15, 8, 90),
        ("slow", 1800, 60, 20, 300),
        ("daily", 259_200, 86_400, 43_200, 0),
    ]


def test_a_decision_costs_what_was_thought_and_brings_a_refill() -> None:
    before, after = (owes(A),), (owes(B),)
    ticking = clocks.start(SPEEDS["normal"], 2, before, START)
    ticking = clocks.advance(ticking, entry(1, 40), at(40), before, after)
    assert ticking.banks == (575_000, 600_000)
    assert ticking.deadline(A) is None
    assert ticking.deadline(B) == at(640)


@pytest.mark.parametrize(("answered_s", "bank_ms"), [(4, 180_000), (5, 180_000), (25, 160_000)])
def test_a_window_is_free_at_first_and_then_runs_on_the_bank_without_a_refill(answered_s: int, bank_ms: int) -> None:
    before, after = (owes(A, "veto"),), (owes(B),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    assert (ticking.free_until(A), ticking.deadline(A)) == (at(5), at(185))
    ticking = clocks.advance(ticking, entry(1, answered_s), at(answered_s), before, after)
    assert ticking.banks == (bank_ms, 180_000)


def test_a_timeout_that_is_written_late_costs_what_it_was_due_for() -> None:
    before, after = (owes(A, "veto"),), (owes(B),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    passed = entry(1, 17, A, "timeout", due=rfc3339(START + timedelta(seconds=15)))
    ticking = clocks.advance(ticking, passed, at(17), before, after)
    assert ticking.banks == (170_000, 180_000)
    assert ticking.deadline(B) == at(17 + 180)


def test_a_bank_had_grown_beyond_what_it_was_at_the_start() -> None:
    """Two bots that drew at random brought ten minutes to thirty-two."""
    before, after = (owes(A),), (owes(B),)
    ticking = clocks.start(SPEEDS["normal"], 2, before, START)
    for seq in range(1, 20, 2):
        ticking = clocks.advance(ticking, entry(seq, seq), at(seq), before, after)
        ticking = clocks.advance(ticking, entry(seq + 1, seq, B), at(seq), after, before)
    assert ticking.banks == (600_000, 600_000)


def test_a_match_that_began_under_the_first_clock_rule_keeps_it() -> None:
    first = speed_of("fast", FIRST_RULE)
    before, after = (owes(A, "veto"),), (owes(A),)
    ticking = clocks.start(first, 2, before, START)
    assert (ticking.deadline(A), ticking.runs_from(A)) == (at(5), None)
    ticking = clocks.advance(ticking, entry(1, 7, A, "timeout"), at(7), before, after)
    ticking = clocks.advance(ticking, entry(2, 8), at(8), after, before)
    assert ticking.banks == (184_000, 180_000)


async def test_the_store_knows_by_which_clock_rule_a_match_began(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN)
        older = await first.begin(MIRA, TARN)
        await first.database.write(_forget_the_rule, older.id)
    async with open_matches(url, clock) as second:
        again = [await second.matches.open(one.id) for one in (match, older)]
        assert [one.terms.speed.rule for one in again] == [CLOCK_RULE, FIRST_RULE]


def _forget_the_rule(connection: Connection, match_id: str) -> None:
    connection.execute(delete(arrangements).where(arrangements.c.match_id == match_id))


async def test_a_replay_s_clocks_counted_from_now(table: Table) -> None:
    """The start of a match showed 3:24 where it had been 10:00, and a minute later 2:21."""
    match = await table.begin(MIRA, TARN)
    table.skip(30)
    seq = await table.play_any(match, 0)
    table.skip(300)
    for _ in range(2):
        table.skip(60)
        start, then = match.at(0, A), match.at(seq, A)
        assert [one.bank_ms for one in start.seats] == [600_000, 600_000]
        assert start.clock_at == match.terms.started_at
        assert [one.bank_ms for one in then.seats] == [585_000, 570_000]
        assert then.clock_at == match.terms.started_at + timedelta(seconds=30)


async def test_clocks_of_windows_fold_from_the_log_alone(url: str, clock: FakeClock) -> None:
    """Whoever folds a log gets the banks that the players had, to the millisecond."""
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, LIO, speed="fast")
        for seat, player in enumerate((MIRA, TARN, LIO)):
            match.enter(player, Seat(seat), f"{player.name}-1")
        for _ in range(4):
            await first.play_on(match, lambda: any(one.window for one in match.live.shown.pending) or match.is_over)
            await first.wait(7)
            await first.play_any(match, match.live.shown.pending[0].seat)
        banks = match.live.log.head.clocks.banks
        assert min(banks) < 180_000
    async with open_matches(url, clock, start=False) as second:
        assert (await second.matches.open(match.id)).live.log.at(match.live.log.head.seq).clocks.banks == banks


def test_another_seat_s_entry_leaves_a_running_clock_as_it_is() -> None:
    before, after = (owes(A), owes(B)), (owes(B),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    ticking = clocks.advance(ticking, entry(1, 10), at(10), before, after)
    assert ticking.decisions[B] == clocks.Decision(START, 0, None, 2)
    assert ticking.deadline(B) == at(180)


def test_owing_something_else_ends_the_decision_without_a_refill() -> None:
    before, after = (owes(A), owes(B)), (owes(B, n=1),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    ticking = clocks.advance(ticking, entry(1, 10), at(10), before, after)
    assert ticking.banks == (175_000, 170_000)


def test_adjourned_clocks_stand_still() -> None:
    before: tuple[Pending, ...] = (owes(A),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    ticking = clocks.advance(ticking, entry(1, 30, None, "adjourned"), at(30), before, ())
    assert ticking.banks == (150_000, 180_000)
    ticking = clocks.advance(ticking, entry(2, 9999, None, "resumed"), at(9999), (), before)
    assert ticking.deadline(A) == at(9999 + 150)


def test_a_credit_moves_the_beginning_but_never_past_the_end_of_the_outage() -> None:
    before = (owes(A),)
    ticking = clocks.start(SPEEDS["fast"], 2, before, START)
    until = rfc3339(START + timedelta(seconds=12))
    credited = clocks.advance(
        ticking, entry(1, 12, None, "clock_credited", ms=20_000, until=until), at(12), before, before
    )
    assert credited.deadline(A) == at(180 + 12)


async def test_an_answer_that_arrived_in_time_wins_however_late_it_is_stored(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    said = first_answer(match.snapshot(A).pending)
    deadline = match.snapshot(A).deadline
    assert deadline is not None
    table.skip(181.5)
    assert await match.act(A, said, 0, deadline) == 1


async def test_an_answer_that_arrived_too_late_is_refused(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    said = first_answer(match.snapshot(A).pending)
    table.skip(180.5)
    with pytest.raises(TooLate):
        await match.act(A, said, 0, table.clock.now())


async def test_an_empty_bank_forfeits_but_not_before_two_seconds_have_passed(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    await table.play_any(match, 1)
    table.skip(181.9)
    await table.matches.sweeper.sweep()
    assert not match.is_over
    table.skip(0.2)
    await table.matches.sweeper.sweep()
    seen = match.snapshot(B)
    assert seen.status == "finished"
    assert seen.result is not None
    assert seen.result.placements[0] == (B,)
    assert match.events(B, 1)[0].kind == "match.out_of_time"
    assert match.snapshot(B).ended_by == "out_of_time", "the rules say only that it was given up"
    with pytest.raises(MatchOver):
        await match.act(A, "bid 1", 0, table.clock.now())


async def test_a_restart_of_twenty_seconds_costs_a_bank_nothing(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, speed="fast")
        await first.wait(10)
        before = bank_ms(match, A)
    clock.shift(20)
    async with open_matches(url, clock) as second:
        again = await second.matches.open(match.id)
        after = bank_ms(again, A)
        assert abs(after - before) <= 1000
        rows = await second.database.read(store.log, match.id)
        assert [row.kind for row in rows] == ["clock_credited"]
        assert (await second.matches.open(match.id)).live.shown.seq == 1


async def test_a_kill_is_an_outage_from_the_last_beat_on(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, speed="fast")
        await first.wait(5)
        first.matches.heartbeat.stop = _nothing  # type: ignore[method-assign]
    clock.shift(20)
    async with open_matches(url, clock) as second:
        again = await second.matches.open(match.id)
        assert abs(bank_ms(again, A) - 175_000) <= 1000


async def _nothing() -> None:
    return None


async def test_the_way_back_after_an_outage_is_credited_too(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, speed="fast")
        await first.wait(5)
    clock.shift(20)
    async with open_matches(url, clock) as second:
        again = await second.matches.open(match.id)
        await second.wait(6)
        again.enter(MIRA, A, "mira-2")
        await second.wait(0.25)
        assert abs(bank_ms(again, A) - 175_000) <= 1000
        again.enter(MIRA, A, "mira-3")
        await second.wait(0.25)
        assert again.live.shown.seq == 2


async def test_nobody_s_window_closes_while_they_are_on_the_way_back(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, LIO, speed="fast")
        await first.play_on(match, lambda: any(one.window for one in match.live.shown.pending))
        asked = [one.seat for one in match.live.shown.pending if one.window]
    clock.shift(20)
    async with open_matches(url, clock) as second:
        again = await second.matches.open(match.id)
        await second.wait(10)
        assert [one.seat for one in again.live.shown.pending] == asked
        await second.wait(30)
        assert [one.seat for one in again.live.shown.pending] != asked


async def test_a_database_that_was_away_is_an_outage_too(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    await table.wait(1)
    table.clock.shift(15)
    await table.matches.heartbeat.beat()
    await table.database.settle()
    assert abs(bank_ms(match, A) - 179_000) <= 1000


async def test_who_moves_first_after_an_outage_has_not_thought_all_the_while(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1")
    await table.wait(1)
    table.clock.shift(15)
    await table.play_any(match, 0)
    assert abs(bank_ms(match, A) - 180_000) <= 5_000
    assert match.live.log.entries[0].kind == "clock_credited"


async def test_nobody_s_time_runs_out_in_an_outage_of_the_database(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1")
    await table.wait(1)
    table.clock.shift(200)
    await asyncio.gather(*(table.matches.sweeper.sweep() for _ in range(3)))
    assert await kinds(table, match.id) == ["clock_credited"]
    assert match.live.shown.is_live


async def test_outages_that_overlap_are_counted_once(table: Table) -> None:
    now = table.clock.now()
    for began, ended in ((0, 10), (5, 12), (6, 11)):
        span = (now + timedelta(seconds=began), now + timedelta(seconds=ended))
        await table.database.write(outages.record, *span)
    found = await table.database.read(outages.since, 0, now)
    assert [(one.ended - one.began).total_seconds() for one in found] == [10, 2]


async def test_a_pulse_that_can_not_credit_beats_on_and_credits_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    await table.wait(1)

    async def refuse(writer: LogWriter, append: object) -> None:
        raise NotSaved("for the test")

    with monkeypatch.context() as patched:
        patched.setattr(LogWriter, "append", refuse)
        table.clock.shift(15)
        await table.matches.heartbeat.beat()
        assert match.live.shown.seq == 0
    await table.wait(1)
    assert abs(bank_ms(match, A) - 178_000) <= 1000

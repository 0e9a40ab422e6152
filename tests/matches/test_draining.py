"""A server that an admin drains: nobody can play, so nobody's time runs, whatever comes next."""

from __future__ import annotations

from datetime import timedelta

from server.accounts.actor import Actor
from server.accounts.identity import Identity
from server.admin.acts import Admin
from server.bus.bus import LocalBus
from server.clock import SystemClock
from server.matches.match import Match
from server.presence.connections import Connected
from server.store import outages, processes
from server.store.database import Database
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, TARN, Table, bank_ms, kinds, open_matches

DRAINED_S = 200  # longer than a bank of `fast`, which holds three minutes


def admin_of(table: Table) -> Admin:
    return Admin(Actor(table.database, table.clock, LocalBus()))


async def drained(table: Table) -> None:
    await admin_of(table).drain(on=True)
    await table.matches.drain()


def bank_of(match: Match) -> float:
    seat = match.live.shown.pending[0].seat
    return bank_ms(match, seat) / 1000


async def test_nobody_s_time_runs_out_while_an_admin_keeps_the_server_drained(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    await table.wait(5)
    before = bank_of(match)
    await drained(table)
    await table.wait(DRAINED_S)
    assert not match.is_over
    await admin_of(table).drain(on=False)
    await table.matches.undrain()
    await table.database.settle()
    await table.wait(1)
    again = await table.matches.open(match.id)
    assert not again.is_over
    assert await kinds(table, match.id) == ["clock_credited"]
    assert abs(bank_of(again) - before) <= 1


async def test_a_database_away_meanwhile_is_part_of_the_drain_and_credited_once(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    before = bank_of(match)
    await drained(table)
    await table.wait(10)
    table.clock.shift(15)
    await table.wait(10)
    await admin_of(table).drain(on=False)
    await table.matches.undrain()
    await table.database.settle()
    assert await kinds(table, match.id) == ["clock_credited"]
    assert abs(bank_of(match) - before) <= 1


async def test_a_drained_server_that_is_started_again_credits_the_drain_too(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN, speed="fast")
        before = bank_of(match)
        await drained(first)
        await first.wait(60)
    clock.shift(20)
    async with open_matches(url, clock) as second:
        assert not second.matches.context.is_draining, "who starts a server anew wants it open"
        assert abs(bank_of(await second.matches.open(match.id)) - before) <= 1
        await second.wait(20)
    clock.shift(5)
    async with open_matches(url, clock) as third:
        again = await third.matches.open(match.id)
        assert before - 27 <= bank_of(again) <= before - 13, "a drain is credited once, play is not"


async def test_windows_stay_open_while_the_server_is_drained(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, speed="fast")
    await table.play_on(match, lambda: any(one.window for one in match.live.shown.pending))
    asked = [one.seat for one in match.live.shown.pending if one.window]
    await drained(table)
    await table.wait(60)
    assert [one.seat for one in match.live.shown.pending if one.window] == asked


async def test_bots_play_on_when_the_server_opens_again(table: Table) -> None:
    identity = Identity(MIRA.account_id, MIRA.name, frozenset(), None, None, "", "192.0.2.1")
    table.matches.connections.arrive(Connected("m", identity, table.clock.now()))
    match = await table.begin(MIRA, EASY, EASY)
    await drained(table)
    await table.wait(10)  # what was thought about already is still played
    seq = match.live.shown.seq
    await table.wait(110)
    again = await table.matches.open(match.id)
    assert again.live.shown.seq == seq
    await admin_of(table).drain(on=False)
    await table.matches.undrain()
    await table.play_on(again, lambda: again.live.shown.acted[1] > 2)


async def test_a_worker_that_is_started_again_stays_drained_with_the_others(either: Database) -> None:
    clock = SystemClock()
    now = clock.now()
    admin = Admin(Actor(either, clock, LocalBus()))
    first = await either.write(outages.arrive, "p1", 1, "here", now, False)
    await admin.drain(on=True)
    second = await either.write(outages.arrive, "p2", 2, "here", clock.now(), False)
    await admin.drain(on=False)
    third = await either.write(outages.arrive, "p3", 3, "here", clock.now(), False)
    assert (first.drains, second.drains, third.drains) == (False, True, False)


async def test_a_drain_is_not_forgotten_while_it_holds(either: Database) -> None:
    now = SystemClock().now()
    long_ago = now - timedelta(days=3)
    await either.write(processes.give_order, processes.DRAIN, {}, long_ago)
    await either.write(processes.give_order, "announce", {"text": "x"}, now)
    assert await either.read(processes.drained_since) == long_ago
    await either.write(processes.give_order, processes.UNDRAIN, {}, now)
    await either.write(processes.give_order, "announce", {"text": "x"}, now)
    assert await either.read(processes.drained_since) is None
    left = await either.read(processes.orders_after, 0)
    assert [order.kind for order in left] == ["announce", "undrain", "announce"]

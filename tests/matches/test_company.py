"""Whom bots play with: a match that only bots are left in ends, and for who is gone they do not think."""

from __future__ import annotations

import asyncio

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.matches import match_quota
from server.presence.connections import Connected
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, GUEST, LIO, MIRA, TARN, Table, kinds, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)
SOURCES = ("2001:db8:1:1::1", "2001:db8:1:2::1")


def connect(table: Table, player: Player, source: str = "192.0.2.1", session: str = "s") -> None:
    identity = Identity(player.account_id, player.name, frozenset(), None, None, "", source)
    table.matches.connections.arrive(Connected(session, identity, table.clock.now()))


@pytest.mark.parametrize("player", [MIRA, GUEST])
async def test_bots_played_on_by_themselves_when_the_only_person_had_resigned(table: Table, player: Player) -> None:
    """One address had 1,994 such matches, which went on when it had hung up, and after a restart."""
    connect(table, player)
    match = await table.begin(player, EASY, EASY, EASY)
    await match.resign(A)
    asked = table.pool.asked
    await table.wait(10)
    assert await kinds(table, match.id) == ["resign", "draw_agreed"]
    assert table.pool.asked == asked
    seen = match.snapshot(Watcher.PUBLIC)
    assert seen.result is not None
    assert (seen.result.placements, seen.ended_by) == (((B, C, Seat(3)), (A,)), "deserted")
    assert [event.kind for event in match.events(Watcher.PUBLIC, 1)] == ["match.deserted"]


async def test_a_match_goes_on_while_one_person_plays_or_may_come_back(table: Table) -> None:
    match = await table.begin(MIRA, TARN, EASY, speed="fast")
    for player, name in ((MIRA, "m"), (TARN, "t")):
        connect(table, player, session=name)
    await match.resign(A)
    await table.wait(10)
    assert not match.is_over
    again = await table.begin(MIRA, TARN, EASY, speed="fast")
    table.matches.connections.leave("t")
    await table.wait(46)
    table.pool.is_stuck = True
    await again.claim(A, "win")  # a bot sits in until tarn is back
    await again.resign(A)
    await table.wait(10)
    assert not again.is_over


async def test_a_match_without_people_of_before_a_restart_ends_after_it(url: str) -> None:
    clock = FakeClock()
    async with open_matches(url, clock) as before:
        connect(before, MIRA)
        before.pool.is_stuck = True  # else an answer that is under way may be stored before the resignation or after it
        match = await before.begin(MIRA, EASY, EASY, speed="untimed")
        await before.matches.drain()
        await match.resign(A)
        assert await kinds(before, match.id) == ["resign"]
    clock.shift(3600)
    async with open_matches(url, clock) as after:
        await after.wait(10)
        assert await kinds(after, match.id) == ["resign", "clock_credited", "draw_agreed"]


async def test_bots_thought_for_guests_who_had_left(table: Table) -> None:
    """They went on for a minute, while others waited."""
    connect(table, GUEST)
    match = await table.begin(GUEST, EASY, speed="daily")
    table.pool.is_stuck = True
    await table.play_any(match, 0)
    await table.wait(1)
    assert match.autopilot.is_busy
    table.matches.connections.leave("s")
    await table.wait(0.25)
    assert table.pool.asked == 1
    assert table.pool.dropped == 1
    table.pool.is_stuck = False
    await table.wait(5)
    assert match.live.shown.acted[1] == 0


@pytest.mark.parametrize(("speed", "grace_s"), [("fast", 45), ("daily", 60)])
async def test_bots_stop_when_an_account_stays_away_and_go_on_when_it_is_back(
    table: Table, speed: str, grace_s: int
) -> None:
    connect(table, MIRA)
    table.pool.is_stuck = True  # from the beginning: what a bot answered decides what it is asked next
    match = await table.begin(MIRA, EASY, speed=speed)
    table.matches.connections.leave("s")
    await table.wait(grace_s - 2)
    await table.play_any(match, 0)  # by a command: it hangs up at once
    await table.wait(grace_s - 1)
    assert table.pool.dropped == 0
    await table.wait(2)
    assert table.pool.dropped == 1
    assert not match.autopilot.is_busy
    due = await table.database.read(store.due, table.clock.now())
    assert due == [], "the sweeper has other things to do"
    table.pool.is_stuck = False
    acted = match.live.shown.acted[1]
    connect(table, MIRA)
    await table.wait(5)
    assert match.live.shown.acted[1] > acted


async def test_what_a_source_has_begun_counts_until_it_is_over(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest hung up and came again, with nothing on its account; and a /48 is many addresses."""
    monkeypatch.setattr(match_quota, "MOST_MATCHES", 2)
    counted, made = table.matches.begun, []
    for number, source in enumerate((*SOURCES, *SOURCES)):
        guest = Player("guest", f"guest-{number}", guest_id=f"guest-{number}")
        connect(table, guest, source, guest.name)
        assert not await counted.is_full(guest)
        made.append(await table.begin(guest, EASY))
        table.matches.connections.leave(guest.name)
    connect(table, GUEST, SOURCES[0])
    assert await counted.is_full(GUEST)
    connect(table, LIO, "2001:db8:1:3::1", "other")
    assert await counted.is_full(LIO), "its /56 is full"
    connect(table, MIRA, "2001:db8:1:100::1", "settled")
    assert not await counted.is_full(MIRA)
    await table.wait(1)
    for match in made:
        await match.resign(A)
    assert await asyncio.gather(*(counted.is_full(GUEST) for _ in range(3))) == [False] * 3


async def test_a_restart_forgot_what_a_source_had_begun(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_quota, "MOST_MATCHES", 1)
    clock = FakeClock()
    async with open_matches(url, clock) as before:
        connect(before, GUEST)
        match = await before.begin(GUEST, EASY)
        await before.wait(1)
    async with open_matches(url, clock) as after:
        connect(after, TARN)
        assert await after.matches.begun.is_full(TARN)
        connect(after, LIO, "198.51.100.1", "other")
        assert not await after.matches.begun.is_full(LIO)
        await (await after.matches.open(match.id)).resign(A)
        assert not await after.matches.begun.is_full(TARN)

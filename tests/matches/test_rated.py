"""Rated matches: their ratings change in the same transaction as the end, and the same when rebuilt."""

from __future__ import annotations

import asyncio

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.admin.replay import verify_matches
from server.boards.wire import rating_json
from server.matches.match import Match
from server.matches.model import MatchQuery
from server.presence.connections import Connected
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, HARD, LIO, MIRA, TARN, Table, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)
ENDED = MatchQuery(statuses=frozenset({"finished"}))


async def test_the_winner_gains_what_the_loser_loses_and_both_see_it_at_once(table: Table) -> None:
    ratings = table.ratings
    match = await table.begin(MIRA, TARN, game="rainet", rated=True)
    await table.play_on(match, lambda: min(match.live.shown.acted) >= 2)
    await match.resign(A)
    await table.database.settle()
    changes = match.snapshot(Watcher.PUBLIC).rating_changes
    assert changes[A][0] == changes[B][0] == 1500
    assert changes[A][1] < 1500 < changes[B][1]
    assert (await ratings.of(2, "rainet")).shown == changes[B][1]
    before = await ratings.all_of(1), await ratings.all_of(2)
    assert await ratings.rebuild() == 1
    assert (await ratings.all_of(1), await ratings.all_of(2)) == before


async def test_people_are_rated_by_their_places_among_bots(table: Table) -> None:
    ratings = table.ratings
    match = await table.begin(MIRA, EASY, TARN, HARD, game="relati", rated=True)
    await table.play_on(match, lambda: match.live.shown.acted[0] >= 2 and match.live.shown.acted[2] >= 2)
    assert [one.out for one in await table.matches.list(MatchQuery())] == [frozenset()]
    await match.resign(A)
    goes_on = not match.is_over
    assert goes_on
    assert [one.out for one in await table.matches.list(MatchQuery())] == [{A}]
    await match.resign(C)
    await table.wait(200)
    assert match.is_over
    changes = match.snapshot(Watcher.PUBLIC).rating_changes
    assert set(changes) == {A, C}
    assert changes[A][1] < 1500 < changes[C][1]
    assert list(await ratings.all_of(3)) == []


async def test_the_same_two_can_not_farm_ratings(table: Table) -> None:
    rated = []
    for _ in range(14):
        match = await table.begin(MIRA, TARN, rated=True)
        rated.append(match.terms.agreement.rated)
        await table.play_on(match, lambda match=match: min(match.live.shown.acted) >= 2)  # type: ignore[misc]
        await match.resign(A)
        await table.wait(2.5)
    assert rated.index(False) == 12
    assert not any(rated[12:])


async def test_the_same_two_farmed_by_beginning_many_matches_at_once(table: Table) -> None:
    """Each asked how many there were before any other was stored."""
    begun = await asyncio.gather(*(table.begin(MIRA, TARN, rated=True) for _ in range(14)))
    for match in begun:
        await match.resign(A)
        await table.wait(2.5)
    assert len(await table.ratings.history(1, "tiny")) == 12
    before = await table.ratings.all_of(1)
    assert await table.ratings.rebuild() == 12
    assert await table.ratings.all_of(1) == before


async def test_a_later_look_shows_the_ratings_as_they_were(table: Table) -> None:
    ids = []
    for _ in range(2):
        match = await table.begin(MIRA, LIO, rated=True)
        await table.play_on(match, lambda match=match: min(match.live.shown.acted) >= 2)  # type: ignore[misc]
        await match.resign(A)
        await table.wait(2.5)
        ids.append(match.id)
    await table.wait(70)
    first, second = [(await table.matches.open(one)).snapshot(A) for one in ids]
    assert first.seats[0].rating == 1500
    assert second.seats[0].rating == first.rating_changes[A][1]
    stored = await table.database.read(store.get, ids[0])
    assert stored is not None
    assert stored.finish_no == 1


async def test_after_a_restart_what_had_ended_showed_todays_ratings(url: str, clock: FakeClock) -> None:
    """In lists, at the board and in the record: who had won since was told to have been better then."""
    async with open_matches(url, clock) as before:
        for _ in range(2):
            match = await before.begin(MIRA, LIO, rated=True)
            await before.play_on(match, lambda match=match: min(match.live.shown.acted) >= 2)  # type: ignore[misc]
            await match.resign(A)
            await before.wait(2.5)
        then = [[(seat.rating, seat.provisional) for seat in one.seats] for one in await before.matches.list(ENDED)]
    async with open_matches(url, clock) as after:
        rows = await after.matches.list(ENDED)
        assert [[(seat.rating, seat.provisional) for seat in one.seats] for one in rows] == then
        last, first = [(await after.matches.open(one.id)).snapshot(A) for one in rows]
        assert [seat.rating for seat in first.seats] == [1500, 1500]
        assert [seat.rating for seat in last.seats] == [first.rating_changes[A][1], first.rating_changes[B][1]]


async def test_verify_agrees_with_every_kind_of_end(table: Table) -> None:
    drawn = await table.begin(MIRA, TARN, game="rainet", rated=True)
    await drawn.offer(A, "draw")
    await drawn.offer(B, "draw")
    late = await table.begin(MIRA, TARN, speed="fast")
    table.skip(183)
    await table.matches.sweeper.sweep()
    assert late.is_over
    void = await table.begin(MIRA, TARN)
    await table.matches.void(void.id, "root", "testing")
    played = await table.begin(MIRA, TARN, LIO, bots_replace=True, rated=True)
    await table.play_on(played, lambda: min(played.live.shown.acted) >= 2)
    await played.resign(B)
    await table.play_on(played, lambda: played.is_over)
    adjourned = await table.begin(MIRA, TARN, game="rainet")
    await adjourned.offer(A, "adjourn")
    await adjourned.offer(B, "adjourn")
    running = await table.begin(MIRA, LIO, game="relati")
    await table.play_any(running, 0)
    wrong: list[object] = []
    tally = await verify_matches(table.database, lambda *found: wrong.append(found))
    assert wrong == []
    assert tally.matches == 6


@pytest.mark.parametrize(
    ("sources", "why"),
    [
        (("2001:db8:7:1::5", "2001:db8:7:ffff::9"), "near"),
        (("198.51.100.7", "198.51.100.200"), "near"),
        (("2001:db8:7::5", "2001:db8:8::5"), "new"),
        (("127.0.0.1", "127.0.0.2"), "new"),
    ],
)
async def test_players_of_one_network_read_that_their_match_counted_less(
    table: Table, sources: tuple[str, str], why: str
) -> None:
    for player, source in zip((MIRA, TARN), sources, strict=True):
        come(table, player, source)
    match = await table.begin(MIRA, TARN, rated=True)
    await table.play_on(match, lambda: match.is_over)
    await match.wait_for_ratings()
    assert (await table.matches.open(match.id)).terms.near == (((0, 1),) if why == "near" else ())
    for seat in (A, B):
        shot = match.snapshot(seat)
        assert shot.own_reason == why
        assert rating_json(shot)[str(seat)]["less"] == why
        assert "less" not in rating_json(shot)[str(1 - seat)]
    assert match.snapshot(Watcher.PUBLIC).own_reason is None


def come(table: Table, player: Player, source: str) -> None:
    """Connect somebody from an address."""
    identity = Identity(player.account_id, player.name, frozenset(), None, None, "", source)
    table.matches.connections.arrive(Connected(player.name, identity, table.clock.now()))


async def test_who_hung_up_before_a_match_began_was_near_nobody(table: Table) -> None:
    """One challenged, or offered a rematch in daily play, and hung up; from the same address the other accepted."""
    come(table, MIRA, "198.51.100.7")
    match = await table.begin(MIRA, TARN, rated=True, speed="daily")
    assert match.terms.near == ((0, 1),)
    come(table, TARN, "198.51.100.8")
    table.matches.connections.leave(MIRA.name)
    await match.resign(A)
    await match.offer(A, "rematch")
    await match.offer(B, "rematch")
    assert (await next_of(table, match)).terms.near == ((0, 1),)


async def test_people_of_two_networks_are_not_near_in_a_rematch_that_one_of_them_does_not_see_begin(
    table: Table,
) -> None:
    come(table, MIRA, "198.51.100.7")
    come(table, TARN, "192.0.2.8")
    match = await table.begin(MIRA, TARN, rated=True, speed="daily")
    table.matches.connections.leave(MIRA.name)
    await match.resign(A)
    await match.offer(A, "rematch")
    await match.offer(B, "rematch")
    assert (await next_of(table, match)).terms.near == ()


async def next_of(table: Table, match: Match) -> Match:
    """Return the rematch."""
    await table.wait(2)
    assert match.offers.next_match is not None
    return await table.matches.open(match.offers.next_match)


async def test_who_wins_early_gains_little_and_reads_why(table: Table) -> None:
    come(table, MIRA, "198.51.100.7")
    come(table, TARN, "192.0.2.8")
    match = await table.begin(MIRA, TARN, game="rainet", rated=True)
    await table.play_any(match, 0)
    await match.resign(B)
    await match.wait_for_ratings()
    changes = match.snapshot(A).rating_changes
    assert 1500 < changes[A][1] < 1505
    assert changes[B][1] < 1480
    assert match.snapshot(A).own_reason == "early"
    assert match.snapshot(B).own_reason == "new"

"""Several processes on one PostgreSQL: racing writers, pairing, presence."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from sqlalchemy import Connection, insert

from game.contract import Seat
from server.accounts.identity import Identity, Player
from server.errors import RateLimited
from server.lobby.challenges import MOST_TO_ONE_PER_MIN
from server.matches import bans
from server.matches.agreement import Agreement
from server.matches.bans import Reach
from server.matches.errors import MatchRefused, Stale
from server.matches.model import MatchQuery, NewMatch
from server.matches.offers import MOST_OFFERED
from server.presence.connections import Connected
from server.ratings.ratings import SOURCE_PER_DAY
from server.store import lobby as stored
from server.store import matches as store
from server.store import tables
from server.store.choose import open_database
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import ROOM, TINY, OpenLobby, open_lobby
from tests.matches.table import MIRA, TARN, SharedBus, first_answer, kinds

pytestmark = pytest.mark.services
CROWD = [Player("account", f"p{n}", account_id=n) for n in range(1, 25)]
A, B = Seat(0), Seat(1)


def add_people(connection: Connection) -> None:
    for player in CROWD:
        row = {"id": player.account_id, "handle": player.name, "created_at": FakeClock().now()}
        connection.execute(insert(tables.accounts).values(row))


@pytest.fixture
async def lobbies(postgres_url: str, clock: FakeClock) -> AsyncIterator[list[OpenLobby]]:
    """Four processes, whose hints get lost."""
    database = await open_database(postgres_url)
    await database.write(add_people)
    await database.close()
    bus = SharedBus(is_deaf=True)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_lobby(postgres_url, clock, bus, seed=n)) for n in range(4)]


async def settle(lobbies: list[OpenLobby], seconds: float) -> None:
    """Let time pass in all processes."""
    for _ in range(round(seconds * 4)):
        await lobbies[0].table.clock.advance(0.25)
        for one in lobbies:
            await one.table.database.settle()


async def test_pairing_in_four_processes_books_nobody_twice(lobbies: list[OpenLobby]) -> None:
    seed = random.randrange(10**6)
    print("seed", seed)
    rng = random.Random(seed)
    for player in CROWD:
        for one in rng.sample(lobbies, 2):  # everybody seeks from two terminals
            one.arrive(player, f"{player.name}-{lobbies.index(one)}")
            await one.lobby.seek(player, [TINY, agreed(TINY, speed="fast")], f"{player.name}-{lobbies.index(one)}")
    await asyncio.gather(*(one.lobby.seeker.wave() for one in lobbies for _ in range(2)))
    await settle(lobbies, 4)
    found = await lobbies[0].table.database.read(store.query, store.MatchFilter(limit=None))
    seats = Counter(held.account_id for match in found for held in match.seats)
    assert set(seats) == {player.account_id for player in CROWD}
    assert set(seats.values()) == {1}
    assert await lobbies[0].table.database.read(stored.open_seeks, lobbies[0].table.clock.now()) == []
    where = {held.account_id: match.id for match in found for held in match.seats}
    for one in lobbies:
        for session, told in one.begun.items():
            assert told == [where[int(session[1 : session.index("-")])]]


async def test_eight_writers_in_four_processes_leave_no_gap_and_no_duplicate(lobbies: list[OpenLobby]) -> None:
    match = await lobbies[0].table.begin(CROWD[0], CROWD[1])
    opened = [await one.table.matches.open(match.id) for one in lobbies for _ in range(2)]
    said = first_answer(match.snapshot(A).pending)
    now = lobbies[0].table.clock.now()
    outcomes = await asyncio.gather(*(one.act(A, said, 0, now) for one in opened), return_exceptions=True)
    assert [outcome for outcome in outcomes if isinstance(outcome, int)] == [1]
    assert all(isinstance(outcome, int | Stale) for outcome in outcomes)
    words = ("auto on", "auto off")
    seqs = await asyncio.gather(*(one.act(B, words[i % 2], 0, now) for i, one in enumerate(opened)))
    assert sorted(seqs) == list(range(2, 10))
    rows = await lobbies[0].table.database.read(store.log, match.id)
    assert [row.seq for row in rows] == list(range(1, 10))


async def test_who_is_connected_elsewhere_is_here(lobbies: list[OpenLobby]) -> None:
    match = await lobbies[0].table.begin(MIRA, TARN, speed="fast")
    theirs = await lobbies[1].table.matches.open(match.id)
    lobbies[0].arrive(MIRA)
    tarn = lobbies[1].arrive(TARN)
    match.enter(MIRA, A, "mira-1")
    there = theirs.enter(TARN, B, "tarn-1")
    await settle(lobbies, 6)
    assert match.snapshot(A).seats[1].here
    assert theirs.snapshot(B).seats[0].here
    assert match.snapshot(A).claim_at is None
    lobbies[2].arrive(CROWD[5], "p6-1")
    (await lobbies[2].table.matches.open(match.id)).enter(CROWD[5], None, "p6-1")
    there.leave()
    await settle(lobbies, 6)
    assert match.snapshot(A).seats[1].here
    tarn.leave()
    await settle(lobbies, 6)
    assert match.snapshot(A).watchers == ("p6",)
    assert [line.watchers for line in await lobbies[3].table.matches.list(MatchQuery())] == [1]
    assert not match.snapshot(A).seats[1].here
    assert match.snapshot(A).claim_at is not None


async def test_the_people_of_a_killed_process_are_gone_within_seconds(lobbies: list[OpenLobby]) -> None:
    match = await lobbies[0].table.begin(MIRA, TARN, speed="fast")
    theirs = await lobbies[1].table.matches.open(match.id)
    lobbies[1].arrive(TARN)
    theirs.enter(TARN, B, "tarn-1")
    match.enter(MIRA, A, "mira-1")
    await settle(lobbies, 6)
    assert match.snapshot(A).seats[1].here
    await lobbies[1].table.matches.context.tasks.close()  # it beats no more, and says no goodbye
    await lobbies[1].context.tasks.close()
    await settle(lobbies, 12)
    assert not match.snapshot(A).seats[1].here


async def test_the_seeks_of_a_killed_process_meet_nobody(lobbies: list[OpenLobby]) -> None:
    lobbies[1].arrive(TARN)
    await lobbies[1].lobby.seek(TARN, TINY, "tarn-1")
    await lobbies[1].table.matches.context.tasks.close()
    await lobbies[1].context.tasks.close()
    await settle(lobbies, 6)
    lobbies[0].arrive(MIRA)
    await lobbies[0].lobby.seek(MIRA, TINY, "mira-1")
    await settle(lobbies, 2)
    assert lobbies[0].matches_of(MIRA) == []


async def test_a_ban_of_a_network_is_settled_by_whichever_process_hears_of_it_first(lobbies: list[OpenLobby]) -> None:
    players = CROWD[:2]
    for at, player in zip(lobbies, players, strict=False):
        at.arrive(player)
    match = await lobbies[0].table.begin(*players)
    await settle(lobbies, 3.0)
    for at in (lobbies[1], lobbies[0], lobbies[2]):
        await bans.end_matches(at.table.matches, lambda identity: Reach.NETWORK)
        assert await kinds(at.table, match.id) == ["void"]


async def test_a_ban_of_a_network_reaches_those_whom_no_process_knows_all_of_yet(lobbies: list[OpenLobby]) -> None:
    """Each process knew only its own player in the first two seconds, and took the other for one who stays."""
    players = CROWD[:2]
    for at, player in zip(lobbies, players, strict=False):
        at.arrive(player)
    match = await lobbies[0].table.begin(*players)
    for at in lobbies[:2]:
        await bans.end_matches(at.table.matches, lambda identity: Reach.NETWORK)
    assert await kinds(lobbies[0].table, match.id) == ["void"]


async def test_who_was_sent_away_is_known_to_a_process_that_hears_of_the_ban_later(lobbies: list[OpenLobby]) -> None:
    """The slower process found one player gone, and the match went on without anybody."""
    mira, tarn = CROWD[:2]
    left = lobbies[0].arrive(mira)
    await settle(lobbies, 3.0)
    match = await lobbies[0].table.begin(mira, tarn)
    await bans.end_matches(lobbies[0].table.matches, lambda identity: Reach.NETWORK)
    left.leave()
    lobbies[1].arrive(tarn)  # a process that has not told of anybody for so long does not run well
    await settle(lobbies, 3.0)
    await bans.end_matches(lobbies[1].table.matches, lambda identity: Reach.NETWORK)
    assert await kinds(lobbies[0].table, match.id) == ["void"]
    await settle(lobbies, 15.0)
    assert not lobbies[1].table.matches.connections.is_connected(mira), "then the one who was sent away is forgotten"


async def test_a_ban_of_a_network_is_settled_when_the_store_answers_again(lobbies: list[OpenLobby]) -> None:
    players = CROWD[:2]
    for player in players:
        lobbies[0].arrive(player)
    match = await lobbies[0].table.begin(*players)
    table = lobbies[0].table
    table.database.refusals = 2
    task = asyncio.create_task(bans.end_matches(table.matches, lambda identity: Reach.NETWORK))
    await settle(lobbies, 5.0)
    await task
    assert await kinds(table, match.id) == ["void"]


async def test_a_match_that_begins_in_another_process_is_heard_of_without_a_hint(lobbies: list[OpenLobby]) -> None:
    mira, tarn = CROWD[:2]
    lobbies[0].arrive(mira, "mira")
    lobbies[1].arrive(tarn, "tarn")
    room = await lobbies[0].lobby.rooms.create(mira, replace(ROOM, auto_start=True), "mira")
    await lobbies[1].lobby.rooms.join(tarn, room.code, "tarn")
    await settle(lobbies, 4)
    [first] = lobbies[1].begun["tarn"]
    assert lobbies[0].begun["mira"] == [first]
    mine, theirs = [await one.table.matches.open(first) for one in lobbies[:2]]
    await theirs.resign(B)
    await settle(lobbies, 4)
    await mine.offer(A, "rematch")
    await theirs.offer(B, "rematch")
    await settle(lobbies, 4)
    assert lobbies[0].begun["mira"] == lobbies[1].begun["tarn"] == [first, theirs.offers.next_match]
    watched = mine.subscribe(A, lambda: None)
    await settle(lobbies, 4)
    assert mine.offers.next_match == theirs.offers.next_match
    watched.close()
    lobbies[2].arrive(mira, "late")
    await settle(lobbies, 4)
    assert lobbies[2].begun["late"] == [], "who comes later asks what runs"


async def test_who_looks_on_by_command_counts_in_every_process_and_is_nowhere_listed_as_here(
    lobbies: list[OpenLobby],
) -> None:
    match = await lobbies[0].table.begin(MIRA, TARN)
    there, looker = await lobbies[1].table.matches.open(match.id), CROWD[5]
    identity = Identity(looker.account_id, looker.name, frozenset(), None, None, "", "127.0.0.1")
    where = lobbies[1].table.matches.connections
    where.arrive(Connected("p6-1", identity, lobbies[1].table.clock.now(), looks_on=True))
    there.enter(looker, None, "p6-1")
    lobbies[0].arrive(MIRA)
    await settle(lobbies, 6)
    assert match.snapshot(A).watchers == there.snapshot(A).watchers == ("p6",)
    assert [line.watchers for one in lobbies for line in await one.table.matches.list(MatchQuery())] == [1] * 4
    assert [one.table.matches.connections.is_connected(looker) for one in lobbies] == [False] * 4
    assert [one.name for one in lobbies[0].lobby.snapshot().here] == ["mira"]
    where.leave("p6-1")
    await settle(lobbies, 6)
    assert match.snapshot(A).watchers == ()


async def test_who_comes_into_a_room_that_nobody_here_was_in_is_out_of_it_when_they_go(
    lobbies: list[OpenLobby],
) -> None:
    """A process forgot the room while somebody was about to enter it, and never took them out again."""
    host, guest = CROWD[:2]
    lobbies[0].arrive(host, "host")
    room = await lobbies[0].lobby.rooms.create(host, ROOM, "host")
    arrival = lobbies[1].arrive(guest, "guest")
    there = await lobbies[1].lobby.rooms.room(room.code)
    await lobbies[1].lobby.rooms.poll()
    await there.enter(guest, "guest")
    arrival.leave()
    await settle(lobbies, 4)
    assert room.snapshot().members == (host.name,)


async def test_challenges_to_one_person_were_counted_by_each_process(lobbies: list[OpenLobby]) -> None:
    challenger, other = CROWD[:2]
    for one in lobbies:
        one.arrive(challenger)
    for n in range(MOST_TO_ONE_PER_MIN):
        await lobbies[n % 3].lobby.challenges.leave(challenger, other.name, agreed(ROOM, private=True))
    with pytest.raises(RateLimited):
        await lobbies[3].lobby.challenges.leave(challenger, other.name, agreed(ROOM, private=True))


async def test_offers_that_were_refused_were_counted_by_each_process(lobbies: list[OpenLobby]) -> None:
    match_id = (await lobbies[0].table.begin(CROWD[0], CROWD[1])).id
    opened = [await one.table.matches.open(match_id) for one in lobbies]
    assert len(opened) == MOST_OFFERED + 1
    for match in opened[:-1]:
        await match.offer(A, "draw")
        await match.answer(B, "draw", accept=False)
    with pytest.raises(MatchRefused) as refused:
        await opened[-1].offer(A, "draw")
    assert refused.value.key == "match.error.offered-often"


async def test_rated_matches_of_one_address_that_began_at_one_moment_found_none_of_the_others(
    lobbies: list[OpenLobby],
) -> None:
    table, pair, now = lobbies[0].table, CROWD[:2], FakeClock().now()
    for player in pair:
        who = Identity(player.account_id, player.name, frozenset(), None, None, "", "127.0.0.1")
        table.matches.connections.arrive(Connected(player.name, who, now))
    new = NewMatch(Agreement("tiny", rated=True), tuple(pair))
    begun = await asyncio.gather(*(table.matches.prepare(new) for _ in range(SOURCE_PER_DAY + 2)))
    assert sum(one.match.terms.agreement.rated for one in begun) == SOURCE_PER_DAY

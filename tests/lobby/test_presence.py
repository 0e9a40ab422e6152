"""Who is here: connected, be it at the board or on any other page."""

from __future__ import annotations

import cProfile
from dataclasses import asdict

from game.contract import Seat
from server.accounts.identity import Identity, Player
from server.lobby.lobby import TOPIC
from server.presence.connections import Connected, Connections
from server.store.processes import StoredSession
from tests.clocks import FakeClock
from tests.lobby.opened import OpenLobby, open_lobby, room_of_two
from tests.matches.table import GUEST, LIO, MIRA, TARN, SharedBus

A, B = Seat(0), Seat(1)


async def test_who_looks_at_another_screen_is_not_gone(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    tarn = lobby.arrive(TARN)
    match = await lobby.table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1").leave()
    seen = match.snapshot(A)
    assert seen.seats[1].here
    assert seen.claim_at is None
    tarn.leave()
    seen = match.snapshot(A)
    assert not seen.seats[1].here
    assert seen.claim_at is not None


async def test_coming_back_to_the_server_is_coming_back_to_the_match(lobby: OpenLobby) -> None:
    match = await lobby.table.begin(MIRA, TARN, speed="fast")
    told: list[bool] = []
    match.subscribe(A, lambda: told.append(match.snapshot(A).seats[1].here))
    assert not match.snapshot(A).seats[1].here
    lobby.arrive(TARN)
    assert told == [True]


async def test_a_second_connection_keeps_a_guest_s_seat(lobby: OpenLobby) -> None:
    first, second = lobby.arrive(GUEST, "guest-1"), lobby.arrive(GUEST, "guest-2")
    match = await lobby.table.begin(MIRA, GUEST)
    match.enter(GUEST, B, "guest-1")
    first.leave()
    await lobby.table.wait(65)
    assert not match.is_over
    second.leave()
    match.live.attendance.left("guest-1")
    await lobby.table.wait(62)
    assert match.is_over


async def test_who_still_looks_at_the_end_of_a_match_plays_no_more(lobby: OpenLobby) -> None:
    """Others read "playing", and waited."""
    lobby.arrive(MIRA, "mira-1")
    match = await lobby.table.begin(MIRA, TARN)
    match.enter(MIRA, A, "mira-1")
    await lobby.table.wait(3.5)
    assert [one.playing for one in lobby.lobby.snapshot().here] == [match.id]
    await match.resign(B)
    await lobby.table.wait(6)
    assert [one.playing for one in lobby.lobby.snapshot().here] == [None]


async def test_the_lobby_counts_a_person_once_and_says_what_she_plays(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA, "mira-1")
    lobby.arrive(MIRA, "mira-2")
    lobby.arrive(LIO)
    match = await lobby.table.begin(MIRA, TARN)
    match.enter(MIRA, A, "mira-2")
    await lobby.table.wait(3.5)
    here = lobby.lobby.snapshot().here
    assert [(one.name, one.playing) for one in here] == [("lio", None), ("mira", match.id)]


async def test_a_match_of_another_server_on_the_same_bus_is_not_told_of(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_lobby(url, clock, bus) as here:
        here.arrive(MIRA)
        bus.publish(TOPIC, {"from": "elsewhere", "match": "notours1", "persons": [MIRA.person]})
        await here.wave()
        assert here.matches_of(MIRA) == []
        match = await here.table.begin(TARN, LIO)
        bus.publish(TOPIC, {"from": "elsewhere", "match": match.id, "persons": [MIRA.person]})
        await here.wave()
        assert here.matches_of(MIRA) == [match.id]


async def test_other_processes_learn_which_rooms_somebody_is_in_and_when_they_have_left(lobby: OpenLobby) -> None:
    """What a room lets them see is asked of every process that they are connected to."""
    room = await room_of_two(lobby)
    here = lobby.table.matches.connections
    other = Connections("other")

    def rooms_of(player: Player) -> frozenset[str]:
        other.heard(StoredSession(**{**asdict(one), "process_id": "here"}) for one in stored.values())
        return other.rooms_elsewhere(player)

    stored = {one.id: one for one in here.news(lobby.table.clock.now())[0]}
    assert rooms_of(MIRA) == {room.code}
    await room.left("mira-1")
    stored |= {one.id: one for one in here.news(lobby.table.clock.now())[0]}
    assert (rooms_of(MIRA), rooms_of(TARN)) == (frozenset(), frozenset((room.code,)))


def test_a_watcher_is_counted_alike_by_the_process_they_are_connected_to_and_by_the_others(clock: FakeClock) -> None:
    """Two places worked it out; where they differ, the same people make another number in each process."""
    here, other = Connections("here"), Connections("other")
    for number, name in enumerate(("guest-a", "guest-b", "mira", "old")):
        account = None if name.startswith("guest") else number
        who = Identity(account, name, frozenset(), None, None, "", "2001:db8::7", is_settled=name == "old")
        here.arrive(Connected(name, who, clock.now(), (("m1", None),)))
    other.heard(here.news(clock.now())[0])
    watchers = {one.identity.name: here.counts_as(one.identity.player) for one in here.here}
    assert other.watchers_elsewhere() == {"m1": watchers}
    assert sorted(set(watchers.values())) == ["2001:db8::/64", "a:2", "a:3"]


def test_what_a_gallery_counts_as_is_not_looked_up_among_all_connections(clock: FakeClock) -> None:
    """Each of 500 watchers was looked for among all 500 at every new list of the lobby."""
    work = []
    for watchers in (10, 200):
        here = Connections("here")
        guests = [
            Identity(None, f"guest-{n}", frozenset(), None, None, "", f"192.0.2.{n}", is_settled=False)
            for n in range(watchers)
        ]
        for who in guests:
            here.arrive(Connected(who.name, who, clock.now(), (("m1", None),)))
        with cProfile.Profile() as calls:
            counted = {here.counts_as(who.player) for who in guests}
        assert len(counted) == watchers
        own = [one for one in calls.getstats() if "/server/presence/" in getattr(one.code, "co_filename", "")]
        work.append(sum(one.callcount for one in own) / watchers)  # without what a collection of garbage calls
    assert work[1] < 1.5 * work[0]

"""Seeking and being paired."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy import select

from game.contract import Seat
from game.errors import BadNotation
from server.accounts.errors import AccountError
from server.lobby.errors import LobbyRefused
from server.lobby.model import Seek
from server.matches.agreement import Agreement
from server.matches.errors import Draining
from server.matches.matches import Matches
from server.matches.model import NewMatch
from server.store import lobby as store
from server.store import tables
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import TINY, OpenLobby, open_lobby
from tests.matches.table import GUEST, LIO, MIRA, TARN, SharedBus


async def test_two_who_seek_the_same_are_paired_in_the_next_wave(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    ticket = await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    assert lobby.matches_of(MIRA) == lobby.matches_of(TARN) == [ticket.match]
    match = await lobby.table.matches.open(ticket.match or "")
    assert {player.name for player in match.terms.players} == {"mira", "tarn"}


async def test_different_speeds_options_or_games_do_not_meet(lobby: OpenLobby) -> None:
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, agreed(TINY, speed="fast"))
    await lobby.lobby.seek(LIO, agreed(TINY, options={"lives": 1}))
    await lobby.wave()
    assert await lobby.table.matches.running_of(MIRA) == []


async def test_options_that_are_the_default_anyway_are_the_same(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, agreed(TINY, options={"ties": "nobody"}))
    await lobby.wave()
    assert len(lobby.matches_of(MIRA)) == 1


async def test_a_wished_seat_is_given(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, replace(TINY, seat=Seat(1)))
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    match = await lobby.table.matches.open(lobby.matches_of(MIRA)[0])
    assert match.terms.players == (TARN, MIRA)


class DrainedWhilePreparing(FakeClock):
    """The order to drain comes at the first look at the clock after `matches` is set: while a match is prepared."""

    matches: Matches | None = None

    def now(self) -> datetime:
        if self.matches is not None:
            self.matches.context.drain(True)
        return super().now()


async def test_a_match_that_was_being_prepared_began_after_the_order_to_drain(url: str) -> None:
    clock = DrainedWhilePreparing()
    async with open_lobby(url, clock) as lobby:
        clock.matches = lobby.table.matches
        with pytest.raises(Draining):
            await lobby.table.matches.create(NewMatch(TINY.agreement, (MIRA, TARN)))
        assert await lobby.table.matches.running_of(MIRA) == []


async def test_several_games_at_once_lead_to_one_match(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, [TINY, Seek(Agreement("rainet"))])
    await lobby.lobby.seek(TARN, TINY)
    await lobby.lobby.seek(LIO, Seek(Agreement("rainet")))
    await lobby.wave()
    await lobby.wave()
    assert len(lobby.matches_of(MIRA)) == 1


async def test_the_same_person_twice_is_not_paired_with_herself(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.wave()
    assert lobby.matches_of(MIRA) == []


async def test_who_is_blocked_is_not_met(lobby: OpenLobby) -> None:
    await lobby.block(TARN, MIRA)
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    assert lobby.matches_of(MIRA) == []


async def test_a_cancelled_seek_meets_nobody(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    (await lobby.lobby.seek(MIRA, TINY)).cancel()
    await lobby.table.database.settle()
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    assert lobby.matches_of(TARN) == []


async def test_a_seek_ends_with_its_connection(lobby: OpenLobby) -> None:
    arrival = lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, TINY, "mira-1")
    arrival.leave()
    await lobby.table.database.settle()
    lobby.arrive(TARN)
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    assert lobby.matches_of(TARN) == []


async def test_guests_play_casual_only(lobby: OpenLobby) -> None:
    with pytest.raises(LobbyRefused):
        await lobby.lobby.seek(GUEST, agreed(TINY, rated=True))
    lobby.arrive(GUEST)
    await lobby.lobby.seek(GUEST, TINY)
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.wave()
    assert len(lobby.matches_of(GUEST)) == 1


async def test_who_left_too_often_pauses_in_rated_pairing(lobby: OpenLobby) -> None:
    await lobby.pause(MIRA)
    with pytest.raises(AccountError, match=r"account\.paused"):
        await lobby.lobby.seek(MIRA, agreed(TINY, rated=True))
    await lobby.lobby.seek(MIRA, TINY)


async def test_what_can_not_be_played_can_not_be_sought(lobby: OpenLobby) -> None:
    for wrong in (
        Seek(Agreement("chess", rated=True)),
        agreed(TINY, players=9),
        agreed(TINY, speed="x"),
        agreed(TINY, options={"a": 1}),
    ):
        with pytest.raises(BadNotation):
            await lobby.lobby.seek(MIRA, wrong)


async def test_after_a_while_bots_take_the_seats_that_nobody_came_for(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, replace(agreed(TINY, players=4), bots=True))
    await lobby.lobby.seek(TARN, replace(agreed(TINY, players=4), bots=True))
    await lobby.wave()
    assert lobby.matches_of(MIRA) == []
    await lobby.table.wait(31)
    match = await lobby.table.matches.open(lobby.matches_of(MIRA)[0])
    assert sorted(player.kind for player in match.terms.players) == ["account", "account", "bot", "bot"]


async def test_after_a_while_fewer_will_do_for_who_said_so(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    for player in (MIRA, TARN, LIO):
        await lobby.lobby.seek(player, replace(agreed(TINY, players=4), fewest=3))
    await lobby.table.wait(31)
    match = await lobby.table.matches.open(lobby.matches_of(MIRA)[0])
    assert match.terms.n_seats == 3


async def test_two_processes_pair_their_people_once(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_lobby(url, clock, bus) as here, open_lobby(url, clock, bus, seed=8) as there:
        here.arrive(MIRA)
        there.arrive(TARN)
        await here.lobby.seek(MIRA, TINY)
        await there.lobby.seek(TARN, TINY)
        await here.table.wait(1.0)
        await there.table.database.settle()
        assert len(here.matches_of(MIRA)) == 1
        assert here.matches_of(MIRA) == there.matches_of(TARN)
        assert len(await here.table.matches.running_of(MIRA)) == 1


async def test_without_hints_the_other_process_hears_of_its_pairing_from_the_store(url: str, clock: FakeClock) -> None:
    bus = SharedBus(is_deaf=True)
    async with open_lobby(url, clock, bus) as here, open_lobby(url, clock, bus, seed=8) as there:
        there.arrive(TARN)
        await here.lobby.seek(MIRA, TINY)
        await there.lobby.seek(TARN, TINY)
        await here.table.wait(3.0)
        await there.table.database.settle()
        assert len(there.matches_of(TARN)) == 1


async def test_the_lobby_shows_open_seeks_with_their_window(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    await lobby.lobby.seek(MIRA, replace(agreed(TINY, rated=True), rating_low=1450))
    await lobby.table.wait(3.25)
    (shown,) = lobby.lobby.snapshot().seeks
    assert (shown.player, shown.rating, shown.low) == (MIRA, 1500, 1450)
    assert shown.high is not None
    assert 1620 <= shown.high < 1660
    assert shown.waiting == 1


async def test_a_match_with_a_bot_begins_at_once(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    match = await lobby.lobby.play_bot(MIRA, "tiny", "easy", seat=Seat(1))
    assert [player.name for player in match.terms.players] == ["bot:easy", "mira"]
    assert lobby.matches_of(MIRA) == [match.id]
    with pytest.raises(BadNotation):
        await lobby.lobby.play_bot(MIRA, "tiny", "divine")


async def test_a_deck_that_no_match_could_begin_with_is_not_sought_with(lobby: OpenLobby) -> None:
    """It was found out when two had been paired, again and again, and the other one never played."""
    lobby.arrive(MIRA)
    netrunner = Agreement("netrunner", rated=True)
    for seat, deck in ((Seat(0), "shaper"), (Seat(1), "Kate\n3 Diesel"), (None, "nbn")):
        with pytest.raises(BadNotation):
            await lobby.lobby.seek(
                MIRA, Seek(Agreement("netrunner", rated=True), seat=seat, seat_options={"deck": deck})
            )
    await lobby.lobby.seek(MIRA, Seek(netrunner, seat=Seat(0), seat_options={"deck": "nbn"}))


async def test_what_a_server_that_was_killed_left_sought_is_forgotten_with_it(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    now = lobby.table.clock.now()
    left = store.StoredSeek("s1", "t1", "a:3", "killed", now, {})
    await lobby.table.database.write(store.add_seeks, [left])
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, TINY)
    await lobby.wave()
    seeks = await lobby.table.database.read(lambda connection: connection.execute(select(tables.seeks.c.id)).all())
    assert seeks == []

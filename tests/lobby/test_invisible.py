"""Who is invisible: two worlds, one with them connected and one without, in which others see the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.matches.model import MatchQuery
from server.store.choose import open_database
from tests.clocks import FakeClock
from tests.lobby.opened import ROOM, TINY, OpenLobby, open_lobby
from tests.lobby.test_many_processes import CROWD, add_people, settle
from tests.matches.table import MIRA, TARN, SharedBus
from tests.services import drop_postgres, make_postgres

pytestmark = pytest.mark.services
HIDDEN = CROWD[5]
A, B = Seat(0), Seat(1)


@asynccontextmanager
async def two_processes(template: str) -> AsyncIterator[list[OpenLobby]]:
    """Two processes of a world of its own."""
    url = await make_postgres(template)
    try:
        database = await open_database(url)
        await database.write(add_people)
        await database.close()
        clock, bus = FakeClock(), SharedBus(is_deaf=True)
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(open_lobby(url, clock, bus, seed=n)) for n in range(2)]
    finally:
        await drop_postgres(url)


def hidden(player: Player) -> Identity:
    return Identity(player.account_id, player.name, frozenset(), None, None, "", "127.0.5.5", is_invisible=True)


async def seen(template: str, connects: bool) -> list[str]:
    """Return what others see at every door of both processes, where somebody invisible connects, or does not."""
    async with two_processes(template) as lobbies:
        first, second = lobbies
        first.arrive(MIRA)
        second.arrive(TARN)
        match = await first.table.begin(MIRA, TARN)
        there = await second.table.matches.open(match.id)
        room = await first.lobby.rooms.create(MIRA, ROOM, "mira-1")
        told: list[str] = []
        subscriptions = [match.subscribe(A, lambda: told.append("A")), there.subscribe(B, lambda: told.append("B"))]
        await settle(lobbies, 6)
        told.clear()
        if connects:
            second.lobby.arrive(hidden(HIDDEN), "p6-1", lambda match_id: None)
            second.table.matches.connections.place("p6-1", match.id, None)
            there.enter(HIDDEN, None, "p6-1")
            inside = await second.lobby.rooms.room(room.code)
            await inside.enter(HIDDEN, "p6-1")
        await settle(lobbies, 6)
        found: list[object] = [told]
        for one, opened in ((first, match), (second, there)):
            view = one.lobby.snapshot()
            found += [view.here, view.matches, view.rooms, view.seeks, await one.lobby.people_here()]
            found += [opened.snapshot(viewer) for viewer in (A, B, Watcher.PUBLIC)]
            found += [opened.live.attendance.is_paced, await one.table.matches.list(MatchQuery())]
            shown = (await one.lobby.rooms.room(room.code)).snapshot()
            found += [shown.members, shown.seats, shown.host]
        for subscription in subscriptions:
            subscription.close()
        return [repr(one).replace(match.id, "MATCH").replace(room.code, "ROOM") for one in found]


async def test_others_see_the_same_with_and_without_somebody_invisible(migrated_postgres: str) -> None:
    without, with_them = [await seen(migrated_postgres, connects) for connects in (False, True)]
    for one, other in zip(without, with_them, strict=True):
        assert one == other
    assert not any(HIDDEN.name in one for one in with_them)


async def test_what_somebody_invisible_does_is_shown_and_the_opponent_gets_presence(migrated_postgres: str) -> None:
    async with two_processes(migrated_postgres) as lobbies:
        first, second = lobbies
        first.arrive(MIRA)
        second.lobby.arrive(hidden(HIDDEN), "p6-1", lambda match_id: None)
        await second.lobby.seek(HIDDEN, TINY, "p6-1")
        match = await first.table.begin(MIRA, HIDDEN)
        await settle(lobbies, 6)
        assert [seek.player.name for seek in first.lobby.snapshot().seeks] == [HIDDEN.name]
        assert [info.here for info in match.snapshot(A).seats] == [True, True]
        assert [one.name for one in first.lobby.snapshot().here] == ["mira"]


async def test_turning_it_on_is_not_told_as_leaving_and_off_shows_again(migrated_postgres: str) -> None:
    async with two_processes(migrated_postgres) as lobbies:
        first, second = lobbies
        first.arrive(MIRA)
        second.arrive(HIDDEN)
        match = await first.table.begin(MIRA, HIDDEN)
        await settle(lobbies, 6)
        assert {one.name for one in first.lobby.snapshot().here} == {"mira", HIDDEN.name}
        for is_on, expected in ((True, {"mira"}), (False, {"mira", HIDDEN.name})):
            for one in lobbies:
                one.table.matches.set_invisible(HIDDEN.account_id or 0, is_on)
            await settle(lobbies, 6)
            assert {one.name for one in first.lobby.snapshot().here} == expected
            assert {one.name for one in second.lobby.snapshot().here} == expected
            assert match.snapshot(A).seats[B].here
            assert match.live.attendance.gone_since(B) is None


async def public_seats(template: str, is_played: bool, connects: bool) -> list[str]:
    """Return what who looks on is shown of a match's seats, where somebody invisible who has one is in the lobby."""
    async with two_processes(template) as lobbies:
        first, second = lobbies
        first.arrive(MIRA)
        match = await first.table.begin(MIRA, HIDDEN)
        if not is_played:
            await match.resign(A)
        there = await second.table.matches.open(match.id)
        if connects:
            second.lobby.arrive(hidden(HIDDEN), "p6-1", lambda match_id: None)
        await settle(lobbies, 6)
        looking = (Watcher.PUBLIC,) if is_played else (Watcher.PUBLIC, A)
        shots = [one.snapshot(viewer) for one in (match, there) for viewer in looking]
        return [repr((shot.seats, shot.claim_at)) for shot in shots]


@pytest.mark.parametrize("is_played", [True, False])
async def test_a_seat_does_not_tell_who_looks_on_that_somebody_invisible_is_connected(
    migrated_postgres: str, is_played: bool
) -> None:
    without, with_them = [await public_seats(migrated_postgres, is_played, connects) for connects in (False, True)]
    assert without == with_them


async def test_with_the_match_before_them_somebody_invisible_is_shown_on_the_seat(migrated_postgres: str) -> None:
    async with two_processes(migrated_postgres) as lobbies:
        first, second = lobbies
        match = await first.table.begin(MIRA, HIDDEN)
        second.lobby.arrive(hidden(HIDDEN), "p6-1", lambda match_id: None)
        there = await second.table.matches.open(match.id)
        presence = there.enter(HIDDEN, B, "p6-1")
        await settle(lobbies, 6)
        assert all(one.snapshot(Watcher.PUBLIC).seats[B].here for one in (match, there))
        presence.leave()
        await settle(lobbies, 6)
        assert not any(one.snapshot(Watcher.PUBLIC).seats[B].here for one in (match, there))
        assert all(one.snapshot(A).seats[B].here for one in (match, there))

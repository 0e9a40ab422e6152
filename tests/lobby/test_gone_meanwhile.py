"""People who go while what they asked for is being stored leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from server.lobby import room_document, room_state
from server.lobby.room_state import Member
from server.store import lobby as store
from tests.lobby.opened import ROOM, TINY, OpenLobby, room_of_two
from tests.matches.table import LIO, MIRA, TARN, ZOE


async def cut_off(
    lobby: OpenLobby, work: Coroutine[Any, Any, object], nth: int = 1, gone: Callable[[], None] = lambda: None
) -> None:
    """Begin something and cancel it, as a session that ends does, while the store is at it: that can't be stopped.

    `nth`: at which of its writes; `gone`: is told just before.
    """
    writing, writes = asyncio.Event(), count(1)
    database = lobby.table.database
    real = database.write

    async def write(*args: Any, **more: Any) -> Any:
        under_way = asyncio.ensure_future(real(*args, **more))
        if next(writes) == nth:
            writing.set()
        return await asyncio.shield(under_way)

    database.write = write  # type: ignore[method-assign]
    task = asyncio.create_task(work)
    await writing.wait()
    database.write = real  # type: ignore[method-assign]
    gone()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await lobby.table.wait(2.0)


async def test_who_goes_while_a_seek_is_stored_is_not_paired(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA).leave()
    lobby.arrive(TARN)
    await cut_off(lobby, lobby.lobby.seek(MIRA, TINY, "mira-1"))
    await lobby.lobby.seek(TARN, TINY, "tarn-1")
    await lobby.wave()
    assert lobby.matches_of(TARN) == []


async def test_who_goes_while_a_room_is_entered_is_not_in_it(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    lobby.arrive(ZOE).leave()
    await cut_off(lobby, lobby.lobby.rooms.join(ZOE, room.code, "zoe-1"))
    stored = await lobby.table.database.read(store.room, room.code)
    assert stored is not None
    assert {member.session for member in room_document.from_json(stored.data).members} == {"mira-1", "tarn-1"}


@pytest.mark.parametrize("nth", [1, 2, 3])
async def test_a_room_whose_maker_goes_while_it_is_stored_ends_at_once(lobby: OpenLobby, nth: int) -> None:
    arrival = lobby.arrive(MIRA)
    session = arrival.session
    await cut_off(lobby, lobby.lobby.rooms.create(MIRA, ROOM, session), nth, arrival.leave)
    await lobby.table.wait(5.0)
    assert await lobby.table.database.read(store.all_rooms) == []


async def test_a_room_that_changes_as_its_last_one_goes_ends_all_the_same(lobby: OpenLobby) -> None:
    arrival = lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, arrival.session)
    database = lobby.table.database
    real = database.write

    async def write(work: Any, *args: Any) -> Any:
        if work is store.drop_room:
            database.write = real  # type: ignore[method-assign]
            change = room.as_work(lambda state: replace(state, host_name="zoe"))
            await real(store.change_room, room.code, change, lobby.table.clock.now())
        return await real(work, *args)

    database.write = write  # type: ignore[method-assign, assignment]
    await room.left(arrival.session)
    assert await database.read(store.all_rooms) == []


async def test_a_seek_that_nobody_holds_is_taken_back_in_time(lobby: OpenLobby) -> None:
    ticket = await lobby.lobby.seek(MIRA, TINY)
    clock, database = lobby.table.clock, lobby.table.database
    [row] = await database.read(store.open_seeks, clock.now())
    other = {**row.data, "seek": {**row.data["seek"], "speed": "fast"}}
    await database.write(store.add_seeks, [replace(row, id="ghost", ticket="ghost", person="a:99", data=other)])
    await lobby.table.wait(61)
    assert [row.ticket for row in await database.read(store.open_seeks, clock.now())] == [ticket.id]


async def test_a_member_without_a_connection_is_taken_out_of_the_room_in_time(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    ghost = Member("ghost-1", lobby.table.matches.connections.process_id, LIO)
    await room.change(lambda state: room_state.joined(state, ghost))
    await lobby.table.wait(95)
    assert room.snapshot().members == ("mira", "tarn")


async def test_who_comes_into_a_room_as_it_ends_keeps_it(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    left = await room.change(lambda state: room_state.left(state, "mira-1"))
    version = room.version
    assert left.members == ()
    lobby.arrive(TARN)
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert not await lobby.table.database.write(store.drop_room, room.code, version)
    assert (await lobby.lobby.rooms.room(room.code)).state.host == TARN.person, "somebody has to answer for it"

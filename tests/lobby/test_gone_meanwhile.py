"""People who go while what they asked for is being stored leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from server.lobby import seats
from server.lobby.people import person_of
from server.lobby.seats import Member
from server.store import lobby as store
from tests.lobby.hall import ROOM, TINY, Hall, room_of_two
from tests.matches.table import LIO, MIRA, TARN, ZOE


async def cut_off(lobby: Hall, work: Coroutine[Any, Any, object]) -> None:
    """Begin something and cancel it, as a session that ends does, while the store is at it: that can't be stopped."""
    writing = asyncio.Event()
    database = lobby.table.database
    real = database.write

    async def write(*args: Any, **more: Any) -> Any:
        under_way = asyncio.ensure_future(real(*args, **more))
        writing.set()
        return await asyncio.shield(under_way)

    database.write = write  # type: ignore[method-assign]
    task = asyncio.create_task(work)
    await writing.wait()
    database.write = real  # type: ignore[method-assign]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await lobby.table.wait(2.0)


async def test_who_goes_while_a_seek_is_stored_is_not_paired(lobby: Hall) -> None:
    lobby.arrive(MIRA).leave()
    lobby.arrive(TARN)
    await cut_off(lobby, lobby.lobby.seek(MIRA, TINY, "mira-1"))
    await lobby.lobby.seek(TARN, TINY, "tarn-1")
    await lobby.wave()
    assert lobby.matches_of(TARN) == []


async def test_who_goes_while_a_room_is_entered_is_not_in_it(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    lobby.arrive(ZOE).leave()
    await cut_off(lobby, lobby.lobby.join(ZOE, room.code, "zoe-1"))
    stored = await lobby.table.database.read(store.room, room.code)
    assert stored is not None
    assert {member.session for member in seats.from_json(stored.data).members} == {"mira-1", "tarn-1"}


async def test_a_room_whose_maker_goes_while_it_is_stored_ends_by_itself(lobby: Hall) -> None:
    lobby.arrive(MIRA).leave()
    await cut_off(lobby, lobby.lobby.create_room(MIRA, ROOM, "mira-1"))
    await lobby.table.wait(120.0)
    assert await lobby.table.database.read(store.all_rooms) == []


async def test_a_seek_that_nobody_holds_is_taken_back_in_time(lobby: Hall) -> None:
    ticket = await lobby.lobby.seek(MIRA, TINY)
    clock, database = lobby.table.clock, lobby.table.database
    [row] = await database.read(store.open_seeks, clock.now())
    other = {**row.data, "seek": {**row.data["seek"], "speed": "fast"}}
    await database.write(store.add_seeks, [replace(row, id="ghost", ticket="ghost", person="a:99", data=other)])
    await lobby.table.wait(61)
    assert [row.ticket for row in await database.read(store.open_seeks, clock.now())] == [ticket.id]


async def test_a_member_without_a_connection_is_taken_out_of_the_room_in_time(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    ghost = Member("ghost-1", lobby.table.matches.whereabouts.process_id, LIO)
    await room.change(lambda state: seats.joined(state, ghost))
    await lobby.table.wait(95)
    assert room.snapshot().members == ("mira", "tarn")


async def test_who_comes_into_a_room_as_it_ends_keeps_it(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.create_room(MIRA, ROOM, "mira-1")
    left = await room.change(lambda state: seats.left(state, "mira-1"))
    version = room.version
    assert left.members == ()
    lobby.arrive(TARN)
    await lobby.lobby.join(TARN, room.code, "tarn-1")
    assert not await lobby.table.database.write(store.drop_room, room.code, version)
    assert (await lobby.lobby.room(room.code)).state.host == person_of(TARN), "somebody has to answer for it"

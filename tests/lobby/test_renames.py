"""Who takes another handle while they seek, sit in a room, are challenged, or look on."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

from sqlalchemy import select

from game.contract import Seat
from server.accounts.identity import Player
from server.store import accounts as stored
from server.store import invitations, personal_data, tables
from server.store import lobby as rooms
from tests.agreements import agreed
from tests.lobby.opened import ROOM, TINY, OpenLobby, seated
from tests.matches.table import LIO, MIRA, TARN

A, B = Seat(0), Seat(1)
ZORA = replace(MIRA, name="zora")


async def rename(lobby: OpenLobby, player: Player, name: str) -> None:
    """Give somebody another handle, as the store and then the order to the processes have it."""
    assert player.account_id is not None
    await lobby.table.database.write(stored.set_handle, player.account_id, name)
    lobby.table.matches.rename(player.account_id, name)
    await lobby.lobby.rename(player.account_id, name)


async def test_a_room_calls_its_host_and_players_by_their_new_handles(lobby: OpenLobby) -> None:
    """It listed the host under the handle that was somebody else's by then."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await rename(lobby, MIRA, "zora")
    shown = room.snapshot()
    assert (shown.host, seated(room), shown.members) == ("zora", ["zora", "tarn"], ("zora", "tarn"))
    await room.ready(TARN)
    match = await room.start(ZORA)
    assert [one.name for one in match.terms.players] == ["zora", "tarn"]
    assert (await lobby.lobby.rooms.room(code=room.code)).state.host == MIRA.person
    await lobby.table.wait(3.5)
    assert sorted(one.name for one in lobby.lobby.snapshot().here) == ["tarn", "zora"]


async def test_a_challenge_is_to_the_person_and_not_to_who_has_the_handle_next(lobby: OpenLobby) -> None:
    """The seat was held for the handle: whoever had it next was challenged, and could sit down."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(TARN, "mira", agreed(ROOM, private=True), "tarn-1")
    await rename(lobby, MIRA, "zora")
    await rename(lobby, LIO, "mira")
    assert await lobby.lobby.challenges.to(replace(LIO, name="mira")) == ()
    assert [one.code for one in await lobby.lobby.challenges.to(ZORA)] == [room.code]
    await lobby.lobby.rooms.join(ZORA, room.code, "mira-1")
    assert seated(room) == ["tarn", "zora"]


async def test_a_match_has_the_handles_of_its_beginning_whatever_its_seeks_say(lobby: OpenLobby) -> None:
    """A seek of before the rename made a match that named the former handle for good."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    await lobby.lobby.seek(MIRA, TINY, "mira-1")
    await rename(lobby, MIRA, "zora")
    await lobby.table.wait(3.5)
    assert [one.player.name for one in lobby.lobby.snapshot().seeks] == ["zora"]
    await lobby.lobby.seek(replace(TARN, name="as-of-before"), TINY, "tarn-1")  # by a session that has not heard yet
    await lobby.wave()
    match = await lobby.table.matches.open(lobby.matches_of(TARN)[0])
    assert sorted(one.name for one in match.terms.players) == ["tarn", "zora"]


async def test_the_gallery_names_who_looks_on_as_they_are_called_now(lobby: OpenLobby) -> None:
    match = await lobby.table.begin(TARN, LIO)
    match.enter(MIRA, None, "mira-1", on_case=True)
    await rename(lobby, MIRA, "zora")
    assert match.live.attendance.watchers == ("zora",)
    assert match.live.attendance.is_on_case(MIRA), "a session that has not heard yet looks on all the same"


async def test_a_deleted_account_kept_its_name_in_rooms_and_invitations(lobby: OpenLobby) -> None:
    """A room's results, its host and who had declined a challenge named them, also where nobody looked at it."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    database, now = lobby.table.database, lobby.table.clock.now()
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    named = partial(replace, declined=("mira", "lio"), results=(("m1", "mira"), ("m2", "tarn")))
    await room.change(named)
    await database.write(invitations.add, "hash", "mira", 1, now, now)
    assert MIRA.account_id is not None
    name = await database.write(personal_data.delete_account, MIRA.account_id, now)
    stored_room = await database.read(rooms.room, room.code)
    assert stored_room is not None
    assert "mira" not in json.dumps(dict(stored_room.data)).replace("mira-1", "")
    kept = await database.read(lambda connection: connection.scalar(select(tables.invitations.c.made_by)))
    assert kept == name
    await lobby.lobby.rename(MIRA.account_id, name)
    assert (room.snapshot().host, room.snapshot().declined) == (name, (name, "lio"))
    assert room.snapshot().results == (("m1", name), ("m2", "tarn"))

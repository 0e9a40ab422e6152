"""A room's name: everybody in the lobby reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.chat.errors import ChatRefused
from server.store import conduct as store
from tests.lobby.opened import ROOM, OpenLobby
from tests.matches.table import MIRA


async def test_a_room_s_name_is_cleaned_and_cut_and_not_for_who_is_muted(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(
        MIRA, replace(ROOM, title="\x1b[2Jfriday\u202e  evening" + "x" * 90), "mira-1"
    )
    assert room.snapshot().settings.title == "[2Jfriday evening" + "x" * 23
    database, now = lobby.table.database, lobby.table.clock.now()
    await database.write(store.impose, "mute", "account", str(MIRA.account_id), "spam", "root", now, None)
    await lobby.conduct.refresh()
    with pytest.raises(ChatRefused):
        await lobby.lobby.rooms.create(MIRA, replace(ROOM, title="shout"), "mira-1")
    with pytest.raises(ChatRefused):
        await room.set(MIRA, replace(ROOM, title="shout"))
    await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")

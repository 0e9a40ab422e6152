"""Whom one has blocked, or is blocked by, is not met in a room, by whatever door one comes."""

from __future__ import annotations

import pytest

from server.store.lobby import NoSuchRoom
from tests.lobby.hall import ROOM, Hall
from tests.matches.table import LIO, MIRA, TARN


@pytest.mark.parametrize("pair", [(1, 2), (2, 1)])
async def test_a_program_that_enters_a_room_itself_meets_nobody_blocked_there(
    lobby: Hall, pair: tuple[int, int]
) -> None:
    """The bot protocol's `join` went past the lobby's check, both ways."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    lobby.conduct.blocks.add(pair)
    room = await lobby.lobby.create_room(MIRA, ROOM, "mira-1")
    with pytest.raises(NoSuchRoom):
        await room.enter(TARN, "tarn-1")
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.join(TARN, room.code, "tarn-1")
    assert room.snapshot().members == ("mira",)
    lobby.conduct.blocks.clear()
    await room.enter(TARN, "tarn-1")
    assert room.snapshot().members == ("mira", "tarn")

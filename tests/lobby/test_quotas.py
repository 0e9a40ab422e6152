"""How much one person may have going on at once: a program must not fill the server for everybody."""

from __future__ import annotations

import pytest

from server.lobby.errors import LobbyRefused
from server.lobby.permissions import MOST_ROOMS, MOST_TICKETS
from server.matches.match_quota import MOST_MATCHES
from tests.lobby.opened import ROOM, TINY, OpenLobby
from tests.matches.table import GUEST, MIRA, TARN


async def test_a_person_seeks_with_so_many_tickets_at_once_and_no_more(lobby: OpenLobby) -> None:
    tickets = [await lobby.lobby.seek(MIRA, TINY) for _ in range(MOST_TICKETS)]
    with pytest.raises(LobbyRefused, match=r"lobby\.error\.too-many-seeks"):
        await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, TINY)
    tickets[0].cancel()
    await lobby.lobby.seek(MIRA, TINY)


async def test_a_person_has_so_many_rooms_open_at_once_and_no_more(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    rooms = [await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1") for _ in range(MOST_ROOMS)]
    with pytest.raises(LobbyRefused, match=r"lobby\.error\.too-many-rooms"):
        await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.lobby.rooms.create(TARN, ROOM, "tarn-1")
    await rooms[0].left("mira-1")
    await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")  # at once: one that had ended counted for seconds


async def test_a_person_plays_so_many_matches_at_once_and_then_no_more_against_bots(lobby: OpenLobby) -> None:
    for player in (MIRA, GUEST):
        lobby.arrive(player)
        matches = [await lobby.lobby.play_bot(player, "tiny", "easy") for _ in range(MOST_MATCHES)]
        with pytest.raises(LobbyRefused, match=r"lobby\.error\.too-many-matches"):
            await lobby.lobby.play_bot(player, "tiny", "easy")
        await matches[0].resign(matches[0].terms.people[0])
        await lobby.lobby.play_bot(player, "tiny", "easy")

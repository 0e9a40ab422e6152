"""Who asks for much leaves room for others: in pairing, and in what the lobby lists."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Seat
from server.accounts.identity import Identity, Player
from server.lobby.listing import MATCHES_SHOWN, ROOMS_SHOWN, read_view
from server.lobby.model import LobbyView
from server.lobby.permissions import MOST_ROOMS, MOST_TICKETS
from server.lobby.seeking import SEEKS_SHOWN
from server.presence.connections import Connected
from server.store.processes import StoredSession
from tests.agreements import agreed
from tests.lobby.opened import ROOM, TINY, OpenLobby
from tests.matches.table import LIO, MIRA, TARN, ZOE


async def seen(lobby: OpenLobby) -> LobbyView:
    """What the lobby shows to who looks now."""
    return await read_view(lobby.context, lobby.table.matches, lobby.lobby.seeker, None)


def guest(lobby: OpenLobby, number: int, source: str) -> Player:
    """Somebody without an account who is connected from an address."""
    who = Identity(None, f"guest-{number}", frozenset(), None, None, "", source)
    now = lobby.table.clock.now()
    lobby.context.presence.connections.arrive(Connected(f"session-{number}", who, now))
    return who.player


async def test_two_people_with_a_hundred_seeks_each_keep_nobody_else_waiting(lobby: OpenLobby) -> None:
    for _ in range(MOST_TICKETS):
        for flooding in (LIO, ZOE):
            await lobby.lobby.seek(flooding, replace(TINY, seat=Seat(0)))
    await lobby.wave()
    await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(TARN, TINY)
    await lobby.lobby.seeker.wave()
    assert [len(await lobby.table.matches.running_ids(one)) for one in (MIRA, TARN)] == [1, 1]


async def test_the_seeks_of_one_person_that_want_the_same_are_listed_once(lobby: OpenLobby) -> None:
    for _ in range(3):
        await lobby.lobby.seek(MIRA, TINY)
    await lobby.lobby.seek(MIRA, agreed(TINY, speed="fast"))
    assert sorted((one.seek.agreement.speed, one.waiting) for one in (await seen(lobby)).seeks) == [
        ("fast", 1),
        ("normal", 1),
    ]


async def test_the_seeks_of_two_people_hide_nobody_elses(lobby: OpenLobby) -> None:
    for low in range(MOST_TICKETS):
        for flooding in (MIRA, TARN):
            await lobby.lobby.seek(flooding, replace(TINY, seat=Seat(0), rating_low=low))
    await lobby.lobby.seek(LIO, replace(TINY, seat=Seat(0), rating_low=1600))
    shown = (await seen(lobby)).seeks
    assert len(shown) == SEEKS_SHOWN
    assert {one.player.name for one in shown[:3]} == {"mira", "tarn", "lio"}


async def test_a_host_with_many_rooms_hides_nobody_elses_room(lobby: OpenLobby) -> None:
    """The oldest rooms were listed, and all of them were one person's."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    for _ in range(MOST_ROOMS):
        await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    late = await lobby.lobby.rooms.create(TARN, ROOM, "tarn-1")
    shown = (await seen(lobby)).rooms
    assert len(shown) == ROOMS_SHOWN
    assert late.code in [one.code for one in shown[:2]]


async def test_the_guests_of_one_network_hide_nobody_elses_room(lobby: OpenLobby) -> None:
    for number in range(ROOMS_SHOWN + 10):
        host = guest(lobby, number, f"192.0.2.{number % 2}")
        await lobby.lobby.rooms.create(host, ROOM, f"session-{number}")
    lobby.arrive(TARN)
    late = await lobby.lobby.rooms.create(TARN, ROOM, "tarn-1")
    shown = (await seen(lobby)).rooms
    assert len(shown) == ROOMS_SHOWN
    assert late.code in [one.code for one in shown[:2]]


async def test_guests_share_their_address_whichever_process_they_are_connected_to(lobby: OpenLobby) -> None:
    guest(lobby, 1, "2001:db8:1:2::1")
    connections, now = lobby.context.presence.connections, lobby.table.clock.now()
    elsewhere = [("guest-2", "2001:db8:1:2::2", None), ("mira", "2001:db8:1:2::3", 1)]
    connections.heard(StoredSession(name, "other", name, source, now, account) for name, source, account in elsewhere)
    assert connections.guest_sources() == dict.fromkeys(("g:guest-1", "g:guest-2"), "2001:db8:1::/48")


async def test_the_matches_of_one_person_against_bots_hide_no_match_of_two(lobby: OpenLobby) -> None:
    """The newest matches were listed, and all of them were one person's."""
    ticket = await lobby.lobby.seek(TARN, TINY)
    await lobby.lobby.seek(LIO, TINY)
    await lobby.wave()
    await lobby.wave()  # and some time later
    for _ in range(MATCHES_SHOWN):
        await lobby.lobby.play_bot(MIRA, "tiny", "easy")
    shown = [one.id for one in (await seen(lobby)).matches]
    assert len(shown) == MATCHES_SHOWN
    assert ticket.match in shown


async def test_the_matches_that_one_person_has_ended_hide_nobody_elses(lobby: OpenLobby) -> None:
    first, *many = [await lobby.lobby.play_bot(player, "tiny", "easy") for player in (TARN, *(MIRA,) * 12)]
    for match in (first, *many):
        await match.resign(match.terms.people[0])
        await lobby.table.wait(0.5)
    ended = [one.id for one in (await seen(lobby)).ended]
    assert ended[0] == match.id
    assert first.id in ended

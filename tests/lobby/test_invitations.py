"""Asking somebody to a free seat of an open room: kept for a while, answered as a challenge is."""

from __future__ import annotations

import pytest

from server.lobby.challenges import INVITED, STANDS
from server.lobby.errors import LobbyRefused, NoSuchPerson
from server.lobby.lobby import SWEEP_S
from server.lobby.room import Room
from server.screens.room import called_off
from server.store.lobby import NoSuchRoom
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, seated
from tests.matches.table import GUEST, LIO, MIRA, TARN

THREE = agreed(ROOM, players=3)


def kept(room: Room) -> list[str | None]:
    return [seat.held_for for seat in room.snapshot().seats]


async def open_room(lobby: OpenLobby) -> Room:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    return await lobby.lobby.rooms.create(MIRA, THREE, "mira-1")


async def test_from_an_open_room_nobody_could_be_asked_in(lobby: OpenLobby) -> None:
    """One had to read the code out, or to open another room by a challenge."""
    room = await open_room(lobby)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    [invitation] = await lobby.lobby.challenges.to(TARN)
    assert (invitation.code, invitation.by, invitation.is_invitation) == (room.code, MIRA, True)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert seated(room) == ["mira", None, "lio"]
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1", has_code=False)
    assert seated(room) == ["mira", "tarn", "lio"]
    assert [seat.ready for seat in room.snapshot().seats] == [False, False, False]
    assert await lobby.lobby.challenges.to(TARN) == ()


async def test_an_invitation_is_declined_as_a_challenge_is(lobby: OpenLobby) -> None:
    room = await open_room(lobby)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    await lobby.lobby.challenges.decline(TARN, room.code)
    assert (kept(room), room.snapshot().declined) == ([None, None, None], ("tarn",))


async def test_a_room_was_found_by_declining_a_code_that_was_tried(lobby: OpenLobby) -> None:
    """Wrong codes have a limit on every other way; and whoever was not asked was told another refusal."""
    room = await open_room(lobby)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    for code in (room.code, "ABCDEFGH"):
        with pytest.raises(NoSuchRoom):
            await lobby.lobby.challenges.decline(LIO, code)
    await lobby.lobby.challenges.decline(TARN, f"{room.code[:4]}-{room.code[4:].lower()}")
    assert room.snapshot().declined == ("tarn",)


async def test_a_seat_is_kept_for_a_while_for_who_was_asked_in(lobby: OpenLobby) -> None:
    room = await open_room(lobby)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    assert kept(room) == [None, "tarn", None]
    await lobby.table.wait(INVITED.total_seconds() + SWEEP_S)
    assert kept(room) == [None, None, None]
    assert await lobby.lobby.challenges.to(TARN) == ()


async def test_only_the_host_asks_others_in_and_only_to_a_free_seat(lobby: OpenLobby) -> None:
    room = await open_room(lobby)
    invite = lobby.lobby.challenges.invite
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    with pytest.raises(LobbyRefused, match="not-host"):
        await invite(TARN, "lio", room)
    with pytest.raises(LobbyRefused, match="sits-here"):
        await invite(MIRA, "tarn", room)
    with pytest.raises(NoSuchPerson):
        await invite(MIRA, "nobody", room)
    await invite(MIRA, "lio", room)
    lobby.arrive(GUEST)
    with pytest.raises(LobbyRefused, match="full"):
        await invite(MIRA, GUEST.name, room)


async def test_who_blocked_the_host_hears_of_no_invitation(lobby: OpenLobby) -> None:
    room = await open_room(lobby)
    await lobby.block(TARN, MIRA)
    await lobby.lobby.challenges.invite(MIRA, "tarn", room)
    assert await lobby.lobby.challenges.to(TARN) == ()
    assert await lobby.table.matches.own_events.after(TARN.account_id or 0, None) == []


@pytest.mark.parametrize("is_blocked", [False, True])
async def test_who_was_blocked_waited_for_ever_for_who_they_had_challenged(lobby: OpenLobby, is_blocked: bool) -> None:
    """Who is not answered has the seat back after a while; whoever is not shown to the other must not see more."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    if is_blocked:
        await lobby.block(TARN, MIRA)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    shown = await lobby.lobby.challenges.to(TARN)
    assert [one.is_invitation for one in shown] == ([] if is_blocked else [False])
    before = room.snapshot()
    await lobby.table.wait(STANDS.total_seconds() + SWEEP_S)
    assert kept(room) == [None, None]
    assert called_off(before, room.snapshot()) == ("tarn",), "the room says so in the same words"
    assert await lobby.lobby.challenges.to(TARN) == ()

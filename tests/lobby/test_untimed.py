"""Matches against built-in players alone have no clock, unless somebody names a speed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from game.errors import BadNotation
from server.lobby import room_document, room_state
from server.lobby.model import RoomSettings, Seek
from server.matches.agreement import Agreement
from server.matches.errors import NotClaimable
from server.matches.match import Match
from server.matches.model import NewMatch
from tests.lobby.opened import OpenLobby
from tests.matches.table import EASY, MIRA, TARN, kinds
from tests.waiting import until

A, B = Seat(0), Seat(1)
UNNAMED = RoomSettings(Agreement("tiny"), is_speed_named=False)
MONTH_S = 30 * 86_400


async def against_bot(lobby: OpenLobby, speed: str | None = None) -> Match:
    lobby.arrive(MIRA)
    return await lobby.lobby.play_bot(MIRA, "tiny", "easy", speed=speed, seat=A)


async def test_a_match_against_a_bot_has_no_clock(lobby: OpenLobby) -> None:
    match = await against_bot(lobby)
    await lobby.table.wait(900)
    seen = match.snapshot(A)
    assert (seen.agreement.speed, seen.agreement.rated, seen.status, seen.deadline) == ("untimed", False, "live", None)
    assert [one.bank_ms for one in seen.seats] == [None, None]
    await lobby.table.play_any(match, 0)
    assert match.live.log.head.acted[B] >= 1, "the bot plays"


async def test_a_named_speed_is_kept_against_a_bot(lobby: OpenLobby) -> None:
    match = await against_bot(lobby, "fast")
    assert (match.terms.speed.name, match.snapshot(A).seats[0].bank_ms) == ("fast", 180_000)


async def test_a_match_without_a_clock_is_void_after_thirty_days_without_a_move(lobby: OpenLobby) -> None:
    match = await against_bot(lobby)
    lobby.table.skip(MONTH_S - 60)
    await lobby.table.matches.sweeper.sweep()
    await lobby.table.play_any(match, 0)
    await lobby.table.wait(5)
    moved = (await kinds(lobby.table, match.id)).count("action")
    assert not match.is_over
    lobby.table.skip(MONTH_S - 60)
    await lobby.table.matches.sweeper.sweep()
    assert not match.is_over
    [listed] = await lobby.table.matches.running_of(MIRA)
    assert listed.void_at is not None
    assert (listed.void_at - lobby.table.clock.now()).total_seconds() <= 60
    lobby.table.skip(120)
    await lobby.table.matches.sweeper.sweep()

    async def is_void() -> bool:  # the match may have been closed and opened again: nobody looks at it
        return (await lobby.table.matches.open(match.id)).snapshot(A).status == "void"

    await until(is_void)
    assert await kinds(lobby.table, match.id) == ["action"] * moved + ["void"]


async def test_nobody_is_claimed_against_where_there_is_no_clock(lobby: OpenLobby) -> None:
    match = await against_bot(lobby)
    match.enter(MIRA, A, "mira-1").leave()
    lobby.table.skip(3600)
    with pytest.raises(NotClaimable):
        await match.claim(B, "win")


@pytest.mark.parametrize(("is_named", "speed"), [(False, "untimed"), (True, "normal")])
async def test_a_room_with_one_person_and_bots_has_a_clock_only_where_one_was_chosen(
    lobby: OpenLobby, is_named: bool, speed: str
) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, replace(UNNAMED, is_speed_named=is_named), "mira-1")
    await room.add_bot(MIRA, B, "easy")
    match = await room.start(MIRA)
    assert match.terms.speed.name == speed


async def test_a_room_with_two_people_has_a_clock(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, UNNAMED, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await room.ready(TARN)
    assert (await room.start(MIRA)).terms.speed.name == "normal"


async def test_people_can_not_play_each_other_without_a_clock(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    with pytest.raises(BadNotation, match=r"match\.untimed-is-for-bots"):
        await lobby.lobby.seek(MIRA, Seek(Agreement("tiny", speed="untimed", rated=True)))
    with pytest.raises(BadNotation, match=r"match\.untimed-is-for-bots"):
        await lobby.lobby.rooms.create(MIRA, RoomSettings(Agreement("tiny", speed="untimed")), "mira-1")
    with pytest.raises(BadNotation, match=r"match\.untimed-is-for-bots"):
        await lobby.table.matches.create(NewMatch(Agreement("tiny", speed="untimed"), (MIRA, TARN, EASY)))


def test_a_stored_room_of_the_release_before_names_its_speed() -> None:
    room = room_state.opened("K7QX", UNNAMED, MIRA)
    stored = room_document.to_json(room)
    assert room_document.from_json(stored) == room
    assert "is_speed_named" not in stored["settings"], "the release before reads the settings strictly"
    del stored["is_speed_named"]
    assert room_document.from_json(stored).settings.is_speed_named

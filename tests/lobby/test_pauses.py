"""Who has to pause from rated matches: neither rooms nor challenges nor rematches are a way around it."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.accounts.errors import AccountError
from server.lobby.model import Seek
from server.matches.agreement import Agreement
from tests.agreements import agreed
from tests.lobby.opened import ROOM, TINY, OpenLobby
from tests.matches.table import MIRA, TARN

RATED = agreed(ROOM, rated=True)
OWN, OTHER = r"account\.paused", r"account\.other-paused"


async def test_who_has_to_pause_opens_no_rated_room_and_challenges_nobody_to_a_rated_match(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    await lobby.pause(MIRA)
    with pytest.raises(AccountError, match=OWN) as refused:
        await lobby.lobby.rooms.create(MIRA, RATED, "mira-1")
    assert refused.value.params["retry_after_ms"] == 300_000
    with pytest.raises(AccountError, match=OWN):
        await lobby.lobby.challenges.make(MIRA, "tarn", RATED, "mira-1")
    await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")


async def test_who_had_sought_before_their_pause_was_paired_for_a_rated_match_in_it(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    rated, casual = Seek(Agreement("tiny", rated=True)), agreed(TINY, speed="fast")
    await lobby.lobby.seek(MIRA, (rated, casual))
    await lobby.lobby.seek(TARN, rated)
    await lobby.pause(MIRA)
    await lobby.wave()
    assert lobby.matches_of(TARN) == []
    shown = await lobby.lobby.seeker.views()
    assert {(one.player.name, one.seek.agreement.rated) for one in shown} == {("mira", False), ("tarn", True)}
    await lobby.table.wait(301)
    assert lobby.matches_of(MIRA) == lobby.matches_of(TARN) != []


async def test_who_has_to_pause_enters_no_rated_room_by_its_code_or_a_challenge(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    await lobby.pause(TARN)
    opened = await lobby.lobby.rooms.create(MIRA, RATED, "mira-1")
    challenged = await lobby.lobby.challenges.make(MIRA, "tarn", RATED, "mira-1")
    for room in (opened, challenged):
        with pytest.raises(AccountError, match=OWN):
            await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
        assert room.snapshot().members == ("mira",)
        with pytest.raises(AccountError, match=OWN):
            await room.sit(TARN, Seat(1))


async def test_a_room_is_not_made_rated_around_somebody_who_has_to_pause(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await lobby.pause(TARN)
    with pytest.raises(AccountError, match=OTHER) as refused:
        await room.set(MIRA, RATED)
    assert refused.value.params["name"] == "tarn"
    assert not room.snapshot().settings.agreement.rated


async def test_a_pause_that_begins_in_a_rated_room_holds_up_its_match(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, RATED, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await room.ready(TARN)
    await lobby.pause(TARN)
    with pytest.raises(AccountError, match=OTHER):
        await room.ready(MIRA)
    assert not room.snapshot().playing
    lobby.table.clock.shift(301)
    await room.ready(MIRA)
    assert room.snapshot().playing


async def test_who_has_to_pause_has_no_rated_rematch_but_a_casual_one(lobby: OpenLobby) -> None:
    for rated, refuses in ((True, True), (False, False)):
        match = await lobby.table.begin(MIRA, TARN, rated=rated)
        await match.resign(Seat(0))
        await lobby.pause(MIRA)
        if refuses:
            with pytest.raises(AccountError, match=OWN):
                await match.offer(Seat(0), "rematch")
        else:
            await match.offer(Seat(0), "rematch")
        assert (not match.snapshot(Seat(1)).offers) is refuses


async def test_a_challenge_or_a_rematch_left_for_the_other_began_in_a_pause(lobby: OpenLobby) -> None:
    """Only who accepted was asked: who had challenged or offered before their pause played rated in it."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    daily = agreed(RATED, speed="daily")
    await lobby.lobby.challenges.leave(MIRA, "tarn", daily)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    match = await lobby.table.begin(MIRA, TARN, rated=True, speed="daily")
    await match.resign(Seat(1))
    await match.offer(Seat(0), "rematch")
    await lobby.pause(MIRA)
    with pytest.raises(AccountError, match=OTHER):
        await lobby.lobby.rooms.join(TARN, challenge.code, "tarn-1")
    with pytest.raises(AccountError, match=OTHER):
        await match.offer(Seat(1), "rematch")
    lobby.table.clock.shift(301)
    assert (await lobby.lobby.rooms.join(TARN, challenge.code, "tarn-1")).snapshot().playing
    await match.offer(Seat(1), "rematch")
    assert match.offers.next_match is not None

"""How many matches and rooms begin by somebody's word in a minute, whatever way they take."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from game.contract import Seat
from server.accounts.identity import Identity, Player
from server.errors import RateLimited
from server.lobby.errors import LobbyRefused
from server.matches.errors import MatchRefused
from server.matches.match import Match
from server.matches.match_rate_limit import DAY_S, ENTRIES, Beginnings
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby
from tests.matches.table import EASY, MIRA, TARN, ZOE

FEW = 4
HERE, THERE = "192.0.2.1", "192.0.2.2"
A, B = Seat(0), Seat(1)
OTHER_GUEST = Player("guest", "guest-b3b3", guest_id="guest-b3b3")
THIRD_GUEST = Player("guest", "guest-c4c4", guest_id="guest-c4c4")


@pytest.fixture(autouse=True)
def few(lobby: OpenLobby) -> None:
    matches = lobby.table.matches
    matches.context.beginnings = Beginnings(lobby.table.clock, matches.connections, FEW)


def arrive(lobby: OpenLobby, player: Player, source: str) -> None:
    identity = Identity(player.account_id, player.name, frozenset(), None, None, "", source)
    lobby.lobby.arrive(identity, f"{player.name} from {source}", lambda match: None)


async def finished(lobby: OpenLobby) -> Match:
    """Play a match of others to its end."""
    match = await lobby.table.begin(TARN, ZOE)
    await lobby.table.play_on(match, lambda: match.live.shown.seq >= 3)
    await match.resign(A)
    return match


async def against_a_bot(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    return lambda: lobby.lobby.play_bot(MIRA, "tiny", "easy")


async def from_a_replay(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    match = await finished(lobby)
    return lambda: lobby.lobby.play_on(MIRA, match.id, 2, A)


async def a_room(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    return lambda: lobby.lobby.rooms.create(MIRA, ROOM)


async def a_challenge(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    arrive(lobby, TARN, THERE)
    await lobby.table.wait(4.0)
    return lambda: lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True))


async def again_against_a_bot(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    last = [await lobby.table.begin(MIRA, EASY)]

    async def again() -> None:
        [match] = last
        mine = match.seat_of(MIRA)
        assert mine is not None
        if not match.is_over:
            await match.resign(mine)
        await match.offer(mine, "rematch")
        last[:] = [await lobby.table.matches.open(match.snapshot(mine).next_match or "")]

    return again


async def again_in_a_room(lobby: OpenLobby) -> Callable[[], Awaitable[object]]:
    room = await lobby.lobby.rooms.create(ZOE, ROOM)
    await room.add_bot(ZOE, B, "easy")

    async def again() -> None:
        match = await room.start(ZOE)
        await match.resign(match.terms.people[0])
        await lobby.table.wait(1)

    await again()
    lobby.table.matches.context.beginnings = Beginnings(lobby.table.clock, lobby.table.matches.connections, FEW)
    return again


@pytest.mark.parametrize(
    "way", [against_a_bot, from_a_replay, a_room, a_challenge, again_against_a_bot, again_in_a_room]
)
async def test_programs_were_counted_and_screens_were_not(
    lobby: OpenLobby, way: Callable[[OpenLobby], Awaitable[Callable[[], Awaitable[object]]]]
) -> None:
    """A key pressed over and over began matches, and wrote whole logs, without end."""
    arrive(lobby, MIRA, HERE)
    begin = await way(lobby)

    async def press_endlessly() -> None:
        for _ in range(3 * FEW):
            await begin()

    with pytest.raises(RateLimited) as refused:
        await press_endlessly()
    assert refused.value.limit == "beginnings_per_min"
    lobby.table.skip(refused.value.retry_after_ms / 1000)
    await begin()


async def test_a_guest_with_another_name_is_no_other_source(lobby: OpenLobby) -> None:
    for guest, source in ((OTHER_GUEST, HERE), (THIRD_GUEST, HERE), (MIRA, THERE)):
        arrive(lobby, guest, source)
    for guest in (OTHER_GUEST, THIRD_GUEST) * (FEW // 2):
        await lobby.lobby.play_bot(guest, "tiny", "easy")
    for guest in (OTHER_GUEST, THIRD_GUEST):
        with pytest.raises(RateLimited):
            await lobby.lobby.play_bot(guest, "tiny", "easy")
    await lobby.lobby.play_bot(MIRA, "tiny", "easy")


async def test_an_account_from_another_address_is_no_other_person(lobby: OpenLobby) -> None:
    arrive(lobby, MIRA, HERE)
    for _ in range(FEW):
        await lobby.lobby.play_bot(MIRA, "tiny", "easy")
    arrive(lobby, MIRA, THERE)
    arrive(lobby, TARN, THERE)
    for _ in range(FEW):
        with pytest.raises(RateLimited):
            await lobby.lobby.play_bot(MIRA, "tiny", "easy")
    for _ in range(FEW):
        await lobby.lobby.play_bot(TARN, "tiny", "easy")  # what was refused was counted nowhere


async def test_a_long_match_counts_several_times_when_it_is_gone_on_from(lobby: OpenLobby) -> None:
    arrive(lobby, MIRA, HERE)
    beginnings = lobby.table.matches.beginnings
    beginnings.count(MIRA, ENTRIES - 1)
    beginnings.count(MIRA, (FEW - 2) * ENTRIES)
    with pytest.raises(RateLimited):
        beginnings.count(MIRA)
    lobby.table.skip(60)
    beginnings.count(MIRA, 1000 * ENTRIES)  # however long: a minute's worth


async def test_a_rematch_of_two_counts_for_whose_word_begins_it(lobby: OpenLobby) -> None:
    arrive(lobby, MIRA, HERE)
    arrive(lobby, TARN, THERE)
    match = await lobby.table.begin(MIRA, TARN)
    await match.resign(A)
    for _ in range(FEW):
        lobby.table.matches.beginnings.count(TARN)
    await match.offer(A, "rematch")
    with pytest.raises(RateLimited):
        await match.offer(B, "rematch")
    assert match.snapshot(A).next_match is None
    assert lobby.table.matches.open_count == 1
    lobby.table.skip(60)
    await match.offer(B, "rematch")
    assert match.snapshot(A).next_match is not None


async def test_what_can_not_begin_is_not_counted(lobby: OpenLobby) -> None:
    arrive(lobby, MIRA, HERE)
    room = await lobby.lobby.rooms.create(MIRA, ROOM)
    for _ in range(3 * FEW):
        with pytest.raises(LobbyRefused):
            await room.start(MIRA)
    running = await lobby.table.begin(TARN, ZOE)
    for _ in range(3 * FEW):
        with pytest.raises(MatchRefused):
            await running.offer(A, "rematch")
    await lobby.lobby.play_bot(MIRA, "tiny", "easy")


async def test_who_began_and_resigned_all_day_filled_the_store(lobby: OpenLobby) -> None:
    """Six hundred a minute, of more than a kilobyte each, for ever."""
    matches = lobby.table.matches
    beginnings = Beginnings(lobby.table.clock, matches.connections, per_min=2, per_day=FEW)
    for _ in range(FEW):
        beginnings.count(MIRA)
        lobby.table.skip(60)
    with pytest.raises(RateLimited) as refused:
        beginnings.count(MIRA)
    assert refused.value.limit == "beginnings_per_day"
    beginnings.count(TARN)
    lobby.table.skip(DAY_S / FEW)
    beginnings.count(MIRA)

"""Challenges, and who is let into a room."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from game.contract import Seat
from server.accounts.accounts import Accounts
from server.accounts.following import Following
from server.accounts.machines import MarkedAccounts
from server.config import Limits
from server.errors import RateLimited
from server.lobby import challenges, room_document
from server.lobby.errors import LobbyRefused, NoSuchPerson
from server.matches.speeds import SPEEDS
from server.store.lobby import NoSuchRoom, StoredRoom
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, seated
from tests.matches.table import GUEST, LIO, MIRA, TARN

A, B, C = Seat(0), Seat(1), Seat(2)


THREE = agreed(ROOM, players=3)


async def test_a_challenge_holds_a_seat_for_who_was_meant(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    (challenge,) = await lobby.lobby.challenges.to(TARN)
    assert (challenge.code, challenge.by) == (room.code, MIRA)
    assert await lobby.lobby.challenges.to(LIO) == ()
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert seated(room) == ["mira", None]
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert seated(room) == ["mira", "tarn"]
    assert await lobby.lobby.challenges.to(TARN) == ()


async def test_a_challenge_is_an_event_of_who_was_meant_and_of_nobody_else(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    own = lobby.table.matches.own_events
    told = {player: await own.after(player.account_id or 0, None) for player in (MIRA, TARN, LIO)}
    assert [(one.kind, one.who, one.match) for one in told[TARN]] == [("challenge", "mira", None)]
    assert (told[MIRA], told[LIO]) == ([], [])


async def test_a_challenge_that_is_declined_frees_the_seat_and_is_told_to_the_challenger(lobby: OpenLobby) -> None:
    """It stood in the lobby of who did not want it for ever, and the challenger waited."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", ROOM, "mira-1")
    told: list[tuple[str, ...]] = []
    room.subscribe(lambda: told.append(room.snapshot().declined))
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.challenges.decline(LIO, room.code)
    await lobby.lobby.challenges.decline(TARN, room.code)
    await asyncio.sleep(0)
    assert told[-1] == ("tarn",)
    assert [seat.held_for for seat in room.snapshot().seats] == [None, None]
    assert await lobby.lobby.challenges.to(TARN) == ()
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.challenges.decline(TARN, room.code)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    await room.sit(LIO)
    assert seated(room) == ["mira", "lio"]


async def test_declining_a_guessed_code_met_the_room_and_no_limit(lobby: OpenLobby) -> None:
    """The room was read and locked, which takes longer; wrong codes are counted wherever else one is typed."""
    lobby.arrive(MIRA)
    private = await lobby.lobby.challenges.make(MIRA, "tarn", ROOM, "mira-1")
    lobby.lobby.rooms.forget(private.code)
    for code in (private.code, "AAAAAAAA"):
        with pytest.raises(NoSuchRoom):
            await lobby.lobby.challenges.decline(LIO, code)
    assert private.code not in lobby.lobby.rooms


async def test_a_room_stored_before_challenges_could_be_declined_is_read(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    stored = room_document.to_json(room.state)
    del stored["declined"]
    assert room_document.from_json(stored) == room.state


async def test_everybody_who_asks_at_once_for_challenges_is_answered_by_one_reading(
    lobby: OpenLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    readings: list[int] = []
    real = challenges.sorted_out

    def noted(rooms: list[StoredRoom], machines: MarkedAccounts, now: datetime) -> Any:
        readings.append(len(rooms))
        return real(rooms, machines, now)

    await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    monkeypatch.setattr(challenges, "sorted_out", noted)
    found = await asyncio.gather(*(lobby.lobby.challenges.to(TARN) for _ in range(50)))
    assert {len(one) for one in found} == {1}
    assert readings == [1]
    await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True, speed="slow"), "mira-1")
    assert len(await lobby.lobby.challenges.to(TARN)) == 2


async def test_nobody_challenges_themselves_or_who_has_no_account(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    for name in ("nobody", "guest-gone2345"):
        with pytest.raises(NoSuchPerson):
            await lobby.lobby.challenges.make(MIRA, name, ROOM, "mira-1")


async def test_only_the_screens_refused_a_challenge_to_oneself_or_whom_one_has_blocked(lobby: OpenLobby) -> None:
    """Commands and programs were told that nobody of that name is here, or that all was well."""
    room = await lobby.lobby.rooms.create(MIRA, ROOM, lobby.arrive(MIRA).session)
    await lobby.block(MIRA, TARN)
    challenges = lobby.lobby.challenges
    for name, why in (("mira", "challenge.self"), ("tarn", "people.you-blocked")):
        for asked in (
            challenges.make(MIRA, name, ROOM, "mira-1"),
            challenges.leave(MIRA, name, ROOM),
            challenges.invite(MIRA, name, room),
        ):
            with pytest.raises(LobbyRefused) as refused:
                await asked
            assert refused.value.key == why


async def test_nothing_told_that_a_challenge_was_answered(lobby: OpenLobby) -> None:
    """Its row stayed in the lobby of its maker for up to a minute, and went nowhere."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    await lobby.lobby.challenges.leave(MIRA, "tarn", agreed(ROOM, private=True))
    [challenge] = await lobby.lobby.challenges.to(TARN)
    hints = lobby.lobby.hints
    await lobby.lobby.rooms.join(TARN, challenge.code, "tarn-1")
    assert lobby.lobby.hints > hints
    assert await lobby.lobby.challenges.standing(MIRA) == ()


async def test_a_challenge_told_whether_the_other_is_here_or_has_blocked_the_challenger(lobby: OpenLobby) -> None:
    """It was refused for who was away or had blocked them: by that anybody learnt it."""
    lobby.arrive(MIRA)
    rooms = []
    for name, is_here, is_blocked in (("lio", False, False), ("tarn", True, True), ("tarn", True, False)):
        if is_here:
            lobby.arrive(TARN)
        if is_blocked:
            await lobby.block(TARN, MIRA)
        else:
            await lobby.conduct.unblock(2, "mira")
        room = await lobby.lobby.challenges.make(MIRA, name, ROOM, "mira-1")
        shown = room.snapshot()
        rooms.append(replace(shown, code="", version=0, seats=(), chat=()))
        assert [seat.held_for for seat in shown.seats] == [None, name]
        assert len(await lobby.lobby.challenges.to(TARN)) == (1 if is_here and not is_blocked else 0)
        room.leave(MIRA)
    assert rooms[0] == rooms[1] == rooms[2]


async def test_only_challenges_of_those_whom_one_follows_are_shown(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    accounts = Accounts(lobby.context.database, lobby.context.clock, Limits())
    await accounts.change_preferences(2, lambda kept: replace(kept, challenged_by="followed"))
    await Following(lobby.context.database, lobby.context.clock).follow(2, "lio")
    await lobby.lobby.challenges.make(MIRA, "tarn", ROOM, "mira-1")
    await lobby.lobby.challenges.make(LIO, "tarn", ROOM, "lio-1")
    assert [one.by for one in await lobby.lobby.challenges.to(TARN)] == [LIO]


async def test_challenges_of_guests_reached_who_wanted_those_of_the_followed_only(lobby: OpenLobby) -> None:
    lobby.arrive(GUEST)
    lobby.arrive(TARN)
    accounts = Accounts(lobby.context.database, lobby.context.clock, Limits())
    await accounts.change_preferences(2, lambda kept: replace(kept, challenged_by="followed"))
    await lobby.lobby.challenges.make(GUEST, "tarn", ROOM, "guest-1")
    assert await lobby.lobby.challenges.to(TARN) == ()
    assert await lobby.table.matches.own_events.after(2, None) == []


async def test_challenges_made_and_taken_back_rang_at_somebody_dozens_of_times(lobby: OpenLobby) -> None:
    """A guest who challenged and left again reached a player 75 times in 8 s; blocking helps against no guest."""
    for player in (GUEST, MIRA, TARN):
        lobby.arrive(player)
    for n in range(int(challenges.MOST_TO_ONE_PER_MIN)):
        (await lobby.lobby.challenges.make(GUEST, "tarn", ROOM, f"guest-{n}")).leave(GUEST)
    with pytest.raises(RateLimited) as refused:
        await lobby.lobby.challenges.make(GUEST, "tarn", ROOM, "guest-n")
    assert refused.value.limit == "challenges_per_min"
    await lobby.lobby.challenges.make(GUEST, "mira", ROOM, "guest-m")
    lobby.table.clock.pass_time(60)
    await lobby.lobby.challenges.make(GUEST, "tarn", ROOM, "guest-o")


async def test_who_is_blocked_by_somebody_inside_finds_no_room(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.block(MIRA, TARN)
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")


async def test_a_guest_is_not_challenged_to_a_rated_match(lobby: OpenLobby) -> None:
    """They could never accept, and nobody told who had challenged them."""
    lobby.arrive(MIRA)
    lobby.arrive(GUEST)
    with pytest.raises(LobbyRefused) as refused:
        await lobby.lobby.challenges.make(MIRA, GUEST.name, agreed(ROOM, private=True, rated=True), "mira-1")
    assert refused.value.key == "lobby.error.guests-play-casual"
    await lobby.lobby.challenges.make(MIRA, GUEST.name, agreed(ROOM, private=True, rated=False), "mira-1")
    assert len(await lobby.lobby.challenges.to(GUEST)) == 1


async def test_a_change_of_the_room_silently_gave_up_the_seat_that_was_kept_for_who_was_challenged(
    lobby: OpenLobby,
) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    passage = agreed(ROOM, game="passage", players=3)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", passage, "mira-1")
    await room.sit(MIRA, C)
    for players in (2, 4):
        await room.set(MIRA, agreed(passage, players=players))
        assert [seat.held_for for seat in room.snapshot().seats if seat.held_for] == ["tarn"]
        (challenge,) = await lobby.lobby.challenges.to(TARN)
        assert challenge.settings.agreement.players == players
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert "tarn" in seated(room)


async def test_one_person_filled_the_lobby_of_another_with_challenges(lobby: OpenLobby) -> None:
    """There were a hundred of them, on top of everything else; declining one left ninety-nine."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    for i, speed in enumerate((*SPEEDS, "normal")):
        terms = agreed(ROOM, private=True, speed=speed, watchable=i < len(SPEEDS))
        await lobby.lobby.challenges.make(MIRA, "tarn", terms, f"mira-{i}")
    await lobby.lobby.challenges.make(LIO, "tarn", agreed(ROOM, private=True), "lio-1")
    shown = await lobby.lobby.challenges.to(TARN)
    assert Counter(one.by for one in shown) == {MIRA: challenges.MOST_OF_ONE, LIO: 1}
    await lobby.lobby.challenges.decline(TARN, next(one.code for one in shown if one.by == MIRA))
    assert len(await lobby.lobby.challenges.to(TARN)) == challenges.MOST_OF_ONE + 1, "then the next one is shown"


async def test_who_had_challenged_and_who_had_accepted_were_still_asked_whether_they_were_ready(
    lobby: OpenLobby,
) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    assert lobby.matches_of(MIRA) == []
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert len(lobby.matches_of(MIRA)) == len(lobby.matches_of(TARN)) == 1
    assert room.state.playing


async def test_who_accepts_terms_that_were_changed_meanwhile_is_asked(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    await room.set(MIRA, agreed(ROOM, private=True, speed="fast"))
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert [seat.ready for seat in room.state.seats] == [False, False]
    assert not room.state.playing


async def test_who_comes_in_place_of_one_who_declined_says_that_they_are_ready(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    await lobby.lobby.challenges.decline(TARN, room.code)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert not room.state.playing
    await room.ready(LIO)
    assert room.state.playing

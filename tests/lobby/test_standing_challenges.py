"""Challenges that stand without their maker: they begin when accepted, lapse alone, and tell the challenger nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import product

import pytest
from sqlalchemy import select

from game.contract import Seat
from server.accounts.accounts import delete_account
from server.accounts.actor import Actor
from server.accounts.moderation import Moderation
from server.bus.bus import LocalBus
from server.lobby import challenges
from server.lobby.challenges import MOST_STANDING, STANDS
from server.lobby.errors import LobbyRefused, NoSuchPerson
from server.matches.speeds import SPEEDS
from server.store import events
from server.store.events import StoredEvent
from server.store.lobby import NoSuchRoom
from server.store.tables import rooms
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby
from tests.matches.table import LIO, MIRA, TARN

PRIVATE = agreed(ROOM, private=True)
FLAGS = (True, False)
UNLIKE = tuple(  # no two are equal
    agreed(PRIVATE, speed=speed, watchable=watchable, gallery_chat=chat, warnings=warnings)
    for speed, watchable, chat, warnings in product(SPEEDS, FLAGS, FLAGS, FLAGS)
)


async def codes(lobby: OpenLobby) -> list[str]:
    return await lobby.table.database.read(lambda connection: list(connection.scalars(select(rooms.c.code))))


async def told(lobby: OpenLobby, account_id: int | None) -> list[StoredEvent]:
    now = lobby.table.clock.now()
    return await lobby.table.database.read(events.after, account_id or 0, 0, now.replace(year=2000), 10)


async def test_a_match_begins_at_once_when_a_standing_challenge_is_accepted(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    await lobby.table.wait(60.0)
    await lobby.lobby.rooms.sweep()
    [challenge] = await lobby.lobby.challenges.to(TARN)
    assert challenge.by == MIRA
    await lobby.lobby.rooms.join(TARN, challenge.code, "tarn-1")
    [match_id] = lobby.matches_of(TARN)
    match = await lobby.table.matches.open(match_id)
    assert [player.name for player in match.terms.players] == ["mira", "tarn"]
    assert await lobby.lobby.challenges.to(TARN) == ()


async def test_who_comes_to_look_and_goes_leaves_the_challenge_standing(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    room = await lobby.lobby.rooms.room(challenge.code)
    await room.enter(TARN, "tarn-1")
    room.leave("tarn-1")
    await lobby.table.wait(2.0)
    assert [one.code for one in await lobby.lobby.challenges.to(TARN)] == [challenge.code]


async def test_an_unanswered_challenge_lapses_and_its_room_goes(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    lobby.table.skip(STANDS.total_seconds() + 1)
    assert await lobby.lobby.challenges.to(TARN) == ()
    await lobby.lobby.rooms.sweep()
    assert await codes(lobby) == []


async def test_its_maker_sees_it_wherever_it_was_seen_and_takes_it_back(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [own] = await lobby.lobby.challenges.standing(MIRA)
    assert (own.to, await lobby.lobby.challenges.standing(TARN)) == ("tarn", ())
    for player in (TARN, LIO):
        with pytest.raises(NoSuchRoom):
            await lobby.lobby.challenges.withdraw(player, own.code)
    await lobby.lobby.challenges.withdraw(MIRA, own.code.lower())
    assert (await lobby.lobby.challenges.to(TARN), await lobby.lobby.challenges.standing(MIRA)) == ((), ())
    assert await codes(lobby) == []


async def test_an_accepted_one_can_t_be_taken_back(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [own] = await lobby.lobby.challenges.standing(MIRA)
    await lobby.lobby.rooms.join(TARN, own.code, "tarn-1")
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.challenges.withdraw(MIRA, own.code)
    assert len(lobby.matches_of(TARN)) == 1


async def test_a_declined_one_went_without_a_word_to_who_had_made_it(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    await lobby.lobby.challenges.decline(TARN, challenge.code)
    assert await lobby.lobby.challenges.to(TARN) == ()
    [answered] = await lobby.lobby.challenges.standing(MIRA)
    assert (answered.code, answered.to, answered.is_declined) == (challenge.code, "tarn", True)
    await lobby.lobby.challenges.withdraw(MIRA, challenge.code)
    assert await codes(lobby) == []


async def test_a_declined_one_that_nobody_puts_away_lapses(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    await lobby.lobby.challenges.decline(TARN, challenge.code)
    lobby.table.skip(STANDS.total_seconds() + 1)
    assert await lobby.lobby.challenges.standing(MIRA) == ()
    await lobby.lobby.rooms.sweep()
    assert await codes(lobby) == []


async def test_equal_challenges_to_one_person_stood_beside_each_other(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    for _ in range(3):
        await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    assert await codes(lobby) == [challenge.code]
    await lobby.lobby.challenges.leave(MIRA, "tarn", agreed(PRIVATE, speed="slow"))
    await lobby.lobby.challenges.leave(LIO, "tarn", PRIVATE)
    await lobby.lobby.challenges.leave(MIRA, "lio", PRIVATE)
    assert len(await codes(lobby)) == 4, "another speed, person or challenger is another challenge"


async def test_an_equal_challenge_takes_the_place_of_one_whose_maker_waits_in_its_room(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    first = await lobby.lobby.challenges.make(MIRA, "tarn", PRIVATE, "mira-1")
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [standing] = await lobby.lobby.challenges.to(TARN)
    assert standing.code != first.code
    assert [seat.held_for for seat in first.state.seats] == [None, None]
    second = await lobby.lobby.challenges.make(MIRA, "tarn", PRIVATE, "mira-1")
    assert [one.code for one in await lobby.lobby.challenges.to(TARN)] == [second.code]


async def test_a_new_challenge_takes_the_place_of_the_equal_one_that_was_declined(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    await lobby.lobby.challenges.decline(TARN, challenge.code)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    assert [one.is_declined for one in await lobby.lobby.challenges.standing(MIRA)] == [False]


async def test_who_may_not_or_does_not_want_to_know_is_told_nothing_and_the_challenger_neither(
    lobby: OpenLobby,
) -> None:
    lobby.arrive(TARN)
    await lobby.block(TARN, MIRA)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    assert await lobby.lobby.challenges.to(TARN) == ()
    assert await told(lobby, TARN.account_id) == []
    assert len(await codes(lobby)) == 1, "it lapses like any other"
    await lobby.lobby.challenges.leave(LIO, "tarn", PRIVATE)
    assert [(one.kind, one.who, one.no) for one in await told(lobby, TARN.account_id)] == [("challenge", "lio", 1)]


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one person challenge another as often as they like."""
    monkeypatch.setattr(challenges, "MOST_TO_ONE_PER_MIN", 1000.0)


@pytest.mark.usefixtures("unhurried")
async def test_one_person_has_so_many_standing_and_no_nobody_or_self_is_challenged(lobby: OpenLobby) -> None:
    for terms in UNLIKE[:MOST_STANDING]:
        await lobby.lobby.challenges.leave(MIRA, "tarn", terms)
    with pytest.raises(LobbyRefused) as refused:
        await lobby.lobby.challenges.leave(MIRA, "tarn", UNLIKE[MOST_STANDING])
    assert refused.value.key == "lobby.error.too-many-challenges"
    await lobby.lobby.challenges.leave(MIRA, "tarn", UNLIKE[0])
    assert len(await codes(lobby)) == MOST_STANDING, "an equal one takes the place of the one before"
    with pytest.raises(NoSuchPerson):
        await lobby.lobby.challenges.leave(LIO, "nobody", PRIVATE)


async def test_one_who_challenged_again_and_again_filled_the_events_of_another(lobby: OpenLobby) -> None:
    for _ in range(events.MOST_CHALLENGES + 2):
        await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    await lobby.lobby.challenges.leave(LIO, "tarn", PRIVATE)
    assert [one.who for one in await told(lobby, TARN.account_id)] == ["mira"] * events.MOST_CHALLENGES + ["lio"]
    lobby.table.skip(3601)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    assert len(await told(lobby, TARN.account_id)) == events.MOST_CHALLENGES + 2


async def test_challenges_of_who_deleted_their_account_stood_for_a_week(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    for player in (MIRA, LIO):
        await lobby.lobby.challenges.leave(player, "tarn", PRIVATE)
    await lobby.table.database.write(delete_account, MIRA.account_id or 0, lobby.table.clock.now())
    lobby.table.skip(2.0)
    assert [one.by for one in await lobby.lobby.challenges.to(TARN)] == [LIO]
    assert len(await codes(lobby)) == 1


async def test_challenges_of_who_is_banned_stood_and_could_be_accepted(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    for player in (MIRA, LIO):
        await lobby.lobby.challenges.leave(player, "tarn", PRIVATE)
    moderation = Moderation(Actor(lobby.table.database, lobby.table.clock, LocalBus()))
    await moderation.ban("mira", "spam", timedelta(days=1))
    lobby.table.skip(2.0)
    assert [one.by for one in await lobby.lobby.challenges.to(TARN)] == [LIO]


@pytest.mark.usefixtures("unhurried")
async def test_challenges_sent_at_once_were_more_than_may_stand(lobby: OpenLobby) -> None:
    sent = (lobby.lobby.challenges.leave(MIRA, "tarn", terms) for terms in UNLIKE[: MOST_STANDING + 5])
    answers = await asyncio.gather(*sent, return_exceptions=True)
    assert sum(isinstance(one, LobbyRefused) for one in answers) == 5
    assert len(await codes(lobby)) == MOST_STANDING


@pytest.mark.usefixtures("unhurried")
async def test_declined_challenges_of_one_person_filled_the_server(lobby: OpenLobby) -> None:
    """They counted for no limit: two accounts of one person could leave thousands, read at each look at the lobby."""
    for n in range(MOST_STANDING + 5):
        await lobby.lobby.challenges.leave(MIRA, "tarn", UNLIKE[n])
        [challenge] = await lobby.lobby.challenges.to(TARN)
        await lobby.lobby.challenges.decline(TARN, challenge.code)
        lobby.table.skip(1)
    await lobby.lobby.challenges.leave(MIRA, "tarn", UNLIKE[-1])
    kept = [one.agreement for one in await lobby.lobby.challenges.standing(MIRA) if one.is_declined]
    assert kept == [one.agreement for one in UNLIKE[5 : MOST_STANDING + 5]]


@pytest.mark.parametrize("stands", FLAGS)
async def test_a_challenge_began_at_once_on_terms_that_its_maker_had_changed(lobby: OpenLobby, stands: bool) -> None:
    """Who accepted a casual one, as they had read it a moment ago or were told long ago, sat in a rated match."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    challenges, rooms = lobby.lobby.challenges, lobby.lobby.rooms
    if stands:
        await challenges.leave(MIRA, "tarn", PRIVATE)
    else:
        await challenges.make(MIRA, "tarn", PRIVATE, "mira-1")
    [challenge] = await challenges.to(TARN)
    room = await rooms.join(MIRA, challenge.code, "mira-1")
    await room.set(MIRA, agreed(PRIVATE, rated=True))
    await room.ready(MIRA)
    await rooms.join(TARN, challenge.code, "tarn-1")
    await lobby.table.wait(5)
    assert lobby.matches_of(TARN) == []
    await room.ready(TARN)
    assert len(lobby.matches_of(TARN)) == 1


async def test_two_people_who_challenged_each_other_to_the_same_both_waited(lobby: OpenLobby) -> None:
    """Each saw the other's challenge beside their own, and nothing said that they wanted the same."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    challenges = lobby.lobby.challenges
    await challenges.leave(MIRA, "tarn", PRIVATE)
    [first] = await challenges.to(TARN)
    for again in (challenges.leave(TARN, "mira", PRIVATE), challenges.make(TARN, "mira", PRIVATE, "tarn-1")):
        with pytest.raises(LobbyRefused) as refused:
            await again
        assert refused.value.key == "lobby.error.challenged-already"
        assert first.code in str(refused.value)
    await challenges.leave(TARN, "mira", agreed(PRIVATE, speed="slow"))
    assert [one.agreement.speed for one in await challenges.to(MIRA)] == ["slow"], "another one is another matter"


async def test_whoever_had_the_code_of_a_declined_one_sat_down_and_began_it(lobby: OpenLobby) -> None:
    for player in (TARN, LIO):
        lobby.arrive(player)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    await lobby.lobby.challenges.decline(TARN, challenge.code)
    for player in (TARN, LIO):
        with pytest.raises(NoSuchRoom):
            await lobby.lobby.rooms.join(player, challenge.code)
        room = await lobby.lobby.rooms.room(challenge.code)
        for seat in (None, Seat(1)):
            with pytest.raises(LobbyRefused, match=r"room\.error\.(full|seat-held)"):
                await room.sit(player, seat)
        assert lobby.matches_of(player) == []
    [answered] = await lobby.lobby.challenges.standing(MIRA)
    assert answered.is_declined


async def test_a_standing_one_is_for_whom_it_names_however_the_code_came_about(lobby: OpenLobby) -> None:
    for player in (TARN, LIO):
        lobby.arrive(player)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(LIO, challenge.code)
    await lobby.lobby.rooms.join(TARN, challenge.code)
    assert len(lobby.matches_of(TARN)) == 1


async def test_a_lapsed_one_was_accepted_until_its_room_was_swept(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    lobby.table.skip(STANDS.total_seconds() + 1)
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(TARN, challenge.code)
    assert lobby.matches_of(TARN) == []


async def test_its_maker_who_looked_in_and_left_took_their_seat_away(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    await lobby.lobby.challenges.leave(MIRA, "tarn", PRIVATE)
    [own] = await lobby.lobby.challenges.standing(MIRA)
    for is_lost in (False, True):
        await lobby.lobby.rooms.join(MIRA, own.code, "mira-1")
        lobby.lobby.rooms.leave("mira-1", is_lost)
        await lobby.table.wait(2.0)
    [challenge] = await lobby.lobby.challenges.to(TARN)
    await lobby.lobby.rooms.join(TARN, challenge.code)
    assert len(lobby.matches_of(TARN)) == 1

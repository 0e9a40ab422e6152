"""Who may look at a match, whatever way they come."""

from __future__ import annotations

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.matches.errors import MatchRefused, MatchRunning, NoSuchMatch, NotWatchable, NotYourSeat
from server.matches.model import OVER, MatchQuery
from tests.matches.table import GUEST, LIO, MIRA, TARN, ZOE, Table

A = Seat(0)
PUBLIC = Watcher.PUBLIC


def person(player: Player, *roles: str) -> Identity:
    return Identity(player.account_id, player.name, frozenset(roles), None, None, "", "192.0.2.1")


async def test_a_closed_match_is_its_players_own_until_its_end(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    assert match.sight(person(MIRA)) is PUBLIC
    assert match.sight(person(MIRA), A) == A
    for stranger in (person(LIO), person(GUEST), person(ZOE, "moderator"), person(ZOE, "admin")):
        with pytest.raises(NotWatchable):
            match.sight(stranger)
    await match.resign(A)
    assert match.sight(person(GUEST), Watcher.OMNISCIENT) is Watcher.OMNISCIENT


async def test_a_moderator_sees_a_closed_match_through_a_report_about_it_and_nobody_else_does(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    assert match.sight(person(ZOE, "moderator"), case=match.id) is PUBLIC
    for who, case in ((person(ZOE, "moderator"), "another"), (person(LIO), match.id)):
        with pytest.raises(NotWatchable):
            match.sight(who, case=case)


async def test_while_a_match_runs_nobody_looks_from_somebody_else_s_seat_or_at_all_cards(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    with pytest.raises(NotYourSeat):
        match.sight(person(LIO), A)
    with pytest.raises(MatchRunning):
        match.sight(person(MIRA), Watcher.OMNISCIENT)


async def test_who_may_not_look_has_no_say_in_the_gallery(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    for seat in (A, Seat(1)):
        match.subscribe(seat, lambda: None)
    await table.database.settle()
    with pytest.raises(NotWatchable):
        await match.say(LIO, "psst")
    await match.say(MIRA, "well")
    match.enter(ZOE, None, "zoe-1", on_case=True)
    await match.say(ZOE, "please")
    await match.resign(A)
    await match.say(LIO, "well played")
    await table.wait(1)
    assert [line.text for line in match.snapshot(A).chat] == ["well", "please", "well played"]


async def test_lists_tell_that_a_match_is_closed_and_nothing_of_how_it_goes(table: Table) -> None:
    """Its moves, who is to act and who looks on were told to everybody."""
    match = await table.begin(MIRA, TARN, watchable=False)
    await table.play_any(match, 0)
    match.enter(ZOE, None, "zoe-1", on_case=True)
    [listed] = await table.matches.list(MatchQuery())
    assert (listed.is_closed, listed.seq, listed.watchers, listed.to_act) == (True, 0, 0, ())
    [own] = await table.matches.running_of(MIRA)
    assert (own.is_closed, own.seq) == (False, 1)
    await match.resign(A)
    [over] = await table.matches.list(MatchQuery(statuses=frozenset(("finished",))))
    assert (over.is_closed, over.seq) == (False, 2)


async def test_a_rematch_of_a_closed_match_is_closed_too(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, Seat(1), "tarn-1")
    await match.resign(A)
    for seat in (A, Seat(1)):
        await match.offer(seat, "rematch")
    after = await table.matches.open(str(match.snapshot(PUBLIC).next_match))
    with pytest.raises(NotWatchable):
        after.sight(person(LIO))


async def test_a_private_match_is_not_there_for_others_and_stays_so_after_its_end(table: Table) -> None:
    """Only lists left it out: whoever had its id looked on, and the id was told beside each player's name."""
    match = await table.begin(MIRA, TARN, private=True)
    for who in (LIO, GUEST, ZOE):
        for door in (lambda who=who: match.sight(person(who)), lambda who=who: match.enter(who, None, "s")):
            with pytest.raises(NoSuchMatch):
                door()
        with pytest.raises(NoSuchMatch):
            await match.say(who, "psst")
    await match.resign(A)
    for stranger in (person(LIO), person(ZOE, "moderator"), person(ZOE, "admin")):
        with pytest.raises(NoSuchMatch):
            await table.matches.find(match.id, stranger)
    assert await table.matches.list(MatchQuery(statuses=OVER)) == []
    assert await table.matches.list(MatchQuery(statuses=OVER, account_id=1)) == []
    assert (await table.matches.find(match.id, person(ZOE, "moderator"), case=match.id)).id == match.id
    with pytest.raises(NoSuchMatch):
        await table.matches.find(match.id, person(LIO), case=match.id)


async def test_a_private_match_is_shared_by_all_of_its_people_and_by_nobody_else(table: Table) -> None:
    match = await table.begin(MIRA, TARN, private=True)
    with pytest.raises(MatchRefused) as running:
        await match.share(MIRA)
    assert running.value.key == "match.error.share-running"
    await match.resign(A)
    with pytest.raises(MatchRefused) as stranger:
        await match.share(LIO)
    assert stranger.value.key == "match.error.share-players"
    await match.share(MIRA)
    await match.share(MIRA, agrees=False)
    await match.share(TARN)
    with pytest.raises(NoSuchMatch):
        match.sight(person(LIO))
    await match.share(MIRA)
    assert match.sight(person(GUEST), Watcher.OMNISCIENT) is Watcher.OMNISCIENT
    assert [one.id for one in await table.matches.list(MatchQuery(statuses=OVER))] == [match.id]
    with pytest.raises(MatchRefused) as done:
        await match.share(TARN, agrees=False)
    assert done.value.key == "match.error.shared"


async def test_what_goes_on_from_a_private_match_tells_nobody_how_that_one_went(table: Table) -> None:
    """Its one player could share the copied beginning alone."""
    match = await table.begin(MIRA, TARN, private=True)
    await table.play_any(match, 0)
    await match.resign(A)
    with pytest.raises(NoSuchMatch):
        await table.matches.branch(match.id, LIO, 1, A, "easy")
    own = await table.matches.branch(match.id, MIRA, 1, A, "easy")
    await own.resign(A)
    with pytest.raises(MatchRefused) as refused:
        await own.share(MIRA)
    assert refused.value.key == "match.error.stays-private"


async def test_the_code_of_a_private_room_is_in_nobody_s_state_but_its_players(table: Table) -> None:
    match = await table.begin(MIRA, TARN, private=True, room="K7QXM2PT")
    await match.resign(A)
    assert [match.snapshot(eyes).room for eyes in (PUBLIC, Watcher.OMNISCIENT, A)] == [None, None, "K7QXM2PT"]


async def test_a_shared_match_does_not_name_the_private_one_that_came_after_it(table: Table) -> None:
    match = await table.begin(MIRA, TARN, private=True)
    for seat, player in enumerate((MIRA, TARN)):
        match.enter(player, Seat(seat), f"{player.name}-1")
    await match.resign(A)
    for seat, player in enumerate((MIRA, TARN)):
        await match.offer(Seat(seat), "rematch")
        await match.share(player)
    after = match.snapshot(A).next_match
    assert after is not None
    assert [match.snapshot(eyes).next_match for eyes in (PUBLIC, Watcher.OMNISCIENT)] == [None, None]
    with pytest.raises(NoSuchMatch):
        await table.matches.find(after, person(LIO))

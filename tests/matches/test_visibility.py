"""Who may look at a match, whatever way they come."""

from __future__ import annotations

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.matches.errors import MatchRunning, NotWatchable, NotYourSeat
from server.matches.model import MatchQuery
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
    said: list[str] = []

    class Talk:
        async def say(self, channel: str, player: Player, text: str) -> None:
            said.append(channel.partition(":")[0])

    table.matches.context.chat = Talk()  # type: ignore[assignment]
    match = await table.begin(MIRA, TARN, watchable=False)
    with pytest.raises(NotWatchable):
        await match.say(LIO, "psst")
    await match.say(MIRA, "well")
    match.enter(ZOE, None, "zoe-1", on_case=True)
    await match.say(ZOE, "please")
    await match.resign(A)
    await match.say(LIO, "well played")
    assert said == ["match", "gallery", "gallery"]


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

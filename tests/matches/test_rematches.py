"""Another match between the same people, and playing on from a finished one."""

from __future__ import annotations

import asyncio

import pytest

from game.contract import Seat
from game.record import verify_record
from server.matches.errors import (
    MatchOver,
    MatchRunning,
)
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, TARN, ZOE, SharedBus, Table, house

A, B, C = Seat(0), Seat(1), Seat(2)


async def test_a_rematch_that_both_want_begins_with_sides_swapped(table: Table) -> None:
    match = await table.begin(MIRA, TARN, options={"lives": 1})
    await match.resign(A)
    await match.offer(A, "rematch")
    await match.answer(B, "rematch", accept=True)
    next_id = match.snapshot(A).next_match
    assert next_id is not None
    again = await table.matches.open(next_id)
    assert again.terms.players == (TARN, MIRA)
    assert again.terms.options == {"lives": 1}
    assert again.terms.seed != match.terms.seed


async def test_a_rematch_of_many_is_for_whoever_stays_at_the_table(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, EASY)
    here = [match.enter(one, seat, f"{one.name}-1") for one, seat in ((MIRA, A), (TARN, B), (LIO, C))]
    for seat in (A, B, C):
        await match.resign(seat)
    here[1].leave()
    await match.offer(A, "rematch")
    assert match.snapshot(A).next_match is None
    await match.offer(C, "rematch")
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert [player.name for player in again.terms.players] == ["lio", "bot:easy", "mira"]


async def test_who_left_for_a_bot_and_stayed_at_the_table_is_asked_for_the_rematch_too(table: Table) -> None:
    match = await table.begin(MIRA, TARN, EASY, bots_replace=True)
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1")
    await match.resign(B)
    assert match.snapshot(A).seats[1].bot == "normal"
    await table.play_on(match, lambda: match.is_over)
    await match.offer(A, "rematch")
    assert match.snapshot(A).next_match is None
    await match.offer(B, "rematch")
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert [player.name for player in again.terms.players] == ["tarn", "bot:easy", "mira"]


async def test_who_is_left_alone_with_bots_may_play_them_again(table: Table) -> None:
    match = await table.begin(MIRA, TARN, EASY, bots_replace=True)
    match.enter(MIRA, A, "mira-1")
    await match.resign(B)
    await table.play_on(match, lambda: match.is_over)
    await match.offer(A, "rematch")
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert [player.name for player in again.terms.players] == ["bot:easy", "mira"]


async def test_who_leaves_without_an_answer_holds_up_no_rematch(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    here = [match.enter(one, seat, f"{one.name}-1") for one, seat in ((MIRA, A), (TARN, B), (LIO, C))]
    for seat in (A, B):
        await match.resign(seat)
    await match.offer(A, "rematch")
    await match.offer(B, "rematch")
    assert match.snapshot(A).next_match is None
    here[2].leave()
    await table.database.settle()
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert again.terms.players == (TARN, MIRA)


async def test_two_players_have_a_rematch_only_when_both_want_it(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    match.enter(MIRA, A, "mira-1")
    await match.resign(A)
    await match.offer(A, "rematch")
    await table.database.settle()
    assert match.snapshot(A).next_match is None


async def test_a_rematch_agreed_on_twice_at_once_is_one_match(url: str, clock: FakeClock) -> None:
    bus = SharedBus(is_deaf=True)
    async with house(url, clock, bus) as here, house(url, clock, bus) as there:
        match = await here.begin(MIRA, TARN)
        await match.resign(A)
        theirs = await there.matches.open(match.id)
        await match.offer(A, "rematch")
        await asyncio.gather(match.offer(B, "rematch"), theirs.offer(B, "rematch"), return_exceptions=True)
        assert match.snapshot(A).next_match == theirs.snapshot(B).next_match is not None
        assert len(await here.matches.running_of(MIRA)) == 1


async def test_playing_on_begins_where_the_finished_match_was(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await table.play_on(match, lambda: match.shown.seq >= 7)
    with pytest.raises(MatchRunning):
        await table.matches.branch(match.id, ZOE, 5, B)
    for seat in (A, B):
        await match.resign(seat)
    then = match.at(5, B)
    again = await table.matches.branch(match.id, ZOE, 5, B)
    assert again.at(5, B).view == then.view
    assert [player.name for player in again.terms.players] == ["bot:normal", "zoe", "bot:normal"]
    assert (again.terms.rated, again.terms.private) == (False, True)
    await table.play_on(again, lambda: again.is_over)
    await table.wait(3)
    assert verify_record(await table.matches.record(again.id)).agrees
    with pytest.raises(MatchOver):
        await table.matches.branch(match.id, ZOE, match.shown.seq, B)

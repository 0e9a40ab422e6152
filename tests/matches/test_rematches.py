"""Another match between the same people, and playing on from a finished one."""

from __future__ import annotations

import asyncio

import pytest

from game.contract import Seat, Watcher
from game.record import read_record, verify
from server.accounts.identity import Identity, Player
from server.boards import outcome
from server.matches.errors import (
    MatchOver,
    MatchRunning,
    NotOffered,
)
from server.matches.match import Match
from server.presence.connections import Connected
from server.terminal.look import Look
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, TARN, ZOE, SharedBus, Table, open_matches
from tests.texts import en

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
    assert again.terms.agreement.options == {"lives": 1}
    assert again.terms.seed != match.terms.seed


async def test_nobody_was_told_how_often_each_had_won_before(table: Table) -> None:
    """At the board, at its end and in a room one had to count."""
    match, winners = await table.begin(MIRA, TARN, options={"lives": 1}), ["tarn", "tarn", "mira"]
    assert (match.snapshot(A).won, outcome.score(match.snapshot(A), Look())) == ((), "")
    for winner in winners:
        loser = next(seat for seat in match.terms.seats if match.terms.players[seat].name != winner)
        await match.resign(loser)
        await match.offer(A, "rematch")
        await match.answer(B, "rematch", accept=True)
        ended = match.snapshot(Watcher.PUBLIC)
        match = await table.matches.open(match.snapshot(A).next_match or "")
    score = en("outcome.score", won="tarn 2, mira 1")
    assert [player.name for player in match.terms.players] == ["tarn", "mira"]
    assert match.snapshot(A).won == (2, 1)
    assert outcome.score(match.snapshot(Watcher.PUBLIC), Look()) == score
    assert outcome.standing(ended, Look()) == en("outcome.score", won="mira 1, tarn 2")
    assert match.terms.arrangement["won"] == [2, 1]


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
    async with open_matches(url, clock, bus) as here, open_matches(url, clock, bus) as there:
        match = await here.begin(MIRA, TARN)
        await match.resign(A)
        theirs = await there.matches.open(match.id)
        await match.offer(A, "rematch")
        await asyncio.gather(match.offer(B, "rematch"), theirs.offer(B, "rematch"), return_exceptions=True)
        assert match.snapshot(A).next_match == theirs.snapshot(B).next_match is not None
        assert len(await here.matches.running_of(MIRA)) == 1


async def test_playing_on_begins_where_the_finished_match_was(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await table.play_on(match, lambda: match.live.shown.seq >= 7)
    with pytest.raises(MatchRunning):
        await table.matches.branch(match.id, ZOE, 5, B)
    for seat in (A, B):
        await match.resign(seat)
    then = match.at(5, B)
    again = await table.matches.branch(match.id, ZOE, 5, B)
    assert again.at(5, B).view == then.view
    assert [player.name for player in again.terms.players] == ["bot:normal", "zoe", "bot:normal"]
    assert (again.terms.agreement.rated, again.terms.agreement.private) == (False, True)
    await table.play_on(again, lambda: again.is_over)
    await table.wait(3)
    assert verify(read_record(await table.matches.record(again.id))).agrees
    with pytest.raises(MatchOver):
        await table.matches.branch(match.id, ZOE, match.live.shown.seq, B)


async def three_at_the_end(table: Table) -> Match:
    """Play a match of three to its end; Lio is connected, and not at the table any more."""
    match = await table.begin(MIRA, TARN, LIO)
    for seat, player in ((A, MIRA), (B, TARN), (C, LIO)):
        table.matches.connections.arrive(connected(player, table))
        match.enter(player, seat, f"{player.name}-1").leave()
    for seat in (A, B):
        await match.resign(seat)
    return match


def connected(player: Player, table: Table) -> Connected:
    identity = Identity(player.account_id, player.name, frozenset(), None, None, "", "127.0.0.1")
    return Connected(f"{player.name}-1", identity, table.clock.now())


async def test_who_went_to_the_lobby_held_up_the_rematch_for_ever(table: Table) -> None:
    match = await three_at_the_end(table)
    asked: list[str] = []
    table.matches.on_offers.append(asked.append)
    await match.offer(A, "rematch")
    await match.offer(B, "rematch")
    assert asked
    assert match.offers.is_asked(C)
    rematch = match.snapshot(A).rematch
    assert rematch is not None
    assert (rematch.agreed, rematch.missing) == ((A, B), (C,))
    await table.wait(59)
    await match.offer(A, "rematch")
    assert match.snapshot(A).next_match is None, "not yet"
    await table.wait(1.25)
    await match.offer(A, "rematch")
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert again.terms.players == (TARN, MIRA)


async def test_who_declines_a_rematch_leaves_it_to_the_others(table: Table) -> None:
    match = await three_at_the_end(table)
    await match.offer(A, "rematch")
    await match.answer(C, "rematch", accept=False)
    rematch = match.snapshot(A).rematch
    assert rematch is not None
    assert (rematch.declined, rematch.missing, match.offers.is_asked(C)) == ((C,), (B,), False)
    await match.answer(B, "rematch", accept=True)
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert again.terms.players == (TARN, MIRA)


async def test_a_rematch_that_too_few_want_is_off_at_once(table: Table) -> None:
    match = await three_at_the_end(table)
    await match.offer(A, "rematch")
    await match.answer(C, "rematch", accept=False)
    await match.answer(B, "rematch", accept=False)
    assert (match.snapshot(A).rematch, match.snapshot(A).offers) == (None, ())


async def test_who_declined_a_rematch_may_think_again(table: Table) -> None:
    match = await three_at_the_end(table)
    await match.offer(A, "rematch")
    await match.answer(C, "rematch", accept=False)
    await match.offer(C, "rematch")
    await match.offer(B, "rematch")
    again = await table.matches.open(match.snapshot(A).next_match or "")
    assert again.terms.players == (TARN, LIO, MIRA)


async def test_a_match_that_ended_long_ago_asks_nobody(table: Table) -> None:
    match = await three_at_the_end(table)
    await table.wait(1)
    table.skip(3600)
    await match.offer(A, "rematch")
    assert not match.offers.is_asked(C)


async def test_who_plays_elsewhere_in_another_process_is_asked_there(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_matches(url, clock, bus) as here, open_matches(url, clock, bus) as there:
        match = await three_at_the_end(here)
        there.matches.connections.arrive(connected(LIO, there))
        asked: list[str] = []
        there.matches.on_offers.append(asked.append)
        await match.offer(A, "rematch")
        await there.wait(1)
        assert asked
        assert (await there.matches.open(match.id)).offers.is_asked(C)


async def test_a_rematch_of_daily_play_reaches_who_comes_back_days_later(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as before:
        match = await before.begin(MIRA, TARN, speed="daily")
        await match.resign(B)
        await match.offer(A, "rematch")
    clock.shift(6 * 24 * 3600)
    async with open_matches(url, clock) as after:  # the server was restarted, and Mira is not here
        (offer,) = await after.matches.offers_to(TARN)
        assert (offer.match, offer.what, offer.by) == (match.id, "rematch", (MIRA,))
        assert await after.matches.offers_to(MIRA) == ()
        again = await after.matches.open(match.id)
        await again.answer(B, "rematch", accept=True)
        assert again.snapshot(B).next_match is not None
        assert await after.matches.offers_to(TARN) == ()


async def test_an_offer_that_nobody_answered_for_a_week_is_gone(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="daily")
    await match.resign(B)
    await match.offer(A, "rematch")
    table.skip(8 * 24 * 3600)
    assert await table.matches.offers_to(TARN) == ()
    with pytest.raises(NotOffered):
        await match.answer(B, "rematch", accept=True)
    await match.offer(A, "rematch")  # asked anew, it stands again
    assert [offer.what for offer in await table.matches.offers_to(TARN)] == ["rematch"]


async def test_a_rematch_offer_outlived_its_maker_who_had_left(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    table.matches.connections.arrive(connected(MIRA, table))
    await match.resign(A)
    await match.offer(A, "rematch")
    table.matches.connections.leave("mira-1")
    await table.database.settle()
    assert match.snapshot(B).offers == ()
    with pytest.raises(NotOffered):
        await match.answer(B, "rematch", accept=True)


@pytest.mark.parametrize(("begun", "stands"), [("normal", False), ("daily", True)])
async def test_a_rematch_offer_outlived_its_maker_who_sat_in_another_match(
    table: Table, begun: str, stands: bool
) -> None:
    match = await table.begin(MIRA, TARN)
    await match.resign(A)
    await match.offer(A, "rematch")
    await table.begin(MIRA, LIO, speed=begun)
    await table.database.settle()
    assert bool(match.snapshot(B).offers) is stands


async def test_an_offer_to_resume_waits_for_the_opponent_wherever_they_are(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="daily")
    await match.offer(A, "adjourn")
    await match.offer(B, "adjourn")
    told: list[str] = []
    table.matches.on_offers.append(told.append)
    await match.offer(A, "adjourn")
    assert [(offer.what, offer.by) for offer in await table.matches.offers_to(TARN)] == [("resume", (MIRA,))]
    assert told == [match.id]
    await match.answer(B, "resume", accept=True)
    assert await table.matches.offers_to(TARN) == ()


async def test_a_draw_offer_that_a_move_answered_was_listed_still(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="daily")
    await match.offer(B, "draw")
    assert [offer.what for offer in await table.matches.offers_to(MIRA)] == ["draw"]
    told: list[str] = []
    table.matches.on_offers.append(told.append)
    await table.play_any(match, A)
    assert await table.matches.offers_to(MIRA) == ()
    assert told

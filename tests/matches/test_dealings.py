"""Offers, resigning, leaving, claims, rematches, ratings at the end."""

from __future__ import annotations

import asyncio

import pytest

from game.contract import Seat, Watcher
from game.record import verify_record
from server.matches.errors import (
    Draining,
    MatchOver,
    MatchPaused,
    MatchRefused,
    MatchRunning,
    NotClaimable,
    NotOffered,
    NotWatchable,
)
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, GUEST, LIO, MIRA, TARN, ZOE, SharedBus, Table, house

A, B, C = Seat(0), Seat(1), Seat(2)


async def kinds(table: Table, match_id: str) -> list[str]:
    return [row.kind for row in await table.database.read(store.log, match_id)]


async def test_a_draw_that_both_want_is_a_draw(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    assert match.snapshot(B).offers == ((A, "draw"),)
    await match.answer(B, "draw", accept=True)
    seen = match.snapshot(Watcher.PUBLIC)
    assert seen.result is not None
    assert (seen.status, seen.result.placements, seen.offers) == ("finished", ((A, B),), ())
    assert await kinds(table, match.id) == ["draw_agreed"]


async def test_an_offer_that_is_turned_down_is_gone(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    await match.answer(B, "draw", accept=False)
    assert match.snapshot(A).offers == ()
    with pytest.raises(NotOffered):
        await match.answer(B, "draw", accept=True)


async def test_an_offer_lapses_when_the_other_moves_on(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    await table.play_any(match, 0)
    assert match.snapshot(A).offers == ((A, "draw"),)
    await table.play_any(match, 1)
    assert match.snapshot(A).offers == ()


async def test_one_s_own_offer_is_not_consent(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    with pytest.raises(NotOffered):
        await match.answer(A, "draw", accept=True)
    assert not match.is_over


async def test_nobody_draws_with_a_bot(table: Table) -> None:
    match = await table.begin(MIRA, EASY)
    with pytest.raises(NotOffered):
        await match.offer(A, "draw")


async def test_offers_are_seen_in_other_processes(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with house(url, clock, bus) as here, house(url, clock, bus) as there:
        match = await here.begin(MIRA, TARN)
        theirs = await there.matches.open(match.id)
        await match.offer(A, "draw")
        await here.wait(0.25)
        await there.database.settle()
        assert theirs.snapshot(B).offers == ((A, "draw"),)
        await theirs.answer(B, "draw", accept=True)
        await there.wait(0.25)
        assert match.snapshot(A).status == "finished"


async def test_adjourned_by_agreement_and_taken_up_again_the_same_way(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.wait(10)
    await match.offer(A, "adjourn")
    await match.offer(B, "adjourn")
    assert match.snapshot(A).status == "adjourned"
    assert match.snapshot(A).pending is None
    with pytest.raises(MatchPaused):
        await match.act(A, "bid 1", match.shown.seq, table.clock.now())
    stored = await table.database.read(store.get, match.id)
    assert stored is not None
    assert (stored.status, stored.deadline) == ("adjourned", None)
    table.clock.shift(86_400)
    await match.offer(B, "adjourn")
    assert match.snapshot(A).offers == ((B, "resume"),)
    await match.answer(A, "resume", accept=True)
    seen = match.snapshot(A)
    assert seen.status == "live"
    assert seen.pending is not None
    assert seen.seats[0].bank_ms == 590_000
    assert await kinds(table, match.id) == ["adjourned", "resumed"]


async def test_who_is_out_is_not_asked_to_go_on(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await match.resign(C)
    await match.offer(A, "adjourn")
    await match.offer(B, "adjourn")
    assert match.snapshot(A).status == "adjourned"
    await match.offer(A, "resume")
    await match.offer(B, "resume")
    assert match.snapshot(A).status == "live"


async def test_guests_do_not_adjourn(table: Table) -> None:
    match = await table.begin(GUEST, TARN)
    with pytest.raises(NotOffered):
        await match.offer(B, "adjourn")


async def test_resigning_ends_a_match_of_two(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.resign(A)
    seen = match.snapshot(B)
    assert seen.result is not None
    assert seen.result.placements == ((B,), (A,))
    assert match.events(B, 0)[0].kind == "match.resign"


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


async def test_who_is_gone_for_longer_than_the_grace_period_may_be_claimed_against(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    tarn = match.enter(TARN, B, "tarn-1")
    assert match.snapshot(A).claim_at is None
    tarn.leave()
    seen = match.snapshot(A)
    assert not seen.seats[1].here
    assert seen.claim_at is not None
    assert (seen.claim_at - table.clock.now()).total_seconds() == 45
    await table.wait(44)
    with pytest.raises(NotClaimable):
        await match.claim(A, "win")
    await table.wait(1)
    await match.claim(A, "win")
    result = match.snapshot(A).result
    assert result is not None
    assert result.placements[0] == (A,)
    assert await kinds(table, match.id) == ["left"]


async def test_who_comes_back_in_time_is_not_gone(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1").leave()
    match.enter(TARN, B, "tarn-2")
    await table.wait(60)
    with pytest.raises(NotClaimable):
        await match.claim(A, "win")


async def test_a_second_terminal_keeps_the_seat_when_the_first_closes(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast")
    first = match.enter(MIRA, A, "mira-1")
    match.enter(MIRA, A, "mira-2")
    first.leave()
    first.leave()
    assert match.snapshot(B).seats[0].here


async def test_a_claim_may_also_void_the_match(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="fast", rated=True)
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1").leave()
    await table.wait(46)
    await match.claim(A, "void")
    assert (match.snapshot(A).status, match.snapshot(A).result) == ("void", None)
    assert table.rater.rated == []


async def test_a_daily_match_is_never_claimed(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="daily")
    match.enter(MIRA, A, "mira-1")
    await table.wait(1)
    table.clock.shift(86_400)
    assert match.snapshot(A).claim_at is None
    with pytest.raises(NotClaimable):
        await match.claim(A, "win")


async def test_a_guest_s_seat_is_given_up_a_minute_after_the_connection_closed(table: Table) -> None:
    match = await table.begin(MIRA, GUEST)
    guest = match.enter(GUEST, B, "guest-1")
    await table.wait(90)
    assert not match.is_over
    guest.leave()
    await table.wait(59)
    assert not match.is_over
    await table.wait(2)
    assert match.is_over
    assert await kinds(table, match.id) == ["left"]


async def test_a_guest_who_went_with_a_crash_is_given_up_after_the_restart(url: str, clock: FakeClock) -> None:
    async with house(url, clock) as first:
        match = await first.begin(MIRA, GUEST)
        match.enter(GUEST, B, "guest-1")
    clock.shift(5)
    async with house(url, clock) as second:
        await second.wait(62)
        stored = await second.database.read(store.get, match.id)
        assert stored is not None
        assert stored.status == "finished"


async def test_only_matches_in_which_everybody_acted_twice_are_rated(table: Table) -> None:
    short = await table.begin(MIRA, TARN, rated=True)
    await table.play_any(short, 0)
    await table.play_any(short, 1)
    await short.resign(A)
    assert table.rater.rated == []
    long = await table.begin(MIRA, TARN, rated=True)
    await table.play_on(long, lambda: min(long.shown.acted) >= 2)
    await long.resign(A)
    await table.database.settle()
    (rated,) = table.rater.rated
    assert (rated.match_id, rated.placements) == (long.id, ((B,), (A,)))
    assert long.snapshot(A).rating_changes == {B: (1500, 1510)}


async def test_a_leaver_s_bot_plays_on_and_the_leaver_s_place_is_fixed(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, EASY, rated=True, bots_replace=True)
    await table.play_on(match, lambda: min(match.shown.acted[:3]) >= 2)
    await match.resign(B)
    assert match.snapshot(A).seats[1].bot == "normal"
    assert not match.is_over
    with pytest.raises(NotOffered):
        await match.offer(B, "draw")
    with pytest.raises(MatchRefused):
        await match.act(B, "auto on", match.shown.seq)
    assert match.snapshot(B).view == match.snapshot(Watcher.PUBLIC).view
    assert match.events(B) == match.events(Watcher.PUBLIC)
    await table.play_on(match, lambda: match.is_over)
    await table.wait(3)
    (rated,) = table.rater.rated
    assert rated.placements[-1] == (B,)
    assert {seat for tier in rated.placements for seat in tier} == {A, B, C}


async def test_bots_play_a_whole_match_by_themselves(table: Table) -> None:
    match = await table.begin(EASY, EASY, EASY)
    await table.wait(120)
    assert match.is_over
    assert table.pool.asked > 5


async def test_a_bot_that_says_nonsense_plays_something_legal_instead(table: Table) -> None:
    table.pool.answers.append("sing")
    match = await table.begin(EASY, MIRA)
    await table.wait(1)
    assert match.shown.acted[0] == 1


async def test_nobody_is_in_two_places_of_one_tier_when_a_table_of_three_loses_two(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await match.resign(B)
    assert not match.is_over
    assert match.snapshot(A).seats[1].out
    await match.resign(A)
    result = match.snapshot(C).result
    assert result is not None
    assert result.placements == ((C,), (A,), (B,))


async def test_where_nobody_may_look_on_the_gallery_is_closed_until_the_end(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    with pytest.raises(NotWatchable):
        match.enter(LIO, None, "lio-1")
    match.enter(MIRA, A, "mira-1")
    await match.resign(A)
    match.enter(LIO, None, "lio-1")


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


async def test_an_admin_s_word_ends_a_match_without_a_result(table: Table) -> None:
    match = await table.begin(MIRA, TARN, rated=True)
    await table.matches.void(match.id, "root", "testing")
    seen = match.snapshot(A)
    assert (seen.status, seen.result, seen.seed is not None) == ("void", None, True)
    assert verify_record(await table.matches.record(match.id)).agrees
    with pytest.raises(MatchOver):
        await table.matches.void(match.id, "root", "again")


async def test_nothing_begins_while_the_server_drains(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.matches.drain()
    with pytest.raises(Draining):
        await table.begin(MIRA, TARN)
    assert await table.play_any(match, 0) == 1


async def test_rules_that_fail_pause_this_match_and_no_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = await table.begin(MIRA, TARN), await table.begin(MIRA, TARN)

    class Broken:
        def __getattr__(self, name: str) -> object:
            if name == "apply":
                raise ZeroDivisionError
            return getattr(other.line.game, name)

    monkeypatch.setattr(match.line, "game", Broken())
    with pytest.raises(MatchPaused):
        await table.play_any(match, 0)
    assert match.snapshot(A).paused
    assert match.snapshot(A).view is not None
    assert await table.play_any(other, 0) == 1


class Manners:
    """Counts who left."""

    def __init__(self) -> None:
        self.counted: list[int] = []

    async def note_leaving(self, account_id: int) -> None:
        self.counted.append(account_id)

    async def paused_until(self, account_id: int) -> None:
        return None

    async def blocks_among(self, ids: object) -> frozenset[tuple[int, int]]:
        return frozenset()


async def test_who_stalls_or_is_claimed_against_in_a_rated_match_is_counted(table: Table) -> None:
    manners = table.matches.house.manners = Manners()
    stalled = await table.begin(MIRA, TARN, rated=True, speed="fast")
    await table.play_any(stalled, 1)
    table.clock.shift(183)
    await table.matches.sweep()
    resigned = await table.begin(MIRA, TARN, rated=True)
    await resigned.resign(B)
    await table.database.settle()
    assert manners.counted == [1]


async def test_who_does_not_come_back_from_an_outage_of_ours_has_not_left(table: Table) -> None:
    manners = table.matches.house.manners = Manners()
    for comes_back in (False, True):
        match = await table.begin(MIRA, TARN, rated=True, speed="fast")
        await table.play_any(match, 1)
        table.clock.shift(30)  # no pulse: the house was away
        await table.matches.pulse.beat()
        await table.database.settle()
        if comes_back:
            match.enter(MIRA, A, "mira-2").leave()
            await table.wait(1)
        table.clock.shift(300)
        await table.matches.sweep()
        await table.database.settle()
        assert match.is_over
        assert manners.counted == ([1] if comes_back else [])

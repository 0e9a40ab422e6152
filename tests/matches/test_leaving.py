"""Resigning, staying away, claims, and what becomes of a seat that somebody has left."""

from __future__ import annotations

from datetime import timedelta

import pytest

from game.contract import Seat, Watcher
from server.boards import outcome
from server.matches import finish
from server.matches.errors import (
    MatchRefused,
    NotClaimable,
    NotOffered,
)
from server.matches.guestlimits import SEAT_KEPT
from server.ratings.played import Leaver, part_played
from server.store import matches as store
from server.store.appends import Effect
from tests.clocks import FakeClock
from tests.matches.table import EASY, GUEST, LIO, MIRA, PEOPLE, TARN, Table, kinds, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)


async def test_resigning_ends_a_match_of_two(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.resign(A)
    seen = match.snapshot(B)
    assert seen.result is not None
    assert seen.result.placements == ((B,), (A,))
    assert match.events(B, 0)[0].kind == "match.resign"


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
    assert match.snapshot(Watcher.PUBLIC).claim_at == seen.claim_at, "who looks on is told what the table is"
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
    assert table.ratings.rated == []


async def test_void_was_offered_and_refused_at_a_table_where_others_were_still_here(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, speed="normal")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1").leave()
    lio = match.enter(LIO, C, "lio-1")
    await table.wait(91)
    seen = match.snapshot(A)
    assert seen.claim_at is not None
    assert seen.void_at is None, "who is here has a match to finish"
    with pytest.raises(NotClaimable) as refused:
        await match.claim(A, "void")
    assert refused.value.key == "match.error.void-needs-all"
    lio.leave()
    assert match.snapshot(A).void_at == table.clock.now() + timedelta(seconds=90), "as soon as all count as gone"
    await table.wait(91)
    await match.claim(A, "void")
    assert match.snapshot(A).status == "void"


async def test_a_claim_on_a_guest_at_a_table_was_announced_for_later_than_they_lose_their_seat(table: Table) -> None:
    match = await table.begin(MIRA, TARN, GUEST, speed="normal")
    match.enter(MIRA, A, "mira-1")
    match.enter(TARN, B, "tarn-1")
    match.enter(GUEST, C, "guest-1").leave()
    shots = [match.snapshot(viewer) for viewer in (A, B, Watcher.PUBLIC)]
    assert [shot.claim_at for shot in shots] == [None, None, None]
    assert {outcome.guest_out_at(shot) for shot in shots} == {table.clock.now() + timedelta(seconds=60)}
    await table.wait(61)
    assert match.snapshot(A).seats[2].out


async def test_a_daily_match_is_never_claimed(table: Table) -> None:
    match = await table.begin(MIRA, TARN, speed="daily")
    match.enter(MIRA, A, "mira-1")
    await table.wait(1)
    table.skip(86_400)
    assert match.snapshot(A).claim_at is None
    with pytest.raises(NotClaimable):
        await match.claim(A, "win")


async def test_a_guest_s_seat_is_given_up_a_minute_after_the_connection_closed(table: Table) -> None:
    match = await table.begin(MIRA, GUEST)
    guest = match.enter(GUEST, B, "guest-1")
    await table.wait(90)
    over = [match.is_over]
    guest.leave()
    for seconds in (59, 2):
        await table.wait(seconds)
        over.append(match.is_over)
    assert over == [False, False, True]
    assert await kinds(table, match.id) == ["left"]


async def test_a_guest_who_went_with_a_crash_is_given_up_after_the_restart(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, GUEST)
        match.enter(GUEST, B, "guest-1")
    clock.shift(5)
    async with open_matches(url, clock) as second:
        await second.wait(62)
        stored = await second.database.read(store.get, match.id)
        assert stored is not None
        assert stored.status == "finished"


async def test_a_guest_who_went_with_a_process_was_not_given_up_where_nothing_was_open(
    url: str, clock: FakeClock
) -> None:
    """Only a process that had some match open looked for such guests."""
    async with open_matches(url, clock) as other:
        async with open_matches(url, clock) as ended:
            match = await ended.begin(MIRA, GUEST)
            match.enter(GUEST, B, "guest-1")
        await other.wait(100)
        assert await kinds(other, match.id) == ["left"]


async def test_who_resigns_before_the_first_action_is_rated_all_the_same(table: Table) -> None:
    match = await table.begin(MIRA, TARN, rated=True)
    await match.resign(A)
    await table.database.settle()
    (rated,) = table.ratings.rated
    assert (rated.match_id, rated.placements) == (match.id, ((B,), (A,)))
    assert rated.played.leavers == (Leaver(A, frozenset((B,)), 0.0),)
    changes = match.snapshot(A).rating_changes
    assert changes[A][1] < 1500 == changes[B][1]
    assert match.snapshot(A).counted


async def test_what_a_match_counts_grows_with_what_was_played(table: Table) -> None:
    parts = []
    for decisions in (1, 3):
        match = await table.begin(MIRA, TARN, rated=True)
        await table.play_on(match, lambda match=match, n=decisions: sum(match.live.shown.acted) >= n)  # type: ignore[misc]
        await table.wait(3)  # who owes nothing waits for the window's minimum first
        acted = sum(match.live.shown.acted)
        await match.resign(A)
        await table.database.settle()
        (leaver,) = table.ratings.rated[-1].played.leavers
        assert leaver.part == part_played(acted, 40)
        parts.append(leaver.part)
    assert 0 < parts[0] < parts[1] < 1


async def test_a_draw_that_is_agreed_on_at_once_counts_nothing(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet", rated=True)
    await match.offer(A, "draw")
    await match.offer(B, "draw")
    await table.database.settle()
    (rated,) = table.ratings.rated
    assert (rated.played.leavers, rated.played.drawn_part) == ((), 0.0)


async def test_who_resigns_early_from_a_table_has_left_it_and_voids_nobody_s_rating(table: Table) -> None:
    """One who resigned before the second own action voided the rating of the others, without a strike."""
    match = await table.begin(MIRA, TARN, LIO, game="relati", rated=True)
    await match.resign(B)
    await table.wait(3)
    assert not match.is_over
    await match.resign(C)
    await table.database.settle()
    (rated,) = table.ratings.rated
    assert rated.played.leavers == (Leaver(B, frozenset((A, C)), 0.0), Leaver(C, frozenset((A,)), 0.0))
    assert await who_left(table) == [2], "of two the other has won, and waits for nobody"


async def test_who_never_comes_back_to_a_claimed_seat_has_left(table: Table) -> None:
    """A bot that played on could win for who had gone."""
    for comes_back in (False, True):
        match = await table.begin(MIRA, TARN, LIO, rated=True, speed="fast")
        for seat, player in ((A, MIRA), (C, LIO)):
            match.enter(player, seat, f"{player.name}-1")
        match.enter(TARN, B, "tarn-1").leave()
        await table.wait(46)
        await match.claim(A, "win")
        if comes_back:
            match.enter(TARN, B, "tarn-2")
        await table.play_on(match, lambda match=match: match.is_over)  # type: ignore[misc]
        await table.wait(3)
        gone = {one.seat: one.still for one in table.ratings.rated[-1].played.leavers}
        assert gone == ({} if comes_back else {B: {A, C}})


async def test_a_leaver_s_bot_plays_on_and_the_leaver_s_place_is_fixed(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, EASY, rated=True, bots_replace=True)
    await table.play_on(match, lambda: min(match.live.shown.acted[:3]) >= 2)
    await table.wait(3)  # who owes nothing waits for the window's minimum first
    await match.resign(B)
    assert match.snapshot(A).seats[1].bot == "normal"
    assert not match.is_over
    with pytest.raises(NotOffered):
        await match.offer(B, "draw")
    with pytest.raises(MatchRefused):
        await match.act(B, "auto on", match.live.shown.seq)
    assert match.snapshot(B).view == match.snapshot(Watcher.PUBLIC).view
    assert match.events(B) == match.events(Watcher.PUBLIC)
    await table.play_on(match, lambda: match.is_over)
    await table.wait(3)
    (rated,) = table.ratings.rated
    assert rated.placements[-1] == (B,)
    assert {seat for tier in rated.placements for seat in tier} == {A, B, C}


async def who_left(table: Table) -> list[int | None]:
    """Return the people of whom it is noted that they left a rated match."""
    return [one.account_id for one in PEOPLE if await table.conduct.is_warned(one.account_id or 0)]


async def test_who_stalls_or_is_claimed_against_in_a_rated_match_is_counted(table: Table) -> None:
    stalled = await table.begin(MIRA, TARN, rated=True, speed="fast")
    await table.play_any(stalled, 1)
    table.skip(183)
    await table.matches.sweeper.sweep()
    resigned = await table.begin(MIRA, TARN, rated=True)
    await resigned.resign(B)
    await table.database.settle()
    assert await who_left(table) == [1]


async def test_who_does_not_come_back_from_an_outage_of_ours_has_not_left(table: Table) -> None:
    for comes_back in (False, True):
        match = await table.begin(MIRA, TARN, rated=True, speed="fast")
        await table.play_any(match, 1)
        table.clock.shift(30)  # no heartbeat: the server was away
        await table.matches.heartbeat.beat()
        await table.database.settle()
        if comes_back:
            match.enter(MIRA, A, "mira-2").leave()
            await table.wait(1)
        table.skip(300)
        await table.matches.sweeper.sweep()
        await table.database.settle()
        assert match.is_over
        assert await who_left(table) == ([1] if comes_back else [])


async def test_a_guest_whose_forfeit_failed_keeps_no_match_in_memory(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match waited for a guest who was never given up, and so it was never forgotten."""
    match = await table.begin(GUEST, MIRA)

    def fail(*_given: object) -> tuple[Effect, ...]:
        raise KeyError("an error of ours")

    monkeypatch.setattr(finish, "effects", fail)
    assert match.autopilot.is_busy
    await table.wait(SEAT_KEPT.total_seconds() + 1)
    assert not match.autopilot.is_busy

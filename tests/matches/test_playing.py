"""Playing a match through its log."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from game.contract import Seat, Watcher
from game.errors import BadNotation, GameError
from game.record import read_record, verify
from game.rng import commitment
from server.matches.errors import MatchOver, MatchRunning, NoSuchMatch, NotYourTurn, Stale
from server.store import arrangements
from server.store import matches as store
from server.store.database import P, T, Work
from tests.clocks import FakeClock
from tests.matches.table import MIRA, SEED, TARN, SharedBus, Table, first_answer, open_matches
from tests.waiting import until

A, B, C = Seat(0), Seat(1), Seat(2)


async def test_a_new_match_shows_each_seat_what_it_owes(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    seen = match.snapshot(A)
    assert (seen.seq, seen.status, seen.turn_seq) == (0, "live", 0)
    assert seen.pending is not None
    assert seen.pending.seat == A
    assert seen.deciding == ((A, None), (B, None))
    assert match.snapshot(Watcher.PUBLIC).pending is None
    assert [info.player.name for info in seen.seats] == ["mira", "tarn"]


async def test_the_commitment_is_public_at_the_start_and_the_seed_only_at_the_end(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    assert match.snapshot(Watcher.PUBLIC).commitment == commitment(SEED)
    assert match.snapshot(Watcher.PUBLIC).seed is None
    await match.resign(A)
    assert match.snapshot(Watcher.PUBLIC).seed == SEED.hex()


async def test_an_action_is_in_the_store_when_it_is_acknowledged(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    seq = await table.play_any(match, 0)
    rows = await table.database.read(store.log, match.id)
    assert seq == 1
    assert [(row.seq, row.kind, row.seat) for row in rows] == [(1, "action", 0)]


async def test_another_seats_entry_alone_does_not_make_an_answer_stale(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    pending = match.snapshot(B).pending
    assert pending is not None
    await table.play_any(match, 0)
    assert await match.act(B, first_answer(pending), 0, table.clock.now()) == 2


async def test_the_same_answer_twice_is_stale(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    said = first_answer(match.snapshot(A).pending)
    await match.act(A, said, 0, table.clock.now())
    with pytest.raises(Stale):
        await match.act(A, said, 0, table.clock.now())
    assert match.live.shown.seq == 1


async def test_a_seat_that_owes_nothing_is_told_so(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.play_any(match, 0)
    with pytest.raises(NotYourTurn):
        await match.act(A, "bid 1", 1, table.clock.now())


async def test_an_answer_to_a_turn_that_has_not_come_is_stale(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    with pytest.raises(Stale):
        await match.act(A, "bid 1", 7, table.clock.now())


async def test_what_is_not_offered_is_refused_and_changes_nothing(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    before = match.snapshot(A)
    with pytest.raises(GameError):
        await match.act(A, "bid 99", 0, table.clock.now())
    with pytest.raises(BadNotation):
        await match.act(A, "jump  high", 0, table.clock.now())
    assert match.snapshot(A) is before


async def test_a_setting_is_an_entry_of_its_own_and_answers_nothing(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.act(A, "auto on", 0, table.clock.now())
    rows = await table.database.read(store.log, match.id)
    assert [row.kind for row in rows] == ["setting"]
    assert match.snapshot(A).pending is not None


async def test_eight_writers_on_one_match_leave_no_gap_and_no_duplicate(url: str, clock: FakeClock) -> None:
    bus = SharedBus(is_deaf=True)
    async with open_matches(url, clock, bus) as first, open_matches(url, clock, bus) as second:
        ours = await first.begin(MIRA, TARN)
        theirs = await second.matches.open(ours.id)
        said = first_answer(ours.snapshot(A).pending)
        tries = [match.act(A, said, 0, clock.now()) for match in (ours, theirs) for _ in range(4)]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        rows = await first.database.read(store.log, ours.id)
    assert [row.seq for row in rows] == [1]
    assert outcomes.count(1) == 1
    assert sum(isinstance(outcome, Stale) for outcome in outcomes) == 7


async def test_eight_writers_with_settings_all_get_in(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    words = ["auto on", "auto off"] * 4
    seqs = await asyncio.gather(*(match.act(Seat(i % 2), word, 0, table.clock.now()) for i, word in enumerate(words)))
    assert sorted(seqs) == [1, 2, 3, 4, 5, 6, 7, 8]
    rows = await table.database.read(store.log, match.id)
    assert [row.seq for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]


async def test_a_hint_brings_the_other_process_up_to_date(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_matches(url, clock, bus) as first, open_matches(url, clock, bus) as second:
        ours = await first.begin(MIRA, TARN)
        theirs = await second.matches.open(ours.id)
        told: list[int] = []
        theirs.subscribe(B, lambda: told.append(theirs.snapshot(B).seq))
        await first.play_any(ours, 0)
        await until(lambda: bool(told))
        assert told == [1]


async def test_a_lost_hint_is_made_up_for_within_seconds(url: str, clock: FakeClock) -> None:
    bus = SharedBus(is_deaf=True)
    async with open_matches(url, clock, bus) as first, open_matches(url, clock, bus) as second:
        ours = await first.begin(MIRA, TARN)
        theirs = await second.matches.open(ours.id)
        await first.play_any(ours, 0)
        assert theirs.snapshot(B).seq == 0
        await second.matches.sweeper.poll()
        assert theirs.snapshot(B).seq == 1


async def test_a_match_that_moves_on_while_the_store_is_asked_is_not_read_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole log of a busy match was read every few seconds: its newest entry was taken for one never stored."""
    match = await table.begin(MIRA, TARN)
    asked: list[object] = []
    read = table.database.read

    async def moving(work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        found = await read(work, *args, **kwargs)
        asked.append(work)
        if work is arrangements.progress_of:
            await table.play_any(match, 0)
        return found

    monkeypatch.setattr(table.database, "read", moving)
    await table.matches.sweeper.poll()
    assert arrangements.progress_of in asked
    assert match.snapshot(A).seq == 1
    assert store.log not in asked


async def test_everybody_who_looks_from_one_place_shares_a_snapshot(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    assert match.snapshot(Watcher.PUBLIC) is match.snapshot(Watcher.PUBLIC)
    before = match.snapshot(Watcher.PUBLIC)
    await table.play_any(match, 0)
    assert match.snapshot(Watcher.PUBLIC).version > before.version


async def test_a_whole_match_ends_with_a_result_and_a_record_that_agrees(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.play_on(match, lambda: match.is_over)
    seen = match.snapshot(Watcher.PUBLIC)
    assert seen.status == "finished"
    assert seen.result is not None
    assert seen.ended_at is not None
    stored = await table.database.read(store.get, match.id)
    assert stored is not None
    assert (stored.status, stored.finish_no) == ("finished", 1)
    assert verify(read_record(await table.matches.record(match.id))).agrees
    with pytest.raises(MatchOver):
        await match.act(A, "bid 1", seen.seq, table.clock.now())


async def test_a_running_match_gives_no_record_and_no_open_view(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    with pytest.raises(MatchRunning):
        await table.matches.record(match.id)
    with pytest.raises(MatchRunning):
        match.snapshot(Watcher.OMNISCIENT)
    await match.resign(A)
    assert match.snapshot(Watcher.OMNISCIENT).view is not None


async def test_a_match_reads_the_same_from_the_store_as_it_was_played(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match = await first.begin(MIRA, TARN)
        await first.play_on(match, lambda: match.live.shown.seq >= 9)
        await first.wait(3)
        lived, events = match.live.log.head, match.events(A)
        past = [match.at(seq, A).view for seq in range(10)]
    async with open_matches(url, clock, start=False) as second:
        again = await second.matches.open(match.id)
        assert again.live.log.head == lived
        assert again.events(A) == events
        assert [again.at(seq, A).view for seq in range(10)] == past


async def test_an_unknown_match_is_not_found(table: Table) -> None:
    with pytest.raises(NoSuchMatch):
        await table.matches.open("nope")


async def test_too_many_players_or_an_unknown_speed_can_not_begin(table: Table) -> None:
    with pytest.raises(BadNotation):
        await table.begin(MIRA)
    with pytest.raises(BadNotation):
        await table.begin(MIRA, TARN, speed="glacial")


async def test_events_come_in_order_and_only_after_what_one_has(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.play_any(match, 0)
    await table.play_any(match, 1)
    seqs = [event.seq for event in match.events(A)]
    assert seqs == sorted(seqs)
    assert seqs[0] == 0
    assert {event.seq for event in match.events(A, after=1)} == {2}
    mine = [event for event in match.events(A) if event.kind == "bid" and "card" in event.params]
    theirs = [event for event in match.events(B) if event.kind == "bid" and "card" in event.params]
    assert [event.seq for event in mine] == [1]
    assert [event.seq for event in theirs] == [2]


async def test_watchers_are_told_in_helpings_and_players_first(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    told: list[str] = []
    for n in range(120):
        match.subscribe(Watcher.PUBLIC, partial(told.append, f"watcher {n}"))
    match.subscribe(B, lambda: told.append("player"))
    match.live.changed()
    assert told == ["player"]
    await asyncio.sleep(0)
    assert len(told) == 51
    for _ in range(4):
        await asyncio.sleep(0)
    assert len(told) == 121


async def test_a_listener_that_fails_harms_nobody_else(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    told: list[str] = []

    def fail() -> None:
        raise RuntimeError

    match.subscribe(A, fail)
    match.subscribe(A, lambda: told.append("b"))
    match.live.changed()
    assert told == ["b"]


async def test_a_match_that_nobody_looks_at_is_forgotten_and_folded_again(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.play_any(match, 0)
    await table.wait(70)
    assert table.matches.opened(match.id) is None
    again = await table.matches.open(match.id)
    assert again is not match
    assert again.live.shown == match.live.shown


async def test_arriving_before_the_decision_began_counts_as_its_beginning(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.act(A, first_answer(match.snapshot(A).pending), 0, table.clock.now() - timedelta(hours=1))
    assert match.snapshot(A).seats[0].bank_ms == 600_000

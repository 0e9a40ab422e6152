"""What one process tells the others: the newest entry comes along, and the log decides whenever that does not fit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from game.contract import Seat, Watcher
from game.replay import Entry
from server.matches.errors import MatchRunning, Stale
from server.matches.hints import MOST_DATA_BYTES, Hints, MatchHint
from server.matches.match import Match
from server.store import matches as store
from server.tasks import Tasks
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, SharedBus, Table, first_answer, open_matches

ENTRY = Entry(7, "action", Seat(1), "c2c3", "2026-01-01T12:00:00.123Z", {"shown_at": "2026-01-01T12:00:02.000Z"})


@pytest.fixture
async def two(url: str, clock: FakeClock) -> AsyncIterator[list[Table]]:
    """Two processes of one server that hear each other."""
    bus = SharedBus()
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_matches(url, clock, bus)) for _ in range(2)]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect which logs are read."""
    found: list[str] = []
    log = store.log

    def read(connection: Any, match_id: str, after: int = 0) -> Any:
        found.append(match_id)
        return log(connection, match_id, after)

    monkeypatch.setattr(store, "log", read)
    return found


async def in_both(two: list[Table]) -> tuple[Match, Match]:
    here = await two[0].begin(MIRA, TARN)
    return here, await two[1].matches.open(here.id)


async def settle(two: list[Table]) -> None:
    for table in two:
        await table.database.settle()


async def test_the_other_process_follows_without_reading(two: list[Table], reads: list[str]) -> None:
    here, there = await in_both(two)
    reads.clear()
    for _ in range(3):
        asked = here.live.shown.pending[0].seat
        await two[0].play_any(here, asked)
        await settle(two)
        await two[0].wait(1)
    assert there.live.log.entries == here.live.log.entries
    assert there.live.shown == here.live.shown
    assert reads == []


async def test_what_does_not_fit_is_read_from_the_log(two: list[Table], reads: list[str]) -> None:
    here, there = await in_both(two)
    seq = await two[0].play_any(here, 0)
    told = here.live.log.entries[-1]
    await settle(two)
    assert there.live.log.head.seq == seq
    reads.clear()
    for wrong in (replace(told, seq=seq + 1, action="nonsense"), replace(told, seq=seq + 1, kind="dance"), None):
        await there.live.hear(seq + 1, wrong)
    assert len(reads) == 3
    assert there.live.log.head.seq == seq
    assert not there.live.is_broken


async def test_an_old_hint_changes_nothing(two: list[Table], reads: list[str]) -> None:
    here, there = await in_both(two)
    await two[0].play_any(here, 0)
    await settle(two)
    before = there.live.log.head
    reads.clear()
    await there.live.hear(before.seq, here.live.log.entries[-1])
    assert there.live.log.head is before
    assert reads == []


async def test_what_makes_no_sense_at_all_is_read_from_the_log(two: list[Table], reads: list[str]) -> None:
    _, there = await in_both(two)
    reads.clear()
    at = "2026-01-01T12:00:00.000Z"
    wrong = (
        Entry(1, "action", Seat(99), "take 1", at),
        Entry(1, "clock_credited", None, None, at, {"ms": 10**30, "seats": [0]}),
        Entry(1, "bot_seated", None, None, at, {"level": 5, "left": True}),
        Entry(1, "resign", None, None, at),
        Entry(1, "left", Seat(-7), None, at),
        Entry(1, "action", None, None, None, {"shown_at": "soon"}),
    )
    for told in wrong:
        await there.live.hear(1, told)
    assert len(reads) == len(wrong)
    assert there.live.log.head.seq == 0
    assert not there.live.is_broken


@pytest.mark.parametrize("by_itself", [True, False])
async def test_who_knows_more_than_the_log_begins_anew(two: list[Table], by_itself: bool) -> None:
    """Of a forged hint, or a database that lost its last moments, every later move was refused for ever."""
    here, there = await in_both(two)
    await two[0].play_any(here, 0)
    await settle(two)
    said = first_answer(there.snapshot(Seat(1)).pending)
    await there.live.hear(2, Entry(2, "action", Seat(1), said, "2026-01-01T00:00:05.000Z"))
    assert there.live.shown.seq == 2
    if by_itself:
        await two[1].wait(4)
        assert there.live.log.entries == here.live.log.entries
    else:
        with pytest.raises(Stale):
            await two[1].play_any(there, there.live.shown.pending[0].seat)
    await two[1].play_any(there, 1)
    await settle(two)
    assert there.live.log.entries == here.live.log.entries
    assert there.live.shown == here.live.shown


@pytest.mark.parametrize("kind", ["resign", "left", "timeout", "void", "draw_agreed", "bot_seated"])
async def test_an_end_that_was_only_told_opened_all_cards(two: list[Table], kind: str, reads: list[str]) -> None:
    """One message gave both players the seed, and every guest the record and all cards, for three seconds."""
    _, there = await in_both(two)
    reads.clear()
    more: dict[str, dict[str, Any]] = {"timeout": {"forfeit": True}, "bot_seated": {"level": "easy"}}
    await there.live.hear(1, Entry(1, kind, Seat(0), None, "2026-01-01T00:00:00.000Z", more.get(kind, {})))
    assert (there.live.log.head.seq, there.is_over) == (0, False)
    assert reads == [there.id]
    with pytest.raises(MatchRunning):
        there.snapshot(Watcher.OMNISCIENT)
    with pytest.raises(MatchRunning):
        await two[1].matches.record(there.id)


async def test_of_a_whole_match_only_the_last_move_is_read(two: list[Table], reads: list[str]) -> None:
    here, there = await in_both(two)
    reads.clear()
    while not here.is_over:
        assert reads == []
        await two[0].play_any(here, here.live.shown.pending[0].seat)
        await settle(two)
        await two[0].wait(1)
    assert there.is_over
    assert there.live.log.entries == here.live.log.entries
    assert reads == [here.id, here.id], "by the transaction of the end, and by the other process"


async def test_where_hands_are_open_every_move_is_read(two: list[Table], reads: list[str]) -> None:
    here = await two[0].begin(MIRA, TARN, game="netrunner", options={"open_hands": True})
    there = await two[1].matches.open(here.id)
    reads.clear()
    await two[0].play_any(here, here.live.shown.pending[0].seat)
    await settle(two)
    assert there.live.log.entries == here.live.log.entries
    assert reads == [here.id]


async def told_and_heard(entry: Entry | None) -> MatchHint:
    bus, heard, tasks = SharedBus(), list[MatchHint](), Tasks()

    async def hear(hint: MatchHint) -> None:
        heard.append(hint)

    teller, hearer = (Hints(bus, name, tasks) for name in ("here", "there"))
    hearer.listen(hear)
    teller.publish("m1", 7, entry=entry)
    while not heard:
        await FakeClock().advance(0)
    [hint] = heard
    hearer.close()
    return hint


async def test_an_entry_arrives_as_it_was_told() -> None:
    assert await told_and_heard(ENTRY) == MatchHint("m1", 7, False, ENTRY)
    assert await told_and_heard(None) == MatchHint("m1", 7, False, None)


async def test_a_long_entry_is_left_to_the_log() -> None:
    assert (await told_and_heard(replace(ENTRY, action="x" * MOST_DATA_BYTES))).entry is None


async def test_hints_of_matches_that_nobody_shows_here_are_dropped() -> None:
    bus, tasks, heard = SharedBus(), Tasks(), list[str]()

    async def hear(hint: MatchHint) -> None:
        heard.append(hint.match_id)

    teller, hearer = (Hints(bus, name, tasks) for name in ("here", "there"))
    hearer.listen(hear, lambda match_id: match_id == "shown")
    teller.publish("other", 1)
    teller.publish("shown", 1)
    while not heard:
        await FakeClock().advance(0)
    hearer.close()
    assert heard == ["shown"]

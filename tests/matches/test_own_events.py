"""Events of accounts: each once, after any cursor, and none before it may be known."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from game.contract import Seat
from server.errors import Refused
from server.matches.model import Timing
from server.matches.own_events import AT_ONCE, OwnEvent
from server.store import events
from server.store.events import Derived, EventMark, NewEvent
from server.upkeep import EVENTS_KEPT
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, TARN, SharedBus, Table, new_database, open_matches

KINDS = tuple[tuple[str, str | None], ...]


async def told(table: Table, account_id: int | None, after: str | None = None) -> list[OwnEvent]:
    assert account_id is not None
    found = list[OwnEvent]()
    while more := await table.matches.own_events.after(account_id, found[-1].cursor if found else after):
        found += more
    return found


def kinds(found: list[OwnEvent]) -> KINDS:
    return tuple((one.kind, one.who) for one in found)


async def test_a_turn_is_told_once_however_many_decisions_it_has(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet")
    await table.play_on(match, lambda: match.live.shown.seq >= 9)
    turns = [one for one in await told(table, MIRA.account_id) if one.kind == "my_turn"]
    own = [entry for entry in match.live.log.entries if entry.seat == match.seat_of(MIRA)]
    assert len(turns) in (len(own), len(own) + 1)
    assert {one.who for one in turns} == {"tarn"}
    assert len({one.cursor for one in turns}) == len(turns)


async def test_a_reader_goes_on_after_any_cursor_and_gets_none_twice(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet")
    seen = list[OwnEvent]()
    for until in range(2, 20):
        await table.play_on(match, lambda until=until: match.live.shown.seq >= until)  # type: ignore[misc]
        seen += await told(table, MIRA.account_id, seen[-1].cursor if seen else None)
    assert seen == await told(table, MIRA.account_id)
    for at, one in enumerate(seen):
        assert await told(table, MIRA.account_id, one.cursor) == seen[at + 1 :]


async def test_who_asks_late_gets_the_same_as_who_asks_all_the_time(tmp_path: Path, migrated_file: Path) -> None:
    """Two processes over one database: both make events, each of them once."""
    clock, bus = FakeClock(), SharedBus()
    url = await new_database(tmp_path, migrated_file)
    async with open_matches(url, clock, bus) as here, open_matches(url, clock, bus) as there:
        match = await here.begin(MIRA, TARN, game="rainet")
        for until in range(3, 40, 3):
            await here.play_on(match, lambda until=until: match.live.shown.seq >= until)  # type: ignore[misc]
            both = await asyncio.gather(*(told(one, MIRA.account_id) for one in (here, there, here, there)))
            longest = max(both, key=len)
            assert all(one == longest[: len(one)] for one in both)
        assert MIRA.account_id is not None
        await match.resign(Seat(0))
        late, often = await told(there, TARN.account_id), await told(here, MIRA.account_id)
        assert (often[-1].kind, late[-1].kind) == ("ended", "ended")
        turns = [sum(one.kind == "my_turn" for one in found) for found in (often, late)]
        assert abs(turns[0] - turns[1]) <= 1


async def test_a_withheld_answer_is_told_by_no_event_before_its_time(table: Table) -> None:
    """The last pass ends the window at once, for whoever passed; everybody else learns of it later."""
    match = await table.begin(MIRA, TARN, LIO)
    await table.play_on(match, lambda: any(one.window for one in match.live.shown.pending))
    before = {one: await told(table, one) for one in (1, 2, 3)}
    shown = match.live.shown.seq
    for asked in match.live.shown.pending:
        await table.play(match, asked.seat, "pass")
    assert match.live.log.head.seq > match.live.shown.seq == shown
    assert {one: await told(table, one) for one in (1, 2, 3)} == before
    await table.wait(2.5)
    assert match.live.shown.seq > shown
    await table.play_on(match, lambda: match.live.shown.seq > shown + 6)
    assert all([len(await told(table, one)) > len(before[one]) for one in (1, 2, 3)])


async def test_windows_are_turns_in_daily_play_only(table: Table) -> None:
    counted = {}
    for speed in ("normal", "daily"):
        match = await table.begin(MIRA, TARN, LIO, speed=speed)
        await table.play_on(match, lambda match=match: any(one.window for one in match.live.shown.pending))  # type: ignore[misc]
        asked = match.live.shown.pending[0].seat
        account = match.terms.players[asked].account_id
        mine = [one for one in await told(table, account) if one.match == match.id and one.kind == "my_turn"]
        counted[speed] = len(mine)
    assert counted["daily"] == counted["normal"] + 1


async def test_a_cursor_of_somebody_else_is_answered_like_one_that_never_was(table: Table) -> None:
    await table.begin(MIRA, TARN, game="rainet")
    (own, *_), (others, *_) = await told(table, MIRA.account_id), await told(table, TARN.account_id)
    no, _, sealed = own.cursor.partition(".")
    for cursor in (
        others.cursor,
        f"99.{sealed}",
        f"{no}.",
        "",
        "0",
        "nothing",
        f"-{own.cursor}",
        f"0{own.cursor}",
        "é",
    ):
        with pytest.raises(Refused) as refused:
            await told(table, MIRA.account_id, cursor)
        assert (refused.value.key, refused.value.params) == ("events.unknown-cursor", {}), cursor


async def test_a_match_with_bots_brings_turns_and_an_end_and_no_pairing(table: Table) -> None:
    match = await table.begin(MIRA, EASY, game="rainet")
    await table.play_on(match, lambda: match.live.shown.seq >= 6)
    seat = match.seat_of(MIRA)
    assert seat is not None
    await match.resign(seat)
    found = await told(table, MIRA.account_id)
    assert (found[-1].kind, {one.who for one in found}) == ("ended", {None})
    assert {one.kind for one in found} == {"my_turn", "ended"}


async def test_events_are_kept_for_fourteen_days(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily")
    first = (await told(table, MIRA.account_id))[0]
    table.skip(13 * 86_400)
    assert first in await told(table, MIRA.account_id)
    table.skip(2 * 86_400)
    await match.resign(Seat(0))
    assert kinds(await told(table, MIRA.account_id)) == (("ended", "tarn"),)
    assert kinds(await told(table, MIRA.account_id, first.cursor)) == (("ended", "tarn"),)
    table.skip(15 * 86_400)
    await table.database.write(events.forget_before, table.clock.now() - EVENTS_KEPT)
    assert await told(table, MIRA.account_id) == []


async def test_more_events_than_one_answer_holds_are_told_in_several(table: Table) -> None:
    for _ in range(AT_ONCE + 3):
        await table.database.write(events.add(1, NewEvent("message", table.clock.now(), None, 2)))
    found = await told(table, 1)
    assert (len(found), found[-1].cursor.partition(".")[0]) == (AT_ONCE + 3, str(AT_ONCE + 3))


async def test_events_of_a_match_stopped_at_a_take_back(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="relati")
    await table.play_any(match, 0)
    await match.offer(Seat(0), "takeback")
    await match.answer(Seat(1), "takeback", True)
    await table.wait(1)
    await table.play_any(match, 0)
    assert kinds(await told(table, TARN.account_id)) == (("paired", "mira"), ("my_turn", "mira"), ("my_turn", "mira"))


async def test_a_turn_of_two_at_once_is_told_again_once_the_other_had_answered(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet")
    await table.play(match, Seat(0), "setup LLVVLVLV")
    assert kinds(await told(table, TARN.account_id)) == (("paired", "mira"), ("my_turn", "mira"))


async def test_a_turn_that_a_conditional_move_answers_is_told_to_nobody(table: Table) -> None:
    """Neither while the move is due nor once it is played; where the line is dropped it is a turn."""
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "S"})
    await table.play(match, Seat(0), "setup LLVVLVLV")
    await table.play(match, Seat(1), "setup LLVVLVLV")
    lines = [["d7d6", "d3d4"], ["e7e6", "d3d4"]]
    await match.act(Seat(0), "d2d3", match.live.shown.seq, table.clock.now(), conditions=lines)
    before = kinds(await told(table, MIRA.account_id))
    await table.play(match, Seat(1), "d7d6")
    assert kinds(await told(table, MIRA.account_id)) == before, "the move is due"
    await table.wait(Timing().conditional_delay)
    assert match.live.log.entries[-1].action == "d3d4"
    assert kinds(await told(table, MIRA.account_id)) == before, "it is played"
    await match.set_conditions(Seat(0), [["e7e6", "e2e3"]], match.live.shown.seq)
    await table.play(match, Seat(1), "e7e6")
    assert kinds(await told(table, MIRA.account_id)) == before
    await match.set_conditions(Seat(0), [], match.live.shown.seq)
    assert kinds(await told(table, MIRA.account_id)) == (*before, ("my_turn", "tarn"))
    assert sum(kind == "my_turn" for kind, _ in kinds(await told(table, TARN.account_id))) == 3


async def test_a_turn_that_was_answered_while_it_was_looked_at_is_looked_at_again(table: Table) -> None:
    """Another process plays the conditional move after this one has read the log, and before it stores the turn."""
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "S"})
    await table.play(match, Seat(0), "setup LLVVLVLV")
    await table.play(match, Seat(1), "setup LLVVLVLV")
    assert MIRA.account_id is not None
    reached = EventMark(2, True, False)
    turn = NewEvent("my_turn", table.clock.now(), match.id, TARN.account_id)
    await table.play(match, Seat(0), "d2d3")
    derived = [Derived(match.id, None, reached, (turn,), open_turn=0)]
    await table.database.write(events.add_derived, MIRA.account_id, derived, table.clock.now() - EVENTS_KEPT)
    assert await table.matches.own_events.stored(MIRA.account_id, 0) == []
    assert kinds(await told(table, MIRA.account_id)) == (("paired", "tarn"), ("my_turn", "tarn"), ("my_turn", "tarn"))

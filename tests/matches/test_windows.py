"""Windows: what silence must not tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game.contract import Seat, Watcher
from server.clock import parse_rfc3339
from server.matches.match import Match
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, SEED, TARN, Table, house

PUBLIC = Watcher.PUBLIC


async def window(table: Table, *more: object, seats: int = 3) -> tuple[Match, list[Seat]]:
    """Play until a window is open; return who is asked."""
    match = await table.begin(*(MIRA, TARN, LIO)[:seats], seed=SEED)
    await table.play_on(match, is_open(match))
    return match, [one.seat for one in match.shown.pending]


def is_open(match: Match) -> Callable[[], bool]:
    return lambda: any(one.window for one in match.shown.pending)


async def test_the_last_pass_is_acknowledged_at_once_and_shown_after_the_minimum(table: Table) -> None:
    match, (first, last) = await window(table)
    before = match.snapshot(PUBLIC)
    await table.play(match, first, "pass")
    shown = match.shown.seq
    seq = await table.play(match, last, "pass")
    assert seq == shown + 1
    assert match.snapshot(PUBLIC).seq == shown
    assert match.snapshot(PUBLIC).deciding == ((last, "veto"),)
    assert match.events(first, shown) == []
    await table.wait(1.75)
    assert match.snapshot(PUBLIC).seq == shown
    await table.wait(0.5)
    assert match.snapshot(PUBLIC).seq == seq
    assert match.snapshot(PUBLIC).version > before.version


async def test_who_answered_last_sees_that_she_has_and_nothing_more(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    before = match.snapshot(last)
    await table.play(match, last, "pass")
    after = match.snapshot(last)
    assert (after.pending, after.view, after.seq) == (None, before.view, before.seq)


async def test_nobody_else_is_even_told_that_something_happened(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    told: list[str] = []
    match.subscribe(first, lambda: told.append("other"))
    match.subscribe(PUBLIC, lambda: told.append("watcher"))
    match.subscribe(last, lambda: told.append("self"))
    await table.play(match, last, "pass")
    await table.database.settle()
    assert told == ["self"]


async def test_everybody_is_told_when_the_time_has_come_though_the_clock_wakes_early(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, (first, last) = await window(table)
    sleep, told = table.clock.sleep, list[int]()
    monkeypatch.setattr(table.clock, "sleep", lambda seconds: sleep(seconds * 0.9 if seconds > 0.01 else seconds))
    await table.play(match, first, "pass")
    seq = await table.play(match, last, "pass")
    match.subscribe(PUBLIC, lambda: told.append(match.snapshot(PUBLIC).seq))
    await table.wait(3)
    assert told == [seq]


async def test_what_is_shown_again_is_attended_to_though_nobody_looks(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    await table.play(match, last, "pass")
    held: list[bool] = []
    match.on_change.append(lambda: held.append(match.line.next_reveal is not None))
    await table.wait(3)
    assert held[0] is False


async def test_the_next_clock_starts_when_the_window_is_seen_to_close(table: Table) -> None:
    match, (first, last) = await window(table)
    began = match.line.head.clocks.decisions[last]
    assert began is not None
    await table.play(match, first, "pass")
    await table.play(match, last, "pass")
    await table.wait(2.25)
    waiting = [one for one in match.line.head.clocks.decisions if one is not None]
    assert {(one.since - began.since).total_seconds() for one in waiting} == {2.0}


async def test_a_late_last_pass_is_shown_at_once(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    await table.wait(3)
    seq = await table.play(match, last, "pass")
    assert match.snapshot(PUBLIC).seq == seq


async def test_what_is_withheld_stays_withheld_in_another_process(url: str, clock: FakeClock) -> None:
    async with house(url, clock) as here, house(url, clock) as there:
        match, (first, last) = await window(here)
        await here.play(match, first, "pass")
        seq = await here.play(match, last, "pass")
        theirs = await there.matches.open(match.id)
        assert theirs.snapshot(PUBLIC).seq == seq - 1
        told: list[int] = []
        theirs.subscribe(PUBLIC, lambda: told.append(theirs.snapshot(PUBLIC).seq))
        await there.wait(2.25)
        assert told == [seq]


async def test_silence_closes_a_window_two_seconds_after_its_time(table: Table) -> None:
    match, asked = await window(table)
    await table.wait(9.75)
    assert [one.seat for one in match.shown.pending] == asked
    await table.wait(1)
    assert [one.window for one in match.shown.pending if one.seat in asked] != ["veto"] * 2
    rows = await table.database.read(store.log, match.id)
    assert [row.kind for row in rows[-2:]] == ["timeout", "timeout"]
    assert not match.shown.fold.is_over


async def test_a_setting_answers_after_a_constant_delay(table: Table) -> None:
    match, (first, last) = await window(table)
    await match.act(first, "auto on", match.shown.seq, table.clock.now())
    assert match.snapshot(first).pending is not None
    await table.wait(0.5)
    assert match.snapshot(first).pending is not None
    await table.wait(0.5)
    assert match.snapshot(first).pending is None
    assert match.snapshot(PUBLIC).deciding == ((last, "veto"),)


async def test_a_setting_that_is_taken_back_in_time_does_not_answer(table: Table) -> None:
    match, (first, _) = await window(table)
    await match.act(first, "auto on", match.shown.seq, table.clock.now())
    await table.wait(0.5)
    taken_back = await match.act(first, "auto off", match.shown.seq, table.clock.now())
    await table.wait(2)
    assert match.snapshot(first).pending is not None
    assert match.line.head.seq == taken_back
    await match.act(first, "auto on", match.shown.seq, table.clock.now())
    await table.wait(2)
    assert match.snapshot(first).pending is None


async def test_a_bot_answers_a_window_at_the_same_moment_whatever_it_holds(table: Table) -> None:
    moments = set()
    for number in range(4):
        seed = bytes([number]) * 32
        match = await table.begin(MIRA, EASY, EASY, seed=seed)
        await table.play_on(match, is_open(match))
        if match.is_over:
            continue
        opened = match.shown.seq
        await table.wait(2)
        asked = match.line.at(opened)
        for seat in (Seat(1), Seat(2)):
            answers = (
                one for one in match.line.entries[opened:] if one.seat == seat and one.action in ("pass", "veto")
            )
            said = next(answers, None)
            decision = asked.clocks.decisions[seat]
            if said is not None and decision is not None and decision.window is not None:
                moments.add((said.at or "", decision.since))
    assert moments
    assert len({round((parse_rfc3339(at) - since).total_seconds(), 2) for at, since in moments}) == 1


async def test_a_window_that_everybody_sees_is_empty_passes_at_once(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="netrunner")
    before = table.clock.now()
    for seat in (0, 1):
        await table.play(match, seat, "keep")
    await table.database.settle()
    assert [one.prompt for one in match.shown.pending] == ["action"], "four answers later"
    assert table.clock.now() == before

"""Conditional moves: who may make them, what plays and what drops them, and that nobody else can tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from game import registry
from game.choices import expand
from game.contract import Action, Seat, Watcher
from game.errors import IllegalAction
from game.rng import SEED_BYTES, Rng
from server.accounts.exporting import read_lists
from server.accounts.identity import Player
from server.clock import parse_rfc3339
from server.errors import RateLimited, Refused
from server.matches import conditional_lines, records
from server.matches.errors import NoCondition, NotOffered, Stale
from server.matches.match import Match
from server.matches.model import Timing, texts_of
from server.store import conditional_moves, personal_data, processes, tables
from tests.accounts.exports import gathered
from tests.clocks import FakeClock
from tests.matches.table import LIO, MIRA, TARN, SharedBus, Table, new_database, open_matches

SOUTH, NORTH, THIRD = Seat(0), Seat(1), Seat(2)
SETUP = "setup LLVVLVLV"
DELAY_S = Timing().conditional_delay
Lines = Sequence[Sequence[str]]


async def rainet(table: Table, north: str = SETUP, **more: Any) -> Match:
    """Begin a daily match of RaiNet at South's first turn."""
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "S"}, **more)
    await table.play(match, SOUTH, SETUP)
    await table.play(match, NORTH, north)
    return match


async def relati(table: Table, *players: Player) -> Match:
    """Begin a daily match of Relati in which everybody has located, the first to move."""
    match = await table.begin(*(players or (MIRA, TARN)), game="relati", speed="daily")
    for seat, cell in zip(match.terms.seats, ("Lc3", "Ll3", "Lc12"), strict=False):
        await table.play(match, seat, cell)
    return match


async def move(table: Table, match: Match, seat: Seat, action: str, *lines: Sequence[str]) -> None:
    """Play a move, with conditional ones."""
    await match.act(seat, action, match.live.shown.seq, table.clock.now(), conditions=lines)


def played(match: Match) -> list[tuple[int | None, str | None]]:
    """Return what was played after the setup: seats and actions."""
    return [(entry.seat, entry.action) for entry in match.live.log.entries[2:]]


def standing(match: Match) -> tuple[tuple[str, ...], ...]:
    """Return South's lines, as South sees them."""
    return tuple(map(texts_of, match.snapshot(SOUTH).conditions))


async def test_what_was_named_is_answered_by_itself(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"), ("e7e6", "e2e3"))
    await table.play(match, NORTH, "e7e6")
    await table.wait(DELAY_S)
    assert played(match) == [(0, "d2d3"), (1, "e7e6"), (0, "e2e3")]
    assert standing(match) == ()


async def turns_of_others(work: Coroutine[Any, Any, object]) -> int:
    """Return how often the event loop turns until something is done or refused."""
    doing, turns = asyncio.ensure_future(work), 0
    while not doing.done():
        await asyncio.sleep(0)
        turns += 1
    with suppress(Refused):
        await doing
    return turns


@pytest.mark.parametrize("is_with_a_move", [True, False])
async def test_while_long_lines_are_checked_others_go_on(table: Table, is_with_a_move: bool) -> None:
    match = await rainet(table)
    line = ("d7d6", "d3d4", "e7e6", "e2e3", "d6d5", "nonsense")  # played in each of the worlds that fit
    if is_with_a_move:
        work: Coroutine[Any, Any, object] = move(table, match, SOUTH, "d2d3", line)
    else:
        await table.play(match, SOUTH, "d2d3")
        work = match.set_conditions(SOUTH, [line], match.live.shown.seq)
    assert await turns_of_others(work) > conditional_lines.WORLDS * (len(line) - 1)


async def test_lines_that_are_checked_without_end_are_counted_as_beginnings(table: Table) -> None:
    match = await rainet(table)
    table.matches.context.beginnings.count(MIRA, 10**9)  # all that a minute has
    with pytest.raises(RateLimited):
        await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await table.play(match, SOUTH, "d2d3")
    with pytest.raises(RateLimited):
        await match.set_conditions(SOUTH, [("d7d6", "d3d4")], match.live.shown.seq)


async def test_a_line_goes_on_as_long_as_it_is_followed(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4", "e7e6", "e2e3"), ("e7e6", "e2e3"))
    await table.play(match, NORTH, "d7d6")
    await table.wait(DELAY_S)
    assert standing(match) == (("e7e6", "e2e3"),)
    await table.play(match, NORTH, "e7e6")
    await table.wait(DELAY_S)
    assert [action for _, action in played(match)] == ["d2d3", "d7d6", "d3d4", "e7e6", "e2e3"]


async def test_a_match_of_three_goes_on_once_both_others_have_played(table: Table) -> None:
    match = await relati(table, MIRA, TARN, LIO)
    await move(table, match, SOUTH, "Rc4", ("Rl4", "Rc13", "Rc5"))
    await table.play(match, NORTH, "Rl4")
    await table.wait(DELAY_S)
    assert standing(match) == (("Rc13", "Rc5"),)
    await table.play(match, THIRD, "Rc13")
    await table.wait(DELAY_S)
    assert match.live.log.entries[-1].action == "Rc5"


async def test_lines_made_when_one_of_two_others_has_played_begin_with_the_second(table: Table) -> None:
    match = await relati(table, MIRA, TARN, LIO)
    await table.play(match, SOUTH, "Rc4")
    await table.play(match, NORTH, "Rl4")
    await match.set_conditions(SOUTH, [("Rc13", "Rc5", "Rl5", "Rc14", "Rc6")], match.live.shown.seq)
    await table.play(match, THIRD, "Rc13")
    await table.wait(DELAY_S)
    assert match.live.log.entries[-1].action == "Rc5"
    assert standing(match) == (("Rl5", "Rc14", "Rc6"),)


async def test_it_is_played_after_the_same_time_whoever_is_there(table: Table) -> None:
    """Neither how many lines there are nor who is connected changes when the answer comes."""
    waits = set()
    for lines, is_here in (([("d7d6", "d3d4")], True), ([("e7e6", "e2e3"), ("d7d6", "d3d4")], False)):
        match = await rainet(table)
        here = match.enter(MIRA, SOUTH, "s1") if is_here else None
        await move(table, match, SOUTH, "d2d3", *lines)
        await table.play(match, NORTH, "d7d6")
        asked = table.clock.now()
        await table.wait(DELAY_S - 0.5)
        assert len(played(match)) == 2
        await table.wait(1)
        waits.add(match.live.log.moment(match.live.shown.seq) - asked)
        if here is not None:
            here.leave()
    assert [wait.total_seconds() for wait in waits] == [DELAY_S]


async def test_any_deviation_drops_the_rest(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await table.play(match, NORTH, "e7e6")
    await table.wait(DELAY_S)
    assert standing(match) == ()
    assert match.snapshot(SOUTH).pending is not None
    assert not await rows(table, match)


async def test_what_the_rules_refuse_is_no_deviation(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    with pytest.raises(IllegalAction):
        await table.play(match, NORTH, "d7d5")
    assert standing(match) == (("d7d6", "d3d4"),)


async def rows(table: Table, match: Match) -> list[conditional_moves.StoredLines]:
    """Return what is stored of a match's lines."""
    found = await table.database.read(conditional_moves.of_matches, [match.id])
    return found.get(match.id, [])


async def test_an_own_move_before_it_is_played_drops_the_rest(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4", "e7e6", "e2e3"))
    await table.play(match, NORTH, "d7d6")
    await table.play(match, SOUTH, "e2e3")
    await table.wait(DELAY_S + 1)
    assert [action for _, action in played(match)] == ["d2d3", "d7d6", "e2e3"]
    assert not await rows(table, match)


async def test_the_very_move_played_by_hand_goes_on_with_the_line(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4", "e7e6", "e2e3"))
    await table.play(match, NORTH, "d7d6")
    await table.play(match, SOUTH, "d3d4")
    assert standing(match) == (("e7e6", "e2e3"),)


async def test_a_take_back_drops_the_rest(table: Table) -> None:
    match = await relati(table)
    await move(table, match, SOUTH, "Rc4", ("Rl4", "Rc5"))
    await match.offer(SOUTH, "takeback")
    await match.answer(NORTH, "takeback", True)
    await table.wait(1)
    assert match.live.log.entries[-1].kind == "takeback"
    assert not await rows(table, match)
    await table.play(match, SOUTH, "Rc4")
    await table.play(match, NORTH, "Rl4")
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "Rl4"


async def test_an_adjournment_drops_the_rest(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    for seat in (SOUTH, NORTH):
        await match.offer(seat, "adjourn")
    assert not await rows(table, match)
    for seat in (SOUTH, NORTH):
        await match.offer(seat, "resume")
    await table.play(match, NORTH, "d7d6")
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "d7d6"


async def test_the_end_drops_the_rest(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await match.resign(NORTH)
    assert not await rows(table, match)


async def test_lines_are_edited_and_deleted(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await match.set_conditions(SOUTH, [("d7d6", "e2e3")], match.live.shown.seq)
    assert standing(match) == (("d7d6", "e2e3"),)
    await match.set_conditions(SOUTH, [], match.live.shown.seq)
    assert standing(match) == ()
    await table.play(match, NORTH, "d7d6")
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "d7d6"


async def test_a_line_deleted_in_the_last_moment_is_not_played(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await table.play(match, NORTH, "d7d6")
    assert match.snapshot(SOUTH).due_condition == "d3d4"
    await table.wait(1)
    await table.database.write(conditional_moves.forget, match.id, SOUTH)  # by another process, unheard of here
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "d7d6"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([("d7d6",)], "half"),
        ([("d7d6", "d3d4", "e7e6")], "half"),
        ([("d7d6", "d3d4")] * 6, "many"),
        ([("d7d6", "d3d4"), ("d7d6", "e2e3")], "differ"),
        ([("d7d6", "d3d6")], "impossible"),
        ([("d7d4", "d3d4")], "impossible"),
        ([("nonsense", "d3d4")], "impossible"),
        ([("d7d6", "d3d4", "d6d7", "d4d3") * 3], "long"),
        ([()], "long"),
    ],
)
async def test_lines_that_can_t_be_played_are_refused_and_the_move_with_them(
    table: Table, lines: Lines, why: str
) -> None:
    match = await rainet(table)
    with pytest.raises(NoCondition, match=f"conditions-{why}"):
        await move(table, match, SOUTH, "d2d3", *lines)
    assert played(match) == []


@pytest.mark.parametrize("text", ["", " ", "@", "\0", '"'])
@pytest.mark.parametrize("begin", [rainet, relati])
async def test_an_empty_action_in_a_line_was_an_error_of_the_rules(
    table: Table, begin: Callable[[Table], Awaitable[Match]], text: str
) -> None:
    match = await begin(table)
    first = next(one.seat for one in match.live.shown.pending)
    other = next(seat for seat in match.terms.seats if seat != first)
    for line in ((text, "d3d4"), ("d7d6", text), (text, text)):
        with pytest.raises(NoCondition):
            await match.set_conditions(other, [line], match.live.shown.seq)


async def test_they_are_for_daily_matches_of_open_turns_and_for_who_waits(table: Table) -> None:
    quick = await table.begin(MIRA, TARN, game="rainet", speed="slow")
    secret = await table.begin(MIRA, TARN, game="passage", speed="daily")
    for other in (quick, secret):
        with pytest.raises(NoCondition, match="daily"):
            await other.set_conditions(SOUTH, [("d7d6", "d3d4")], other.live.shown.seq)
    match = await rainet(table)
    with pytest.raises(NoCondition, match="turn"):
        await match.set_conditions(SOUTH, [("d7d6", "d3d4")], match.live.shown.seq)
    with pytest.raises(NotOffered):
        await (await relati(table, MIRA, TARN, LIO)).set_conditions(Seat(5), [("a", "b")], 0)


async def test_nothing_is_asked_about_a_secret_setup(table: Table) -> None:
    """A line about a setup would tell, by being played, that it was guessed right."""
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "S"})
    await table.play(match, SOUTH, SETUP)
    with pytest.raises(NoCondition, match="turn"):
        await match.set_conditions(SOUTH, [(SETUP, "d2d3")], match.live.shown.seq)


async def test_lines_about_an_earlier_position_are_stale(table: Table) -> None:
    match = await rainet(table)
    await table.play(match, SOUTH, "d2d3")
    seen = match.live.shown.seq
    await table.play(match, NORTH, "d7d6")
    await table.play(match, SOUTH, "d3d4")
    with pytest.raises(Stale):
        await match.set_conditions(SOUTH, [("e7e6", "e2e3")], seen)


@pytest.mark.parametrize("done", ["@a8b8=", "@a8b8x"])
async def test_a_condition_meets_a_404_without_telling_whether_it_swapped(table: Table, done: str) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("@a8b8x", "d3d4"))
    assert standing(match) == (("@a8b8?", "d3d4"),)
    await table.play(match, NORTH, done)
    await table.wait(DELAY_S)
    assert match.live.log.entries[-1].action == "d3d4"


async def test_the_same_lines_are_taken_whatever_is_hidden(table: Table) -> None:
    """Twins: two matches that South can't tell apart take and refuse the same lines, and answer as late."""
    tried: list[Lines] = [
        [("d7d6", "d3d4", "d6d5", "d4d5", "e7e6", "e2e3")],  # takes a card that one can't see
        [("?d3", "d3d4")],
        [("d7d6", "d3d4", "d6d5", "d4d5>")],
    ]
    said = []
    for north in ("setup LLVVLVLV", "setup VVLLVLVL"):
        match, heard = await rainet(table, north), list[str]()
        await table.play(match, SOUTH, "d2d3")
        for lines in tried:
            try:
                await match.set_conditions(SOUTH, lines, match.live.shown.seq)
                heard.append("taken")
            except Refused as error:
                heard.append(f"{error.key} {dict(error.params)}")
        said.append(heard)
    assert said[0] == said[1]
    assert said[0][0] == "taken"


async def test_nobody_else_can_tell_that_there_are_any(table: Table) -> None:
    """With lines, without, and with others: what the other seat and the public get is the same.

    Once the match is over, its record tells of the one that was played, by the kind of its entry, and of no other.
    """

    async def told(*lines: Sequence[str]) -> tuple[list[str], list[str]]:
        match = await rainet(table)
        began = table.clock.now()
        await move(table, match, SOUTH, "d2d3", *lines)
        seen: list[object] = []

        def look() -> None:
            for viewer in (NORTH, Watcher.PUBLIC):
                shot = match.snapshot(viewer)
                times = [None if at is None else at - began for at in (shot.clock_at, shot.deadline)]
                assert (shot.conditions, shot.due_condition) == ((), None)
                seen.append((shot.seq, shot.view, shot.pending, shot.deciding, times, match.events(viewer)))

        look()
        await table.play(match, NORTH, "d7d6")
        look()
        await table.wait(DELAY_S)
        if not lines or lines[0][0] != "d7d6":
            await table.play(match, SOUTH, "d3d4")  # by hand, in that very moment
        look()
        await match.resign(NORTH)
        entries = list(map(json.loads, records.record(match.live, (None, None))))
        for one in entries:
            at = parse_rfc3339(one.pop("at")) - began if "at" in one else None
            left_out = ("match", "started", "ended", "kind")
            seen.append((at, {name: value for name, value in one.items() if name not in left_out}))
        return [str(one) for one in seen], [one["kind"] for one in entries if "kind" in one]

    bare = await told()
    assert bare[1] == [*["action"] * 5, "resign"]
    assert await told(("d7d6", "d3d4")) == (bare[0], [*["action"] * 4, "conditional", "resign"])
    assert await told(("e7e6", "e2e3"), ("a8a7", "a1a2")) == bare


async def test_a_move_that_is_due_waits_for_a_process_that_can_t_read_it(table: Table) -> None:
    """One of an earlier release would stop at its entry."""
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await table.database.write(processes.arrive, "old", 1, "here", table.clock.now())
    old = update(tables.processes).where(tables.processes.c.id == "old")
    await table.database.write(lambda connection: connection.execute(old.values(log_version=1)))
    await table.play(match, NORTH, "d7d6")
    await table.wait(processes.DEAD_AFTER_S - 1)
    await table.database.write(processes.beat, "old", table.clock.now())
    await table.wait(processes.DEAD_AFTER_S - 1)
    assert match.live.log.entries[-1].action == "d7d6"
    await table.database.write(processes.leave, "old", table.clock.now())
    await table.wait(2)
    assert match.live.log.entries[-1].action == "d3d4"


async def test_an_export_has_one_s_own_lines_alone(table: Table) -> None:
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    mine, theirs = [await gathered(read_lists(table.database, table.clock, who)) for who in (1, 2)]
    lines = [[{"if": ["d7d6"], "then": "d3d4"}]]
    assert mine["conditional_moves"] == [{"match_id": match.id, "seat": 0, "lines": lines}]
    assert theirs["conditional_moves"] == []


async def test_lines_are_gone_with_the_account(table: Table) -> None:
    match = await relati(table, MIRA, TARN, LIO)
    await move(table, match, SOUTH, "Rc4", ("Rl4", "Rc13", "Rc5"))
    await table.database.write(personal_data.delete_account, 1, table.clock.now())
    assert not await rows(table, match)
    await table.matches.resign_all(MIRA)
    await table.play(match, NORTH, "Rl4")
    await table.play(match, THIRD, "Rc13")
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "Rc13"


@pytest.mark.parametrize("dies_after_s", [0.0, 2.0, 4.75, 30.0])
async def test_a_line_outlives_the_process_and_is_played_once(url: str, clock: FakeClock, dies_after_s: float) -> None:
    async with open_matches(url, clock) as table:
        match = await rainet(table)
        await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
        await table.play(match, NORTH, "d7d6")
        await table.wait(dies_after_s)
    async with open_matches(url, clock) as table:
        await table.wait(DELAY_S + 1)
        again = await table.matches.open(match.id)
        assert [action for _, action in played(again)] == ["d2d3", "d7d6", "d3d4"]
        assert not await rows(table, again)


async def test_a_line_outlives_the_process_that_hears_nothing_of_the_answer(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as table:
        match = await rainet(table)
        await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    async with open_matches(url, clock) as table:
        again = await table.matches.open(match.id)
        assert standing(again) == (("d7d6", "d3d4"),)
        await table.play(again, NORTH, "d7d6")
        await table.wait(DELAY_S)
        assert again.live.log.entries[-1].action == "d3d4"


@pytest.mark.parametrize("is_deaf", [False, True])
async def test_of_two_processes_one_plays_it(tmp_path: Path, migrated_file: Path, is_deaf: bool) -> None:
    clock, bus = FakeClock(), SharedBus(is_deaf=is_deaf)
    url = await new_database(tmp_path, migrated_file)
    async with open_matches(url, clock, bus) as one, open_matches(url, clock, bus) as other:
        match = await rainet(one)
        there = await other.matches.open(match.id)
        await move(one, match, SOUTH, "d2d3", ("d7d6", "d3d4", "e7e6", "e2e3"))
        await one.wait(4)
        assert standing(there) == standing(match)
        for action in ("d7d6", "e7e6"):
            await other.play(there, NORTH, action)
            await one.wait(DELAY_S + 4)
        for seen in (match, there):
            assert [action for _, action in played(seen)] == ["d2d3", "d7d6", "d3d4", "e7e6", "e2e3"]


async def test_a_row_that_missed_an_entry_of_an_earlier_release_is_not_played(table: Table) -> None:
    """A process of an earlier release appends without moving the lines on: what they wait for may be over."""
    match = await rainet(table)
    await move(table, match, SOUTH, "d2d3", ("d7d6", "d3d4"))
    await table.database.write(_fall_behind, match.id)
    await match.conditional_moves.reload()
    await table.play(match, NORTH, "d7d6")
    await table.wait(DELAY_S + 1)
    assert match.live.log.entries[-1].action == "d7d6"
    assert not await rows(table, match)


def _fall_behind(connection: Connection, match_id: str) -> None:
    its = update(tables.conditional_moves).where(tables.conditional_moves.c.match_id == match_id)
    connection.execute(its.values(seq=tables.conditional_moves.c.seq - 1))


def walk_to_the_last_capture() -> tuple[list[str], str]:
    """Play at random, by the rules alone, until South can end the match by capturing a card that it does not know."""
    rules = registry.get("rainet")
    for n in range(200):
        rng, setups = Rng(bytes([n]) * SEED_BYTES), iter((SETUP, SETUP))
        state, said = rules.setup({"first": "S"}, 2, bytes(SEED_BYTES)).state, list[str]()
        while owed := rules.pending(state):
            seat, texts = owed[0].seat, [action.text for action in expand(owed[0].choice)]
            for text in texts if seat == SOUTH and len(said) > 1 else ():
                if len(text) == 4 and not rules.pending(rules.apply(state, seat, Action(text)).state):
                    return said, text
            text = next(setups, "")
            steps = [one for one in texts if len(one) == 4 and one.isalnum()]
            if not text:
                text, rng = rng.choose(steps or texts)
            said.append(text)
            state = rules.apply(state, seat, Action(text)).state
    raise AssertionError("no such moment was found")


async def test_a_refused_line_told_what_a_card_is_before_it_was_captured(table: Table) -> None:
    """The fourth virus ends the match: lines after that capture were refused because it was over, and nothing done."""
    said, capture = walk_to_the_last_capture()
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "S"})
    for text in said:
        await table.play(match, match.live.log.head.pending[0].seat, text)
    with pytest.raises(NoCondition, match="impossible"):
        await move(table, match, SOUTH, capture, ("nonsense", "nonsense"))
    texts = conditional_choice(match, capture)
    await move(table, match, SOUTH, capture, texts)
    assert match.is_over
    assert not await rows(table, match)


def conditional_choice(match: Match, action: str) -> tuple[str, str]:
    """Return a line that South may believe possible after an action."""
    theirs = match.conditional_choice(SOUTH, (action,))
    assert theirs is not None
    other = next(iter(expand(theirs.choice))).text
    mine = match.conditional_choice(SOUTH, (action, other))
    assert mine is not None
    return other, next(iter(expand(mine.choice))).text


async def test_lines_are_not_brought_with_what_is_decided_in_secret(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="rainet", speed="daily", options={"first": "N"})
    await table.play(match, NORTH, SETUP)
    with pytest.raises(NoCondition, match="turn"):
        await move(table, match, SOUTH, SETUP, ("d7d6", "d2d3"))

"""Windows: what silence must not tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from game.contract import Seat, Watcher
from game.errors import GameError
from server.clock import parse_rfc3339
from server.errors import RateLimited
from server.matches import acting
from server.matches.acting import MOST_SETTINGS_IN_A_ROW, MOST_UNTOLD_SETTINGS
from server.matches.errors import MatchRefused
from server.matches.match import Match
from server.matches.model import MatchQuery, Timing
from server.matches.window_pace import WindowPace
from server.presence.attendance import Here
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, LIO, MIRA, SEED, TARN, Table, open_matches

PUBLIC = Watcher.PUBLIC


async def window(table: Table, *more: object, seats: int = 3) -> tuple[Match, list[Seat]]:
    """Play until a window is open; return who is asked."""
    match = await table.begin(*(MIRA, TARN, LIO)[:seats], seed=SEED)
    await table.play_on(match, is_open(match))
    return match, [one.seat for one in match.live.shown.pending]


def is_open(match: Match) -> Callable[[], bool]:
    return lambda: any(one.window for one in match.live.shown.pending)


async def test_the_last_pass_is_acknowledged_at_once_and_shown_after_the_minimum(table: Table) -> None:
    match, (first, last) = await window(table)
    before = match.snapshot(PUBLIC)
    await table.play(match, first, "pass")
    shown = match.live.shown.seq
    seq = await table.play(match, last, "pass")
    assert seq == shown + 2
    assert match.snapshot(PUBLIC).seq == shown
    assert match.snapshot(PUBLIC).deciding == ((first, "veto"), (last, "veto"))
    assert match.snapshot(first).deciding == ((last, "veto"),)
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


async def test_a_seat_is_shown_no_older_state_than_the_public_was(table: Table) -> None:
    """A seat's state was kept until it was told of the reveal: the public saw entry 37, and the seat then 36."""
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    seq = await table.play(match, last, "pass")
    assert match.snapshot(first).seq < seq
    table.clock.shift(3)  # nobody has been woken
    assert match.snapshot(PUBLIC).seq == seq
    assert match.snapshot(first).seq == seq


async def test_what_is_shown_again_is_attended_to_though_nobody_looks(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    await table.play(match, last, "pass")
    held: list[bool] = []
    match.live.follow(lambda change: held.append(match.live.log.next_reveal is not None))
    await table.wait(3)
    assert held[0] is False


async def test_the_next_clock_starts_when_the_window_is_seen_to_close(table: Table) -> None:
    match, (first, last) = await window(table)
    began = match.live.log.head.clocks.decisions[last]
    assert began is not None
    await table.play(match, first, "pass")
    await table.play(match, last, "pass")
    await table.wait(2.25)
    waiting = [one for one in match.live.log.head.clocks.decisions if one is not None]
    assert {(one.since - began.since).total_seconds() for one in waiting} == {2.0}


async def test_a_late_last_pass_is_shown_at_once(table: Table) -> None:
    match, (first, last) = await window(table)
    await table.play(match, first, "pass")
    await table.wait(3)
    seq = await table.play(match, last, "pass")
    assert match.snapshot(PUBLIC).seq == seq


async def test_what_is_withheld_stays_withheld_in_another_process(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as here, open_matches(url, clock) as there:
        match, (first, last) = await window(here)
        await here.play(match, first, "pass")
        seq = await here.play(match, last, "pass")
        theirs = await there.matches.open(match.id)
        assert theirs.snapshot(PUBLIC).seq == seq - 2
        told: list[int] = []
        theirs.subscribe(PUBLIC, lambda: told.append(theirs.snapshot(PUBLIC).seq))
        await there.wait(2.25)
        assert told == [seq]


async def test_what_was_withheld_before_the_clock_was_set_back_is_shown(url: str, clock: FakeClock) -> None:
    """Until the machine's clock came to that moment again, an hour later, nobody could go on."""
    async with open_matches(url, clock) as before:
        match, (first, last) = await window(before)
        await before.play(match, first, "pass")
        seq = await before.play(match, last, "pass")
        assert match.snapshot(PUBLIC).seq == seq - 2
    async with open_matches(url, FakeClock(clock.now() - timedelta(hours=1))) as after:
        again = await after.matches.open(match.id)
        assert again.snapshot(PUBLIC).seq >= seq


async def test_silence_of_who_is_away_closes_a_window_two_seconds_after_its_free_time(table: Table) -> None:
    match, asked = await window(table)
    await table.wait(9.75)
    assert [one.seat for one in match.live.shown.pending] == asked
    await table.wait(1)
    assert [one.window for one in match.live.shown.pending if one.seat in asked] != ["veto"] * 2
    rows = await table.database.read(store.log, match.id)
    assert [row.kind for row in rows[-2:]] == ["timeout", "timeout"]
    assert not match.live.shown.fold.is_over


async def at_the_table(table: Table, speed: str = "normal") -> tuple[Match, list[Seat], dict[Seat, Here]]:
    """Open a window before three people who are all here; return who is asked, and everybody's presence."""
    match = await table.begin(MIRA, TARN, LIO, seed=SEED, speed=speed)
    here = {Seat(i): match.enter(one, Seat(i), f"{one.name}-1") for i, one in enumerate((MIRA, TARN, LIO))}
    await table.play_on(match, is_open(match))
    return match, [one.seat for one in match.live.shown.pending], here


async def test_a_window_was_closed_for_people_who_were_thinking(table: Table) -> None:
    match, asked, _ = await at_the_table(table)
    await table.wait(60)
    assert [one.seat for one in match.live.shown.pending] == asked
    await table.play(match, asked[0], "pass")
    assert match.live.log.head.clocks.banks[asked[0]] == 600_000 - 52_000
    assert match.snapshot(PUBLIC).deciding == ((asked[1], "veto"),), "after the free time it is told"


async def test_an_empty_bank_lets_a_window_pass_and_forfeits_nothing(table: Table) -> None:
    match, asked, _ = await at_the_table(table, "fast")
    table.skip(5 + 180 + 1.5)
    await table.matches.sweeper.sweep()
    assert [one.seat for one in match.live.shown.pending] == asked
    table.skip(1)
    await table.matches.sweeper.sweep()
    assert match.live.out == frozenset()
    assert [match.live.log.head.clocks.banks[seat] for seat in asked] == [0, 0]


async def test_who_leaves_after_the_free_time_is_answered_for_then(table: Table) -> None:
    match, (first, last), here = await at_the_table(table)
    await table.wait(30)
    here[first].leave()
    await table.wait(1)
    assert match.live.shown.owed_by(first) is not None
    await table.wait(2)
    assert (match.live.shown.owed_by(first), match.live.shown.owed_by(last) is None) == (None, False)
    assert abs(match.live.log.head.clocks.banks[first] - (600_000 - 22_000)) < 500, "not the time until it was written"


async def test_who_is_back_before_the_free_time_ends_answers_for_themselves(table: Table) -> None:
    match, (first, _), here = await at_the_table(table)
    here[first].leave()
    await table.wait(7)
    match.enter(match.terms.players[first], first, "again")
    await table.wait(20)
    assert match.live.shown.owed_by(first) is not None


async def test_in_daily_play_nobody_is_answered_for_because_they_are_away(table: Table) -> None:
    match, (first, _), here = await at_the_table(table, "daily")
    here[first].leave()
    table.skip(13 * 3600)
    match.live.changed()
    await table.wait(5)
    assert match.live.shown.owed_by(first) is not None


async def test_during_the_free_time_nobody_is_told_who_has_answered(table: Table) -> None:
    match, (first, last), _ = await at_the_table(table)
    actor = next(seat for seat in match.terms.seats if seat not in (first, last))
    before = {viewer: match.snapshot(viewer) for viewer in (PUBLIC, actor, last)}
    told: list[str] = []
    for viewer in before:
        match.subscribe(viewer, lambda: told.append("told"))
    await table.play(match, first, "pass")
    await table.wait(7.5)
    assert told == []
    assert {viewer: match.snapshot(viewer) for viewer in before} == before
    (listed,) = await table.matches.list(MatchQuery())
    assert (listed.seq, listed.to_act) == (before[PUBLIC].seq, (first, last))
    own = {seat: await table.matches.running_of(match.terms.players[seat]) for seat in (actor, first, last)}
    assert {seat: found.to_act for seat, (found,) in own.items()} == {
        actor: (first, last),
        first: (last,),
        last: (first, last),
    }
    await table.wait(0.75)
    assert match.snapshot(actor).deciding == ((last, "veto"),)
    assert match.snapshot(PUBLIC).seats[last].runs_from == before[PUBLIC].seats[last].runs_from
    (listed,) = await table.matches.list(MatchQuery())
    assert (listed.seq, listed.to_act) == (before[PUBLIC].seq + 1, (last,))


async def test_a_veto_shows_at_once_and_with_it_who_has_passed(table: Table) -> None:
    for number in range(20):
        match = await table.begin(MIRA, TARN, LIO, seed=bytes([number]) * 32)
        await table.play_on(match, is_open(match))
        asked = [one.seat for one in match.live.shown.pending]
        vetoes = [seat for seat in asked if "veto" in str(match.snapshot(seat).pending)]
        if len(asked) == 2 and any("Action(text='veto')" in str(match.snapshot(seat).pending) for seat in vetoes):
            break
    with_veto = next(seat for seat in asked if "Action(text='veto')" in str(match.snapshot(seat).pending))
    other = next(seat for seat in asked if seat != with_veto)
    await table.play(match, other, "pass")
    seq = await table.play(match, with_veto, "veto")
    assert match.snapshot(PUBLIC).seq == seq


async def test_who_has_passed_learns_nothing_from_what_they_do_next(table: Table) -> None:
    """The number that a setting got in the log told whether the others had passed by then."""
    moments, numbers = set(), set()
    for closes in (False, True):
        match, (first, last), _ = await at_the_table(table)
        opened = match.live.log.head.clocks.decisions[first]
        assert opened is not None
        await table.play(match, first, "pass")
        if closes:
            await table.play(match, last, "pass")
        setting = asyncio.create_task(match.act(first, "auto on", match.live.shown.seq, table.clock.now()))
        for _ in range(12):
            await table.wait(0.25)
            if setting.done():
                break
        moments.add((table.clock.now() - opened.since).total_seconds())
        numbers.add(setting.result() - match.live.log.head.seq)
    assert (moments, numbers) == ({2.0}, {0})


@pytest.mark.parametrize("by", ["who still owes", "who is not asked"])
async def test_a_setting_told_whether_others_had_passed(table: Table, by: str) -> None:
    """It was shown at once, to everybody and on one's own board, unless somebody had passed before it."""
    told = []
    for passes in (False, True):
        match, (first, last), _ = await at_the_table(table)
        seat = last if by == "who still owes" else next(one for one in match.terms.seats if one not in (first, last))
        began = match.live.shown.seq
        if passes:
            await table.play(match, first, "pass")
        await table.wait(3)
        mode = "off" if seat == last else "on"  # on, it would answer
        seq = await match.act(seat, f"auto {mode}", match.snapshot(seat).turn_seq, table.clock.now())
        waiting = asyncio.create_task(match.acting.wait_until_told(seq))
        await table.wait(1)
        (listed,) = await table.matches.list(MatchQuery(limit=1))
        seen = [match.snapshot(viewer) for viewer in (PUBLIC, seat)]
        told.append((waiting.done(), listed.seq - began, [(one.seq - began, one.deciding) for one in seen]))
        assert match.acting.is_untold_setting(seq)
        assert seen[1].view.auto is (mode == "on"), "the seat itself sees what it has set"
        await table.wait(4.5)
        assert waiting.done(), "all is told when the window's free time is over"
        assert match.live.shown.seq == seq
    assert told[0] == told[1]


async def test_settings_that_nobody_is_told_of_yet_are_limited(table: Table) -> None:
    """More of them than are read for a list, and the list showed by its number how many answers were before them."""
    match, (_, last), _ = await at_the_table(table)
    for number in range(MOST_UNTOLD_SETTINGS):
        await match.act(last, ("auto on", "auto off")[number % 2], match.live.shown.seq, table.clock.now())
    with pytest.raises(RateLimited):
        await match.act(last, "auto on", match.live.shown.seq, table.clock.now())
    await table.play(match, last, "pass")


async def test_a_log_grew_for_ever_by_settings(table: Table) -> None:
    """A program added 1,800 a minute, all of which are folded whenever the match is opened."""
    match = await table.begin(MIRA, TARN, LIO, seed=SEED)
    seat = match.live.shown.pending[0].seat
    for number in range(MOST_SETTINGS_IN_A_ROW):
        await match.act(seat, ("auto on", "auto off")[number % 2], 0, table.clock.now())
    with pytest.raises(RateLimited):
        await match.act(seat, "auto on", 0, table.clock.now())
    await table.play_any(match, seat)
    await match.act(seat, "auto on", 0, table.clock.now())


async def test_settings_between_decisions_grew_a_log_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest made 2,000 entries in a minute by 98 before each decision; each look at the match folded them anew."""
    monkeypatch.setattr(acting, "MOST_SETTINGS", 4)
    match = await table.begin(MIRA, TARN, LIO, seed=SEED)
    seat = match.live.shown.pending[0].seat
    for action in ("auto on", "auto off") * 2:
        await match.act(seat, action, 0, table.clock.now())
    with pytest.raises(MatchRefused) as refused:
        await match.act(seat, "auto on", 0, table.clock.now())
    assert refused.value.key == "match.error.settings-often"
    await table.play_any(match, seat)
    with pytest.raises(MatchRefused):
        await match.act(seat, "auto on", 0, table.clock.now())


async def test_a_setting_answers_after_a_constant_delay(table: Table) -> None:
    match, (first, last) = await window(table)
    await match.act(first, "auto on", match.live.shown.seq, table.clock.now())
    assert match.snapshot(first).pending is not None
    await table.wait(0.5)
    assert match.snapshot(first).pending is not None
    await table.wait(0.5)
    assert match.snapshot(first).pending is None
    assert match.snapshot(PUBLIC).deciding == ((first, "veto"), (last, "veto"))
    assert match.snapshot(first).deciding == ((last, "veto"),)


async def test_a_setting_that_is_taken_back_in_time_does_not_answer(table: Table) -> None:
    match, (first, _) = await window(table)
    await match.act(first, "auto on", match.live.shown.seq, table.clock.now())
    await table.wait(0.5)
    taken_back = await match.act(first, "auto off", match.live.shown.seq, table.clock.now())
    await table.wait(2)
    assert match.snapshot(first).pending is not None
    assert match.live.log.head.seq == taken_back
    await match.act(first, "auto on", match.live.shown.seq, table.clock.now())
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
        opened = match.live.shown.seq
        await table.wait(2)
        asked = match.live.log.at(opened)
        for seat in (Seat(1), Seat(2)):
            answers = (
                one for one in match.live.log.entries[opened:] if one.seat == seat and one.action in ("pass", "veto")
            )
            said = next(answers, None)
            decision = asked.clocks.decisions[seat]
            if said is not None and decision is not None and decision.window is not None:
                moments.add((said.at or "", decision.since))
    assert moments
    assert len({round((parse_rfc3339(at) - since).total_seconds(), 2) for at, since in moments}) == 1


@pytest.mark.parametrize("thought", [0.53, 0.57, 0.61])
async def test_a_bot_that_thought_longer_in_a_window_answered_the_moment_it_had_done_so(
    table: Table, thought: float
) -> None:
    """It told that the bot held something to answer with: passing without a choice came at 0.4 s, a thought at 0.53."""
    table.pool.thoughts = [thought]
    while table.pool.thoughts:  # some matches have no window
        match = await table.begin(MIRA, EASY)
        await table.play_on(match, lambda: not table.pool.thoughts)
    asked = len(match.live.log.entries)
    await table.play_on(match, lambda: len(match.live.log.entries) > asked)
    decision, answer = match.live.log.at(asked).clocks.decisions[1], match.live.log.entries[asked]
    assert decision is not None
    assert (answer.seat, decision.window) == (1, "veto")
    took = parse_rfc3339(answer.at or "") - decision.since
    assert took >= timedelta(seconds=0.8)
    assert took % timedelta(seconds=0.4) == timedelta(0)


def test_after_a_long_thought_all_answers_in_windows_of_a_match_are_as_late() -> None:
    pace = WindowPace(Timing())
    assert [pace.pause(0.4, thought) for thought in (0.0, 0.13, 0.4)] == [0.4] * 3
    assert [pace.pause(0.4, thought) for thought in (0.41, 0.0, 0.79, 0.8)] == [0.8] * 4
    assert pace.pause(0.8, 0.1) == 0.8


def test_one_very_long_thought_does_not_slow_the_rest_of_a_match_down_as_much() -> None:
    pace = WindowPace(Timing())
    assert [round(pace.pause(0.4, thought), 3) for thought in (5.1, 0.0, 1.1, 1.3)] == [5.2, 1.2, 1.2, 1.6]


async def test_a_turn_of_the_future_told_how_many_had_passed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a number that no turn has yet, a refusal said whether the log had grown: it could be asked all the time.

    Nor may the time tell: the store is asked each time.
    """
    match, (first, last), _ = await at_the_table(table)
    shown = match.live.shown.seq

    looks, catch_up = list[str](), match.live.catch_up

    async def look() -> None:
        looks.append("look")
        await catch_up()

    monkeypatch.setattr(match.live, "catch_up", look)

    async def asked(seat: Seat) -> list[str]:
        said = []
        for later in range(1, 4):
            with pytest.raises((GameError, MatchRefused)) as refused:
                await match.act(seat, "no such action", shown + later, table.clock.now())
            said += [type(refused.value).__name__, *looks]
            looks.clear()
        return said

    before = await asked(last)
    await table.play(match, first, "pass")
    assert (match.live.shown.seq, match.live.log.head.seq) == (shown, shown + 1)
    assert await asked(last) == before == ["Stale", "look"] * 3
    await table.wait(2.25)  # until then what who owes nothing does is kept waiting
    assert await asked(first) == before, "nor whether others have answered, to who has"


async def test_a_window_that_everybody_sees_is_empty_passes_at_once(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="netrunner")
    before = table.clock.now()
    for seat in (0, 1):
        await table.play(match, seat, "keep")
    await table.database.settle()
    assert [one.prompt for one in match.live.shown.pending] == ["action"], "four answers later"
    assert table.clock.now() == before

"""Taking back: who may ask, who agrees, what comes of it, and what it never tells or gives."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, update

from game.choices import expand
from game.contract import Seat, Watcher
from server.accounts.identity import Player
from server.errors import Refused
from server.matches import checkpoint, matchlog, takebacks
from server.matches.errors import MatchRefused, NotOffered
from server.matches.match import Match
from server.store import processes, tables
from server.store.takebacks import AskedAlready
from tests.clocks import FakeClock
from tests.matches.table import EASY, GUEST, LIO, MIRA, TARN, Table, bank_ms, first_answer, open_matches

FIRST, SECOND, THIRD = Seat(0), Seat(1), Seat(2)


async def begin(table: Table, *players: Player, **more: Any) -> Match:
    return await table.begin(*(players or (MIRA, TARN)), game="relati", **more)


async def kinds(table: Table, match: Match) -> list[str]:
    """Return the kinds of the entries of its log."""
    return [entry.kind for entry in match.live.log.entries]


async def test_what_was_agreed_to_is_taken_back(table: Table) -> None:
    match = await begin(table)
    before = match.snapshot(Watcher.PUBLIC).view
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    assert match.snapshot(SECOND).offers == ((FIRST, "takeback"),)
    await match.answer(SECOND, "takeback", True)
    await table.wait(1)
    shown = match.snapshot(FIRST)
    assert match.live.log.entries[-1].data == {"to": 0}
    assert (shown.seq, shown.offers) == (2, ())
    assert shown.pending is not None
    assert match.snapshot(Watcher.PUBLIC).view == before


async def test_it_goes_back_again_and_again(table: Table) -> None:
    match = await begin(table, MIRA, EASY)
    for _ in range(3):
        await table.play_any(match, 0)
        await table.wait(2)
    for left in (4, 2, 0):
        await match.offer(FIRST, "takeback")
        await table.wait(0.25)
        assert match.live.log.entries[-1].data == {"to": left}
    with pytest.raises(MatchRefused):
        await match.offer(FIRST, "takeback")


async def test_the_same_bot_answers_twenty_times_alike(table: Table) -> None:
    match = await begin(table, MIRA, EASY)
    said = set()
    for _ in range(20):
        await table.play_any(match, 0)
        await table.wait(2)
        said.add(match.live.log.entries[-1].action)
        await match.offer(FIRST, "takeback")
        await table.wait(0.25)
    assert len(said) == 1


async def test_who_takes_back_without_end_makes_no_log_grow_for_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takebacks, "MOST_TAKEBACKS", 3)
    match = await begin(table, MIRA, EASY)
    for _ in range(3):
        await table.play_any(match, 0)
        await table.wait(2)
        assert match.snapshot(FIRST).may_take_back
        await match.offer(FIRST, "takeback")
        await table.wait(0.25)
    await table.play_any(match, 0)
    await table.wait(2)
    assert not match.snapshot(FIRST).may_take_back
    with pytest.raises(MatchRefused) as refused:
        await match.offer(FIRST, "takeback")
    assert refused.value.key == "match.error.takeback-often"


async def test_what_was_taken_back_is_not_folded_anew_for_each_answer_of_a_bot(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await begin(table, MIRA, EASY)
    log, folded = match.live.log, list[int]()
    for _ in range(12):
        await table.play_any(match, 0)
        await table.wait(2)
        await match.offer(FIRST, "takeback")
        await table.wait(0.25)
    for _ in range(2):
        await table.play_any(match, 0)
        await table.wait(2)
    real = checkpoint.after

    def counting(*args: Any) -> Any:
        folded.append(1)
        return real(*args)

    monkeypatch.setattr(matchlog, "after", counting)
    assert log.answered_before(log.head, SECOND) is None
    assert not folded


async def test_a_bot_that_failed_once_is_held_to_the_answer_it_gave(table: Table) -> None:
    match = await begin(table, MIRA, EASY)
    table.pool.failures = ["slow"]  # its second attempt draws other chance
    await table.play_any(match, 0)
    await table.wait(4)
    said = match.live.log.entries[-1].action
    await match.offer(FIRST, "takeback")
    asked = table.pool.asked
    await table.play_any(match, 0)
    await table.wait(4)
    assert (match.live.log.entries[-1].action, table.pool.asked) == (said, asked)


async def test_a_silent_player_refuses_and_two_refusals_are_enough(table: Table) -> None:
    match = await begin(table)
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    with pytest.raises(AskedAlready):
        await match.offer(FIRST, "takeback")
    await table.wait(60)
    assert match.snapshot(SECOND).offers == ()
    with pytest.raises(NotOffered):
        await match.answer(SECOND, "takeback", True)
    await match.offer(FIRST, "takeback")
    await match.answer(SECOND, "takeback", False)
    with pytest.raises(AskedAlready):
        await match.offer(FIRST, "takeback")
    await table.play_any(match, 1)
    with pytest.raises(AskedAlready):
        await match.offer(FIRST, "takeback")
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    assert match.snapshot(SECOND).offers == ((FIRST, "takeback"),)


async def test_all_people_in_play_must_agree_and_bots_do(table: Table) -> None:
    match = await begin(table, MIRA, TARN, LIO, EASY)
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    await match.answer(SECOND, "takeback", True)
    await table.wait(1)
    assert "takeback" not in await kinds(table, match)
    await match.answer(THIRD, "takeback", True)
    await table.wait(1)
    assert (await kinds(table, match))[-1] == "takeback"


async def test_a_rated_match_gives_nothing_back(table: Table) -> None:
    match = await begin(table, rated=True)
    await table.play_any(match, 0)
    assert not match.snapshot(FIRST).may_take_back
    with pytest.raises(MatchRefused, match="takeback-rated"):
        await match.offer(FIRST, "takeback")


async def test_nobody_asks_while_a_process_of_an_earlier_release_is_registered(table: Table) -> None:
    match = await begin(table)
    await table.play_any(match, 0)
    assert match.snapshot(FIRST).may_take_back
    now = table.clock.now()
    await table.database.write(processes.arrive, "old", 1, "here", now)
    await table.database.write(_forget_version)
    await table.matches.heartbeat.beat_once()
    with pytest.raises(MatchRefused, match="takeback-later"):
        await match.offer(FIRST, "takeback")


def _forget_version(connection: Connection) -> None:
    old = update(tables.processes).where(tables.processes.c.id == "old")
    connection.execute(old.values(log_version=None))


async def test_a_guest_may_take_back(table: Table) -> None:
    match = await begin(table, GUEST, EASY)
    await table.play_any(match, 0)
    assert match.snapshot(FIRST).may_take_back


async def test_no_sequence_of_asks_raises_a_bank(table: Table) -> None:
    match = await begin(table, speed="fast")
    for _ in range(8):
        table.skip(3)
        banks = [bank_ms(match, FIRST), bank_ms(match, SECOND)]
        await table.play_any(match, 0)
        await match.offer(FIRST, "takeback")
        await match.answer(SECOND, "takeback", True)
        await table.wait(0.25)
        after = [bank_ms(match, FIRST), bank_ms(match, SECOND)]
        assert all(new <= old for new, old in zip(after, banks, strict=True))
    assert bank_ms(match, FIRST) <= 180_000 - 8 * 3_000


async def test_an_answer_survives_the_death_of_the_process(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as table:
        match = await begin(table)
        await table.play_any(match, 0)
        await match.offer(FIRST, "takeback")
    async with open_matches(url, clock) as table:
        again = await table.matches.open(match.id)
        assert again.snapshot(SECOND).offers == ((FIRST, "takeback"),)
        await again.answer(SECOND, "takeback", True)
        await table.wait(1)
        assert again.live.log.entries[-1].kind == "takeback"
        head = again.live.log.head
    async with open_matches(url, clock) as table:
        cold = await table.matches.open(match.id)
        assert cold.live.log.head == head


async def test_what_was_agreed_to_before_the_process_died_is_done_by_the_next(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as table:
        match = await begin(table)
        await table.play_any(match, 0)
        await match.offer(FIRST, "takeback")
        table.matches.context.is_draining = True  # nothing is concluded here any more
        await match.answer(SECOND, "takeback", True)
        assert match.live.log.entries[-1].kind == "action"
    async with open_matches(url, clock) as table:
        again = await table.matches.open(match.id)
        await table.wait(1)
        assert again.live.log.entries[-1].kind == "takeback"


async def test_a_turn_from_before_is_stale(table: Table) -> None:
    match = await begin(table)
    await table.play_any(match, 0)
    old = match.live.shown.seq
    await match.offer(FIRST, "takeback")
    await match.answer(SECOND, "takeback", True)
    await table.wait(1)
    with pytest.raises(Refused, match="stale"):
        await match.act(SECOND, "", old, table.clock.now())


async def idle(table: Table, match: Match) -> None:
    """Pass where everybody sees that there is nothing else to do."""
    while asked := [one for one in match.live.shown.pending if one.idle]:
        await table.play(match, asked[0].seat, "pass")
        await table.wait(2.5)


async def run_on_ice(table: Table) -> Match:
    """Begin a run on a server with unrezzed ice: the Corp is asked in a window."""
    match = await table.begin(MIRA, TARN, game="netrunner", speed="slow")
    await table.play(match, 0, "keep")
    await table.play(match, 1, "keep")
    await idle(table, match)
    asked = match.snapshot(FIRST).pending
    assert asked is not None
    ice = next(one.text for one in expand(asked.choice) if one.text.startswith("install") and one.text.endswith("hq"))
    for text in (ice, "credit", "credit"):
        await table.play(match, 0, text)
        await idle(table, match)
    while (asked := match.snapshot(FIRST).pending) is not None:
        await table.play(match, 0, first_answer(asked))
        await idle(table, match)
    await idle(table, match)
    await table.play(match, 1, "run hq")
    await idle(table, match)
    return match


async def test_beside_an_open_window_it_is_asked_and_granted(table: Table) -> None:
    match = await run_on_ice(table)
    assert [(one.seat, one.idle) for one in match.live.shown.pending if one.window] == [(FIRST, False)]
    await match.offer(SECOND, "takeback")
    await match.answer(FIRST, "takeback", True)
    await table.wait(3)
    assert match.live.log.entries[-1].kind == "takeback"
    asked = match.snapshot(SECOND).pending
    assert asked is not None
    assert asked.prompt == "action"


async def test_what_is_asked_beside_a_window_falls_when_that_is_answered(table: Table) -> None:
    match = await run_on_ice(table)
    await match.offer(SECOND, "takeback")
    await table.play(match, 0, "pass")
    await table.wait(3)
    assert match.snapshot(FIRST).offers == ()
    assert not match.snapshot(SECOND).may_take_back
    with pytest.raises(NotOffered):
        await match.answer(FIRST, "takeback", True)


@pytest.mark.parametrize(
    ("kind", "data"),
    [("clock_credited", {"ms": 5}), ("left", {"forfeit": False}), ("bot_seated", {"level": "easy"}), ("returned", {})],
)
async def test_credited_clocks_and_changes_of_who_plays_stay(table: Table, kind: str, data: dict[str, Any]) -> None:
    match = await begin(table)
    await table.play_any(match, 0)
    assert match.snapshot(FIRST).may_take_back
    await match.live.submit(lambda head: match.live.draft_entry(head, kind, SECOND, **data))
    assert not match.snapshot(FIRST).may_take_back


async def test_a_timeout_that_was_stored_first_wins(table: Table) -> None:
    match = await begin(table, speed="fast")
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    await table.wait(30)
    table.skip(200)
    await table.wait(4)
    await match.autopilot.time_out()
    with pytest.raises(Refused):
        await match.answer(SECOND, "takeback", True)
    assert match.live.log.entries[-1].kind == "timeout"


async def long_match(table: Table) -> Match:
    """Play 40 entries: not every match goes on for as long."""
    match = await begin(table, MIRA, EASY)
    await table.play_on(match, lambda: match.live.shown.seq >= 40 and match.snapshot(FIRST).pending is not None)
    return await long_match(table) if match.is_over else match


async def test_stored_checkpoints_from_before_are_not_used_after_it(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as table:
        match = await long_match(table)
        await table.matches.context.checkpoint_writer.keep()
        for _ in range(6):
            await match.offer(FIRST, "takeback")
            await table.wait(0.5)
        head = match.live.log.head
    async with open_matches(url, clock) as table:
        again = await table.matches.open(match.id)
        assert again.live.log.begins_at == 0, "the stored one is of a state that was taken back"
        assert again.live.log.head == head


async def test_lists_did_not_hear_of_what_was_asked_and_lapsed(table: Table) -> None:
    match = await begin(table)
    await table.play_any(match, 0)
    told = list[tuple[str, ...]]()
    table.matches.on_offers.append(lambda _: told.append(tuple(one.what for one in match.offers_to(TARN))))
    await match.offer(FIRST, "takeback")
    assert "takeback" in told[-1]
    assert [one.what for one in await table.matches.offers_to(TARN)] == ["takeback"]
    assert not await table.matches.offers_to(MIRA)
    await table.wait(61)
    assert not told[-1]
    assert not await table.matches.offers_to(TARN)


async def test_in_a_daily_match_a_request_lapsed_within_a_minute(table: Table) -> None:
    match = await begin(table, speed="daily")
    await table.play_any(match, 0)
    await match.offer(FIRST, "takeback")
    table.skip(23 * 3600)
    await table.wait(1)
    assert match.snapshot(SECOND).offers == ((FIRST, "takeback"),)
    table.skip(3600)
    await table.wait(1)
    assert match.snapshot(SECOND).offers == ()

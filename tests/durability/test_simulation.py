"""Thousands of ways for things to go wrong; and bugs planted for it, each found by the check that is meant for it."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from game.contract import Seat
from game.replay import Entry
from server.matches.live import LiveMatch
from server.matches.match import Match
from server.matches.model import SeenEvent
from server.matches.showing import Showing
from server.matches.sweeper import Sweeper
from server.store.appends import Append, LogEntry
from server.store.columns import Json
from server.store.errors import NotSaved
from server.store.logwriter import LogWriter
from tests.durability import planted
from tests.durability.notes import Notes, Sight, Stored, check
from tests.durability.simulation import STEPS, one_run, simulate
from tests.durability.sweeping import sweep
from tests.seeds import drawn

SEEDS = 10
SEEDS_SOAKED = 5_000
FEW = 12  # seeds in which a planted bug must be found


def test_nothing_is_lost_doubled_or_misshown_whatever_fails() -> None:
    begin = random.randrange(10**6)
    counts = sweep(range(begin, begin + SEEDS), print)
    assert counts["acknowledged"] > 20 * SEEDS
    happened = ("crashes", "hints lost", "hints doubled", "write: refused", "write: answer lost", "read: refused")
    assert all(counts[name] for name in happened)


@pytest.mark.soak
def test_nothing_is_lost_doubled_or_misshown_in_thousands_of_runs(say: Callable[[str], None]) -> None:
    begin = drawn() % 10**6
    counts = sweep(
        range(begin, begin + SEEDS_SOAKED), lambda matchlog: say(f"simulation from seed {begin}: {matchlog}")
    )
    assert counts["acknowledged"] > 20 * SEEDS_SOAKED
    rare = ("stored after the crash", "store down", "timeouts", "credits", "finished")
    assert all(counts[name] for name in rare)


def test_the_same_seed_gives_the_same_run_in_another_process_too() -> None:
    command = (sys.executable, "-m", "tests.durability", "--begin", "7", "--seeds", "3", "--digests")
    here = "".join(f"{seed} {simulate(seed).digest}\n" for seed in (7, 8, 9))
    assert len(set(here.split())) == 6, "other seeds give other runs"
    for hash_seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout == here


# Planted bugs


def is_found(by: str) -> bool:
    """Tell whether the check that is meant for it notices a planted bug within a few seeds."""
    for seed in range(FEW):
        wrong = [one for one in simulate(seed).wrong if one.check == by]
        if wrong:
            print(f"found in seed {seed}: {wrong[0]}")
            return True
    return False


def now_and_then(chance: float) -> Callable[[], bool]:
    rng = random.Random(1)
    return lambda: rng.random() < chance


def test_it_finds_a_lost_append(monkeypatch: pytest.MonkeyPatch) -> None:
    append, is_lost = LogWriter.append, now_and_then(0.03)

    async def forgetful(self: LogWriter, wanted: Append) -> None:
        if not is_lost():
            await append(self, wanted)

    monkeypatch.setattr(LogWriter, "append", forgetful)
    assert is_found("lost")


def test_it_finds_what_is_acknowledged_before_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    append = LogWriter.append

    async def hasty(self: LogWriter, wanted: Append) -> None:
        asyncio.create_task(append(self, wanted)).add_done_callback(lambda task: task.cancelled() or task.exception())

    monkeypatch.setattr(LogWriter, "append", hasty)
    assert is_found("early")


def test_it_finds_an_entry_that_is_applied_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    append, is_again = LogWriter.append, now_and_then(0.1)

    async def eager(self: LogWriter, wanted: Append) -> None:
        await append(self, wanted)
        if is_again():
            again = tuple(replace(entry, seq=entry.seq + 1) for entry in wanted.entries)
            await append(self, replace(wanted, entries=again))

    monkeypatch.setattr(LogWriter, "append", eager)
    assert is_found("double")


def test_it_finds_an_append_that_is_repeated_without_asking_whether_it_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    append = LogWriter.append

    async def stubborn(self: LogWriter, wanted: Append) -> None:
        try:
            await append(self, wanted)
        except NotSaved:
            last = await self.database.read(lambda connection: _last(connection, wanted.match_id))
            entries = tuple(replace(entry, seq=last + 1 + n) for n, entry in enumerate(wanted.entries))
            await append(self, replace(wanted, entries=entries))

    monkeypatch.setattr(LogWriter, "append", stubborn)
    monkeypatch.setattr(LogWriter, "find_stored", _nothing)
    assert is_found("double")


def _last(connection: Any, match_id: str) -> int:
    found: int = connection.exec_driver_sql("SELECT last_seq FROM matches WHERE id = ?", (match_id,)).scalar_one()
    return found


async def _nothing(self: LogWriter, appends: list[Append]) -> list[bool]:
    return [False] * len(appends)


def test_it_finds_a_hint_that_is_applied_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    hear = LiveMatch.hear

    async def gullible(self: LiveMatch, seq: int, told: Entry | None) -> None:
        await hear(self, seq, told)
        if told is not None and told.kind == "setting" and self.log.head.is_live:
            self.absorb(replace(told, seq=self.log.head.seq + 1))

    monkeypatch.setattr(LiveMatch, "hear", gullible)
    assert is_found("early")


def test_it_finds_a_stale_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Showing, "view", planted.one_entry_late())
    assert is_found("view")


def test_it_finds_a_process_that_falls_behind_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    hear, is_lost = LiveMatch.hear, now_and_then(0.3)

    async def blind(self: Sweeper) -> None:
        return None

    async def deaf(self: LiveMatch, seq: int, told: Entry | None) -> None:
        if not is_lost():
            await hear(self, seq, told)

    monkeypatch.setattr(Sweeper, "poll", blind)
    monkeypatch.setattr(LiveMatch, "hear", deaf)
    assert is_found("behind")


def test_it_finds_who_moves_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    act, is_mixed_up = Match.act, now_and_then(0.1)

    async def confused(self: Match, seat: Seat, *args: Any) -> int:
        return await act(self, Seat((seat + 1) % 2) if is_mixed_up() else seat, *args)

    monkeypatch.setattr(Match, "act", confused)
    assert is_found("stranger")


# The checks themselves, on a run in which all was well


@dataclass
class Past:
    """What was noted in a run, and one of its matches that is not over."""

    notes: Notes
    stored: Stored

    def rows(self, *entries: LogEntry) -> None:
        """Let the log be another."""
        row = replace(self.stored.row, last_seq=entries[-1].seq)
        self.stored = replace(self.stored, entries=entries, row=row)

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        return self.stored.entries

    def again(self, kind: str) -> LogEntry:
        """Return the last entry of a kind, as the next one."""
        last = [entry for entry in self.entries if entry.kind == kind][-1]
        return replace(last, seq=len(self.entries) + 1)

    @property
    def sights(self) -> list[Sight]:
        return [sight for sight in self.notes.sights if sight.match == self.stored.terms.id]

    def see(self, sight: Sight) -> None:
        self.notes.sights.append(sight)


@pytest.fixture
def past() -> Past:
    with one_run(5) as (run, begin):
        assert begin(STEPS).wrong == []
        stored = next(stored for stored in run.stored if stored.row.status == "live")
        assert check(run.notes, [stored]) == []
        return Past(run.notes, stored)


def cut_out(past: Past) -> None:
    past.rows(*past.entries[:9], *past.entries[10:])


def cut_off(past: Past) -> None:
    past.rows(*past.entries[:-10])


def send_late(past: Past) -> None:
    press = next(press for press in past.notes.presses if press.match == past.stored.terms.id and press.acknowledged)
    press.after = press.acknowledged or 0


def append_a_key_again(past: Past) -> None:
    past.rows(*past.entries, past.again("setting"))


def append_an_answer_again(past: Past) -> None:
    past.rows(*past.entries, past.again("action"))


def append_another_key(past: Past) -> None:
    moved = replace(past.again("setting"), at=past.entries[-1].at + timedelta(seconds=1))
    past.rows(*past.entries, moved)


def change_who(past: Past) -> None:
    last = past.again("setting")
    i = next(i for i, entry in enumerate(past.entries) if entry.at == last.at)
    seat = (1 + (last.seat or 0)) % 2
    past.rows(*past.entries[:i], replace(past.entries[i], seat=seat), *past.entries[i + 1 :])


def show_another_view(past: Past) -> None:
    first, last = past.sights[0], past.sights[-1]
    past.see(replace(last, view=first.view, process="another"))


def show_what_is_to_come(past: Past) -> None:
    past.see(replace(past.sights[-1], seq=len(past.entries) + 1, process="another"))


def show_early(past: Past) -> None:
    last = past.sights[-1]
    past.see(replace(last, stored=last.seq - 1))


def show_the_past(past: Past) -> None:
    first = past.sights[0]
    past.see(replace(first, process=past.sights[-1].process))


def longest_stream(past: Past) -> list[SeenEvent]:
    """Return what was told the spectator who was told most."""
    return max((told for (match, _), told in past.notes.streams.items() if match == past.stored.terms.id), key=len)


def leave_out_an_event(past: Past) -> None:
    stream = longest_stream(past)
    del stream[len(stream) // 2]


def tell_an_event_twice(past: Past) -> None:
    stream = longest_stream(past)
    stream.insert(1, stream[0])


def stand_elsewhere(past: Past) -> None:
    process, end = next(iter(past.stored.ends.items()))
    past.stored.ends[process] = replace(end, outage=end.outage + 1)


def end_in_the_row_only(past: Past) -> None:
    past.stored = replace(past.stored, row=replace(past.stored.row, status="finished"))


def mistake_the_deadline(past: Past) -> None:
    past.stored = replace(past.stored, row=replace(past.stored.row, deadline=None))


def credit_twice(past: Past) -> None:
    data: dict[str, Json] = {"outage": 1, "ms": 5, "seats": [0]}
    credit = LogEntry(len(past.entries) + 1, "clock_credited", past.entries[-1].at, data=data)
    past.rows(*past.entries, credit, replace(credit, seq=credit.seq + 1))


@pytest.mark.parametrize(
    ("spoil", "by"),
    [
        (cut_out, "gap"),
        (cut_off, "lost"),
        (send_late, "order"),
        (append_a_key_again, "double"),
        (append_an_answer_again, "unfit"),
        (append_another_key, "stranger"),
        (change_who, "stranger"),
        (show_another_view, "view"),
        (show_what_is_to_come, "view"),
        (show_early, "early"),
        (show_the_past, "back"),
        (leave_out_an_event, "stream"),
        (tell_an_event_twice, "stream"),
        (stand_elsewhere, "behind"),
        (end_in_the_row_only, "row"),
        (mistake_the_deadline, "row"),
        (credit_twice, "credit"),
    ],
)
def test_each_check_finds_what_it_is_for(past: Past, spoil: Callable[[Past], None], by: str) -> None:
    spoil(past)
    assert by in {wrong.check for wrong in check(past.notes, [past.stored])}

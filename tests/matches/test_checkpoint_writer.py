"""Stored checkpoints: a restart begins there, and nobody sees a difference; the log stays the truth."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar, cast

import pytest
from sqlalchemy import Connection, update

from game.choices import draw
from game.contract import Seat, Watcher
from game.registry import KEYS, get
from game.replay import Entry
from game.rng import Rng
from server.admin.replay import verify_matches
from server.clock import rfc3339
from server.matches import checkpoint, checkpoint_writer, matchlog
from server.matches.agreement import Agreement
from server.matches.checkpoint import Left
from server.matches.checkpoint_writer import CheckpointWriter
from server.matches.match import Match
from server.matches.matchlog import MatchLog
from server.matches.model import NewMatch
from server.matches.playable import terms_of
from server.store import checkpoints, tables
from server.store.checkpoints import StoredCheckpoint
from server.store.choose import open_database
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, Table, open_matches
from tests.waiting import PATIENCE_S


def played(game: str, clock: FakeClock, entries: int) -> MatchLog:
    """Play at random; a credit and a leaver on the way."""
    matchlog = MatchLog(terms_of(NewMatch(Agreement(game), (MIRA, TARN), seed=bytes(32)), clock))
    chance = Rng(bytes(32))
    while matchlog.head.is_live and len(matchlog.entries) < entries:
        owed = matchlog.head.pending[0]
        action, chance = draw(owed.choice, chance)
        seq = matchlog.head.seq + 1
        at = rfc3339(clock.now() + timedelta(seconds=3.5 * seq))
        if seq % 9 == 4:
            matchlog.absorb(Entry(seq, "clock_credited", None, None, at, {"ms": 700, "seats": [0], "outage": seq}))
        else:
            matchlog.absorb(Entry(seq, "action", owed.seat, action.text, at))
    return matchlog


@pytest.mark.parametrize("game", KEYS)
def test_a_kept_standing_reads_back_equal_in_every_game(game: str, clock: FakeClock) -> None:
    matchlog = played(game, clock, 60)
    for seq in range(0, matchlog.head.seq):
        checkpoint = matchlog.at(seq)
        kept = checkpoint_writer.write("m", get(game), checkpoint)
        assert checkpoint_writer.read(kept, get(game), matchlog.head.clocks.speed, matchlog.head.seq) == checkpoint


def test_who_gave_up_and_who_is_away_is_kept_too(clock: FakeClock) -> None:
    matchlog = played("relati", clock, 5)
    checkpoint = replace(
        matchlog.head,
        left=(Left(Seat(1), frozenset((Seat(0), Seat(1))), 7, for_good=False),),
        fold=replace(matchlog.head.fold, away=frozenset((Seat(1),)), bots=(None, "normal")),
    )
    kept = checkpoint_writer.write("m", get("relati"), checkpoint)
    assert checkpoint_writer.read(kept, get("relati"), checkpoint.clocks.speed, 5) == checkpoint


def test_what_other_code_kept_is_not_read(clock: FakeClock) -> None:
    checkpoint = played("rainet", clock, 8).head
    kept = checkpoint_writer.write("m", get("rainet"), checkpoint)
    speed = checkpoint.clocks.speed
    assert checkpoint_writer.read(kept, get("rainet"), speed, 8) == checkpoint
    assert checkpoint_writer.read(replace(kept, rules="0" * 64), get("rainet"), speed, 8) is None
    assert checkpoint_writer.read(kept, get("rainet"), speed, 7) is None, "the log is shorter"
    assert checkpoint_writer.read(replace(kept, data="{}"), get("rainet"), speed, 8) is None
    assert checkpoint_writer.read(replace(kept, data="no JSON"), get("rainet"), speed, 8) is None


async def test_of_two_processes_the_one_that_passes_a_mark_stores_the_checkpoint(clock: FakeClock) -> None:
    checkpoint, mark = played("rainet", clock, 8).head, checkpoint_writer.KEEP_AFTER
    writer, rows = CheckpointWriter(cast(Any, Rows())), Rows.kept
    rows.clear()
    writer.record("m", get("rainet"), replace(checkpoint, fold=replace(checkpoint.fold, seq=mark - 1)))
    await writer.keep()
    assert rows == [], "nothing is worth it yet"
    writer.kept_elsewhere("m", mark + 1)
    writer.record("m", get("rainet"), replace(checkpoint, fold=replace(checkpoint.fold, seq=mark + 2)))
    await writer.keep()
    assert rows == [], "the other process has passed this mark"
    for seq in (2 * mark, 2 * mark + 1):
        writer.record("m", get("rainet"), replace(checkpoint, fold=replace(checkpoint.fold, seq=seq)))
    await writer.keep()
    writer.record("m", get("rainet"), replace(checkpoint, fold=replace(checkpoint.fold, seq=3 * mark - 1)))
    await writer.keep()
    assert [row.seq for row in rows] == [2 * mark + 1]


async def test_a_match_that_is_forgotten_while_checkpoints_are_stored_is_not_remembered(clock: FakeClock) -> None:
    """Its mark came back after the match had been forgotten: it stayed for good, and the next owner kept nothing."""
    checkpoint, mark = played("rainet", clock, 8).head, checkpoint_writer.KEEP_AFTER
    writer, rows = CheckpointWriter(cast(Any, Rows())), Rows.kept
    rows.clear()
    past_mark = replace(checkpoint, fold=replace(checkpoint.fold, seq=mark))
    writer.record("m", get("rainet"), past_mark)
    keeping = asyncio.create_task(writer.keep())
    await asyncio.sleep(0)
    writer.forget("m")
    await keeping
    writer.record("m", get("rainet"), past_mark)
    await writer.keep()
    assert [row.seq for row in rows] == [mark, mark]


class Rows:
    """A database that notes the checkpoints it is given."""

    kept: ClassVar[list[StoredCheckpoint]] = []

    async def write(self, _work: object, rows: Sequence[StoredCheckpoint] = ()) -> None:
        self.kept.extend(rows)


@pytest.fixture
def every_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_writer, "KEEP_AFTER", 1)


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note each entry that is folded."""
    seqs: list[int] = []
    real = checkpoint.after

    def after(game: Any, checkpoint: Any, entry: Entry) -> Any:
        seqs.append(entry.seq)
        return real(game, checkpoint, entry)

    monkeypatch.setattr(matchlog, "after", after)
    return seqs


async def kept_at(table: Table, match: Match, seq: int) -> None:
    """Play to entry `seq`, and keep how it stands then."""
    await table.play_on(match, lambda: match.live.shown.seq >= seq)
    await table.matches.context.checkpoint_writer.keep()


async def stored(table: Table, match_id: str) -> StoredCheckpoint | None:
    return await table.matches.context.database.read(checkpoints.of, match_id)


@pytest.mark.usefixtures("every_entry")
async def test_after_a_restart_only_what_came_since_is_folded(url: str, clock: FakeClock, folded: list[int]) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)
        kept = await stored(table, match.id)
        assert kept is not None
        await table.play_on(match, lambda: match.live.shown.seq >= 9)
        last, before = match.live.shown.seq, {viewer: match.snapshot(viewer) for viewer in (Seat(0), Watcher.PUBLIC)}
        events = match.events(Watcher.PUBLIC)
        checkpoint, third = match.live.log.head, match.live.log.at(3)
    folded.clear()
    async with open_matches(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert [seq for seq in folded if seq <= last] == list(range(kept.seq + 1, last + 1))
        assert match.live.log.at(last) == checkpoint
        for viewer, snapshot in before.items():
            again = match.snapshot(viewer)
            assert (again.view, again.pending, again.seq) == (snapshot.view, snapshot.pending, snapshot.seq)
        assert match.events(Watcher.PUBLIC, last - 1) == [event for event in events if event.seq >= last]
        assert match.live.log.begins_at == kept.seq, "nobody has asked for the beginning"
        assert await table.matches.open(match.id) is match
        assert match.live.log.begins_at == 0
        assert match.events(Watcher.PUBLIC)[: len(events)] == events
        assert match.live.log.at(3) == third


@pytest.mark.usefixtures("every_entry")
async def test_who_asks_at_once_for_the_beginning_gets_it(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 7)
        events, second = match.events(Seat(1)), match.live.log.at(2)
    async with open_matches(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert match.live.log.begins_at > 2
        assert match.live.log.at(2) == second
        assert match.events(Seat(1))[: len(events)] == events
    async with open_matches(url, clock, start=False) as table:
        opened = await asyncio.gather(*(table.matches.open(match.id) for _ in range(3)))
        assert opened[0].events(Seat(1))[: len(events)] == events


@pytest.mark.usefixtures("every_entry")
async def test_a_standing_that_does_not_follow_from_the_log_gives_way_to_it(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)
        await table.play_on(match, lambda: match.live.shown.seq >= 8)
        kept, truth = await stored(table, match.id), match.live.log.head
        assert kept is not None
    data = {**json.loads(kept.data), "banks": [1000, 1000]}
    wrong = replace(kept, data=json.dumps(data))
    database = await open_database(url)
    await database.write(checkpoints.keep, [wrong])
    said: list[tuple[str, list[str]]] = []
    assert (await verify_matches(database, lambda *told: said.append(told))).differ == 1
    assert said == [(match.id, [f"checkpoint: another one is stored after entry {kept.seq}"])]
    async with open_matches(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert match.live.log.head.clocks.banks != truth.clocks.banks
        await table.matches.open(match.id)
        assert match.live.log.at(truth.seq) == truth
        async with asyncio.timeout(PATIENCE_S):
            while await stored(table, match.id) is not None:
                await asyncio.sleep(0.01)
    await database.close()


@pytest.mark.usefixtures("every_entry")
async def test_a_changed_byte_is_found_and_the_log_is_folded(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)

        def damage(connection: Connection) -> None:
            connection.execute(update(tables.checkpoints).values(seq=tables.checkpoints.c.seq - 1))

        await table.matches.context.database.write(damage)
        assert await stored(table, match.id) is None
    async with open_matches(url, clock, start=False) as table:
        assert (await table.matches.open(match.id, beginning=False)).live.log.begins_at == 0


@pytest.mark.usefixtures("every_entry")
async def test_nothing_is_kept_of_what_has_ended(url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_matches(url, clock, start=False) as table:
        match, other = await table.begin(MIRA, TARN, game="relati"), await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 4)
        await kept_at(table, other, 4)
        await match.resign(Seat(0))
        monkeypatch.setattr(checkpoint_writer, "TIDY_EVERY", 1)
        await table.matches.context.checkpoint_writer.keep()
        assert await stored(table, match.id) is None
        assert await stored(table, other.id) is not None

"""Standings that are kept: a restart begins there, and nobody sees a difference; the log stays the truth."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
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
from server.admin.replay import verify
from server.clock import rfc3339
from server.matches import keeping, line
from server.matches.keeping import Keeper
from server.matches.line import Line
from server.matches.match import Match
from server.matches.model import NewMatch
from server.matches.wanted import terms_of
from server.store import standings
from server.store.database import open_database
from server.store.standings import KeptStanding
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, Table, house


def played(game: str, clock: FakeClock, entries: int) -> Line:
    """Play at random; a credit and a leaver on the way."""
    line = Line(terms_of(NewMatch(game, {}, (MIRA, TARN), "normal", False, seed=bytes(32)), clock))
    chance = Rng(bytes(32))
    while line.head.is_live and len(line.entries) < entries:
        owed = line.head.pending[0]
        action, chance = draw(owed.choice, chance)
        seq = line.head.seq + 1
        at = rfc3339(clock.now() + timedelta(seconds=3.5 * seq))
        if seq % 9 == 4:
            line.absorb(Entry(seq, "clock_credited", None, None, at, {"ms": 700, "seats": [0], "outage": seq}))
        else:
            line.absorb(Entry(seq, "action", owed.seat, action.text, at))
    return line


@pytest.mark.parametrize("game", KEYS)
def test_a_kept_standing_reads_back_equal_in_every_game(game: str, clock: FakeClock) -> None:
    line = played(game, clock, 60)
    for seq in range(0, line.head.seq):
        stands = line.at(seq)
        kept = keeping.write("m", get(game), stands)
        assert keeping.read(kept, get(game), line.head.clocks.speed, line.head.seq) == stands


def test_who_gave_up_and_who_is_away_is_kept_too(clock: FakeClock) -> None:
    line = played("relati", clock, 5)
    stands = replace(
        line.head,
        gave_up=((Seat(1), frozenset((Seat(0), Seat(1)))),),
        fold=replace(line.head.fold, away=frozenset((Seat(1),)), bots=(None, "normal")),
    )
    kept = keeping.write("m", get("relati"), stands)
    assert keeping.read(kept, get("relati"), stands.clocks.speed, 5) == stands


def test_what_other_code_kept_is_not_read(clock: FakeClock) -> None:
    stands = played("rainet", clock, 8).head
    kept = keeping.write("m", get("rainet"), stands)
    speed = stands.clocks.speed
    assert keeping.read(kept, get("rainet"), speed, 8) == stands
    assert keeping.read(replace(kept, rules="0" * 64), get("rainet"), speed, 8) is None
    assert keeping.read(kept, get("rainet"), speed, 7) is None, "the log is shorter"
    assert keeping.read(replace(kept, data="{}"), get("rainet"), speed, 8) is None
    assert keeping.read(replace(kept, data="no JSON"), get("rainet"), speed, 8) is None


async def test_of_two_processes_the_one_that_passes_a_mark_keeps_the_standing(clock: FakeClock) -> None:
    stands, mark = played("rainet", clock, 8).head, keeping.KEEP_AFTER
    keeper, rows = Keeper(cast(Any, Rows())), Rows.kept
    rows.clear()
    keeper.note("m", get("rainet"), replace(stands, fold=replace(stands.fold, seq=mark - 1)))
    await keeper.keep()
    assert rows == [], "nothing is worth it yet"
    keeper.kept_elsewhere("m", mark + 1)
    keeper.note("m", get("rainet"), replace(stands, fold=replace(stands.fold, seq=mark + 2)))
    await keeper.keep()
    assert rows == [], "the other process has passed this mark"
    for seq in (2 * mark, 2 * mark + 1):
        keeper.note("m", get("rainet"), replace(stands, fold=replace(stands.fold, seq=seq)))
    await keeper.keep()
    keeper.note("m", get("rainet"), replace(stands, fold=replace(stands.fold, seq=3 * mark - 1)))
    await keeper.keep()
    assert [row.seq for row in rows] == [2 * mark + 1]


class Rows:
    """A database that notes the standings it is given."""

    kept: ClassVar[list[KeptStanding]] = []

    async def write(self, _work: object, rows: Sequence[KeptStanding] = ()) -> None:
        self.kept += rows


@pytest.fixture
def every_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "KEEP_AFTER", 1)


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Note each entry that is folded."""
    seqs: list[int] = []
    real = line.after

    def after(game: Any, standing: Any, entry: Entry) -> Any:
        seqs.append(entry.seq)
        return real(game, standing, entry)

    monkeypatch.setattr(line, "after", after)
    return seqs


async def kept_at(table: Table, match: Match, seq: int) -> None:
    """Play to entry `seq`, and keep how it stands then."""
    await table.play_on(match, lambda: match.shown.seq >= seq)
    await table.matches.house.keeper.keep()


async def stored(table: Table, match_id: str) -> KeptStanding | None:
    return await table.matches.house.database.read(standings.of, match_id)


@pytest.mark.usefixtures("every_entry")
async def test_after_a_restart_only_what_came_since_is_folded(url: str, clock: FakeClock, folded: list[int]) -> None:
    async with house(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)
        kept = await stored(table, match.id)
        assert kept is not None
        await table.play_on(match, lambda: match.shown.seq >= 9)
        last, before = match.shown.seq, {viewer: match.snapshot(viewer) for viewer in (Seat(0), Watcher.PUBLIC)}
        events = match.events(Watcher.PUBLIC)
        standing, third = match.line.head, match.line.at(3)
    folded.clear()
    async with house(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert [seq for seq in folded if seq <= last] == list(range(kept.seq + 1, last + 1))
        assert match.line.at(last) == standing
        for viewer, snapshot in before.items():
            again = match.snapshot(viewer)
            assert (again.view, again.pending, again.seq) == (snapshot.view, snapshot.pending, snapshot.seq)
        assert match.events(Watcher.PUBLIC, last - 1) == [event for event in events if event.seq >= last]
        assert match.line.begins_at == kept.seq, "nobody has asked for the beginning"
        assert await table.matches.open(match.id) is match
        assert match.line.begins_at == 0
        assert match.events(Watcher.PUBLIC)[: len(events)] == events
        assert match.line.at(3) == third


@pytest.mark.usefixtures("every_entry")
async def test_who_asks_at_once_for_the_beginning_gets_it(url: str, clock: FakeClock) -> None:
    async with house(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 7)
        events, second = match.events(Seat(1)), match.line.at(2)
    async with house(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert match.line.begins_at > 2
        assert match.line.at(2) == second
        assert match.events(Seat(1))[: len(events)] == events
    async with house(url, clock, start=False) as table:
        opened = await asyncio.gather(*(table.matches.open(match.id) for _ in range(3)))
        assert opened[0].events(Seat(1))[: len(events)] == events


@pytest.mark.usefixtures("every_entry")
async def test_a_standing_that_does_not_follow_from_the_log_gives_way_to_it(url: str, clock: FakeClock) -> None:
    async with house(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)
        await table.play_on(match, lambda: match.shown.seq >= 8)
        kept, truth = await stored(table, match.id), match.line.head
        assert kept is not None
    data = {**json.loads(kept.data), "banks": [1000, 1000]}
    wrong = replace(kept, data=json.dumps(data))
    database = await open_database(url)
    await database.write(standings.keep, [wrong])
    said: list[tuple[str, list[str]]] = []
    assert (await verify(database, lambda *told: said.append(told))).differ == 1
    assert said == [(match.id, [f"standing: another one is kept after entry {kept.seq}"])]
    async with house(url, clock, start=False) as table:
        match = await table.matches.open(match.id, beginning=False)
        assert match.line.head.clocks.banks != truth.clocks.banks
        await table.matches.open(match.id)
        assert match.line.at(truth.seq) == truth
        async with asyncio.timeout(30):
            while await stored(table, match.id) is not None:
                await asyncio.sleep(0.01)
    await database.close()


@pytest.mark.usefixtures("every_entry")
async def test_a_changed_byte_is_found_and_the_log_is_folded(url: str, clock: FakeClock) -> None:
    async with house(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 6)

        def damage(connection: Connection) -> None:
            connection.execute(update(standings.standings).values(seq=standings.standings.c.seq - 1))

        await table.matches.house.database.write(damage)
        assert await stored(table, match.id) is None
    async with house(url, clock, start=False) as table:
        assert (await table.matches.open(match.id, beginning=False)).line.begins_at == 0


@pytest.mark.usefixtures("every_entry")
async def test_nothing_is_kept_of_what_has_ended(url: str, clock: FakeClock) -> None:
    async with house(url, clock, start=False) as table:
        match, other = await table.begin(MIRA, TARN, game="relati"), await table.begin(MIRA, TARN, game="relati")
        await kept_at(table, match, 4)
        await kept_at(table, other, 4)
        await match.resign(Seat(0))
        table.matches.house.keeper._rounds = 0
        await table.matches.house.keeper.keep()
        assert await stored(table, match.id) is None
        assert await stored(table, other.id) is not None

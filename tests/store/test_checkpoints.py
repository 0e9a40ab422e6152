"""Checkpoints kept beside running matches, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import update

from server.store import checkpoints, tables
from server.store import matches as stored
from server.store import postgres as postgres_store
from server.store.checkpoints import StoredCheckpoint
from server.store.database import Database
from server.store.logwriter import LogWriter, store_batch
from tests.store.builders import START, append, match

KEPT = StoredCheckpoint("m1", 40, "ab" * 32, '{"state":"☃"}')


async def test_a_standing_takes_the_place_of_the_one_before(either: Database) -> None:
    for name in ("m1", "m2"):
        await either.write(stored.create, match(name))
    await either.write(checkpoints.keep, [KEPT])
    later, other = replace(KEPT, seq=80), replace(KEPT, match_id="m2")
    await either.write(checkpoints.keep, [later, other, replace(KEPT, match_id="nowhere")])
    assert await either.read(checkpoints.all_of, ["m1", "m2", "nowhere"]) == {"m1": later, "m2": other}
    await either.write(checkpoints.forget, "m1")
    assert await either.read(checkpoints.of, "m1") is None
    assert await either.read(checkpoints.of, "m2") == other


async def test_nothing_is_kept_of_a_match_that_has_ended(either: Database) -> None:
    for name in ("m1", "m2"):
        await either.write(stored.create, match(name))
    await either.write(checkpoints.keep, [KEPT, replace(KEPT, match_id="m2")])
    result = {"reason": "rainet.reason.links", "placements": [[1], [0]]}
    ends = append("m1", 1, stored.finish("m1", result, "ab" * 32, START))
    assert await either.write(store_batch, [ends], lock=not either.is_sqlite) == [None]
    assert await either.write(checkpoints.tidy) == 1
    await either.write(checkpoints.keep, [KEPT])
    assert await either.read(checkpoints.of, "m1") is None
    assert await either.read(checkpoints.of, "m2") is not None


async def test_a_row_of_which_a_byte_has_changed_is_not_read(either: Database) -> None:
    await either.write(stored.create, match("m1"))
    await either.write(checkpoints.keep, [KEPT])
    await either.write(lambda connection: connection.execute(update(tables.checkpoints).values(seq=41)) and None)
    assert await either.read(checkpoints.of, "m1") is None


@pytest.mark.services
async def test_keepers_and_writers_of_the_same_matches_never_wait_in_a_circle(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "GIVEN_UP_TIMES", 0)
    names = [f"m{i:02}" for i in range(20)]
    for name in names:
        await postgres.write(stored.create, match(name))
    writer = LogWriter(postgres)
    writer.start()

    async def keep(order: list[str]) -> None:
        for seq in range(1, 31):
            await postgres.write(checkpoints.keep, [replace(KEPT, match_id=name, seq=seq) for name in order])

    async def play() -> None:
        for seq in range(1, 31):
            await asyncio.gather(*(writer.append(append(name, seq)) for name in names))

    await asyncio.gather(keep(names), keep(names[::-1]), play())
    await writer.close()
    assert {kept.seq for kept in (await postgres.read(checkpoints.all_of, names)).values()} == {30}

"""Where players came from, and what is withheld of matches that have just ended, on both databases."""

from __future__ import annotations

from datetime import timedelta

from server.store import matches as stored
from server.store import origins, withheld
from server.store.database import Database
from server.store.logwriter import store_batch
from tests.store.builders import START, append, match

ONE, OTHER = "ab" * 32, "cd" * 32


async def test_origins_are_kept_while_a_match_runs_and_dropped_when_its_end_is_known(either: Database) -> None:
    for name in ("m1", "m2"):
        await either.write(stored.create, match(name))
    await either.write(origins.add, "m1", {ONE})
    await either.write(origins.add, "m1", {ONE, OTHER})
    await either.write(origins.add, "m2", {ONE})
    await either.write(origins.add, "nowhere", {ONE})
    kept = {"m1": frozenset((ONE, OTHER)), "m2": frozenset((ONE,))}
    assert await either.read(origins.all_of, ["m1", "m2", "nowhere"]) == kept
    ends = append("m1", 1, stored.finish("m1", {"reason": "rainet.reason.links", "placements": [[1], [0]]}, ONE, START))
    assert await either.write(store_batch, [ends], lock=not either.is_sqlite) == [None]
    assert await either.write(origins.tidy, START) == 0, "its end may be withheld still"
    known = START + withheld.LONGEST + origins.SLACK + timedelta(seconds=1)
    assert await either.write(origins.tidy, known) == 2
    await either.write(origins.add, "m1", {ONE})
    assert await either.read(origins.of, "m1") == frozenset(), "nothing is kept of a match that has ended"
    await either.write(origins.forget, "m2")
    assert await either.read(origins.of, "m2") == frozenset()


async def test_one_damaged_row_of_a_match_that_had_just_ended_broke_every_list(database: Database) -> None:
    for name in ("m1", "m2"):
        await database.write(stored.create, match(name))
        result = {"reason": "rainet.reason.links", "placements": [[1], [0]]}
        ending = append(name, 1, stored.finish(name, result, ONE, START))
        assert await database.write(store_batch, [ending], lock=False) == [None]
    damaged = "UPDATE entries SET data = '{' WHERE match_id = 'm1'"
    await database.write(lambda connection: connection.exec_driver_sql(damaged) and None)
    assert await database.read(withheld.ended, START) == {}

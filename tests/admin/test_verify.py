"""Playing stored matches again: what agrees, and that one changed byte is noticed."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import Connection

from server.admin.replay import differences, verify_matches
from server.store import matches
from server.store.database import Database
from server.store.logwriter import LogWriter
from tests import seeds
from tests.admin.played import play_and_store
from tests.store.builders import append


async def found(database: Database) -> dict[str, list[str]]:
    bad: dict[str, list[str]] = {}
    await verify_matches(database, bad.__setitem__)
    return bad


async def test_matches_that_were_played_agree(either: Database) -> None:
    for i in range(6):
        await play_and_store(either, f"m{i}", i)
    await play_and_store(either, "running", 7, entries=20)
    await play_and_store(either, "fresh", 8, entries=0)
    bad: dict[str, list[str]] = {}
    tally = await verify_matches(either, bad.__setitem__)
    assert (tally.matches, tally.differ, bad) == (8, 0, {})


CHANGES = {
    "an action": "UPDATE entries SET action = 'c2c4' WHERE seq = 30",
    "the last action": "UPDATE entries SET action = 'e1e2' WHERE seq = (SELECT max(seq) FROM entries)",
    "a moment": "UPDATE entries SET at = at + 1 WHERE seq = 5",
    "a seat": "UPDATE entries SET seat = 1 - seat WHERE seq = 12",
    "a kind": "UPDATE entries SET kind = 'setting' WHERE seq = 12",
    "what stands beside an entry": "UPDATE entries SET data = '{\"x\":1}' WHERE seq = 3",
    "a missing entry": "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)",
    "the result": "UPDATE matches SET result = replace(result, '0', '1')",
    "the reason": "UPDATE matches SET result = replace(result, 'r', 's')",
    "the state's hash": "UPDATE matches SET state_hash = 'f' || substr(state_hash, 2) || ''",
    "the log's hash": "UPDATE matches SET log_hash = replace(log_hash, substr(log_hash, 9, 1), 'x')",
    "the commitment": "UPDATE matches SET commitment = replace(commitment, substr(commitment, 9, 1), 'x')",
    "the seed": "UPDATE matches SET seed = zeroblob(32)",
    "the options": "UPDATE matches SET options = '{\"x\":true}'",
    "options that are no JSON": "UPDATE matches SET options = '{'",
    "data that is no JSON": "UPDATE entries SET data = '}' WHERE seq = 3",
    "the options' shape": "UPDATE matches SET options = '[1]'",
    "the data's shape": "UPDATE entries SET data = '[1]' WHERE seq = 3",
    "a seat that is not there": "UPDATE entries SET seat = 9 WHERE seq = 12",
    "the result's shape": "UPDATE matches SET result = '[]'",
    "who sat there": "UPDATE seats SET guest_id = 'b' WHERE seat = 0",
    "the status": "UPDATE matches SET status = 'live'",
    "the log's end": "UPDATE matches SET last_seq = last_seq + 1",
}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_change_is_noticed(database: Database, what: str) -> None:
    await play_and_store(database, "m1", 3)
    assert await found(database) == {}
    change = CHANGES[what].replace("'f' ||", "CASE substr(state_hash,1,1) WHEN 'f' THEN 'e' ELSE 'f' END ||")
    await database.write(lambda c: c.exec_driver_sql(change))
    assert list(await found(database)) == ["m1"]


async def test_any_one_byte_of_an_action_is_noticed(database: Database) -> None:
    await play_and_store(database, "m1", 4)
    seed = seeds.drawn()
    rng = random.Random(seed)
    [(match, log)] = await database.read(matches.with_logs, await database.read(matches.ids_after, "", 10))

    def change(connection: Connection, seq: int, text: str) -> None:
        connection.exec_driver_sql("UPDATE entries SET action = ? WHERE seq = ?", (text, seq))

    for _ in range(60):
        entry = rng.choice([e for e in log if e.action])
        assert entry.action
        at = rng.randrange(len(entry.action))
        other = rng.choice([c for c in "abcdefgh12345678 -x" if c != entry.action[at]])
        changed = entry.action[:at] + other + entry.action[at + 1 :]
        await database.write(change, entry.seq, changed)
        assert list(await found(database)) == ["m1"], (entry, changed)
        await database.write(change, entry.seq, entry.action)
    assert differences(match, log) == []


async def test_it_works_while_matches_go_on(either: Database) -> None:
    await play_and_store(either, "m1", 5, entries=10)
    match = await either.read(matches.get, "m1")
    assert match is not None
    writer = LogWriter(either)
    writer.start()
    assert await found(either) == {}
    with pytest.raises(Exception, match="seq-taken"):
        await writer.append(append("m1", 3))
    await writer.close()
    assert await found(either) == {}


async def test_a_match_whose_rows_can_not_be_read_hides_no_other(database: Database) -> None:
    """Verifying ended there, with a trace and without a name."""
    for i in range(3):
        await play_and_store(database, f"m{i}", i)
    spoilt = ("UPDATE matches SET options = '{' WHERE id = 'm0'", "UPDATE matches SET state_hash = 'x' WHERE id = 'm2'")
    for change in spoilt:
        await database.write(lambda connection, said=change: connection.exec_driver_sql(said))  # type: ignore[misc]
    bad = await found(database)
    assert sorted(bad) == ["m0", "m2"]
    assert bad["m0"][0].startswith("rows: ")

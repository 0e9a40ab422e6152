"""Rules that change: a match that began under older ones goes on under them, through an upgrade to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import update

from game import registry
from game.contract import Seat
from game.record import Record, read_record, verify
from server.admin.replay import verify_matches
from server.clock import rfc3339
from server.matches.match import Match
from server.matches.matchlog import to_log
from server.matches.next_match import rematch_of, second_game
from server.store import matches as store
from server.store import tables
from server.store.appends import Append
from server.store.logwriter import LogWriter
from server.store.matches import StoredMatch, StoredSeat
from tests.clocks import FakeClock
from tests.conformance.play import version_in
from tests.golden.released.written import FOLDER, read
from tests.matches.table import EASY, MIRA, TARN, ZOE, Table, open_matches

CORP, RUNNER = Seat(0), Seat(1)
STORED = 120  # entries that the release before had written


def released() -> Record:
    """Return a match of version 1 that ends by agendas."""
    return read(FOLDER / "netrunner" / "1" / "jinteki-criminal.jsonl")


async def store_beginning(table: Table, record: Record) -> str:
    """Store the first entries of a match as the release that knew only version 1 did."""
    now = table.clock.now() - timedelta(seconds=STORED + 1)
    brought: list[Mapping[str, Any]] = [dict(one) for one in record.header.seat_options]
    seats = [
        StoredSeat("account", person.name, account_id=person.account_id, options=one)
        for person, one in zip((MIRA, TARN), brought, strict=True)
    ]
    stored = StoredMatch(
        id="before",
        game="netrunner",
        rules_version=1,
        options=cast(Any, record.header.options),
        seed=record.header.seed,
        commitment=record.commitment,
        speed="daily",
        rated=False,
        private=False,
        started_at=now,
        seats=tuple(seats),
    )
    await table.database.write(store.create, stored)
    writer = LogWriter(table.database)
    writer.start()
    moments = [replace(one, at=rfc3339(now + timedelta(seconds=one.seq)), data={}) for one in record.entries[:STORED]]
    await writer.append(Append(stored.id, tuple(map(to_log, moments))))
    await writer.close()
    return stored.id


async def disagreeing(table: Table) -> list[str]:
    """Return the matches that `patchbay verify` complains of."""
    found: list[str] = []
    await verify_matches(table.database, lambda match_id, _: found.append(match_id))
    return found


async def let_show(table: Table, match: Match) -> None:
    """Let the time pass for which the last pass of a window is withheld."""
    await table.database.settle()
    while (reveal := match.live.log.next_reveal) is not None and match.live.shown is not match.live.log.head:
        table.skip((reveal - table.clock.now()).total_seconds())
        await table.database.settle()


async def test_a_match_of_the_release_before_ends_as_it_would_have_ended_there(url: str, clock: FakeClock) -> None:
    """A process knew one version of each game's rules: the match stood still for ever after an upgrade."""
    record = released()
    async with open_matches(url, clock, start=False) as before:
        match_id = await store_beginning(before, record)
    async with open_matches(url, clock, start=False) as after:
        assert registry.get("netrunner").version > 1
        assert await disagreeing(after) == []
        match = await after.matches.open(match_id)
        for entry in record.entries[STORED:]:
            assert entry.seat is not None
            await let_show(after, match)
            if entry.seq > match.live.log.head.seq:  # else the server has passed for a seat that could do nothing
                await after.play(match, entry.seat, entry.action or "")
        await let_show(after, match)
        assert [(one.seat, one.action) for one in match.live.log.entries] == [
            (e.seat, e.action) for e in record.entries
        ]
        assert match.is_over
        assert match.snapshot(CORP).result == record.result
        lines = list(await after.matches.record(match_id))
        told = read_record(lines)
        assert (told.header.rules_version, told.state_hash) == (1, record.state_hash)
        assert verify(read_record(lines)).agrees
        assert await disagreeing(after) == []


async def test_a_new_match_is_played_under_the_newest_rules_and_so_is_a_rematch(table: Table) -> None:
    old = await table.begin(MIRA, TARN, game="netrunner", rules_version=1)
    new = await table.begin(MIRA, TARN, game="netrunner")
    assert (old.terms.rules_version, new.terms.rules_version) == (1, registry.get("netrunner").version)
    assert rematch_of(old.terms).rules_version is None


async def test_the_second_game_of_two_is_played_under_the_rules_of_the_first(table: Table) -> None:
    first = await table.begin(MIRA, TARN, game="netrunner", options={"both_sides": True}, rules_version=1)
    assert second_game(first.terms, None).rules_version == 1


async def test_playing_on_from_an_old_match_goes_by_its_rules(table: Table) -> None:
    old = await table.begin(MIRA, TARN, game="netrunner", speed="daily", rules_version=1)
    for _ in range(6):
        await table.play_any(old, old.live.shown.pending[0].seat)
        await let_show(table, old)
    await old.resign(RUNNER)
    again = await table.matches.branch(old.id, ZOE, 4, CORP)
    assert again.terms.rules_version == 1
    assert version_in(again.live.log.game, again.live.log.head.fold.state) == 1


async def test_a_kept_standing_of_an_old_match_is_of_its_version(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as before:
        old = await before.begin(MIRA, TARN, game="netrunner", speed="daily", rules_version=1)
        while old.live.log.head.seq < 40:
            await before.play_any(old, old.live.shown.pending[0].seat)
            await let_show(before, old)
        await before.matches.context.checkpoint_writer.keep()
    async with open_matches(url, clock) as after:
        match = await after.matches.open(old.id, beginning=False)
        assert match.live.log.begins_at > 0
        assert version_in(match.live.log.game, match.live.log.head.fold.state) == 1
        assert await disagreeing(after) == []


async def test_a_bot_plays_an_old_match_to_its_end(table: Table) -> None:
    match = await table.begin(EASY, EASY, game="netrunner", speed="daily", rules_version=1)
    for _ in range(4000):
        if match.is_over:
            break
        await table.wait(1)
    assert match.is_over
    assert verify(read_record(await table.matches.record(match.id))).agrees


async def test_a_match_under_rules_of_the_future_is_unreadable(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as before:
        match_id = (await before.begin(MIRA, TARN, game="netrunner")).id
        await before.database.write(
            lambda connection: connection.execute(
                update(tables.matches).where(tables.matches.c.id == match_id).values(rules_version=99)
            )
        )
        assert await disagreeing(before) == [match_id]

"""What two processes do at the same moment on PostgreSQL: neither harms the other, and readers miss nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from server.accounts.accounts import Accounts
from server.accounts.decks import Decks
from server.accounts.errors import AccountError
from server.accounts.rate_limits import WRONG_CODES_PER_HOUR
from server.config import Limits
from server.errors import RateLimited, Refused
from server.store import accounts, arrangements, checkpoints, conduct, decks, matches, outages, processes, vacations
from server.store.accounts import StoredKey
from server.store.arrangements import StoredOffer
from server.store.checkpoints import StoredCheckpoint
from server.store.decks import StoredDeck
from server.store.postgres import PostgresDatabase
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.store.builders import START, match

pytestmark = pytest.mark.services
Work = Callable[[Connection], Any]
A_MOMENT_S = 0.3  # in which the second one comes as far as it can while the first has not committed


@asynccontextmanager
async def under_way(database: PostgresDatabase, first: Work, second: Work) -> AsyncIterator[None]:
    """Do two units of work of which the second begins before the first is committed; in between they are looked at."""
    async with database.engine.begin() as connection:
        await connection.run_sync(first)
        other = asyncio.create_task(database.write(second))
        await asyncio.wait([other], timeout=A_MOMENT_S)
        yield
    await other


@pytest.fixture
async def mira(postgres: PostgresDatabase) -> int:
    for handle in ("mira", "tarn"):
        account = await postgres.write(accounts.create, handle, [handle], START)
    assert account.id == 2
    return 1


async def test_no_order_is_missed_though_one_is_given_while_another_is_not_committed(
    postgres: PostgresDatabase,
) -> None:
    def give(kind: str) -> Work:
        return lambda connection: processes.give_order(connection, kind, {}, START)

    async with under_way(postgres, give("void"), give("block")):
        heard = await postgres.read(processes.orders_after, 0)
    last = heard[-1].id if heard else 0
    heard += await postgres.read(processes.orders_after, last)
    assert sorted(order.kind for order in heard) == ["block", "void"]


async def test_an_outage_that_two_processes_notice_at_once_is_counted_once(postgres: PostgresDatabase) -> None:
    def note(began_s: int, ended_s: int) -> Work:
        began, ended = START + timedelta(seconds=began_s), START + timedelta(seconds=ended_s)
        return lambda connection: outages.record(connection, began, ended)

    async with under_way(postgres, note(0, 30), note(1, 31)):
        pass
    noted = await postgres.read(outages.since, 0, START)
    assert sum(((one.ended - one.began).total_seconds() for one in noted), 0.0) == 31


@pytest.mark.parametrize(
    "work",
    [
        lambda connection: accounts.save_preferences(connection, 1, {"language": "en"}),
        lambda connection: accounts.set_role(connection, 1, "moderator", True),
        lambda connection: conduct.block(connection, 1, 2, START),
        lambda connection: arrangements.make(connection, "m1", StoredOffer("draw", 0, 3)),
        lambda connection: checkpoints.keep(connection, [StoredCheckpoint("m1", 40, "rules", "{}")]),
    ],
    ids=["preferences", "role", "block", "offer", "standing"],
)
async def test_the_same_thing_from_two_terminals_at_once_is_stored_once(
    postgres: PostgresDatabase, mira: int, work: Work
) -> None:
    await postgres.write(matches.create, match("m1"))
    async with under_way(postgres, work, work):
        pass


async def test_of_two_last_keys_taken_away_at_once_one_stays(postgres: PostgresDatabase, mira: int) -> None:
    for name in ("SHA256:a", "SHA256:b"):
        await postgres.write(accounts.add_key, StoredKey(name, mira, f"ssh-ed25519 {name}", START))
    service = Accounts(postgres, FakeClock(), Limits())

    def take_the_first(connection: Connection) -> None:
        accounts.lock(connection, mira)
        accounts.lock(connection, mira)
        accounts.remove_key(connection, mira, "SHA256:a")

    async with postgres.engine.begin() as connection:
        await connection.run_sync(take_the_first)
        other = asyncio.create_task(service.keys.remove(mira, "SHA256:b"))
        await asyncio.wait([other], timeout=A_MOMENT_S)
    with pytest.raises(AccountError, match=r"key\.last"):
        await other
    assert [key.fingerprint for key in await service.keys.of(mira)] == ["SHA256:b"]


async def test_who_guesses_codes_on_many_connections_at_once_has_no_more_tries(postgres: PostgresDatabase) -> None:
    service = Accounts(postgres, FakeClock(), Limits())
    guesses = [
        service.keys.link(f"guess{n:05}", public_key(f"key{n}"), "192.0.2.1") for n in range(WRONG_CODES_PER_HOUR + 8)
    ]
    outcomes = Counter(type(one) for one in await asyncio.gather(*guesses, return_exceptions=True))
    assert outcomes == {AccountError: WRONG_CODES_PER_HOUR, RateLimited: 8}


async def test_a_vacation_that_is_begun_at_two_terminals_at_once_is_one(postgres: PostgresDatabase, mira: int) -> None:
    """Both found that there was none, and more days were taken than a year has."""

    def take(days: int) -> Work:
        return lambda connection: vacations.begin(connection, mira, days, START + timedelta(seconds=days))

    with pytest.raises(Refused, match=r"vacation\.error\.taken"):
        async with under_way(postgres, take(10), take(9)):
            pass
    assert (await postgres.read(vacations.of, mira, START)).days_left == 4


async def test_a_deck_that_is_saved_at_two_terminals_at_once_is_one(postgres: PostgresDatabase, mira: int) -> None:
    """Both found the name free, and the second one met an error of ours."""
    service = Decks(postgres, FakeClock())
    deck = StoredDeck(0, "netrunner", 1, "Fast", "3 Diesel", START)

    def save_the_first(connection: Connection) -> None:
        accounts.lock(connection, mira)
        decks.save(connection, mira, deck)

    async with postgres.engine.begin() as connection:
        await connection.run_sync(save_the_first)
        other = asyncio.create_task(service.save(mira, replace(deck, list="2 Diesel")))
        await asyncio.wait([other], timeout=A_MOMENT_S)
    await other
    assert [one.list for one in await service.of(mira)] == ["2 Diesel"]

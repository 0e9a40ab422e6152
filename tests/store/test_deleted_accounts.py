"""Who deletes an account while something begins with it: it began all the same, under the old handle."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from server.accounts.accounts import delete_account
from server.store import accounts, arrangements, lobby, matches, processes
from server.store.accounts import person_key
from server.store.database import Database
from server.store.errors import AccountGone
from server.store.lobby import Booking, StoredSeek
from server.store.matches import StoredSeat
from server.store.postgres import PostgresDatabase
from tests.store.builders import START, match
from tests.store.test_side_by_side import Work, under_way

MATCH = match("m1", StoredSeat("account", "mira", 1), StoredSeat("account", "tarn", 2))
DELETE = partial(delete_account, account_id=1, now=START)
ROOM = {"host": person_key(1, None), "stands_until": "later"}
CREATE = partial(arrangements.create, stored=MATCH, data={}, after=None)


def seek(account_id: int) -> StoredSeek:
    """Return a seek of an account."""
    return StoredSeek(f"s{account_id}", f"t{account_id}", person_key(account_id, None), "p1", START, {})


def book(connection: Connection) -> list[bool]:
    """Store the match, if neither of two seeks is gone."""
    persons = [seek(one).person for one in (1, 2)]
    return lobby.book(connection, [Booking(MATCH, {}, ["s1", "s2"], persons)], START, lock=True)


BEGINS: dict[str, Any] = {
    "match": CREATE,
    "seeks": partial(lobby.add_seeks, rows=[seek(1)]),
    "challenge": partial(lobby.add_room, code="K7QX", listed=True, data=ROOM, now=START),
}


async def two_accounts(database: Database) -> None:
    for handle in ("mira", "tarn"):
        await database.write(accounts.create, handle, [handle], START)


@pytest.mark.parametrize("begins", BEGINS)
async def test_something_began_with_an_account_that_was_deleted(either: Database, begins: str) -> None:
    await two_accounts(either)
    await either.write(DELETE)
    with pytest.raises(AccountGone):
        await either.write(BEGINS[begins])


async def test_seeks_and_challenges_went_on_after_their_account(either: Database) -> None:
    await two_accounts(either)
    for begins in ("seeks", "challenge"):
        await either.write(BEGINS[begins])
    await either.write(DELETE)
    assert await either.read(lobby.all_rooms) == []
    with pytest.raises(AccountGone):
        await either.write(BEGINS["seeks"])


@pytest.mark.services
@pytest.mark.parametrize("begins", BEGINS)
async def test_something_began_while_its_account_was_deleted(postgres: PostgresDatabase, begins: str) -> None:
    await two_accounts(postgres)
    with pytest.raises(AccountGone):
        async with under_way(postgres, DELETE, BEGINS[begins]):
            pass
    assert await postgres.read(matches.get, "m1") is None


@pytest.mark.services
async def test_a_match_that_began_while_its_account_was_deleted_kept_the_old_handle(
    postgres: PostgresDatabase,
) -> None:
    await two_accounts(postgres)
    async with under_way(postgres, CREATE, DELETE):
        pass
    stored = await postgres.read(matches.get, "m1")
    assert stored is not None
    assert [held.name for held in stored.seats] == ["deleted-1", "tarn"]


@pytest.mark.services
async def test_a_challenge_that_was_made_while_its_account_was_deleted_stood_on(postgres: PostgresDatabase) -> None:
    await two_accounts(postgres)
    async with under_way(postgres, BEGINS["challenge"], DELETE):
        pass
    assert await postgres.read(lobby.all_rooms) == []


@pytest.mark.services
@pytest.mark.parametrize("is_first", [True, False])
async def test_two_were_paired_while_one_deleted_the_account(postgres: PostgresDatabase, is_first: bool) -> None:
    await two_accounts(postgres)
    await postgres.write(processes.arrive, "p1", 1, "here", START)
    await postgres.write(lobby.add_seeks, [seek(1), seek(2)])
    works: list[Work] = [DELETE, book]
    async with under_way(postgres, *(works if is_first else works[::-1])):
        pass
    stored = await postgres.read(matches.get, "m1")
    assert ([held.name for held in stored.seats] if stored else None) == (None if is_first else ["deleted-1", "tarn"])

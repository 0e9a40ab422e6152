"""Accounts that programs play for: marked once, for good after the first rated match; on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.accounts.accounts import Accounts
from server.accounts.errors import AccountError
from server.accounts.identity import Player
from server.accounts.machines import Machines
from server.config import Limits
from server.store import matches
from server.store.database import Database
from server.store.matches import StoredSeat
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.store.builders import match


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def accounts(either: Database, clock: FakeClock) -> Accounts:
    return Accounts(either, clock, Limits())


@pytest.fixture
def machines(either: Database, clock: FakeClock) -> Machines:
    return Machines(either, clock)


async def registered(accounts: Accounts, name: str) -> int:
    return (await accounts.register(name, public_key(name), "192.0.2.1")).account.id


async def begin(either: Database, clock: FakeClock, account_id: int, *, rated: bool, match_id: str) -> None:
    seats = StoredSeat("account", "ada", account_id), StoredSeat("account", "bob", None)
    await either.write(matches.create, match(match_id, *seats, game="rainet", rated=rated, started_at=clock.now()))


async def test_an_account_is_marked_wherever_a_player_is_made_of_it(machines: Machines, accounts: Accounts) -> None:
    ada = await registered(accounts, "ada")
    player = Player("account", "ada", account_id=ada)
    assert not machines.known.marked(player).is_machine
    assert await machines.declare(ada, "bot", None)
    assert not await machines.declare(ada, "bot", None), "it is one already"
    assert machines.known.marked(player) == replace(player, is_machine=True)
    assert machines.known.is_named("ada")
    assert ada in machines.known
    assert "is_machine" not in machines.known.marked(player).to_json(), "an earlier release reads players strictly"


async def test_the_mark_is_taken_back_until_the_first_rated_match_as_a_machine(
    either: Database, clock: FakeClock, machines: Machines, accounts: Accounts
) -> None:
    ada = await registered(accounts, "ada")
    await begin(either, clock, ada, rated=True, match_id="as-person")
    clock.shift(1)
    await machines.declare(ada, "bot", None)
    await begin(either, clock, ada, rated=False, match_id="casual")
    assert await machines.declare(ada, "person", None)
    assert not await machines.declare(ada, "person", None)
    assert ada not in machines.known
    await machines.declare(ada, "bot", None)
    await begin(either, clock, ada, rated=True, match_id="rated")
    with pytest.raises(AccountError) as refused:
        await machines.declare(ada, "person", None)
    assert refused.value.key == "machine.for-good"
    assert ada in machines.known


async def test_a_young_key_can_t_mark_an_account(clock: FakeClock, machines: Machines, accounts: Accounts) -> None:
    ada = await registered(accounts, "ada")
    clock.shift(1)
    code = await accounts.keys.make_code(ada, None)
    await accounts.keys.link(code, public_key("second"), "192.0.2.1")
    young = next(key.fingerprint for key in await accounts.keys.of(ada) if key.how == "code")
    with pytest.raises(AccountError) as refused:
        await machines.declare(ada, "bot", young)
    assert refused.value.key == "key.young"


async def test_another_process_learns_of_a_mark_and_of_a_new_handle(
    either: Database, clock: FakeClock, machines: Machines, accounts: Accounts
) -> None:
    ada = await registered(accounts, "ada")
    other = Machines(either, clock)
    await machines.declare(ada, "bot", None)
    assert ada not in other.known
    await accounts.rename(ada, "adele")
    await other.refresh()
    assert other.known.is_named("adele")
    assert not other.known.is_named("ada")

"""What is in force of an account stays with its keys when they leave it: by deletion, by removal, for guests too."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.accounts.conduct import Conduct
from server.accounts.identity import Identity, Player
from server.accounts.moderation import Moderation
from server.accounts.publickeys import read_public_key
from server.bus.bus import LocalBus
from server.config import Limits
from server.store import departed_keys, processes
from server.store.database import Database
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock

HOUR_S, DAY_S = 3600, 86_400


def fp(name: str) -> str:
    return read_public_key(public_key(name)).fingerprint


def guest(key: str) -> Identity:
    return Identity(None, f"guest-{key}", frozenset(), fp(key), public_key(key), "", "192.0.2.9")


class House:
    """The services over one database, and three guests who come with the keys a, b and c."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock = database, FakeClock()
        self.accounts = Accounts(database, self.clock, Limits(accounts_per_hour=1000))
        self.guests = {f"guest-{key}": guest(key) for key in "abc"}
        self.conduct = Conduct(
            database,
            self.clock,
            here=lambda player: [one for one in self.guests.values() if one.person == player.person],
        )
        self.desk = Moderation(Actor(database, self.clock, LocalBus()))

    async def register(self, handle: str, key: str) -> int:
        return (await self.accounts.register(handle, public_key(key), "192.0.2.1")).account.id

    async def link(self, account_id: int, key: str) -> None:
        await self.accounts.keys.link(await self.accounts.keys.make_code(account_id), public_key(key))

    async def is_muted(self, handle: str, account_id: int) -> bool:
        await self.conduct.refresh()
        return self.conduct.mute_of(Player("account", handle, account_id)) is not None

    async def is_muted_guest(self, key: str) -> bool:
        await self.conduct.refresh()
        return self.conduct.mute_of(guest(key).player) is not None

    async def is_kept_out(self, key: str) -> bool:
        await self.conduct.refresh()
        return self.conduct.check_access(guest(key)) is not None


@pytest.fixture
async def house(either: Database) -> House:
    return House(either)


async def test_a_muted_account_that_deletes_itself_and_registers_again_is_muted(house: House) -> None:
    mira = await house.register("mira", "a")
    await house.link(mira, "b")
    await house.desk.mute("mira", "spam", timedelta(hours=2))
    assert await house.accounts.stays_with_keys(mira)
    await house.accounts.delete(mira)
    for key, expected in (("a", True), ("b", True), ("c", False)):
        assert await house.is_muted_guest(key) is expected, f"the guest who comes with key {key}"
    for handle, key in (("ada", "a"), ("bea", "b")):
        again = await house.register(handle, key)
        assert await house.is_muted(handle, again), f"with key {key}"
        [held] = [one for one in await house.desk.in_force() if one.shown == handle]
        assert (held.sanction.why, held.sanction.until) == ("spam", house.clock.now() + timedelta(hours=2))
    orders = [(one.kind, one.data) for one in await house.database.read(processes.orders_after, 0)]
    assert ("mute", {"kind": "account", "target": str(again)}) in orders, "other processes read it at once"
    assert not await house.is_muted("cleo", await house.register("cleo", "c"))
    house.clock.shift(2 * HOUR_S)
    assert not await house.is_muted("bea", again)


async def test_a_mute_follows_to_keys_that_are_linked_later_and_through_accounts_in_a_row(house: House) -> None:
    mira = await house.register("mira", "a")
    await house.desk.mute("mira", "spam", None)
    await house.accounts.delete(mira)
    second = await house.register("ada", "a")
    await house.link(second, "b")
    await house.accounts.delete(second)
    assert await house.is_muted_guest("b")
    assert await house.is_muted("bea", await house.register("bea", "b"))


async def test_a_key_that_is_removed_before_the_deletion_takes_the_mute_along(house: House) -> None:
    mira = await house.register("mira", "a")
    await house.link(mira, "b")
    await house.desk.mute("mira", "spam", None)
    house.clock.shift(2 * DAY_S)
    await house.accounts.keys.remove(mira, fp("b"), fp("a"))
    assert await house.is_muted_guest("b")
    await house.accounts.delete(mira)
    assert await house.is_muted("bea", await house.register("bea", "b"))


async def test_a_mute_comes_to_the_account_that_the_key_joins(house: House) -> None:
    """A second account, made beforehand, would otherwise take the key in and speak."""
    mira, other = await house.register("mira", "a"), await house.register("nora", "b")
    await house.desk.mute("mira", "spam", None)
    await house.accounts.delete(mira)
    await house.link(other, "a")
    assert await house.is_muted("nora", other)


async def test_a_recovery_code_brings_nobody_past_a_mute(house: House) -> None:
    made = await house.accounts.register("mira", public_key("a"), "192.0.2.1")
    await house.desk.mute("mira", "spam", None)
    await house.accounts.keys.link(made.recovery_codes[0], public_key("b"))
    await house.accounts.delete(made.account.id)
    for key in "ab":
        assert await house.is_muted_guest(key)


async def test_a_ban_keeps_out_the_keys_of_a_deleted_account(house: House) -> None:
    mira = await house.register("mira", "a")
    await house.desk.ban("mira", "cheats", None)
    await house.accounts.delete(mira)
    assert await house.is_kept_out("a")
    assert not await house.is_kept_out("b")
    assert await house.desk.lift("ban", f"deleted-{mira}"), "under the name that the list of sanctions shows"
    assert not await house.is_kept_out("a")


async def test_a_ban_of_a_key_stays_when_its_account_is_deleted(house: House) -> None:
    mira = await house.register("mira", "a")
    await house.desk.ban(fp("a"), "stolen", None)
    await house.accounts.delete(mira)
    assert await house.is_kept_out("a")


async def test_a_pause_from_rated_matches_stays_with_the_key(house: House) -> None:
    mira = await house.register("mira", "a")
    for _ in range(5):
        until = await house.conduct.record_leaving(mira)
    assert until is not None
    house.clock.shift(60)
    await house.accounts.delete(mira)
    again = await house.register("ada", "a")
    assert await house.conduct.paused_until(again) == until
    house.clock.shift(2 * HOUR_S)
    later = await house.conduct.record_leaving(again)
    assert later == house.clock.now() + timedelta(hours=4), "the sixth of the week"


async def test_the_longer_of_two_mutes_holds(house: House) -> None:
    mira, other = await house.register("mira", "a"), await house.register("nora", "b")
    await house.desk.mute("mira", "short", timedelta(hours=1))
    await house.desk.mute("nora", "long", timedelta(hours=2))
    await house.accounts.delete(mira)
    await house.link(other, "a")
    [held] = [one for one in await house.desk.in_force() if one.shown == "nora"]
    assert held.sanction.why == "long"


async def test_nothing_is_kept_of_keys_of_which_nothing_is_in_force(house: House) -> None:
    mira, tarn = await house.register("mira", "a"), await house.register("tarn", "b")
    await house.accounts.delete(mira)
    assert await house.database.read(departed_keys.every) == {}
    await house.desk.mute("tarn", "spam", timedelta(hours=1))
    await house.conduct.record_leaving(tarn)
    await house.accounts.delete(tarn)
    kept = await house.database.read(departed_keys.every)
    assert [*kept.values()] == [{str(tarn)}]
    dump = str(await house.database.read(lambda c: [c.execute(text(f"SELECT * FROM {name}")).all() for name in KEPT]))
    assert fp("b") not in dump, "a hash is kept, not the key"
    house.clock.shift(8 * DAY_S)
    await house.database.write(departed_keys.forget_over, house.clock.now())
    assert await house.database.read(departed_keys.every) == {}
    assert (
        await house.database.read(
            lambda c: c.execute(text("SELECT count(*) FROM strikes WHERE kind = 'left'")).scalar()
        )
        == 0
    )


KEPT = ("departed_keys", "strikes", "keys")

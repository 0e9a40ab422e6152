"""Browsers: a link signs one in once, and what ends a key's sessions ends those of its browsers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.accounts.accounts import Accounts
from server.accounts.browsers import CODE_LIVES, MOST, SIGNED_IN_FOR, cookie_hash
from server.accounts.errors import AccountError
from server.accounts.feeds import secret_hash
from server.accounts.identity import ADMIN, MODERATOR
from server.accounts.publickeys import read_public_key
from server.accounts.wrong_codes import WrongCodes
from server.config import Limits
from server.errors import RateLimited
from server.store import accounts as stored_accounts
from server.store import browsers, personal_data, processes
from server.store.database import Database
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock

HERE = "192.0.2.1"
DAY_S = 86_400.0


def fp(name: str) -> str:
    return read_public_key(public_key(name)).fingerprint


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def accounts(either: Database, clock: FakeClock) -> Accounts:
    return Accounts(either, clock, Limits(accounts_per_hour=1000), wrong_codes=WrongCodes(clock, per_min=3))


async def mira(accounts: Accounts) -> int:
    return (await accounts.register("mira", public_key("mira"), HERE)).account.id


async def signed_in(accounts: Accounts, account_id: int, key: str = "mira") -> str:
    """Sign a browser in; return its cookie."""
    code = await accounts.browsers.make_code(account_id, fp(key))
    return (await accounts.browsers.sign_in(code, HERE)).cookie


async def second_key(accounts: Accounts, account_id: int) -> None:
    code = await accounts.keys.make_code(account_id, fp("mira"))
    await accounts.keys.link(code, public_key("laptop"), HERE)


async def test_a_code_is_looked_at_without_being_used_and_signs_in_once(accounts: Accounts) -> None:
    account_id = await mira(accounts)
    code = await accounts.browsers.make_code(account_id, fp("mira"))
    for _ in range(2):
        assert (await accounts.browsers.account_of(code, HERE)).handle == "mira"
    made = await accounts.browsers.sign_in(code, HERE)
    who = await accounts.browsers.identity(made.cookie, "198.51.100.7")
    assert who is not None
    assert (who.name, who.account_id, who.fingerprint, who.source) == ("mira", account_id, fp("mira"), "198.51.100.7")
    with pytest.raises(AccountError) as used:
        await accounts.browsers.sign_in(code, HERE)
    assert used.value.key == "browser.code-unknown"


async def test_one_account_could_be_signed_in_with_browsers_without_end(accounts: Accounts, clock: FakeClock) -> None:
    account_id = await mira(accounts)
    cookies = []
    for _ in range(MOST + 1):
        cookies.append(await signed_in(accounts, account_id))
        await clock.advance(1)
    here = [await accounts.browsers.identity(one, HERE) for one in cookies]
    assert [who is not None for who in here] == [False] + [True] * MOST
    assert len(await accounts.browsers.of(account_id)) == MOST


async def test_a_code_is_good_for_ten_minutes_and_the_next_one_voids_it(accounts: Accounts, clock: FakeClock) -> None:
    account_id = await mira(accounts)
    first = await accounts.browsers.make_code(account_id, fp("mira"))
    second = await accounts.browsers.make_code(account_id, fp("mira"))
    with pytest.raises(AccountError):
        await accounts.browsers.account_of(first, HERE)
    assert timedelta(minutes=10) == CODE_LIVES
    await clock.advance(CODE_LIVES.total_seconds())
    with pytest.raises(AccountError):
        await accounts.browsers.sign_in(second, HERE)


async def test_wrong_codes_are_counted_and_right_ones_are_not(accounts: Accounts) -> None:
    account_id = await mira(accounts)
    code = await accounts.browsers.make_code(account_id, fp("mira"))
    for _ in range(5):
        await accounts.browsers.account_of(code, HERE)
    for wrong in ("one", "two", "three"):
        with pytest.raises(AccountError):
            await accounts.browsers.account_of(wrong, HERE)
    with pytest.raises(RateLimited):
        await accounts.browsers.sign_in(code, HERE)
    assert (await accounts.browsers.sign_in(code, "198.51.100.7")).account.handle == "mira"


async def test_a_browser_is_signed_in_for_thirty_days_by_a_young_key_for_one(
    accounts: Accounts, clock: FakeClock
) -> None:
    account_id = await mira(accounts)
    await clock.advance(DAY_S * 2)
    await second_key(accounts, account_id)
    old, young = await signed_in(accounts, account_id), await signed_in(accounts, account_id, "laptop")
    await clock.advance(DAY_S)
    assert await accounts.browsers.identity(young, HERE) is None
    assert await accounts.browsers.identity(old, HERE) is not None
    await clock.advance(SIGNED_IN_FOR.total_seconds() - DAY_S)
    assert await accounts.browsers.identity(old, HERE) is None
    assert await accounts.browsers.of(account_id) == []


async def test_a_browser_goes_with_its_key_and_with_no_other(accounts: Accounts, clock: FakeClock) -> None:
    account_id = await mira(accounts)
    await second_key(accounts, account_id)
    mine, theirs = await signed_in(accounts, account_id), await signed_in(accounts, account_id, "laptop")
    waiting = await accounts.browsers.make_code(account_id, fp("laptop"))
    await accounts.keys.remove(account_id, fp("laptop"), fp("mira"))
    assert await accounts.browsers.identity(theirs, HERE) is None
    assert await accounts.browsers.identity(mine, HERE) is not None
    with pytest.raises(AccountError):
        await accounts.browsers.sign_in(waiting, HERE)
    with pytest.raises(AccountError):
        await accounts.browsers.make_code(account_id, fp("laptop"))


async def test_logging_out_signs_browsers_out_of_one_key_or_of_all(accounts: Accounts) -> None:
    account_id = await mira(accounts)
    await second_key(accounts, account_id)
    mine, theirs = await signed_in(accounts, account_id), await signed_in(accounts, account_id, "laptop")
    await accounts.log_out(account_id, "this one", fp("mira"), fp("laptop"))
    assert await accounts.browsers.identity(theirs, HERE) is None
    assert await accounts.browsers.identity(mine, HERE) is not None
    await accounts.log_out(account_id, "this one", fp("mira"))
    assert await accounts.browsers.identity(mine, HERE) is None


async def test_signing_out_ends_one_browser_and_orders_its_windows_closed(accounts: Accounts, either: Database) -> None:
    account_id = await mira(accounts)
    here, there = await signed_in(accounts, account_id), await signed_in(accounts, account_id)
    who = await accounts.browsers.identity(here, HERE)
    assert who is not None
    assert await accounts.browsers.sign_out(here)
    assert not await accounts.browsers.sign_out(here)
    assert await accounts.browsers.identity(there, HERE) is not None
    given = [order for order in await either.read(processes.orders_after, 0) if order.kind == "logout"]
    assert [order.data["browser"] for order in given] == [who.browser]


async def test_a_deleted_account_leaves_no_browser_and_no_feed(accounts: Accounts, either: Database) -> None:
    account_id = await mira(accounts)
    cookie, secret = await signed_in(accounts, account_id), await accounts.feeds.make(account_id, fp("mira"))
    await accounts.delete(account_id, fp("mira"))
    assert await accounts.browsers.identity(cookie, HERE) is None
    assert await accounts.feeds.reader_of(secret) is None


async def test_a_browser_is_called_as_its_account_is_now(accounts: Accounts) -> None:
    account_id = await mira(accounts)
    cookie = await signed_in(accounts, account_id)
    await accounts.rename(account_id, "miranda")
    who = await accounts.browsers.identity(cookie, HERE)
    assert who is not None
    assert who.name == "miranda"


async def test_nobody_moderates_from_a_browser(accounts: Accounts, either: Database) -> None:
    account_id = await mira(accounts)
    cookie = await signed_in(accounts, account_id)
    await either.write(stored_accounts.set_role, account_id, ADMIN, True)
    who = await accounts.browsers.identity(cookie, HERE)
    assert who is not None
    assert not who.may(ADMIN)
    assert not who.may(MODERATOR)


async def test_what_is_stored_and_exported_signs_nobody_in(accounts: Accounts, either: Database) -> None:
    account_id = await mira(accounts)
    cookie, secret = await signed_in(accounts, account_id), await accounts.feeds.make(account_id, fp("mira"))
    code = await accounts.browsers.make_code(account_id, fp("mira"))
    told = str(await gathered(await accounts.export(account_id)))
    assert "browsers" in told
    assert "feeds" in told
    for hidden in (cookie, secret, code, cookie_hash(cookie), secret_hash(secret)):
        assert hidden not in told
    assert {"browsers", "browser_codes", "feeds"} <= {table.name for table in personal_data.BY_ACCOUNT}


async def test_upkeep_forgets_browsers_and_codes_that_are_over(
    accounts: Accounts, either: Database, clock: FakeClock
) -> None:
    account_id = await mira(accounts)
    cookie = await signed_in(accounts, account_id)
    await accounts.browsers.make_code(account_id, fp("mira"))
    await either.write(browsers.forget_over, clock.now())
    assert await accounts.browsers.identity(cookie, HERE) is not None
    await clock.advance(SIGNED_IN_FOR.total_seconds())
    await either.write(browsers.forget_over, clock.now())
    assert await either.read(browsers.of, account_id, clock.now() - SIGNED_IN_FOR) == []


async def test_a_feed_is_read_by_its_secret_until_it_is_revoked(accounts: Accounts) -> None:
    account_id = await mira(accounts)
    first = await accounts.feeds.make(account_id, fp("mira"))
    second = await accounts.feeds.make(account_id, fp("mira"))
    assert await accounts.feeds.reader_of(first) is None
    reader = await accounts.feeds.reader_of(second)
    assert reader is not None
    assert reader.handle == "mira"
    assert await accounts.feeds.revoke(account_id, fp("mira"))
    assert await accounts.feeds.reader_of(second) is None
    assert await accounts.feeds.made_at(account_id) is None


async def test_a_feed_made_by_a_young_key_outlived_its_removal(accounts: Accounts, clock: FakeClock) -> None:
    """Who had linked a key at an unlocked terminal read on when the owner had taken it away."""
    account_id = await mira(accounts)
    await clock.advance(2 * DAY_S)
    await second_key(accounts, account_id)
    with pytest.raises(AccountError, match="young"):
        await accounts.feeds.make(account_id, fp("laptop"))
    await accounts.feeds.make(account_id, fp("mira"))
    assert await accounts.feeds.revoke(account_id, fp("laptop"))
    await clock.advance(DAY_S)
    await accounts.feeds.make(account_id, fp("laptop"))

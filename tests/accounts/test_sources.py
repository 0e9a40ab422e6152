"""What limits count somebody as: many addresses of one network are no more than a few, and an old account is itself."""

from __future__ import annotations

from contextlib import suppress

import pytest

from server.accounts.accounts import Accounts
from server.accounts.errors import AccountError
from server.accounts.sources import SHARES, Sources, share_of
from server.accounts.wrong_codes import WrongCodes
from server.chat.errors import ChatRefused
from server.chat.guests import GUESTS, GuestLines
from server.config import Limits
from server.errors import RateLimited
from server.store.database import Database
from server.tokenbucket import Rates
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock

ONE_48 = [f"2001:db8:1:{n << 8 | n:x}::7" for n in range(256)]  # each of a /56 of its own
ONE_56 = [f"2001:db8:1:{n:x}::7" for n in range(256)]
ONE_24 = [f"192.0.2.{n}" for n in range(256)]
CROWDS = [(ONE_48, "/48"), (ONE_56, "/56"), (ONE_24, "/24")]


@pytest.mark.parametrize(("crowd", "level"), CROWDS)
async def test_a_network_had_as_many_accounts_an_hour_as_addresses(
    either: Database, crowd: list[str], level: str
) -> None:
    """Forty accounts came from one /48 within seconds."""
    accounts, made = Accounts(either, FakeClock(), Limits(accounts_per_hour=1)), 0
    for n, address in enumerate(crowd[: 2 * SHARES[level]]):
        with suppress(RateLimited):
            await accounts.register(f"user{'abcdefghijklmnop'[n]}", public_key(f"k{n}"), address)
            made += 1
    assert made == SHARES[level]


async def test_a_network_had_as_many_wrong_codes_as_addresses(database: Database) -> None:
    accounts, tried = Accounts(database, FakeClock(), Limits()), 0
    for address in ONE_48[:60]:
        with pytest.raises((AccountError, RateLimited)) as refused:
            await accounts.keys.link("no such code", public_key("k"), address)
        tried += isinstance(refused.value, AccountError)
    assert tried == 10 * SHARES["/48"]


@pytest.mark.parametrize(("crowd", "level"), CROWDS)
def test_a_network_has_a_few_times_what_an_address_has(crowd: list[str], level: str) -> None:
    clock = FakeClock()
    wrong_codes, rates, lines = WrongCodes(clock, per_min=3), Rates(clock.monotonic), GuestLines(clock, 1)
    counts = dict.fromkeys(("wrong_codes", "actions", "lines"), 0)
    for address in crowd:
        who = Sources.of((address,))
        try:
            with wrong_codes.guess(who) as guess:
                guess.fail()
            counts["wrong_codes"] += 1
        except RateLimited:
            pass
        counts["actions"] += not rates.count("actions", who.budgets(3))
        try:
            with lines.line(who):
                counts["lines"] += 1
        except ChatRefused:
            pass
    most = GUESTS * SHARES[level]
    assert counts == {"wrong_codes": most, "actions": most, "lines": most}


def test_an_account_that_is_a_day_old_is_limited_by_nobody_else() -> None:
    """Else somebody in a campus's network locks all others there out."""
    clock = FakeClock()
    rates, actions = Rates(clock.monotonic), 0
    while not rates.count("actions", Sources.of(("192.0.2.7",)).budgets(1200)):
        actions += 1
    assert actions == 1200
    young, settled = (Sources.of(("192.0.2.7",), 7, is_settled) for is_settled in (False, True))
    assert rates.count("actions", young.budgets(1200)) > 0
    assert not any(rates.count("actions", settled.budgets(1200)) for _ in range(1200))
    assert rates.count("actions", settled.budgets(1200)) > 0
    assert rates.count("actions", Sources.of(("2001:db8::1",), 7, is_settled=True).budgets(1200)) > 0


def test_budgets_grow_more_slowly_than_networks() -> None:
    names = Sources.of(("2001:db8:1:2::7",)).names
    assert [share_of(name) for name in names] == [1, 2, 4]
    assert [share_of(name) for name in Sources.of(("192.0.2.7",)).names] == [1, 8]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_a_loopback_address_has_no_wider_networks(address: str) -> None:
    assert len(Sources.of((address,)).names) == 1

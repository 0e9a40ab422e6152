"""Who comes: people with accounts made beforehand, and guests; from so many addresses that no limit need be off."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import asyncssh

from server.accounts.accounts import Accounts
from server.accounts.preferences import Preferences
from server.clock import SystemClock
from server.config import Limits
from server.store.choose import open_database
from server.store.migrate import upgrade

PER_ADDRESS = 12  # of the 20 connections that the ordinary limits give a source: the same people may come back at once
LEAST_ADDRESSES = 64


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person's name, key (None: a guest) and the address they come from."""

    name: str
    key: asyncssh.SSHKey | None
    address: str


def address(number: int, people: int) -> str:
    """Return the address of somebody among so many people.

    >>> address(0, 1000), address(64, 64), len({address(i, 1000) for i in range(1000)})
    ('127.0.1.1', '127.0.1.1', 84)
    """
    at = number % max(LEAST_ADDRESSES, -(-people // PER_ADDRESS))
    return f"127.0.{1 + at // 200}.{1 + at % 200}"


def guests(count: int) -> list[Somebody]:
    """Return people without a key."""
    return [Somebody("guest", None, address(i, count)) for i in range(count)]


async def make_accounts(data_dir: Path, count: int) -> list[Somebody]:
    """Register people in a data directory before a server is started on it, with the first screens behind them.

    Each registers from a source of their own: accounts a source may make in an hour are limited, as everywhere.
    """
    url = f"sqlite:///{data_dir / 'patchbay.db'}"
    await upgrade(url)
    database = await open_database(url)
    accounts = Accounts(database, SystemClock(), Limits())
    found = []
    try:
        for i in range(count):
            key = asyncssh.generate_private_key("ssh-ed25519")
            line = key.export_public_key("openssh").decode()
            made = await accounts.register(f"load{i:05}x", line, f"10.{i >> 16}.{i >> 8 & 255}.{i & 255}")
            await accounts.change_preferences(made.account.id, lambda before: Preferences(calibrated=True))
            found.append(Somebody(made.account.handle, key, address(i, count)))
    finally:
        await database.close()
    return found

"""Sanctions and pauses stay with a key that leaves an account, until they end: kept as a hash under a server secret.

A key leaves when it is removed or its account is deleted. The account that it comes to next gets what is in force, for
all its keys; until then it holds for the guest who comes with the key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from server.store import departed_keys, processes
from server.store.server_secrets import secret_for

SECRET = "departed keys"  # noqa: S105 (its name)


def key_hash(secret: bytes, fingerprint: str) -> str:
    """Return the hash under which a departed key is kept."""
    return hmac.new(secret, fingerprint.encode(), hashlib.sha256).hexdigest()


def depart(connection: Connection, account_id: int, fingerprints: Iterable[str], now: datetime) -> None:
    """Keep that these keys leave an account, if anything of it is in force."""
    if departed_keys.is_held(connection, account_id, now):
        secret = secret_for(connection, SECRET, now)
        departed_keys.depart(connection, account_id, [key_hash(secret, one) for one in fingerprints], now)


def arrive(connection: Connection, account_id: int, fingerprint: str, now: datetime) -> None:
    """Give an account what is in force of those that this key has left, and order the processes to read it."""
    key = key_hash(secret_for(connection, SECRET, now), fingerprint)
    for before in departed_keys.take_back(connection, key, account_id, now):
        for act in departed_keys.pass_on(connection, before, account_id, now):
            processes.give_order(connection, act, {"kind": "account", "target": str(account_id)}, now)

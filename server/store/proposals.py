"""Stored proposals: keys named by an account, which open nothing until their owners prove them and agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from server.store.tables import accounts, proposals
from server.store.upsert import put


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed key; `code_hash`: of the code that its owner may link it with; `made_by`: the key that proposed it."""

    fingerprint: str
    account_id: int
    code_hash: str
    label: str
    made_by: str | None
    made_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the owner of a proposed key is shown: whose account it could join."""

    account_id: int
    handle: str


def make(connection: Connection, proposal: Proposal) -> None:
    """Store a proposal, in place of an earlier one of the same key for the same account."""
    put(connection, proposals, [{name: getattr(proposal, name) for name in Proposal.__slots__}])


def open_of(connection: Connection, account_id: int, now: datetime) -> list[Proposal]:
    """Return an account's open proposals, the oldest first."""
    return [one for one in all_of(connection, account_id) if one.expires_at > now]


def all_of(connection: Connection, account_id: int) -> list[Proposal]:
    """Return what is stored of an account's proposals, the oldest first, those that are over too."""
    mine = select(proposals).where(proposals.c.account_id == account_id)
    ordered = mine.order_by(proposals.c.made_at, proposals.c.fingerprint)
    return [_read(row) for row in connection.execute(ordered)]


def of_code(connection: Connection, code_hash: str, fingerprint: str, now: datetime) -> Proposal | None:
    """Return the open proposal of a key that this code belongs to."""
    same = (proposals.c.code_hash == code_hash, proposals.c.fingerprint == fingerprint, proposals.c.expires_at > now)
    row = connection.execute(select(proposals).where(*same)).first()
    return None if row is None else _read(row)


def of_key(connection: Connection, fingerprint: str, account_id: int, now: datetime) -> Proposal | None:
    """Return the open proposal of a key for an account."""
    same = (proposals.c.fingerprint == fingerprint, proposals.c.account_id == account_id, proposals.c.expires_at > now)
    row = connection.execute(select(proposals).where(*same)).first()
    return None if row is None else _read(row)


def invitations(connection: Connection, fingerprint: str, now: datetime) -> list[Invitation]:
    """Return the accounts that a key could join, the one that proposed it first in front."""
    chosen = select(proposals.c.account_id, accounts.c.handle).join(accounts, accounts.c.id == proposals.c.account_id)
    mine = (proposals.c.fingerprint == fingerprint, proposals.c.expires_at > now, accounts.c.deleted_at.is_(None))
    ordered = chosen.where(*mine).order_by(proposals.c.made_at, proposals.c.account_id)
    return [Invitation(row.account_id, row.handle) for row in connection.execute(ordered)]


def withdraw(connection: Connection, account_id: int, fingerprint: str) -> bool:
    """Withdraw a proposal; return whether there was one."""
    gone = delete(proposals).where(proposals.c.account_id == account_id, proposals.c.fingerprint == fingerprint)
    return connection.execute(gone).rowcount > 0


def drop_made_by(connection: Connection, fingerprints: Sequence[str]) -> None:
    """Delete the proposals made by these keys."""
    connection.execute(delete(proposals).where(proposals.c.made_by.in_(fingerprints)))


def drop_of(connection: Connection, account_id: int) -> None:
    """Delete all proposals for an account."""
    connection.execute(delete(proposals).where(proposals.c.account_id == account_id))


def drop_expired(connection: Connection, account_id: int, now: datetime) -> None:
    """Delete an account's expired proposals."""
    late = (proposals.c.account_id == account_id, proposals.c.expires_at <= now)
    connection.execute(delete(proposals).where(*late))


def _read(row: Row[Any]) -> Proposal:
    return Proposal(**row._mapping)

"""Stored invitations: codes with which somebody may register where accounts are by invitation."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, update

from server.store.tables import invitations


def add(connection: Connection, code_hash: str, made_by: str, uses: int, now: datetime, until: datetime) -> None:
    """Store an invitation for so many accounts; forget those that have expired."""
    connection.execute(delete(invitations).where(invitations.c.expires_at <= now))
    row = {"code_hash": code_hash, "made_by": made_by, "made_at": now, "expires_at": until, "uses_left": uses}
    connection.execute(insert(invitations).values(row))


def use(connection: Connection, code_hash: str, now: datetime) -> bool:
    """Use an invitation once; return whether there is one that is neither used up nor expired."""
    valid = (invitations.c.code_hash == code_hash, invitations.c.expires_at > now, invitations.c.uses_left > 0)
    used = update(invitations).where(*valid).values(uses_left=invitations.c.uses_left - 1)
    return connection.execute(used).rowcount > 0

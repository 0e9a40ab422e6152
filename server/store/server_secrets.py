"""Secrets of the server itself, which all its processes share: each is drawn once, and kept."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Connection, select

from server.store.tables import server_secrets
from server.store.upsert import put_if_missing

BYTES = 32


def secret_for(connection: Connection, name: str, now: datetime) -> bytes:
    """Return the secret of that name, drawn now where there is none: of several processes that draw, one counts."""
    put_if_missing(connection, server_secrets, {"name": name, "secret": secrets.token_bytes(BYTES), "made_at": now})
    found = connection.execute(select(server_secrets.c.secret).where(server_secrets.c.name == name))
    return bytes(found.scalar_one())

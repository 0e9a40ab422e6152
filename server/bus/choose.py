"""Make the bus that the settings name."""

from __future__ import annotations

from importlib import import_module

from server.bus.bus import Bus, LocalBus
from server.bus.remote import Refused
from server.clock import Clock
from server.store.database import Database
from server.store.server_secrets import secret_for

KEY = "bus"


def bus_of(url: str, key: bytes, clock: Clock, refused: Refused | None = None) -> Bus:
    """Return the bus of `PATCHBAY_BUS_URL` (checked with the settings), not started yet.

    `key`: what messages are sealed with. `refused` is told why, for each message that no process of this server has
    sent. The clients of Redis and PostgreSQL take memory and time at every start, so each is loaded only where it is
    used.
    """
    if url == "local":
        return LocalBus()
    bus: Bus
    if url.startswith("postgresql"):
        bus = import_module("server.bus.postgres").PostgresBus(url, key, clock, refused)
    else:
        bus = import_module("server.bus.redis").RedisBus(url, key, clock, refused)
    return bus


async def make_bus(url: str, database: Database, clock: Clock, refused: Refused | None = None) -> Bus:
    """Return the bus as `bus_of`, with the key that all processes of a database share. Raises NotSaved."""
    key = b"" if url == "local" else await database.write(secret_for, KEY, clock.now())
    return bus_of(url, key, clock, refused)

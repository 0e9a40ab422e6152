"""Make the bus that the settings name."""

from __future__ import annotations

from importlib import import_module

from server.bus.bus import Bus, LocalBus


def make_bus(url: str) -> Bus:
    """Return the bus of `PATCHBAY_BUS_URL` (checked with the settings), not started yet.

    The clients of Redis and PostgreSQL take memory and time at every start, so each is loaded only where it is used.
    """
    bus: Bus = LocalBus()
    if url.startswith("postgresql"):
        bus = import_module("server.bus.postgres").PostgresBus(url)
    elif url.startswith(("redis://", "rediss://")):
        bus = import_module("server.bus.redis").RedisBus(url)
    return bus

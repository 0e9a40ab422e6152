"""Make the bus that the settings name."""

from __future__ import annotations

from importlib import import_module

from server.bus.bus import Bus, LocalBus
from server.bus.postgres import PostgresBus


def make_bus(url: str) -> Bus:
    """Return the bus of `PATCHBAY_BUS_URL` (checked with the settings), not started yet.

    The Redis client takes 4 MB and time at every start, so it is loaded only where it is used.
    """
    if url.startswith("postgresql"):
        return PostgresBus(url)
    if url.startswith(("redis://", "rediss://")):
        bus: Bus = import_module("server.bus.redis").RedisBus(url)
        return bus
    return LocalBus()

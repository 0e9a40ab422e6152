"""Which bus a setting names."""

from __future__ import annotations

from server.bus.bus import Bus, LocalBus
from server.bus.postgres import PostgresBus
from server.bus.redis import RedisBus


def make_bus(url: str) -> Bus:
    """Return the bus of `PATCHBAY_BUS_URL` (checked with the settings), not started yet."""
    if url.startswith("postgresql"):
        return PostgresBus(url)
    if url.startswith(("redis://", "rediss://")):
        return RedisBus(url)
    return LocalBus()

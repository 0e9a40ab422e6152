"""All attacks, each a coroutine that goes on until its time is over, by name."""

from __future__ import annotations

from tests.hostile import around_login, by_networks, by_programs, on_channels, on_pages, on_terminals, on_the_wire
from tests.hostile.attacking import ATTACKS, OUTCOMES

__all__ = [
    "ATTACKS",
    "OUTCOMES",
    "around_login",
    "by_networks",
    "by_programs",
    "on_channels",
    "on_pages",
    "on_terminals",
    "on_the_wire",
]

"""Round robin: of several that make much, one goes on in each iteration of the event loop."""

from __future__ import annotations

import asyncio


class RoundRobin:
    """Round robin: one of those who wait goes on in each iteration of the event loop."""

    def __init__(self) -> None:
        self._next = asyncio.Lock()

    async def give(self) -> None:
        """Wait for the next turn."""
        async with self._next:
            await asyncio.sleep(0)

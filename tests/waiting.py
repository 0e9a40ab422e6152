"""How long tests wait for what another process, thread or connection brings about."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable

PATIENCE_S = 240.0  # a loaded machine may take a hundred times what a free one takes: only a fault lasts for so long


async def until(is_so: Callable[[], bool | Awaitable[bool]], pause_s: float = 0.02) -> None:
    """Wait until something is so, however long a loaded machine takes. Raises TimeoutError after PATIENCE_S."""
    async with asyncio.timeout(PATIENCE_S):
        while not await _is(is_so()):
            await asyncio.sleep(pause_s)


async def _is(answer: bool | Awaitable[bool]) -> bool:
    return await answer if inspect.isawaitable(answer) else bool(answer)

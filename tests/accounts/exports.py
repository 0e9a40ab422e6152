"""What an export holds, as a whole."""

from __future__ import annotations

from typing import Any

from server.accounts.exporting import Lists


async def gathered(lists: Lists) -> dict[str, Any]:
    """Return the lists of an export by their names."""
    found: dict[str, Any] = {}
    async for name, rows in lists:
        found[name] = [*found.get(name, ()), *rows]
    return found

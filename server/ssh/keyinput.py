"""Reading a public key from a channel's input."""

from __future__ import annotations

import asyncio

from server.accounts.publickeys import MAX_TEXT, decoded, is_whole_key
from server.ssh.streams import LineReader

INPUT_S = 30


async def key_text(lines: LineReader) -> str:
    """Return the text of the key that comes in, "" where none does in time. What follows it is not waited for."""
    data = b""
    try:
        async with asyncio.timeout(INPUT_S):
            while len(data) < MAX_TEXT:
                data += (await lines.line() or b"") + b"\n"
                if is_whole_key(decoded(data)):
                    break
    except (EOFError, TimeoutError):
        pass
    return decoded(data).strip()[:MAX_TEXT]

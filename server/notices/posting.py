"""One POST to a listed host: to an address that was checked, and to nowhere else whatever it answers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from server.noticehosts import Topic, is_public
from server.notices.errors import NotPosted

TIMEOUT_S = 10.0
MOST_ANSWER_BYTES = 4096
FIELD_BYTES = 4096  # of one header of an answer
Lookup = Callable[[str, int], Awaitable[list[str]]]


async def look_up(name: str, port: int) -> list[str]:
    """Return the addresses of a name. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]


class CheckedResolver(AbstractResolver):
    """Resolves a name to public addresses; one that is not refuses them all, or it would be tried next."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return where to connect to. Raises OSError."""
        addresses = await self._lookup(host, port)
        if not addresses or not all(map(is_public, addresses)):
            raise OSError("no public address")
        return [_result(host, address, port) for address in addresses]

    async def close(self) -> None:
        """Close nothing: nothing is kept."""


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=flags)


async def post(topic: Topic, title: str, text: str, lookup: Lookup = look_up) -> None:
    """Send a text to a topic, as ntfy takes it. Raises NotPosted, which holds nothing of the topic."""
    connector = aiohttp.TCPConnector(resolver=CheckedResolver(lookup), use_dns_cache=False, force_close=True, limit=1)
    session = aiohttp.ClientSession(
        connector=connector,
        timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        auto_decompress=False,
        max_line_size=FIELD_BYTES,
        max_field_size=FIELD_BYTES,
        read_bufsize=MOST_ANSWER_BYTES,
    )
    headers = {"Title": title, "User-Agent": "patchbay", "Accept-Encoding": "identity"}
    try:
        async with (
            session,
            session.post(topic.url, data=text.encode(), headers=headers, allow_redirects=False) as answer,
        ):
            await answer.content.read(MOST_ANSWER_BYTES)
            status = answer.status
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        raise NotPosted(type(error).__name__) from None  # its text may quote the URL
    if not 200 <= status < 300:
        is_final = 300 <= status < 500 and status not in (408, 429)
        raise NotPosted(f"status {status}", is_final, is_answer=True)

"""The limits of networks hold for both doors together, for whom a proxy or a balancer names."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress

import asyncssh
import pytest

from tests.hostile.attacking import EXPECTED
from tests.hostile.on_pages import browsing, upgraded
from tests.hostile.stage import ATTACKER, BALANCER, Stage, open_stage
from tests.waiting import PATIENCE_S

SOMEBODY, OTHER = "2001:db8:1:1::7", "2001:db8:2:1::7"


async def by_socket(stage: Stage, stack: AsyncExitStack, address: str, peer: str = BALANCER) -> None:
    """Open a socket that a peer says to come from an address. Raises ConnectionRefusedError."""
    streams = await stack.enter_async_context(browsing(stage, peer))
    await upgraded(streams, f"X-Forwarded-For: {address}")
    await streams[0].readuntil(b'"means"')


async def by_ssh(stage: Stage, address: str) -> str:
    connection = await stage.connect_from(address)
    try:
        return str((await connection.run("whoami", check=True)).stdout)
    finally:
        connection.abort()


async def test_who_has_all_places_by_browser_has_none_by_ssh_and_others_have_theirs() -> None:
    async with open_stage({"PATCHBAY_LIMIT_CONNECTIONS_PER_SOURCE": "2"}) as stage, AsyncExitStack() as stack:
        async with AsyncExitStack() as held:
            for _ in range(2):
                await by_socket(stage, held, SOMEBODY)
            with pytest.raises(ConnectionRefusedError):
                await by_socket(stage, stack, SOMEBODY)
            with pytest.raises(EXPECTED):
                await by_ssh(stage, SOMEBODY)
            assert "guest" in await by_ssh(stage, OTHER)
            await by_socket(stage, stack, OTHER)
        async with asyncio.timeout(PATIENCE_S):
            said = ""
            while not said:
                with suppress(OSError, asyncssh.Error):
                    said = await by_ssh(stage, SOMEBODY)


async def test_who_is_no_proxy_says_in_vain_to_come_from_elsewhere() -> None:
    async with open_stage({"PATCHBAY_LIMIT_CONNECTIONS_PER_SOURCE": "2"}) as stage, AsyncExitStack() as stack:
        for number in range(2):
            await by_socket(stage, stack, f"198.51.100.{number}", ATTACKER)
        with pytest.raises(ConnectionRefusedError):
            await by_socket(stage, stack, "198.51.100.9", ATTACKER)
        await by_socket(stage, stack, "198.51.100.9")

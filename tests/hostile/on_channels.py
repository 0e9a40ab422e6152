"""Attacks on channels: too many, too much asked of them, answers that nobody reads."""

from __future__ import annotations

import asyncio
import os

from asyncssh.constants import MSG_CHANNEL_OPEN, MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from tests.hostile.attacking import FULL_WINDOW, attack, bare_channel, flood, pause_reading, request, storm
from tests.hostile.stage import Stage


@attack
async def thousands_of_channels(stage: Stage, seconds: float) -> None:
    """Open session channels, and other kinds, without waiting for answers."""

    async def one() -> None:
        async with await stage.connect() as connection:
            opening = String(b"session") + UInt32(0) + UInt32(FULL_WINDOW) + UInt32(32768)
            forward = String(b"direct-tcpip") + UInt32(1) + UInt32(1) + UInt32(32768) + String(b"h") + UInt32(1)
            await flood(connection, (MSG_CHANNEL_OPEN, opening), (MSG_CHANNEL_OPEN, forward + String(b"o") + UInt32(1)))

    await storm(seconds, 8, one)


@attack
async def channels_that_run_nothing(stage: Stage, seconds: float) -> None:
    """Open as many channels as are given, over as many connections as are let in, and ask for nothing."""

    async def one() -> None:
        async with await stage.connect() as connection:
            for _ in range(2):
                opening = String(b"session") + UInt32(0) + UInt32(FULL_WINDOW) + UInt32(32768)
                connection.send_packet(MSG_CHANNEL_OPEN, opening)
            await asyncio.sleep(seconds)

    await storm(seconds, 30, one)


@attack
async def huge_environment(stage: Stage, seconds: float) -> None:
    """Send environment variables of 30 KB for ever, and small ones, before anything runs."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await bare_channel(connection)
            packets = [request(session, b"env", String(b"LANG"), String(b"x" * 30_000), wants_reply=False)]
            packets += [request(session, b"env", String(b"V%d" % n), String(b"1")) for n in range(50)]
            await flood(connection, *packets)

    await storm(seconds, 8, one)


@attack
async def huge_command_lines(stage: Stage, seconds: float) -> None:
    """Ask for commands of 30 KB, for nonsense, and for subsystems, on one channel after the other."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await bare_channel(connection)
            packets = [
                request(session, b"exec", String(b"x" * 30_000)),
                request(session, b"exec", String(b"\xff" * 3000)),
                request(session, b"subsystem", String(b"s" * 10_000)),
                request(session, os.urandom(40).hex().encode()),
            ]
            await flood(connection, *packets)

    await storm(seconds, 8, one)


@attack
async def commands_without_end(stage: Stage, seconds: float) -> None:
    """Run command after command, many at a time."""

    async def one() -> None:
        async with await stage.connect() as connection:
            for command in ("games --json", "whoami --json", "help", "top rainet", "history x", "nonsense"):
                await connection.run(command, check=False)

    await storm(seconds, 10, one, 0)


@attack
async def endless_keepalives(stage: Stage, seconds: float) -> None:
    """Ask for answers to global requests, and never read one."""

    async def one() -> None:
        connection = await stage.connect()
        pause_reading(connection)
        body = String(b"keepalive@openssh.com") + Boolean(True)
        try:
            await flood(connection, (MSG_GLOBAL_REQUEST, body))
        finally:
            connection.abort()

    await storm(seconds, 8, one)

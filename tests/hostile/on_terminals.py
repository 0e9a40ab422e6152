"""Attacks through a terminal: what it sends, its window, and output that is not taken."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from typing import Any

import asyncssh
from asyncssh.constants import MSG_CHANNEL_DATA
from asyncssh.packet import String, UInt32

from tests.contracts import raw
from tests.hostile.attacking import (
    EXPECTED,
    FULL_WINDOW,
    Silent,
    attack,
    flood,
    pause_reading,
    request,
    shell,
    storm,
)
from tests.hostile.nasty import FIELDS, everything
from tests.hostile.stage import Stage

MSG_WINDOW_ADJUST = 93


@attack
async def window_changes(stage: Stage, seconds: float) -> None:
    """Change the window's size thousands of times a second, also to absurd ones."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection)
            sizes = [(80, 24), (300, 120), (FULL_WINDOW, FULL_WINDOW), (0, 0), (1, 1), (132, 43)]
            packets = [
                request(session, b"window-change", UInt32(c), UInt32(r), UInt32(0), UInt32(0), wants_reply=False)
                for c, r in sizes
            ]
            await flood(connection, *packets)

    await storm(seconds, 8, one)


@attack
async def windows_never_read(stage: Stage, seconds: float) -> None:
    """Offer windows of 4 GiB, make the server draw, and read nothing."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            session = await shell(connection, window=FULL_WINDOW, term_size=(300, 120))
            await asyncio.sleep(0.5)
            session.chan.write(b"\r")
            pause_reading(connection)
            while not connection.is_closed():
                session.chan.write(b"?\x1b\x0c")  # help, back, draw again
                await asyncio.sleep(0.05)
        finally:
            connection.abort()

    await storm(seconds, 12, one)


@attack
async def followers_that_never_read(stage: Stage, seconds: float) -> None:
    """Ask for long listings and live events over channels with windows of 4 GiB, and read nothing."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            _, session = await connection.create_session(Silent, "bot", encoding=None, window=FULL_WINDOW)
            assert isinstance(session, Silent)
            pause_reading(connection)
            while not connection.is_closed():
                session.chan.write(b'{"do":"join","code":"%s"}\n' % (b"Z" * 60) * 20)
                await asyncio.sleep(0.02)
        finally:
            connection.abort()

    await storm(seconds, 12, one)


@attack
async def one_byte_packets(stage: Stage, seconds: float) -> None:
    """Ask for output in packets of one byte, and give the window back byte by byte."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection, max_pktsize=1, window=FULL_WINDOW)
            while True:
                session.chan.write(b"?\x1b\x0c")
                await asyncio.sleep(0.05)

    async def grains() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection, window=1)
            await flood(connection, (MSG_WINDOW_ADJUST, UInt32(raw.number_of(session.chan)) + UInt32(1)))

    await asyncio.gather(storm(seconds, 6, one), storm(seconds, 6, grains))


@attack
async def one_byte_reads(stage: Stage, seconds: float) -> None:
    """Read the socket a byte at a time, far slower than the server draws."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            session = await shell(connection, term_size=(300, 120))
            pause_reading(connection)
            sock: Any = raw.transport(connection).get_extra_info("socket")
            while not connection.is_closed():
                session.chan.write(b"?\x1b\x0c")
                with contextlib.suppress(BlockingIOError):
                    os.read(sock.fileno(), 1)
                await asyncio.sleep(0.02)
        finally:
            connection.abort()

    await storm(seconds, 12, one)


@attack
async def megabytes_of_paste(stage: Stage, seconds: float) -> None:
    """Paste without end, into the lobby and into its fields."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection)
            await asyncio.sleep(0.3)
            session.chan.write(b"\r")
            for opening in (b"", b"t", b"/", b"c"):
                await asyncio.sleep(0.2)
                session.chan.write(opening + b"\x1b[200~")
                chunk = "héllo 你好 \x1b[31m\r\n\t".encode() * 1000
                for _ in range(40):
                    session.chan.write(chunk)
                    while session.chan.get_write_buffer_size() > 2**17 and not connection.is_closed():
                        await asyncio.sleep(0.02)
                session.chan.write(b"\x1b[201~\x1b")

    await storm(seconds, 8, one)


@attack
async def bytes_on_a_closed_mouth(stage: Stage, seconds: float) -> None:
    """Send channel data in packets of one byte and of none."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection)
            channel = UInt32(raw.number_of(session.chan))
            await flood(connection, (MSG_CHANNEL_DATA, channel + String(b"")), (2, String(b"")))

    await storm(seconds, 8, one)


@attack
async def nonsense_for_programs(stage: Stage, seconds: float) -> None:
    """Talk to the bot protocol in lines that never end, in deep brackets, and in orders that are none."""

    async def one() -> None:
        async with await stage.connect() as connection:
            process = await connection.create_process("bot", encoding=None)
            lines = [b"[" * 60_000, b'{"do":"act","match":"' + b"x" * 60_000 + b'"}', os.urandom(5000), b"{}" * 30_000]
            for _ in range(20):
                for line in lines:
                    process.stdin.write(line + b"\n")
                process.stdin.write(b"y" * 300_000)
                await process.stdin.drain()

    await storm(seconds, 8, one)


@attack
async def control_sequences_everywhere(stage: Stage, seconds: float) -> None:
    """Put every kind of escape and control sequence in each field where text goes in."""

    async def one() -> None:
        for say in FIELDS:
            with contextlib.suppress(*EXPECTED):
                await say(stage, everything())

    await storm(seconds, 4, one)


MICE = b"".join(b"\x1b[<%d;%d;%dM" % (button, 1 + n % 80, 1 + n % 24) for n in range(400) for button in (0, 35, 64, 65))
ENDLESS = (
    b"\x1b[200~" + b"x" * 200_000,
    b"\x1b]0;" + b"x" * 200_000,
    b"\x1bP" + b"q" * 200_000,
    b"\x1b[" + b"1;" * 100_000,
    b"\x1b" * 100_000,
    b"\x9b\xc2\x9b" * 60_000,
    b"\xf0\x9f" * 60_000,
    MICE * 10,
    b"\x1b[M" * 60_000,
    b"?\x1b[27;5;9~\x1b[O\x1b[I" * 10_000,
)


@attack
async def keys_without_end(stage: Stage, seconds: float) -> None:
    """Send sequences that never end, pastes that nobody closes, mice gone mad, and keys that draw the most."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection, term_size=(300, 120))
            await asyncio.sleep(0.3)
            session.chan.write(b"\r")
            for said in random.sample(ENDLESS, len(ENDLESS)):
                session.chan.write(said)
                while session.chan.get_write_buffer_size() > 2**15 and not connection.is_closed():
                    await asyncio.sleep(0.02)

    await storm(seconds, 10, one)


@attack
async def lists_pasted_as_decks(stage: Stage, seconds: float) -> None:
    """Paste lists of cards that are hard to read: thousands of blanks, brackets and numbers, none of them twice."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with await stage.connect(key=key) as connection:
        await connection.run(f"register deck{random.randrange(10**6)}", check=False)
    shapes = ("3" + " " * 3990 + "q", "(" * 3990, "3 " * 1990, "3 Sure Gamble " * 280, "\u96f7" * 3990)

    async def one() -> None:
        async with await stage.connect(key=key) as connection:
            session = await shell(connection)
            await asyncio.sleep(0.5)
            session.chan.write(b"\r")
            await asyncio.sleep(0.5)
            session.chan.write(b"md")  # oneself, decks
            for n in range(8):
                for shape in shapes:
                    text = f"{n} The Professor {shape}"
                    session.chan.write(b"p\x1b[200~" + text.encode() + b"\x1b[201~\r\x1b")
                    await asyncio.sleep(0.3)

    await storm(seconds, 8, one)


@attack
async def keys_on_a_long_line(stage: Stage, seconds: float) -> None:
    """Have lines said, and type, erase and recall behind a line as long as may be, before any of it is looked at."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection, "lines")
            for keys in (b"a\x7f" * 20_000, b"\r" + b"\x10\x0e" * 20_000, b" b\x17" * 10_000):
                session.chan.write("一".encode() * 4000 + keys)
            await asyncio.sleep(1)

    await storm(seconds, 8, one)

"""Attacks before and around logging in: half connections, endless attempts, key exchanges."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import Any

import asyncssh
from asyncssh.constants import MSG_CHANNEL_DATA
from asyncssh.packet import Boolean, String, UInt32

from tests.contracts import raw
from tests.hostile.attacking import EXPECTED, FULL_WINDOW, OUTCOMES, attack, shell, storm
from tests.hostile.stage import Stage

MSG_USERAUTH_REQUEST = 50
AGAIN_S = 0.2  # before somebody whom the server sent away is there again


@attack
async def never_ending_authentication(stage: Stage, seconds: float) -> None:
    """Ask to authenticate for ever: by no method, by unknown ones, by keys never signed; and answer nothing."""

    class Asking(asyncssh.SSHClient):
        def connection_made(self, conn: Any) -> None:
            self.conn = conn

        async def public_key_auth_requested(self) -> Any:
            for _ in range(1000):
                for method in (b"none", b"password", b"x" * 500):
                    self.conn.send_packet(
                        MSG_USERAUTH_REQUEST, String(b"x") + String(b"ssh-connection") + String(method)
                    )
                await asyncio.sleep(0.05)

    async def asks() -> None:
        await stage.connect(client_factory=Asking, preferred_auth="publickey")

    class Mute(asyncssh.SSHClient):
        def kbdint_auth_requested(self) -> str:
            return ""

        async def kbdint_challenge_received(self, *_: object) -> list[str]:
            await asyncio.sleep(seconds)
            return []

    async def says_nothing() -> None:
        await stage.connect(client_factory=Mute)

    await asyncio.gather(storm(seconds, 8, asks), storm(seconds, 8, says_nothing))


@attack
async def hundreds_of_keys(stage: Stage, seconds: float) -> None:
    """Offer key after key, and come again when sent away."""
    keys = [asyncssh.generate_private_key("ecdsa-sha2-nistp256").convert_to_public() for _ in range(200)]

    class Offering(asyncssh.SSHClient):
        def connection_made(self, conn: Any) -> None:
            self.conn = conn
            self.left = list(keys)

        def public_key_auth_requested(self) -> Any:
            for key in self.left:
                offer = String(b"x") + String(b"ssh-connection") + String(b"publickey") + Boolean(False)
                self.conn.send_packet(
                    MSG_USERAUTH_REQUEST, offer + String(key.get_algorithm()) + String(key.public_data)
                )
            self.left.clear()

    async def one() -> None:
        await stage.connect(client_factory=Offering, preferred_auth="publickey")

    await storm(seconds, 8, one, 0)


@attack
async def thousands_of_idle_connections(stage: Stage, seconds: float) -> None:
    """Open thousands of connections from one address and say nothing, or half a word."""
    held: list[asyncio.StreamWriter] = []

    async def one() -> None:
        reader, writer = await stage.raw()
        held.append(writer)
        writer.write(b"SSH-2.0-")
        if len(held) > 3000:
            held.pop(0).close()
        del reader

    try:
        await storm(seconds, 20, one, 0.01)
    finally:
        for writer in held:
            writer.close()


@attack
async def idle_sockets_from_fifty_sources(stage: Stage, seconds: float) -> None:
    """Keep a thousand connections open from fifty networks, say nothing, and open each anew when closed."""
    held = set[asyncio.StreamWriter]()

    async def one(number: int) -> None:
        while True:
            with contextlib.suppress(*EXPECTED):
                reader, writer = await stage.raw(f"127.1.{number % 50}.1")
                held.add(writer)
                while await reader.read(4096):
                    pass
                held.discard(writer)
                writer.close()
                OUTCOMES["closed"] += 1
            await asyncio.sleep(AGAIN_S)

    tasks = [asyncio.create_task(one(number)) for number in range(1000)]
    try:
        await asyncio.sleep(seconds)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in held:
            writer.close()


@attack
async def thousands_of_idle_logins(stage: Stage, seconds: float) -> None:
    """Log in as often as one is let in, look at the lobby, and stay."""

    async def one() -> None:
        async with await stage.connect() as connection:
            await shell(connection)
            await asyncio.sleep(seconds)

    await storm(seconds, 30, one)


@attack
async def half_open_connections(stage: Stage, seconds: float) -> None:
    """Begin packets and never end them, close one direction only, and vanish in the middle of the key exchange."""

    async def one() -> None:
        reader, writer = await stage.raw()
        try:
            writer.write(b"SSH-2.0-x\r\n" + UInt32(33_000))
            for _ in range(30):
                writer.write(os.urandom(1000))
                await asyncio.sleep(0.01)
            writer.write_eof()
            await asyncio.wait_for(reader.read(), 30)
        finally:
            writer.close()

    async def vanishes() -> None:
        connecting = asyncio.ensure_future(stage.connect())
        await asyncio.sleep(0.02)
        connecting.cancel()
        await asyncio.gather(connecting, return_exceptions=True)

    await asyncio.gather(storm(seconds, 10, one), storm(seconds, 5, vanishes))


@attack
async def lines_before_the_version(stage: Stage, seconds: float) -> None:
    """Send what is no version: lines without end, a banner of megabytes, another protocol."""

    async def one() -> None:
        for said in (b"\r\n" * 50_000, b"x" * 1_000_000, b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-" + b"y" * 9000 + b"\n"):
            reader, writer = await stage.raw()
            writer.write(said)
            await asyncio.wait_for(reader.read(), 30)
            writer.close()

    await storm(seconds, 8, one)


@attack
async def rekey_storms(stage: Stage, seconds: float) -> None:
    """Exchange keys anew as fast as the server answers."""

    async def one() -> None:
        async with await stage.connect(rekey_bytes=1) as connection:
            session = await shell(connection)
            while True:
                session.chan.write(b"?\x1b")
                await asyncio.sleep(0.002)

    await storm(seconds, 12, one)


@attack
async def rekeys_that_never_end(stage: Stage, seconds: float) -> None:
    """Begin a key exchange while the server draws for this client, and say nothing more about it."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            session = await shell(connection, window=FULL_WINDOW, term_size=(300, 120))
            await asyncio.sleep(0.3)
            session.chan.write(b"\r")
            channel = UInt32(raw.number_of(session.chan))
            raw.begin_key_exchange(connection)
            send: Any = asyncssh.SSHClientConnection.send_packet
            for _ in range(10**6):
                if connection.is_closed():
                    return
                send(connection, MSG_CHANNEL_DATA, channel + String(b"?\x1b\x0c"))
                raw.forget_key_exchange(connection)
                await asyncio.sleep(0.02)
        finally:
            connection.abort()

    await storm(seconds, 12, one)


@attack
async def coming_and_going(stage: Stage, seconds: float) -> None:
    """Log in and hang up as fast as one can, cleanly or not."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            await shell(connection)
        finally:
            connection.abort()

    await storm(seconds, 10, one, 0)

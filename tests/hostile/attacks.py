"""The attacks, each a coroutine that goes on until its time is over. They use the SSH library's own packets."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import asyncssh
from asyncssh.constants import MSG_CHANNEL_DATA, MSG_CHANNEL_OPEN, MSG_CHANNEL_REQUEST, MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from tests.hostile.nasty import FIELDS, everything
from tests.hostile.stage import Stage

FULL_WINDOW = 2**32 - 1
MSG_KEXINIT, MSG_USERAUTH_REQUEST, MSG_WINDOW_ADJUST = 20, 50, 93
AT_ONCE = 256  # packets between two looks at the clock
EXPECTED = (OSError, asyncssh.Error, asyncio.IncompleteReadError, TimeoutError)
Attack = Callable[[Stage, float], Awaitable[None]]
One = Callable[[], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}
OUTCOMES: Counter[str] = Counter()  # how the attackers' rounds ended, to see that they really attack


def attack(function: Attack) -> Attack:
    """Put an attack in the table, under its name."""
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


class Silent(asyncssh.SSHClientSession[bytes]):
    """A session whose output nobody looks at."""

    def connection_made(self, chan: Any) -> None:
        self.chan = chan


async def storm(seconds: float, many: int, one: One, pause_s: float = 0.05) -> None:
    """Do `one` again and again, so many at once, until the time is over; being sent away is expected."""

    ends = asyncio.get_running_loop().time() + seconds

    async def worker() -> None:
        while asyncio.get_running_loop().time() < ends:  # besides being cancelled: a `wait_for` may swallow that
            try:
                await one()
                OUTCOMES["done"] += 1
            except EXPECTED as error:
                OUTCOMES[f"{type(error).__name__}: {str(error)[:60]}"] += 1
            await asyncio.sleep(pause_s)

    workers = [asyncio.create_task(worker()) for _ in range(many)]
    try:
        await asyncio.sleep(seconds)
        for task in workers:
            if task.done():
                task.result()
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def flood(connection: asyncssh.SSHClientConnection, *packets: tuple[int, bytes]) -> None:
    """Send packets as fast as the server takes them, until it hangs up."""
    transport: Any = connection._transport
    while not connection.is_closed() and transport is not None and not transport.is_closing():
        for _ in range(AT_ONCE):
            for kind, body in packets:
                connection.send_packet(kind, body)
        while transport.get_write_buffer_size() > 2**18 and not transport.is_closing():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)


async def shell(connection: asyncssh.SSHClientConnection, command: str | None = None, **more: Any) -> Silent:
    """Open a terminal whose output is thrown away."""
    options = {"term_type": "xterm-256color", "term_size": (80, 24), "encoding": None, "request_pty": "force", **more}
    _, session = await connection.create_session(Silent, command, **options)
    return session


def request(session: Silent, name: bytes, *args: bytes, wants_reply: bool = True) -> tuple[int, bytes]:
    """Return one channel request as a packet."""
    body = UInt32(session.chan._send_chan) + String(name) + Boolean(wants_reply) + b"".join(args)
    return MSG_CHANNEL_REQUEST, body


# Channels and requests


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


async def bare_channel(connection: asyncssh.SSHClientConnection) -> Silent:
    """Open a session channel that runs nothing yet."""
    chan: Any = asyncssh.SSHClientChannel(
        connection, asyncio.get_running_loop(), "strict", None, "strict", 2**21, 32768
    )
    await chan._open(b"session")
    session = Silent()
    session.connection_made(chan)
    chan._session = session
    return session


# Terminals


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


def pause_reading(connection: asyncssh.SSHClientConnection) -> None:
    """Read no more from the socket."""
    transport: Any = connection._transport
    transport.pause_reading()


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
            await flood(connection, (MSG_WINDOW_ADJUST, UInt32(session.chan._send_chan) + UInt32(1)))

    await asyncio.gather(storm(seconds, 6, one), storm(seconds, 6, grains))


@attack
async def one_byte_reads(stage: Stage, seconds: float) -> None:
    """Read the socket a byte at a time, far slower than the server draws."""

    async def one() -> None:
        connection = await stage.connect()
        try:
            session = await shell(connection, term_size=(300, 120))
            pause_reading(connection)
            sock: Any = connection._transport.get_extra_info("socket")  # type: ignore[union-attr]
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
            channel = UInt32(session.chan._send_chan)
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


# Before and around logging in


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
            channel = UInt32(session.chan._send_chan)
            connection._send_kexinit()
            send: Any = asyncssh.SSHClientConnection.send_packet
            connection._kex_complete = True  # so that the library goes on sending
            for _ in range(10**6):
                if connection.is_closed():
                    return
                send(connection, MSG_CHANNEL_DATA, channel + String(b"?\x1b\x0c"))
                connection._kex = None  # no answer to the server's part
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

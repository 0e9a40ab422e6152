"""Attacks with packets made by hand: what the protocol allows and no client sends."""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import asyncssh
from asyncssh.constants import (
    MSG_CHANNEL_CLOSE,
    MSG_CHANNEL_DATA,
    MSG_CHANNEL_EOF,
    MSG_CHANNEL_EXTENDED_DATA,
    MSG_CHANNEL_OPEN,
    MSG_DEBUG,
    MSG_GLOBAL_REQUEST,
    MSG_SERVICE_REQUEST,
    MSG_UNIMPLEMENTED,
)
from asyncssh.packet import Boolean, NameList, String, UInt32

from tests.contracts import raw
from tests.hostile.attacking import FULL_WINDOW, attack, bare_channel, flood, request, storm
from tests.hostile.stage import Stage

MSG_KEXINIT, MSG_USERAUTH_REQUEST, MSG_WINDOW_ADJUST = 20, 50, 93
LARGEST = 250_000  # bytes of a packet that the library takes in
TERMS = (b"", b"\x1b[2J", b"x" * 5000, b"../../etc/passwd", b"\xff\xfe", b"xterm\x00", b"XTERM-256COLOR", b"dumb")
SIGNALS = (b"INT", b"TERM", b"KILL", b"HUP", b"WINCH", b"USR1", b"", b"x" * 3000, b"\xff")
KINDS_OF_CHANNEL = (
    *(b"x11", b"forwarded-tcpip", b"auth-agent@openssh.com", b"direct-streamlocal@openssh.com", b"tun@openssh.com"),
    *(b"forwarded-streamlocal@openssh.com", b"", b"x" * 10_000, b"\xff"),
)


@attack
async def proofs_of_host_keys(stage: Stage, seconds: float) -> None:
    """Ask the server to sign for its host key thousands of times in one packet."""

    async def one() -> None:
        async with await stage.connect() as connection:
            key: Any = connection.get_server_host_key()
            name = String(b"hostkeys-prove-00@openssh.com") + Boolean(True)
            times = LARGEST // (len(key.public_data) + 4)
            await flood(connection, (MSG_GLOBAL_REQUEST, name + String(key.public_data) * times))

    await storm(seconds, 10, one)


@attack
async def global_requests_of_every_kind(stage: Stage, seconds: float) -> None:
    """Ask for listeners, for things nobody knows, and to take back what never was; debug and ignore between."""

    async def one() -> None:
        async with await stage.connect() as connection:
            where = String(b"0.0.0.0") + UInt32(0)
            packets = [
                (MSG_GLOBAL_REQUEST, String(b"tcpip-forward") + Boolean(True) + where),
                (MSG_GLOBAL_REQUEST, String(b"cancel-tcpip-forward") + Boolean(True) + where),
                (MSG_GLOBAL_REQUEST, String(b"streamlocal-forward@openssh.com") + Boolean(True) + String(b"/tmp/x")),
                (MSG_GLOBAL_REQUEST, String(b"no-more-sessions@openssh.com") + Boolean(True)),
                (MSG_GLOBAL_REQUEST, String(os.urandom(20).hex().encode() * 100) + Boolean(True)),
                (MSG_DEBUG, Boolean(True) + String(b"\x1b[2J" * 1000) + String(b"")),
                (MSG_UNIMPLEMENTED, UInt32(1)),
                (MSG_SERVICE_REQUEST, String(b"ssh-connection")),
            ]
            random.shuffle(packets)
            await flood(connection, *packets)

    async def harmless() -> None:
        async with await stage.connect() as connection:
            name = String(b"cancel-tcpip-forward") + Boolean(True) + String(b"h") + UInt32(0)
            unknown = String(b"x" * 100_000) + Boolean(True)
            await flood(connection, (MSG_GLOBAL_REQUEST, name), (MSG_GLOBAL_REQUEST, unknown))

    await asyncio.gather(storm(seconds, 6, one), storm(seconds, 6, harmless))


@attack
async def channels_of_every_kind(stage: Stage, seconds: float) -> None:
    """Open channels that only servers open, or nobody; with names of kilobytes and bodies of rubbish."""

    async def one() -> None:
        async with await stage.connect() as connection:
            packets = [
                (MSG_CHANNEL_OPEN, String(kind) + UInt32(7) + UInt32(FULL_WINDOW) + UInt32(32768) + os.urandom(40))
                for kind in KINDS_OF_CHANNEL
            ]
            await flood(connection, *random.sample(packets, len(packets)))

    await storm(seconds, 8, one)


@attack
async def requests_in_odd_places(stage: Stage, seconds: float) -> None:
    """Ask for terminals of rubbish, send signals, breaks, ends and closes in any order, before and after a shell."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await bare_channel(connection)
            number = UInt32(raw.number_of(session.chan))
            size = b"".join(UInt32(random.choice((0, 1, 80, 2**31, FULL_WINDOW))) for _ in range(4))
            packets = [
                request(session, b"pty-req", String(random.choice(TERMS)), size, String(os.urandom(3000))),
                request(session, b"pty-req", String(b"xterm"), size, String(b"\x01" + UInt32(1)) * 1000),
                request(session, b"x11-req", Boolean(True), String(b"x" * 9999), String(b"y"), UInt32(0)),
                request(session, b"auth-agent-req@openssh.com"),
                request(session, b"subsystem", String(b"sftp")),
                request(session, b"signal", String(random.choice(SIGNALS)), wants_reply=False),
                request(session, b"break", UInt32(FULL_WINDOW)),
                request(session, b"xon-xoff", Boolean(True)),
                request(session, b"exit-status", UInt32(0)),
                request(session, b"window-change", size, wants_reply=False),
                request(session, random.choice((b"shell", b"exec")), String(b"bot")),
                (MSG_CHANNEL_DATA, number + String(os.urandom(200))),
                (MSG_CHANNEL_EXTENDED_DATA, number + UInt32(1) + String(b"err")),
                (MSG_CHANNEL_EOF, number),
                (MSG_CHANNEL_CLOSE, number),
                (MSG_WINDOW_ADJUST, number + UInt32(FULL_WINDOW)),
            ]
            for kind, body in random.choices(packets, k=40):
                connection.send_packet(kind, body)
            await asyncio.sleep(0.2)

    await storm(seconds, 12, one, 0.01)


@attack
async def many_commands_on_one_channel(stage: Stage, seconds: float) -> None:
    """Ask a channel that runs something for more: shells, terminals and commands by the hundred."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await bare_channel(connection)
            connection.send_packet(*request(session, b"exec", String(b"bot")))
            packets = [
                request(session, b"exec", String(b"games --json")),
                request(session, b"shell"),
                request(session, b"pty-req", String(b"xterm"), UInt32(80), UInt32(24), UInt32(0) * 2, String(b"")),
                request(session, b"window-change", UInt32(300), UInt32(120), UInt32(0) * 2, wants_reply=False),
            ]
            await flood(connection, *packets)

    await storm(seconds, 8, one)


def packet(kind: int, body: bytes) -> bytes:
    """Return a packet as it is before any encryption."""
    payload = bytes((kind,)) + body
    padding = 4 + -(9 + len(payload)) % 8
    return UInt32(1 + len(payload) + padding) + bytes((padding,)) + payload + bytes(padding)


@attack
async def rubbish_key_exchanges(stage: Stage, seconds: float) -> None:
    """Offer algorithms by the ten thousand, lengths that lie, and halves of packets, a byte at a time."""
    names = NameList([b"%d" % n for n in range(3_000)])
    huge = packet(MSG_KEXINIT, os.urandom(16) + names * 10 + Boolean(False) + UInt32(0))
    first = NameList([b"curve25519-sha256"]) + NameList([b"ssh-ed25519"])
    ciphers, macs = NameList([b"aes128-ctr"]) * 2, NameList([b"hmac-sha2-256-etm@openssh.com"]) * 2
    good = packet(
        MSG_KEXINIT,
        os.urandom(16)
        + first
        + ciphers
        + macs
        + NameList([b"none"]) * 2
        + NameList([]) * 2
        + Boolean(False)
        + UInt32(0),
    )
    answers = [packet(30, String(os.urandom(32))), packet(30, String(bytes(32))), packet(30, String(b"x" * 200_000))]
    said = [huge, good + huge, good * 50, *(good + answer * 2 for answer in answers), os.urandom(5000)]
    said += [UInt32(length) + os.urandom(64) for length in (0, 1, 7, LARGEST, 2**31, FULL_WINDOW)]

    async def one() -> None:
        reader, writer = await stage.raw()
        try:
            writer.write(b"SSH-2.0-x\r\n" + random.choice(said))
            await asyncio.wait_for(reader.read(), 2)
        finally:
            writer.close()

    async def slowly() -> None:
        reader, writer = await stage.raw()
        try:
            for byte in b"SSH-2.0-slow\r\n" + huge:
                writer.write(bytes((byte,)))
                await asyncio.sleep(0.01)
                if reader.at_eof():
                    return
        finally:
            writer.close()

    await asyncio.gather(storm(seconds, 6, one, 0.01), storm(seconds, 4, slowly))


def rubbish_keys() -> list[tuple[bytes, bytes]]:
    """Return public keys as (algorithm, blob): of absurd sizes, certificates, halves, and none at all."""
    ssh_rsa = [
        String(b"ssh-rsa") + String(exponent) + String(b"\x00" + modulus + b"\x01")
        for exponent in (b"\x03", b"\x01\x00\x01", b"\x7f" * 8000)
        for modulus in (b"\xff" * 256, b"\xff" * 2048, b"\xff" * 16_000, b"\xff" * 100_000)
    ]
    odd = [
        (b"ssh-ed25519", String(b"ssh-ed25519") + String(b"\xff" * 32)),
        (b"ssh-ed25519", String(b"ssh-ed25519") + String(b"")),
        (b"ecdsa-sha2-nistp256", String(b"ecdsa-sha2-nistp256") + String(b"nistp256") + String(b"\x04" + b"\xff" * 64)),
        (b"ecdsa-sha2-nistp256", String(b"ecdsa-sha2-nistp521") + String(b"nistp256") + String(b"\x04")),
        (b"ssh-ed25519-cert-v01@openssh.com", String(b"ssh-ed25519-cert-v01@openssh.com") + os.urandom(20_000)),
        (b"x509v3-ssh-rsa", os.urandom(50_000)),
        (b"ssh-ed25519", os.urandom(200_000)),
    ]
    return [*((b"rsa-sha2-256", blob) for blob in ssh_rsa), *odd]


@attack
async def keys_of_rubbish(stage: Stage, seconds: float) -> None:
    """Offer keys that are none, or of a hundred thousand bits, signed with rubbish."""
    keys = rubbish_keys()

    class Offering(asyncssh.SSHClient):
        def connection_made(self, conn: Any) -> None:
            self.conn = conn

        def public_key_auth_requested(self) -> Any:
            for _ in range(6):
                name, blob = random.choice(keys)
                user = random.choice((b"x", "\u00aa".encode() * 500, b"\xff", b"a" * 1023))
                offer = String(user) + String(b"ssh-connection") + String(b"publickey")
                signed = random.random() < 0.5
                signature = String(String(name) + String(os.urandom(len(blob) % 20_000))) if signed else b""
                self.conn.send_packet(
                    MSG_USERAUTH_REQUEST, offer + Boolean(signed) + String(name) + String(blob) + signature
                )

    async def one() -> None:
        await stage.connect(client_factory=Offering, preferred_auth="publickey")

    await storm(seconds, 8, one, 0)

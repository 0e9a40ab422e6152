"""The private parts of asyncssh's client that attackers and probes need: here only, with `test_raw.py` beside it."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import asyncssh
from asyncssh.packet import SSHPacket

WINDOW, PACKET = 2**21, 32768
REQUEST_SUCCESS = 81


class LoginMethod(Protocol):
    """What the library asks of a method of authentication in progress."""

    def process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> bool: ...
    def log_received_packet(self, *args: Any) -> None: ...
    def auth_failed(self) -> None: ...
    def auth_succeeded(self) -> None: ...
    def cancel(self) -> None: ...


def replace(connection: Any, **parts: object) -> None:
    """Set private attributes that there must be: else the library has changed, and the attack would do nothing."""
    for name, value in parts.items():
        assert hasattr(connection, name), name
        setattr(connection, name, value)


def take_over_login(connection: asyncssh.SSHClientConnection, method: object) -> None:
    """Let `method` hear the answers to requests of authentication, in place of the library's own."""
    replace(connection, _auth=method, _auth_was_trivial=False)


def call_oneself(connection: asyncssh.SSHClientConnection, name: str) -> None:
    """Log in under a name that the library would refuse to ask for."""
    replace(connection, _username=name)


def session_id(connection: asyncssh.SSHClientConnection) -> bytes:
    """Return the identifier of the session, which signatures sign."""
    found: bytes = connection._session_id
    return found


def transport(connection: asyncssh.SSHClientConnection) -> asyncio.Transport:
    """Return the connection's transport. Raises ConnectionResetError after its end."""
    found: Any = connection._transport
    if found is None:
        raise ConnectionResetError
    assert isinstance(found, asyncio.Transport)
    return found


def begin_key_exchange(connection: asyncssh.SSHClientConnection) -> None:
    """Begin a key exchange; the library goes on sending all the same."""
    connection._send_kexinit()
    replace(connection, _kex_complete=True)


def forget_key_exchange(connection: asyncssh.SSHClientConnection) -> None:
    """Answer nothing to the server's part of a key exchange."""
    replace(connection, _kex=None)


def number_of(channel: Any) -> int:
    """Return the server's number of an open channel."""
    number: int = channel._send_chan
    return number


async def open_channel(connection: asyncssh.SSHClientConnection, session: asyncssh.SSHClientSession[bytes]) -> None:
    """Open a session channel that runs nothing yet."""
    channel: Any = asyncssh.SSHClientChannel(
        connection, asyncio.get_running_loop(), "strict", None, "strict", WINDOW, PACKET
    )
    await channel._open(b"session")
    session.connection_made(channel)
    replace(channel, _session=session)


async def make_global_request(connection: asyncssh.SSHClientConnection, name: bytes, *args: bytes) -> bool:
    """Make a request of the connection; return whether the server granted it."""
    kind, _ = await connection._make_global_request(name, *args)
    return kind == REQUEST_SUCCESS


async def make_request(channel: Any, name: bytes, *args: bytes) -> bool:
    """Make a channel request; return whether the server granted it."""
    granted: bool = await channel._make_request(name, *args)
    return granted

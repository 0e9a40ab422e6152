"""A listener without services: whatever is asked, it says who asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import asyncssh

from server.accounts.identity import Identity
from server.clock import SystemClock
from server.config import Limits
from server.ssh.auth import Login
from server.ssh.call import Call
from server.ssh.listener import Listener
from server.terminal.drawqueue import DrawQueue
from tests.ssh.client import Guest, run, ssh_options

HOST_KEYS = [
    asyncssh.generate_private_key("ssh-ed25519"),
    asyncssh.generate_private_key("ecdsa-sha2-nistp256"),
    asyncssh.generate_private_key("ssh-rsa", key_size=3072),
]
POURED_BYTES = 600_000  # less than what one connection is cut off for by itself


class BareListener:
    """The listener, and what it learned."""

    def __init__(self, listener: Listener, port: int) -> None:
        self.listener = listener
        self.port = port

    def command(
        self, *words: str, key: Path | None = None, user: str = "mira", options: tuple[str, ...] = ()
    ) -> list[str]:
        return ["ssh", *ssh_options(self.port, key), *options, f"{user}@127.0.0.1", *words]

    async def ssh(self, *words: str, **more: Any) -> tuple[int, str, str]:
        """Run the OpenSSH client; return exit status, stdout, stderr."""
        return await run(self.command(*words, **more))

    async def whoami(self, **more: Any) -> dict[str, Any]:
        status, out, err = await self.ssh("whoami", **more)
        assert status == 0, err
        found: dict[str, Any] = json.loads(out)
        return found


@asynccontextmanager
async def bare_listener(limits: Limits | None = None, **more: Any) -> AsyncIterator[BareListener]:
    """Listen on a free port of 127.0.0.1."""
    listener = Listener(HOST_KEYS, limits or Limits(), SystemClock(), recognise, tell, DrawQueue(), **more)
    port = await listener.listen_all(("127.0.0.1",), 0)
    try:
        yield BareListener(listener, port)
    finally:
        await listener.close(lambda texts: "the test is over")


class Connecting(Protocol):
    """A connection to be awaited, or to be entered and closed at the end."""

    def __await__(self) -> Generator[Any, None, asyncssh.SSHClientConnection]: ...
    async def __aenter__(self) -> asyncssh.SSHClientConnection: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


def connect(bare: BareListener, **more: object) -> Connecting:
    """Connect as a guest, or as `more` says."""
    options: dict[str, Any] = {
        "client_factory": Guest,
        "username": "x",
        "known_hosts": None,
        "config": None,
        "client_keys": None,
        "agent_path": None,
        **more,
    }
    return asyncssh.connect("127.0.0.1", bare.port, **options)


async def recognise(login: Login) -> Identity:
    key = login.proven
    return Identity(
        None,
        "guest",
        frozenset(),
        key.fingerprint if key else None,
        key.public_key if key else None,
        login.wanted_handle,
        login.source,
    )


async def tell(call: Call) -> int:
    """Say who asks for what; `wait` stays, and `pour` first writes more than any window holds."""
    size = call.screen.get_cols_rows() if call.screen else None
    if call.command == "flood":
        while True:
            call.writer.write(b"x" * 65536)
            await asyncio.sleep(0)
    if call.command == "pour":
        call.writer.write(bytes(POURED_BYTES))
        await asyncio.Event().wait()
    await call.out_json(
        {
            "key": call.identity.fingerprint,
            "wanted_handle": call.identity.wanted_handle,
            "command": call.command,
            "size": size,
            "env": dict(call.env),
            "colors": call.screen.client.colors if call.screen else None,
            "source": call.identity.source,
        }
    )
    if call.command == "wait":
        await asyncio.Event().wait()
    if call.command == "echo":
        try:
            while True:
                line = await call.lines.line()
                await call.out(line.decode() if line is not None else "TOO LONG")
        except EOFError:
            return 7
    return 0

"""A listener without a house: whatever is asked, it says who asked. For tests of the door itself."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh

from server.accounts.identity import Identity
from server.clock import SystemClock
from server.config import Limits
from server.ssh.auth import Login
from server.ssh.call import Call
from server.ssh.server import Listener
from tests.waiting import PATIENCE_S

HOST_KEYS = [
    asyncssh.generate_private_key("ssh-ed25519"),
    asyncssh.generate_private_key("ecdsa-sha2-nistp256"),
    asyncssh.generate_private_key("ssh-rsa", key_size=3072),
]


class Door:
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


def ssh_options(port: int, key: Path | None) -> list[str]:
    """Return options that keep the client away from this machine's own keys and settings."""
    options = ["-F", "none", "-p", str(port), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
    options += ["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes"]
    return [*options, "-i", str(key)] if key else [*options, "-o", "PubkeyAuthentication=no"]


async def run(
    command: list[str], stdin: bytes | None = b"", timeout_s: float = PATIENCE_S, env: dict[str, str] | None = None
) -> tuple[int, str, str]:
    """Run a program to its end."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, env=env
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(stdin), timeout_s)
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def new_key(folder: Path, name: str, algorithm: str = "ssh-ed25519", **more: Any) -> Path:
    """Make a key pair as ssh-keygen would; return the private file."""
    key = asyncssh.generate_private_key(algorithm, **more)
    path = folder / name
    key.write_private_key(path)
    path.chmod(0o600)
    key.write_public_key(f"{path}.pub")
    return path


def fingerprint(key: Path) -> str:
    """Return the fingerprint of a key file."""
    return str(asyncssh.read_public_key(f"{key}.pub").get_fingerprint("sha256"))


@asynccontextmanager
async def open_door(limits: Limits | None = None, **more: Any) -> AsyncIterator[Door]:
    """Listen on a free port of 127.0.0.1."""
    listener = Listener(HOST_KEYS, limits or Limits(), SystemClock(), recognise, tell, **more)
    port = await listener.listen_all(("127.0.0.1",), 0)
    try:
        yield Door(listener, port)
    finally:
        await listener.close("the test is over")


async def recognise(login: Login) -> Identity:
    key = login.proven
    return Identity(
        None,
        "guest",
        frozenset(),
        key.fingerprint if key else None,
        key.public_key if key else None,
        login.wish,
        login.source,
    )


async def tell(call: Call) -> int:
    """Say who asks for what; `wait` stays."""
    size = call.screen.get_cols_rows() if call.screen else None
    if call.command == "flood":
        while True:
            call.writer.write(b"x" * 65536)
            await asyncio.sleep(0)
    await call.out_json(
        {
            "key": call.identity.fingerprint,
            "wish": call.identity.wish,
            "command": call.command,
            "size": size,
            "env": dict(call.env),
            "colors": call.screen.client.colors if call.screen else None,
            "source": call.identity.source,
        }
    )
    if call.command == "wait":
        await call.gone.wait()
    if call.command == "echo":
        try:
            while True:
                line = await call.lines.line()
                await call.out(line.decode() if line is not None else "TOO LONG")
        except EOFError:
            return 7
    return 0

"""What the measurements share: the real server in a process, keys with accounts, asyncssh clients with a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import asyncssh

from tests.bench.report import Figure
from tests.ssh.client import Guest

KEX = "curve25519-sha256"
CIPHER = "aes256-gcm@openssh.com"
HOST_KEY = "ssh-ed25519"  # as OpenSSH would choose; the library's client prefers RSA, which takes a millisecond more
FOREIGN = ("PATCHBAY_", "PYTHONDONTWRITEBYTECODE")  # of the caller's shell: a server keeps what it has compiled
GENEROUS = {
    "PATCHBAY_LIMIT_UNAUTHENTICATED": "100000",
    "PATCHBAY_LIMIT_CONNECTIONS_PER_SOURCE": "100000",
    "PATCHBAY_LIMIT_ACCOUNTS_PER_HOUR": "100000",
}


@dataclass(slots=True)
class Process:
    """A server of ours or a bare one: its pid and port, and what it said at its start."""

    child: asyncio.subprocess.Process
    port: int
    said: list[str] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.child.pid


@contextlib.asynccontextmanager
async def patchbay(
    data_dir: Path | None = None, limits: Mapping[str, str] = GENEROUS, core: int | None = None, **settings: str
) -> AsyncIterator[Process]:
    """Start the real server on a free port, with an empty data directory if none is given; stop it at the end.

    `core`: the one processor it may use.
    """
    with tempfile.TemporaryDirectory(prefix="patchbay-bench-") as empty:
        data = data_dir or Path(empty)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        env = {**kept, **limits, "PATCHBAY_DATA_DIR": str(data), "PATCHBAY_PORT": "0", **settings}
        with (data / "stderr").open("wb") as stderr:
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "server", "serve", env=env, stdout=asyncio.subprocess.PIPE, stderr=stderr,
                preexec_fn=pinned(core),
            )  # fmt: skip
        assert child.stdout is not None
        said: list[str] = []
        async for line in child.stdout:
            said.append(line.decode().rstrip("\n"))
            if said[-1].startswith("patchbay: ready on "):
                break
        else:
            raise RuntimeError((data / "stderr").read_text()[-2000:])
        try:
            yield Process(child, int(said[-1].rsplit(":", 1)[1]), said)
        finally:
            with contextlib.suppress(ProcessLookupError):  # a measurement may have killed it
                child.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(child.wait(), 15)
            if child.returncode is None:
                child.kill()
                await child.wait()


def pinned(core: int | None) -> partial[None] | None:
    """Return what binds a new process to one processor; None: it may use all."""
    return None if core is None else partial(os.sched_setaffinity, 0, {core})


@contextlib.asynccontextmanager
async def bare(core: int | None = None) -> AsyncIterator[Process]:
    """Start the bare asyncssh server."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.bare", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        preexec_fn=pinned(core),
    )  # fmt: skip
    assert child.stdout is not None
    port = int(await child.stdout.readline())
    try:
        yield Process(child, port)
    finally:
        child.kill()
        await child.wait()


def source(i: int) -> tuple[str, int]:
    """Return a loopback address of its own for client `i`, as every limit counts by source."""
    return (f"127.0.{1 + i // 200}.{1 + i % 200}", 0)


async def connect(port: int, key: asyncssh.SSHKey | None, i: int = 0) -> asyncssh.SSHClientConnection:
    """Log in once, with a key or as a guest."""
    return await asyncssh.connect(
        "127.0.0.1", port, username="bench", client_keys=[key] if key else None, known_hosts=None, agent_path=None,
        config=None, local_addr=source(i), kex_algs=[KEX], encryption_algs=[CIPHER],
        server_host_key_algs=[HOST_KEY], preferred_auth="publickey" if key else "keyboard-interactive",
        login_timeout=60, client_factory=Guest,
    )  # fmt: skip


@dataclass(slots=True)
class Terminal(asyncssh.SSHClientSession[bytes]):
    """One client's terminal: counts what arrives and when."""

    received: int = 0
    tail: bytearray = field(default_factory=bytearray)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False
    chan: asyncssh.SSHClientChannel[bytes] | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.chan = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        self.tail += data
        del self.tail[:-65536]
        self.changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self.changed.set()

    def press(self, keys: bytes) -> None:
        assert self.chan is not None
        self.chan.write(keys)

    async def answer(self, keys: bytes, timeout_s: float = 10) -> float:
        """Press keys and return the seconds until the screen changed."""
        self.changed.clear()
        began = time.perf_counter()
        self.press(keys)
        await asyncio.wait_for(self.changed.wait(), timeout_s)
        return time.perf_counter() - began

    async def quiet(self, for_s: float = 0.3) -> None:
        """Wait until nothing has arrived for a while."""
        while True:
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), for_s)
            except TimeoutError:
                return
            if self.closed:
                return


async def terminal(
    connection: asyncssh.SSHClientConnection, command: str | None = None, size: tuple[int, int] = (80, 24)
) -> Terminal:
    """Open a terminal, at the lobby or straight at a screen."""
    _, session = await connection.create_session(
        Terminal, command, term_type="xterm-256color", term_size=size, encoding=None, request_pty="force"
    )
    assert isinstance(session, Terminal)
    return session


def one_by_one(collect: Callable[[], AsyncIterator[Figure]]) -> Iterator[Figure]:
    """Run measurements one after the other, and yield each figure as soon as it is known."""
    with asyncio.Runner() as runner:
        measured = collect()
        while (figure := runner.run(anext(measured, None))) is not None:
            yield figure


def quantile(values: list[float], q: float) -> float:
    """Return the value below which a share `q` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


class Program:
    """One side of the bot protocol over a connection."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process

    @classmethod
    async def over(cls, connection: asyncssh.SSHClientConnection) -> Program:
        """Open the protocol and read its hello."""
        return (await cls.greeted(connection))[0]

    @classmethod
    async def greeted(cls, connection: asyncssh.SSHClientConnection) -> tuple[Program, dict[str, Any]]:
        """Open the protocol; return it with its hello."""
        program = cls(await connection.create_process("bot"))
        return program, await program.until("hello")

    def send(self, **said: object) -> None:
        self.process.stdin.write(json.dumps(said) + "\n")

    async def until(self, *kinds: str) -> dict[str, Any]:
        """Read to the next object of one of these types. Raises EOFError at the end, RuntimeError on an error."""
        while line := await asyncio.wait_for(self.process.stdout.readline(), 60):
            heard: dict[str, Any] = json.loads(line)
            if heard["type"] in kinds:
                return heard
            if heard["type"] == "error":
                raise RuntimeError(line)
        raise EOFError


class Players:
    """Accounts made for a measurement, each with a key and a loopback address of its own."""

    def __init__(self, port: int, count: int) -> None:
        self.port = port
        self.keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(count)]

    async def register(self, at_once: int = 8) -> None:
        """Make the accounts, and go through the first screens once so that they never come again."""
        gate = asyncio.Semaphore(at_once)

        async def one(i: int) -> None:
            async with gate, await connect(self.port, self.keys[i], i) as connection:
                done = await connection.run(f"register bench{i:03}x", check=False)
                if done.exit_status != 0:
                    raise RuntimeError(str(done.stderr))
                shown = await terminal(connection)
                await shown.quiet()
                shown.press(b"\r")
                await shown.quiet()

        await asyncio.gather(*map(one, range(len(self.keys))))

    async def connection(self, i: int) -> asyncssh.SSHClientConnection:
        return await connect(self.port, self.keys[i], i)

    async def match(self, i: int) -> str:
        """Begin a match of player `i` (South) against the easy bot, with the cards placed; return its id."""
        async with await self.connection(i) as connection:
            program = await Program.over(connection)
            program.send(do="seek", game="rainet", against="bot:easy", speed="slow", options={"first": "S"})
            started = await program.until("start")
            program.send(do="act", match=started["match"], seq=0, action="setup LVLVVLVL")
            while (turn := await program.until("turn"))["pending"]["prompt"] == "setup":
                continue
            begun = str(turn["match"])
        return begun

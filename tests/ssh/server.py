"""The real server in a process of its own, on a free port with a data directory of its own; and clients for it.

async with running(tmp_path) as server:
    status, out, err = await server.ssh("whoami", key=key)
    async with server.bot(key=key) as bot:
        await bot.send(do="seek", game="rainet", against="bot:easy")
        turn = await bot.until("turn")
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from tests import serverlog
from tests.forkserver import Forked, begin
from tests.ssh.client import run, ssh_options
from tests.waiting import PATIENCE_S

HANGS_UP_S = 60  # then a client is ended
READY = re.compile(r"patchbay: ready on (\S+):(\d+)")
ROOT = Path(__file__).parents[2]


class Server:
    """One server process. It may be killed and started again: the data and the port stay.

    `whole`: it is started as an admin starts it, on an empty data directory. Others are forked (`tests.forkserver`).
    """

    def __init__(self, data_dir: Path, env: Mapping[str, str] | None = None, *, whole: bool = False) -> None:
        self.data_dir = data_dir
        self.whole = whole
        self.env = {"PATCHBAY_LIMIT_ACCOUNTS_PER_HOUR": "1000", **(env or {})}
        self.port = 0
        self.module = "server"  # what is run: the server, or one with a bug in it
        self.files: int | None = None  # how many file descriptors it may have; None: as many as we
        self.said: list[str] = []
        self.process: subprocess.Popen[str] | Forked | None = None

    def start(self) -> None:
        """Start, and come back when it is ready."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PATCHBAY_")}
        ours = {"PATCHBAY_DATA_DIR": str(self.data_dir), "PATCHBAY_PORT": str(self.port), "PYTHONPATH": str(ROOT)}
        env = {**kept, **ours, **self.env}
        if self.files or self.module != "server":
            self.process = self._odd(env)
        else:
            self.process = begin(["serve"], env, self.data_dir.parent, self.log, whole=self.whole)
        assert self.process.stdout is not None
        watchdog = threading.Timer(PATIENCE_S, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                self.said.append(line.rstrip("\n"))
                if found := READY.fullmatch(self.said[-1]):
                    self.port = int(found[2])
                    return
        finally:
            watchdog.cancel()
        code = self.process.wait()
        raise AssertionError(f"the server did not start, it ended with {code}: {self.said[-3:]} {self.errors()}")

    def _odd(self, env: dict[str, str]) -> subprocess.Popen[str]:
        """Start another module than the server, or with few file descriptors."""
        limited = ["sh", "-c", 'ulimit -n "$0"; exec "$@"', str(self.files)] if self.files else []
        command = [*limited, sys.executable, "-m", self.module, "serve"]
        serverlog.watch(self.log)
        with self.log.open("a") as log:
            return subprocess.Popen(
                command, env=env, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.data_dir.parent
            )

    @property
    def log(self) -> Path:
        """Return the file of its stderr."""
        return self.data_dir.parent / f"{self.data_dir.name}.log"

    def errors(self) -> str:
        """Return the end of what the server logged."""
        return self.log.read_text()[-4000:]

    def kill(self) -> None:
        """End it as a power failure would."""
        assert self.process is not None
        self.process.kill()
        self._wait()

    def crash(self) -> None:
        """Kill it, and start it again."""
        self.kill()
        self.start()

    def stop(self) -> int:
        """Tell it to stop; return the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self._wait()

    def _wait(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code

    async def beside(self, *words: str) -> tuple[int, str, str]:
        """Run `patchbay …` beside the database; return exit status, stdout, stderr."""
        env = {**os.environ, "PATCHBAY_DATA_DIR": str(self.data_dir), "PYTHONPATH": str(ROOT), **self.env}
        if self.whole:
            return await run([sys.executable, "-m", "server", *words], env=env)
        with tempfile.NamedTemporaryFile() as errors:
            process = await asyncio.to_thread(Forked, words, env, Path.cwd(), Path(errors.name))
            out = await asyncio.to_thread(process.stdout.read)
            process.stdout.close()
            return process.wait(PATIENCE_S), out, errors.read().decode()

    # Clients

    def command(
        self, *words: str, key: Path | None = None, user: str = "mira", options: tuple[str, ...] = ()
    ) -> list[str]:
        """Return the OpenSSH client's command line."""
        return ["ssh", *ssh_options(self.port, key), *options, f"{user}@127.0.0.1", *words]

    async def ssh(self, *words: str, key: Path | None = None, stdin: bytes = b"", **more: Any) -> tuple[int, str, str]:
        """Run a command with the OpenSSH client; return exit status, stdout, stderr."""
        return await run(self.command(*words, key=key, **more), stdin=stdin)

    async def json(self, *words: str, key: Path | None = None) -> list[dict[str, Any]]:
        """Run a command that must succeed, with --json; return its objects."""
        status, out, err = await self.ssh(*words, "--json", key=key)
        assert status == 0, (words, status, err)
        return [json.loads(line) for line in out.splitlines()]

    async def register(self, handle: str, key: Path) -> list[str]:
        """Make an account for a key; return its recovery codes."""
        [made] = await self.json("register", handle, key=key)
        assert made["player"] == handle
        codes: list[str] = made["recovery_codes"]
        return codes

    async def register_machine(self, handle: str, key: Path) -> None:
        """Make an account for a key, and mark it as a machine."""
        await self.register(handle, key)
        code, _, err = await self.ssh("account", "bot", "--yes", handle, key=key)
        assert code == 0, err

    @asynccontextmanager
    async def bot(self, key: Path | None = None, source: str = "127.0.0.1") -> AsyncIterator[BotClient]:
        """Open the bot protocol from an address; the hello is read already."""
        client = await BotClient.connect(self.command("bot", key=key, options=("-b", source)))
        try:
            yield client
        finally:
            await client.close()


class BotClient:
    """A program on the bot protocol, through the OpenSSH client. Everything received is kept in `seen`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.seen: list[dict[str, Any]] = []
        self._kept: list[dict[str, Any]] = []  # received while waiting for an answer
        self._ids = 0
        self.hello: dict[str, Any] = {}

    @classmethod
    async def connect(cls, command: list[str]) -> BotClient:
        pipe = subprocess.PIPE
        client = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe, limit=2**22))
        client.hello = await client.until("hello")
        return client

    async def send(self, **order: Any) -> int:
        """Send an order with an id; return the id."""
        self._ids += 1
        await self.send_line(json.dumps({**order, "id": self._ids}).encode())
        return self._ids

    async def send_line(self, line: bytes) -> None:
        """Send a raw line. Raises EOFError when the server has hung up."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + b"\n")
            await self.process.stdin.drain()
        except OSError:
            raise EOFError from None

    async def receive(self, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        """Return the next message. Raises EOFError when the server has hung up."""
        return self._kept.pop(0) if self._kept else await self._read(timeout_s)

    async def _read(self, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), timeout_s)
        if not line:
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        self.seen.append(message)
        return message

    def last(self, *kinds: str, **fields: Any) -> dict[str, Any] | None:
        """Return the latest message of one of these types that was received already."""
        fitting = (
            message
            for message in reversed(self.seen)
            if message["type"] in kinds and all(message.get(name) == value for name, value in fields.items())
        )
        return next(fitting, None)

    async def hung_up(self) -> int:
        """Read until the server hangs up; return the client's exit status."""
        with contextlib.suppress(EOFError):
            while True:
                await self.receive()
        return await self.close()

    async def until(self, *kinds: str, **fields: Any) -> dict[str, Any]:
        """Return the next message of one of these types with these fields; what comes before is only in `seen`."""
        while True:
            message = await self.receive()
            if message["type"] in kinds and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def ask(self, **order: Any) -> dict[str, Any]:
        """Send an order and return its answer; what comes before it can still be received."""
        re = await self.send(**order)
        while (message := await self._read()).get("re") != re:
            self._kept.append(message)
        return message

    async def close(self) -> int:
        """Hang up; return the client's exit status."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.communicate(), HANGS_UP_S)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        return self.process.returncode or 0


@contextmanager
def running(folder: Path, env: Mapping[str, str] | None = None, *, whole: bool = False) -> Iterator[Server]:
    """Run a server with its data in `folder`/var; it must stop cleanly. `whole`: as `Server`."""
    server = Server(folder / "var", env, whole=whole)
    server.start()
    try:
        yield server
    finally:
        code = server.stop()
    assert code == 0, server.errors()

"""Where an attack happens: the real server in a process of its own, watched from outside."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import asyncssh

from tests import serverlog
from tests.bench.cpu import children, open_files
from tests.bench.harness import Program, Terminal, quantile, terminal
from tests.forkserver import ROOT, begin
from tests.ssh.client import Guest

HOST = "127.0.0.1"
ATTACKER = "127.0.9.9"
NEIGHBOUR = "127.0.8.8"  # somebody who comes while the attack goes on
NEWCOMERS = "127.0.{}.8"  # others who do, each from a network of their own
TRIES_S = 5.0  # for how long somebody tries to get in, where the attack takes the places of logins
PLAYER = "127.0.7.7"
BALANCER = "127.0.5.5"  # whose PROXY header the server believes: attackers from anywhere
BOTS_GUEST = "127.0.6.6"  # somebody whose program plays against a built-in player
SAMPLE_S = 0.1
SETTLE_S = 120.0  # how long what an attack left may take to go
NARROW = 16384  # bytes that a system may receive before its program reads
STORED = {  # what is counted in the database
    "accounts": "SELECT count(*) FROM accounts",
    "wrong codes": "SELECT count(*) FROM strikes WHERE kind = 'code' AND who LIKE '%/48'",
    "running": "SELECT count(*) FROM matches WHERE status = 'live'",
    "rooms": "SELECT count(*) FROM rooms",
}
GAUGES = ("sessions", "connections", "connections_knocking", "tasks", "screens")


@dataclass(frozen=True, slots=True)
class Held:
    """What the server holds at a moment; of files, all but its pool of connections to the database."""

    sessions: int
    connections: int
    knocking: int
    tasks: int
    screens: int
    fds: int

    def is_back_to(self, before: Held, but: tuple[str, ...] = ()) -> bool:
        """Tell whether nothing is there that was not there before, but for some of it."""
        return all(getattr(self, name) <= getattr(before, name) for name in Held.__slots__ if name not in but)


class Stage:
    """One running server."""

    def __init__(self, pid: int, port: int, web_port: int, metrics_port: int = 0, data: str = "") -> None:
        self.pid = pid
        self.port = port
        self.web_port = web_port
        self._metrics_port = metrics_port
        self._data = data

    def rss_mib(self) -> float:
        """Return the resident memory of the server and its children."""
        return sum(_rss_kb(pid) for pid in (self.pid, *children(self.pid))) / 1024

    def times_s(self) -> tuple[float, float]:
        """Return how long the server's main thread has run so far, and how long it has waited for a free core."""
        ran, waited, _ = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat").read_text().split()
        return int(ran) / 1e9, int(waited) / 1e9

    def logged(self) -> tuple[float, int]:
        """Return how many KiB the server has logged, to its file, and how many errors."""
        lines = "".join(file.read_text() for file in Path(self._data, "logs").glob("*.log*"))
        return len(lines.encode()) / 1024, len(serverlog.errors_in(lines))

    async def held(self) -> Held:
        """Ask the server what it holds."""
        reader, writer = await asyncio.open_connection(HOST, self._metrics_port)
        writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
        text = (await asyncio.wait_for(reader.read(), 60)).decode()
        writer.close()
        counts = [
            int(float(found[1])) for name in GAUGES if (found := re.search(rf"^patchbay_{name} (\S+)", text, re.M))
        ]
        return Held(*[*counts, len(open_files(self.pid))])

    async def calm(self) -> Held:
        """Return what the server holds when nothing has changed for a while."""
        last, since = await self.held(), time.monotonic()
        ends = since + 30
        while time.monotonic() - since < 1.5 and time.monotonic() < ends:
            await asyncio.sleep(0.2)
            now = await self.held()
            if now != last:
                last, since = now, time.monotonic()
        return last

    async def settled(self, before: Held, but: tuple[str, ...] = ()) -> tuple[Held, float]:
        """Wait until everything is gone that came since; return what is held then, and the seconds it took.

        `but`: what may stay for now.
        """
        began = time.monotonic()
        while not (now := await self.held()).is_back_to(before, but) and time.monotonic() - began < SETTLE_S:
            await asyncio.sleep(0.2)
        return now, time.monotonic() - began

    async def endure(self, attack: str, seconds: float, quiet: bool = False) -> None:
        """Let an attack happen, in a process of its own: with it all its sockets are gone.

        `quiet`: it says nothing, and does not stand back for others. Where all cores are busy, one that does takes
        minutes for a second's work.
        """
        nice = os.getpriority(os.PRIO_PROCESS, 0) if quiet else 10
        attacker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.hostile", "--attack", attack, "--seconds", str(seconds),
            "--at", f"{self.pid}:{self.port}:{self.web_port}", "--nice", str(nice),
            stderr=asyncio.subprocess.DEVNULL if quiet else None,
        )  # fmt: skip
        try:
            status = await asyncio.wait_for(attacker.wait(), seconds + 120)
        except TimeoutError:
            raise RuntimeError(f"the attack {attack} did not end") from None
        finally:
            if attacker.returncode is None:
                attacker.kill()
                await attacker.wait()
        if status != 0:
            raise RuntimeError(f"the attack {attack} broke down")

    async def beside(self, *words: str) -> None:
        """Run `patchbay …` beside the database; it must succeed."""
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", *words, env={**os.environ, "PATCHBAY_DATA_DIR": self._data},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        said, _ = await child.communicate()
        if child.returncode != 0:
            raise RuntimeError(said.decode())

    async def connect(
        self, source: str = ATTACKER, key: asyncssh.SSHKey | None = None, **more: object
    ) -> asyncssh.SSHClientConnection:
        """Log in from an address, as a guest or with a key."""
        options: dict[str, Any] = {
            "client_factory": Guest,
            "username": "x",
            "known_hosts": None,
            "config": None,
            "client_keys": [key] if key else None,
            "preferred_auth": "publickey" if key else "keyboard-interactive",
            "agent_path": None,
            "local_addr": (source, 0),
            "login_timeout": 60,
            **more,
        }
        where = () if "sock" in more else (HOST, self.port)
        return await asyncssh.connect(*where, **options)

    async def connect_from(self, address: str, key: asyncssh.SSHKey | None = None) -> asyncssh.SSHClientConnection:
        """Log in from any IPv6 address, through the balancer."""
        sock = await self._socket(BALANCER)
        await asyncio.get_running_loop().sock_sendall(sock, f"PROXY TCP6 {address} ::1 40000 2222\r\n".encode())
        return await self.connect(key=key, sock=sock, local_addr=None)

    async def connect_narrow(self, source: str) -> asyncssh.SSHClientConnection:
        """Log in as a guest whose system takes little before the program reads: the rest waits at the server."""
        return await self.connect(sock=await self._socket(source, NARROW), local_addr=None)

    async def _socket(self, source: str, receive_bytes: int | None = None, port: int | None = None) -> socket.socket:
        """Return a socket that is connected from an address; `port`: to another one than that of ssh."""
        sock = socket.socket()
        try:
            sock.setblocking(False)
            if receive_bytes is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            sock.bind((source, 0))
            await asyncio.get_running_loop().sock_connect(sock, (HOST, port or self.port))
        except BaseException:
            sock.close()
            raise
        return sock

    def stored(self) -> dict[str, int]:
        """Return how much the database holds of what attacks may fill it with."""
        with contextlib.closing(sqlite3.connect(f"file:{self._data}/patchbay.db?mode=ro", uri=True)) as database:
            return {name: int(database.execute(query).fetchone()[0]) for name, query in STORED.items()}

    async def raw(self, source: str = ATTACKER) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a TCP connection."""
        return await asyncio.open_connection(HOST, self.port, local_addr=(source, 0))

    async def browse(
        self, source: str = ATTACKER, receive_bytes: int | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a TCP connection to the door for browsers; `receive_bytes`: what its system takes unread."""
        sock = await self._socket(source, receive_bytes, self.web_port)
        return await asyncio.open_connection(sock=sock)


@contextlib.asynccontextmanager
async def open_stage(env: Mapping[str, str] | None = None, *, whole: bool = False) -> AsyncIterator[Stage]:
    """Start a server with the ordinary limits on free ports. `whole`: as `tests.forkserver.begin`."""
    with tempfile.TemporaryDirectory(prefix="patchbay-hostile-") as place:
        data, log = Path(place) / "var", Path(place) / "stderr"
        settings = {"PATCHBAY_DATA_DIR": str(data), "PATCHBAY_PORT": "0", "PATCHBAY_METRICS_PORT": "0"}
        settings |= {"PATCHBAY_WEB_PORT": "0", "PATCHBAY_WEB_PROXY_FROM": BALANCER}
        settings |= {"PATCHBAY_PROXY_FROM": BALANCER, **(env or {})}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PATCHBAY_")}
        child = await asyncio.to_thread(begin, ["serve"], {**kept, **settings}, ROOT, log, whole=whole)
        assert child.stdout is not None
        ports, said = dict[str, int](), "a start"
        while said and not said.startswith("patchbay: ready on "):
            said = await asyncio.to_thread(child.stdout.readline)
            if found := re.match(r"(metrics|pages): http://.*:(\d+)/", said):
                ports[found[1]] = int(found[2])
        if not said:
            raise RuntimeError(log.read_text()[-2000:])
        try:
            yield Stage(child.pid, int(said.rsplit(":", 1)[1]), ports["pages"], ports["metrics"], str(data))
        finally:
            child.terminate()
            try:
                await asyncio.to_thread(child.wait, 15)
            except subprocess.TimeoutExpired:
                child.kill()
                await asyncio.to_thread(child.wait)
            child.stdout.close()
            for error in serverlog.errors_in(log.read_text()):
                print(error[-4000:], file=sys.stderr)
            serverlog.read_out(log)


class Innocent:
    """Somebody who plays all the while, in a match against a built-in player, and notes how long each key takes."""

    def __init__(self, connection: asyncssh.SSHClientConnection, board: Terminal, key: asyncssh.SSHKey) -> None:
        self._connection = connection
        self.key = key
        self._board = board
        self._pressed = 0
        self.latencies: list[float] = []

    @classmethod
    async def sit_down(cls, stage: Stage) -> Innocent:
        """Register, begin a match, place the cards, and look at the board."""
        key = asyncssh.generate_private_key("ssh-ed25519")
        connection = await stage.connect(PLAYER, key)
        done = await connection.run("register innocent", check=False)
        if done.exit_status != 0:
            raise RuntimeError(str(done.stderr))
        connection.close()
        connection = await stage.connect(PLAYER, key)
        program = Program(await connection.create_process("bot"))
        await program.until("hello")
        program.send(do="seek", game="rainet", against="bot:easy", speed="daily", options={"first": "S"})
        match = (await program.until("start"))["match"]
        program.send(do="act", match=match, seq=0, action="setup LVLVVLVL")
        while (await program.until("turn"))["pending"]["prompt"] == "setup":
            continue
        first = await terminal(connection)
        await first.quiet()
        first.press(b"\r")  # what is asked at the first time only
        await first.quiet()
        connection.close()
        connection = await stage.connect(PLAYER, key)
        board = await terminal(connection, f"watch {match}")
        await board.quiet()
        return cls(connection, board, key)

    async def press(self, pause_s: float = 0.1) -> None:
        """Press keys for ever, one after the other's frame has come."""
        while not self._board.closed:
            self._pressed += 1
            key = b"\x1b[C" if self._pressed % 2 else b"\x1b[D"  # to and fro: each changes the frame
            self.latencies.append(await self._board.answer(key, 60))
            await asyncio.sleep(pause_s)
        raise ConnectionError("the innocent player was sent away")

    def at_ms(self, q: float) -> float:
        """Return how long a share `q` of the keys took at most."""
        return quantile(self.latencies, q) * 1000 if self.latencies else float("nan")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


async def watch_memory(stage: Stage, most: list[float]) -> None:
    """Note for ever the most memory the server had, in `most[0]`."""
    while True:
        most[0] = max(most[0], stage.rss_mib())
        await asyncio.sleep(SAMPLE_S)


async def neighbours(stage: Stage, seconds: list[float], pause_s: float = 1.0) -> None:
    """Log in from elsewhere for ever and ask something; note how long it took (inf: refused)."""
    while True:
        seconds.append(await _visit(stage, NEIGHBOUR))
        await asyncio.sleep(pause_s)


async def returning(stage: Stage, key: asyncssh.SSHKey, seconds: list[float], pause_s: float = 0.5) -> None:
    """Log in for ever as the player, from the player's address, trying for five seconds; note how long it took."""
    while True:
        seconds.append(await _try(stage, PLAYER, key))
        await asyncio.sleep(pause_s)


async def newcomers(stage: Stage, seconds: list[float], pause_s: float = 0.2) -> None:
    """Log in for ever, each time from another network, trying again for five seconds; note how long it took."""
    for number in count(20):
        seconds.append(await _try(stage, NEWCOMERS.format(number % 200)))
        await asyncio.sleep(pause_s)


async def _try(stage: Stage, source: str, key: asyncssh.SSHKey | None = None) -> float:
    """Log in, trying again for five seconds; return how long it took (inf: refused)."""
    began, took = time.monotonic(), float("inf")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(TRIES_S):
            while took == float("inf"):
                if (took := await _visit(stage, source, key)) == float("inf"):
                    await asyncio.sleep(0.1)
    return took if took == float("inf") else time.monotonic() - began


async def _visit(stage: Stage, source: str, key: asyncssh.SSHKey | None = None) -> float:
    """Log in and ask something; return how long it took (inf: refused)."""
    began = time.monotonic()
    try:
        async with await stage.connect(source, key) as connection:
            done = await connection.run("whoami", check=True)
            assert ("guest" if key is None else "innocent") in str(done.stdout)
    except (OSError, asyncssh.Error, AssertionError):
        return float("inf")
    return time.monotonic() - began


async def bot_answers(stage: Stage, seconds: list[float]) -> None:
    """Play against a built-in player for ever, as a program from elsewhere; note how long each of its moves took."""
    async with await stage.connect(BOTS_GUEST) as connection:
        program = await Program.over(connection)
        while True:
            program.send(do="seek", game="rainet", against="bot:easy", speed="daily", options={"first": "S"})
            await program.until("start")
            acted, heard = 0.0, await program.until("turn")
            while heard["type"] == "turn":
                if acted and heard["pending"]["prompt"] != "setup":
                    seconds.append(time.monotonic() - acted)
                action = first_of(heard["pending"]["choice"])
                acted = time.monotonic()
                program.send(do="act", match=heard["match"], seq=heard["seq"], action=action)
                heard = await program.until("turn", "end")


def first_of(choice: dict[str, Any]) -> str:
    """Return a legal answer."""
    if "one_of" in choice:
        return str(random.choice(choice["one_of"]))
    if "number" in choice:
        return f"{choice['number']['verb']} {choice['number']['low']}"
    some = choice["subset"]
    return " ".join((some["verb"], *some["items"][: some["min"]]))


@contextlib.asynccontextmanager
async def alongside(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let these coroutines run while the block does; one that fails is raised at the end."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        failed = [task.exception() for task in tasks if task.done() and not task.cancelled()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for error in failed:
            if error is not None:
                raise error


def _rss_kb(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) if found else 0

"""Several server processes on one port: their parent starts them, starts them again, and ends with them."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence

from server.config import Settings
from server.log import get_logger
from server.opening import METRICS, READY, prepare, print_ready
from server.ssh import tally

log = get_logger("supervisor")
PR_SET_PDEATHSIG = 1
RESTART_S = 1.0
STOP_S = 9.0
LOOK_S = 0.25  # how often a worker looks whether its parent is there
ORPHAN_S = 3.5  # what it has then to say goodbye in: all must be over 5 s after the parent's end
TALLY = "door.tally"  # connections by source, counted over all workers


def die_with_parent(parent: int) -> None:
    """Stop this process when its parent is gone, however that went: the kernel tells it, a thread sees to it.

    Raises SystemExit when the parent is gone already.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit("the parent is gone already")
    threading.Thread(target=_outlive_briefly, args=(parent,), name="orphan", daemon=True).start()


def _outlive_briefly(parent: int) -> None:
    """Wait for the parent's end, and a moment later for nobody: what was acknowledged is stored."""
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    time.sleep(ORPHAN_S)
    os._exit(1)


def reserve(hosts: Sequence[str], port: int) -> tuple[int, list[socket.socket]]:
    """Bind the port, without listening, so that all workers can share it and nobody else can take it.

    Returns the port and the sockets that hold it. Raises OSError when it can't be had.
    """
    held: list[socket.socket] = []
    for host in hosts:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((host, port))
        port = sock.getsockname()[1]
        held.append(sock)
    return port, held


def supervise(settings: Settings) -> int:
    """Run the workers until SIGTERM or SIGINT; return the exit code."""
    return asyncio.run(Supervisor(settings).run())


class Supervisor:
    """The parent of the workers. It serves nobody itself."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stop = asyncio.Event()
        self._metrics: dict[int, str] = {}  # by worker, the line that tells where its metrics are

    async def run(self) -> int:
        """Start the workers, say when all of them accept logins, and stay until told to stop."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        host_key = await prepare(self._settings)
        tally.create(self._settings.data_dir / TALLY, self._settings.workers)
        port, held = reserve(self._settings.hosts, self._settings.port)
        ready = asyncio.Semaphore(0)
        keepers = [asyncio.create_task(self._keep(number, port, ready)) for number in range(self._settings.workers)]
        for _ in keepers:
            await ready.acquire()
        print_ready(self._settings, host_key, port, [line for _, line in sorted(self._metrics.items())])
        await asyncio.gather(*keepers)
        for sock in held:
            sock.close()
        return 0

    async def _keep(self, number: int, port: int, ready: asyncio.Semaphore) -> None:
        """Keep one worker running."""
        while not self._stop.is_set():
            worker = await self._start(number, port)
            if await self._until_ready(number, worker):
                ready.release()
            ended = asyncio.create_task(worker.wait())
            told = asyncio.create_task(self._stop.wait())
            await asyncio.wait((ended, told), return_when=asyncio.FIRST_COMPLETED)
            told.cancel()
            if self._stop.is_set():
                await self._end(worker)
            else:
                log.warning("worker died", worker=number, code=worker.returncode)
                await asyncio.sleep(RESTART_S)
            await ended

    async def _until_ready(self, number: int, worker: asyncio.subprocess.Process) -> bool:
        """Read what a worker says at its start; return whether it came to accept logins."""
        assert worker.stdout is not None
        async for line in worker.stdout:
            said = line.decode().rstrip("\n")
            if said.startswith(METRICS):
                self._metrics[number] = said
            if said.startswith(READY):
                return True
        return False

    async def _start(self, number: int, port: int) -> asyncio.subprocess.Process:
        command = (sys.executable, "-m", "server.worker", str(os.getpid()), str(number), str(port))
        settings = self._settings.model_dump_json()
        worker = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert worker.stdin is not None
        worker.stdin.write(settings.encode() + b"\n")
        await worker.stdin.drain()
        return worker

    async def _end(self, worker: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(worker.wait(), STOP_S)
        except TimeoutError:
            worker.kill()

"""The parent of several server processes on one port: starts, restarts and ends them."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence

import asyncssh

from server.admission import tally
from server.config import Settings
from server.log import get_logger
from server.preparing import METRICS, READY, pages_line, prepare, print_ready
from server.starting import BROWSERS_PORT, Starting, have_port, tell_admin
from server.stopping import stopped_by_signal
from server.tasks import wait_at_most

log = get_logger("supervisor")
PR_SET_PDEATHSIG = 1
RESTART_S, LONGEST_S = 1.0, 30.0  # before a worker is started again
CANNOT_START = 78  # exit code of a worker that has said why it can't start; restarting does not help
MOST_FAILURES = 3  # of one worker before all workers were ready once
STOP_S = 9.0
LOOK_S = 0.25  # how often a worker checks for its parent
ORPHAN_S = 3.5  # to end sessions in; all must be over 5 s after the parent's end
TALLY = "door.tally"  # connections by source, counted over all workers


def die_with_parent(parent: int) -> None:
    """Stop this process when its parent is gone: the kernel signals it, and a thread checks.

    Raises SystemExit when the parent is gone already.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit("the parent is gone already")
    threading.Thread(target=_end_after_parent, args=(parent,), name="orphan", daemon=True).start()


def _end_after_parent(parent: int) -> None:
    """Wait for the parent's end, then end this process after ORPHAN_S: what was acknowledged is stored."""
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    time.sleep(ORPHAN_S)
    os._exit(1)


def reserve(hosts: Sequence[str], port: int) -> tuple[int, list[socket.socket]]:
    """Bind the port without listening, so that workers can share it and nobody else can take it.

    Returns the port and the sockets that hold it. Raises OSError.
    """
    held: list[socket.socket] = []
    try:
        for host in hosts:
            try:
                held.append(_hold(host, port))
            except OSError as error:
                if len(hosts) > 1 and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL) and ":" in host:
                    continue  # a machine without IPv6; the workers log it
                raise OSError(error.errno, f"{host}: {error.strerror or error}") from error
            port = held[-1].getsockname()[1]
        if not held:
            raise OSError(errno.EADDRNOTAVAIL, "no address to listen on")
    except OSError:
        for sock in held:
            sock.close()
        raise
    return port, held


def _hold(host: str, port: int) -> socket.socket:
    if port:
        _bind(host, port).close()  # exclusively: else another server's workers could share the port
    return _bind(host, port, socket.SO_REUSEPORT)


def _bind(host: str, port: int, how: int = socket.SO_REUSEADDR) -> socket.socket:
    """Return a bound socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, how, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock


def supervise(settings: Settings) -> int:
    """Run the workers until SIGTERM or SIGINT; return the exit code."""
    return asyncio.run(Supervisor(settings).run())


class Supervisor:
    """The parent of the workers. It accepts no connections."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.stopping = asyncio.Event()
        self._metrics: dict[int, str] = {}  # by worker, the line that says where its metrics are
        self._held: list[socket.socket] = []
        self._was_ready = False
        self._has_failed = False

    async def run(self) -> int:
        """Start the workers, print when all of them accept logins, and wait for a signal."""
        with stopped_by_signal(self.stopping.set):
            return await self._keep_all()

    async def _keep_all(self) -> int:
        settings = self._settings
        host_keys = await prepare(settings)
        reserved = await self._reserve(settings.hosts, settings.port, f"port {settings.port}")
        if settings.web_port is not None:
            where = BROWSERS_PORT.format(port=settings.web_port)
            await self._reserve((settings.web_host,), settings.web_port, where, "WEB_")
        if reserved is None:
            return 0
        tally.create(settings.data_dir / TALLY, settings.workers)
        ready = asyncio.Semaphore(0)
        keepers = [asyncio.create_task(self._keep(number, reserved, ready)) for number in range(settings.workers)]
        all_ready = asyncio.create_task(self._all_ready(ready, host_keys, reserved))
        await asyncio.gather(*keepers)
        all_ready.cancel()
        await asyncio.gather(all_ready, return_exceptions=True)
        for sock in self._held:
            sock.close()
        return 1 if self._has_failed else 0

    async def _reserve(self, hosts: Sequence[str], port: int, where: str, settings: str = "") -> int | None:
        """Hold a port that the workers share; None: the stop came first. Raises OSError."""

        async def take() -> int:
            taken, held = reserve(hosts, port)
            self._held += held
            return taken

        return await have_port(take, where, self.stopping, settings=settings)

    async def _all_ready(self, ready: asyncio.Semaphore, host_keys: Sequence[asyncssh.SSHKey], port: int) -> None:
        """Print when all workers accept logins; until then, from time to time, how many don't."""
        with Starting() as start:
            for number in range(self._settings.workers):
                start.step = f"{self._settings.workers - number} of {self._settings.workers} workers"
                await ready.acquire()
        self._was_ready = True
        lines = [line for _, line in sorted(self._metrics.items())]
        if self._settings.web_port is not None:
            lines.append(pages_line(self._settings, self._settings.web_port))
        print_ready(self._settings, host_keys, port, lines)

    async def _keep(self, number: int, port: int, ready: asyncio.Semaphore) -> None:
        """Keep one worker running. One that never accepts logins stops a start, but not a running server."""
        failures = 0
        while not self.stopping.is_set():
            try:
                worker = await self.start_worker(number, port)
            except OSError as error:  # no memory or no process left, for the moment
                failures += 1
                await self._restart_later(number, f"could not be started: {error}", None, failures)
                continue
            was_ready = await self._wait_for_end(number, worker, ready)
            failures = 0 if was_ready else failures + 1
            if not self.stopping.is_set():
                code = worker.returncode
                await self._restart_later(number, f"ended with {code} before it was ready", code, failures)

    async def _wait_for_end(self, number: int, worker: asyncio.subprocess.Process, ready: asyncio.Semaphore) -> bool:
        """Wait for a worker's end, or end it at the stop; return whether it came to accept logins."""
        heard = asyncio.create_task(self._hear(number, worker, ready))
        ended = asyncio.create_task(worker.wait())
        told = asyncio.create_task(self.stopping.wait())
        await asyncio.wait((ended, told), return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if self.stopping.is_set():
            await self._end(worker)
        await ended
        return await heard

    async def _restart_later(self, number: int, how: str, code: int | None, failures: int) -> None:
        """Wait before restarting a worker, with exponential backoff while it does not come to accept logins."""
        pause = min(RESTART_S * 2**failures, LONGEST_S)
        if code == 0 and not failures:
            log.info("worker.restarts", worker=number, again_in_s=pause)
        else:
            log.warning("worker.died", worker=number, exit_status=code, failures=failures, again_in_s=pause)
        if failures and not self._was_ready and (failures >= MOST_FAILURES or code == CANNOT_START):
            tell_admin(f"can't start: worker {number} {how}, {failures} times")
            self._has_failed = True
            self.stopping.set()
        await wait_at_most(self.stopping, pause)

    async def _hear(self, number: int, worker: asyncio.subprocess.Process, ready: asyncio.Semaphore) -> bool:
        """Read a worker's output at its start; return whether it accepts logins."""
        assert worker.stdout is not None
        async for line in worker.stdout:
            said = line.decode().rstrip("\n")
            if said.startswith(METRICS):
                self._metrics[number] = said
            if said.startswith(READY):
                ready.release()
                return True
        return False

    async def start_worker(self, number: int, port: int) -> asyncio.subprocess.Process:
        """Start the process of one worker; its settings go in on stdin."""
        command = (sys.executable, "-m", "server.worker", str(os.getpid()), str(number), str(port))
        settings = self._settings.model_dump_json()
        worker = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert worker.stdin is not None
        worker.stdin.write(settings.encode() + b"\n")
        with contextlib.suppress(ConnectionError):  # a worker that died at once is restarted like any other
            await worker.stdin.drain()
        return worker

    async def _end(self, worker: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(worker.wait(), STOP_S)
        except TimeoutError:
            worker.kill()

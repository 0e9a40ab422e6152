"""Accepting connections, in batches, and only while file descriptors are left."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import resource
import socket
from collections.abc import Callable

from server.admission.gate import Capacity
from server.config import Limits
from server.log import ThrottledWarning, get_logger

log = get_logger("connections")
MOST_FILES = 65_536  # the soft limit is raised to this at most
SPARE = 64  # reserved for the database, the bus, the log and the bots' processes
LAST = SPARE // 2  # of the reserve; a connection that gets one of these is turned away
MOST_PARTING = 50
BACKLOG = 512
AT_ONCE = 64  # connections accepted in one iteration of the event loop
PAUSE_S = 1.0  # before the next try when no descriptor is left
NO_FILES = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))


def claim_files() -> int:
    """Raise the soft limit of file descriptors to the hard one; return how many this process may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return most
    return most if soft == resource.RLIM_INFINITY else min(soft, MOST_FILES)


def capacity_for(files: int, limits: Limits) -> Capacity:
    """Divide file descriptors between the kinds of connections.

    >>> capacity_for(1024, Limits())
    Capacity(knocking=100, inside=810, parting=50)
    """
    free = max(16, files - SPARE)
    knocking, parting = min(limits.unauthenticated, free // 4), min(MOST_PARTING, free // 8)
    return Capacity(knocking, free - knocking - parting, parting)


class Acceptor:
    """Listens on sockets and makes a protocol for each connection.

    The event loop's own server logs up to 512 tracebacks a second while descriptors are exhausted.
    """

    def __init__(
        self,
        factory: Callable[[], asyncio.BaseProtocol],
        full: bytes,
        files: int,
        now: Callable[[], float],
    ) -> None:
        self._factory = factory
        self._full = full  # sent to a connection for which no descriptor is left
        self._highest = max(LAST, files - LAST)
        self._files = files
        self._sockets: list[socket.socket] = []
        self._tasks: set[asyncio.Task[object]] = set()
        self._timers: dict[socket.socket, asyncio.TimerHandle] = {}
        self._warning = ThrottledWarning(log, now)

    @property
    def is_listening(self) -> bool:
        """Tell whether an address is bound."""
        return bool(self._sockets)

    async def bind(self, host: str, port: int, reuse_port: bool, receive_bytes: int | None = None) -> int:
        """Bind one address without accepting yet; return the port. Raises OSError.

        `receive_bytes`: that the system takes for a connection before it is read; None: as the system likes.
        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, proto, _, address in dict.fromkeys(found):
            sock = socket.socket(family, kind, proto)
            try:
                sock.setblocking(False)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if receive_bytes is not None:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
                if reuse_port:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                if family == socket.AF_INET6:
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind((address[0], port, *address[2:]))
            except OSError:
                sock.close()
                raise
            self._sockets.append(sock)
            port = sock.getsockname()[1]
        return port

    @property
    def has_files(self) -> bool:
        """Tell whether a connection that came now would get a file descriptor."""
        try:
            number = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            return False
        os.close(number)
        return number < self._highest  # the system gives out the lowest free number

    def start(self) -> None:
        """Begin to accept."""
        for sock in self._sockets:
            sock.listen(BACKLOG)
            asyncio.get_running_loop().add_reader(sock, self._accept, sock)

    def close(self) -> None:
        """Close the listening sockets; connections stay."""
        loop = asyncio.get_running_loop()
        for timer in self._timers.values():
            timer.cancel()
        for sock in self._sockets:
            loop.remove_reader(sock)
            sock.close()
        self._timers.clear()
        self._sockets.clear()

    def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(AT_ONCE):
            try:
                sock, _ = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in NO_FILES:
                    raise
                self._pause(listening)
                return
            if sock.fileno() >= self._highest:  # the system gives out the lowest free number
                self._turn_away(sock)
                continue
            sock.setblocking(False)
            task = loop.create_task(self._connect(sock), name="accept")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self, sock: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self._factory, sock)
        except OSError:  # the client is gone
            sock.close()

    def _turn_away(self, sock: socket.socket) -> None:
        self._warning.say("connections turned away: hardly any file descriptors left", files=self._files)
        sock.setblocking(False)
        with contextlib.suppress(OSError):
            sock.send(self._full)
        sock.close()

    def _pause(self, listening: socket.socket) -> None:
        """Stop accepting for a moment; new connections wait in the listen queue."""
        self._warning.say("no connection accepted: no file descriptors left", files=self._files)
        loop = asyncio.get_running_loop()
        loop.remove_reader(listening)
        self._timers[listening] = loop.call_later(PAUSE_S, loop.add_reader, listening, self._accept, listening)

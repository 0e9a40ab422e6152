"""A Redis of the test's own, to stop and start."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.services import missing


class RedisServer:
    """One server on a port of its own; it keeps nothing."""

    def __init__(self, program: str) -> None:
        self._program = program
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start, and come back when it listens."""
        settings = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": "/"}
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen([self._program, *words], stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        for matchlog in self._process.stdout:
            if b"eady to accept connections" in matchlog:
                return
        raise AssertionError("redis-server did not start")

    def stop(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """Give a running server; skips the test where Redis is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        missing("redis-server", "not installed")
        return
    made = RedisServer(program)
    made.start()
    try:
        yield made
    finally:
        made.stop()

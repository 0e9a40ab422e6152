"""A PostgreSQL of the test's own, to stop and start; run by an unprivileged user."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services import missing
from tests.waiting import PATIENCE_S


class Cluster:
    """One data directory and its server."""

    def __init__(self, home: Path, binaries: Path, user: str | None) -> None:
        self.home, self.binaries, self.user = home, binaries, user
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"postgresql+asyncpg://patchbay@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.binaries / program, *arguments],
            user=self.user,
            cwd=self.home,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, (program, done.stderr.decode())

    def make(self) -> None:
        self.run("initdb", "-D", "data", "-U", "patchbay", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.home} -c listen_addresses=127.0.0.1 -c max_connections=40"
        self.run("pg_ctl", "-D", "data", "-l", "log", "-w", "-o", options, "start")

    def processes(self) -> list[int]:
        """Return the server's processes, the first one first."""
        first = int((self.home / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=True)
        return [first, *map(int, listed.stdout.split())]

    def stop(self) -> None:
        """Stop at once, as a crash would."""
        self.run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Give a running cluster; skips the test where PostgreSQL's programs are not installed."""
    found = [shutil.which("initdb"), *glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    places = [Path(os.path.realpath(name)).parent for name in found if name]
    if not places:
        missing("PostgreSQL's initdb", "not installed")
    home = Path(tempfile.mkdtemp(prefix="patchbay-pg-"))
    user = None
    if os.geteuid() == 0:
        user = next(name for name in ("postgres", "nobody") if _is_user(name))
        os.chown(home, pwd.getpwnam(user).pw_uid, -1)
    made = Cluster(home, places[0], user)
    made.make()
    made.start()
    try:
        yield made
    finally:
        if (home / "data" / "postmaster.pid").exists():
            made.stop()
        shutil.rmtree(home, ignore_errors=True)


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True

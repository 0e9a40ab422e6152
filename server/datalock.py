"""The lock that gives one server exclusive use of an embedded database.

Two servers would each cache matches, clocks and presence as if nobody else wrote. The kernel holds the lock, so a
killed process releases it. Commands beside a running server don't take it.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from server.starting import tell_admin

WAIT_S = 10.0  # a server that was told to stop ends within ten seconds
AGAIN_S = 0.25


class AnotherServer(Exception):
    """Another process holds the lock; the message is one line for the admin."""


@contextmanager
def exclusive(
    database: Path | None, wait_s: float = WAIT_S, tell: Callable[[str], None] = tell_admin
) -> Iterator[None]:
    """Hold the lock of a database file, waiting for at most `wait_s`; None: a shared database, without a lock.

    Raises AnotherServer, and OSError when the lock's file, which lies beside the database, can't be written.
    """
    if database is None:
        yield
        return
    file = database.resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(lock, database, wait_s, tell)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)


def _acquire(lock: int, database: Path, wait_s: float, tell: Callable[[str], None]) -> None:
    end, has_told = time.monotonic() + wait_s, False
    while not _is_taken(lock):
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip() or "?"
        if time.monotonic() >= end:
            raise AnotherServer(
                f"another server (process {holder}) has {database}, and only one can: stop that one, "
                "or share a PostgreSQL database (PATCHBAY_DATABASE_URL)"
            )
        if not has_told:
            tell(f"another server (process {holder}) has {database}; trying again for {wait_s:.0f} s")
            has_told = True
        time.sleep(AGAIN_S)


def _is_taken(lock: int) -> bool:
    """Try to take the lock. Raises OSError if the file system has no locks."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

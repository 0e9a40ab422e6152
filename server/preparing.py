"""The start: preparing the data directory, and what the admin is told."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import asyncssh

from server.clock import SystemClock
from server.config import Settings
from server.hostkeys import inforce
from server.store import migrate
from server.store.choose import open_database

READY = "patchbay: ready on"
METRICS = "metrics:"


async def prepare(settings: Settings) -> list[asyncssh.SSHKey]:
    """Prepare the data directory: the embedded database's schema, the host keys. Returns the keys in force."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    _have_home(settings.data_dir)
    if settings.is_sqlite:
        await migrate.upgrade(settings.database)
    else:
        await migrate.require_head(settings.database)
    database = await open_database(settings.database)
    try:
        return await inforce.load(database, SystemClock(), settings.host_key)
    finally:
        await database.close()


def _have_home(folder: Path) -> None:
    """Set HOME where this user has none: asyncssh asks for it, for a configuration that it then does not find.

    A unit's dynamic user, or a container's number, stands in no list of users.
    """
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = str(folder.absolute())


def print_ready(settings: Settings, host_keys: Sequence[asyncssh.SSHKey], port: int, others: Sequence[str]) -> None:
    """Print how to connect, and, on a line of its own, that the server is ready. `others`: lines of other ports."""
    host, address = settings.hosts[0], settings.reached_on(port)
    lines = (
        *(f"{settings.name}: host key {key.get_fingerprint('sha256')} ({key.get_algorithm()})" for key in host_keys),
        *others,
        f"to play: {address.line()}",
        f"{READY} {_shown(host)}:{port}",
    )
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def metrics_line(settings: Settings, port: int) -> str:
    """Return the line that says where a process serves its metrics."""
    return f"{METRICS} http://{_shown(settings.metrics_host)}:{port}/metrics"


def pages_line(settings: Settings, port: int) -> str:
    """Return the line that says where the pages for browsers are served."""
    return f"pages: http://{_shown(settings.web_host)}:{port}/"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""Before anybody comes in: what lies in the data directory made ready, and what the admin is told at the start."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import asyncssh

from server.config import Settings
from server.ssh.hostkey import load_or_make
from server.store import migrate

READY = "patchbay: ready on"
METRICS = "metrics:"


async def prepare(settings: Settings) -> asyncssh.SSHKey:
    """Make ready what lies in the data directory: the embedded database at head, the host key."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    host_key = load_or_make(settings.host_key)
    if settings.is_sqlite:
        await migrate.upgrade(settings.database)
    else:
        await migrate.require_head(settings.database)
    return host_key


def print_ready(settings: Settings, host_key: asyncssh.SSHKey, port: int, metrics: Sequence[str] = ()) -> None:
    """Tell the admin how to come in, and programs that the server is ready: that line stands alone."""
    host = settings.hosts[0]
    to_type = "localhost" if host in ("127.0.0.1", "::1", "0.0.0.0", "::") else host  # noqa: S104
    lines = (
        f"{settings.name}: host key {host_key.get_fingerprint('sha256')} ({host_key.get_algorithm()})",
        *metrics,
        f"to play: ssh -p {port} {to_type}",
        f"{READY} {_shown(host)}:{port}",
    )
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def metrics_line(settings: Settings, port: int) -> str:
    """Tell where a process shows its metrics."""
    return f"{METRICS} http://{_shown(settings.hosts[0])}:{port}/metrics"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""Is everything in place for serving: settings, database, schema, host key."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import asyncssh

from server.config import Settings
from server.store import migrate
from server.store.errors import SchemaError, StoreUnavailable

ANSWER_S = 4.0


async def check(settings: Settings, out: Callable[[str], None]) -> bool:
    """Print one line per thing looked at; return whether serving would work."""
    results = [_data_dir(settings.data_dir), await _database(settings.database), _host_key(settings.host_key)]
    out("settings: ok")
    for _, line in results:
        out(line)
    return all(is_fine for is_fine, _ in results)


async def check_live(settings: Settings, out: Callable[[str], None]) -> bool:
    """Print whether the server that runs with these settings answers, and whether its database can be read."""
    results = [await _door(_near(settings.hosts[0]), settings.port), await _database(settings.database)]
    for _, line in results:
        out(line)
    return all(is_fine for is_fine, _ in results)


def _near(host: str) -> str:
    """Return an address of this machine for one that is listened on: a wildcard is none that can be called."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (read, not listened on)


async def _door(host: str, port: int) -> tuple[bool, str]:
    """Exchange versions with an SSH server, as every client does first."""
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"SSH-2.0-PatchbayCheck\r\n")
                said = (await reader.readline()).decode("ascii", "replace").strip()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError) as error:
        return False, f"server: no answer on {host}:{port} ({type(error).__name__})"
    if not said.startswith("SSH-2.0-"):
        return False, f"server: {host}:{port} does not speak SSH"
    return True, f"server: answers on {host}:{port}"


def _data_dir(path: Path) -> tuple[bool, str]:
    existing = path
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return False, f"data directory: {path} can't be written"
    return True, f"data directory: {path} {'ok' if path.exists() else 'is made at the first start'}"


async def _database(url: str) -> tuple[bool, str]:
    try:
        found = await migrate.state(url)
        await migrate.require_head(url)
    except StoreUnavailable as error:
        return False, f"database: no answer ({error.why})"
    except SchemaError as error:
        return False, f"database: {error}"
    return True, f"database: ok, schema {found.current}"


def _host_key(path: Path) -> tuple[bool, str]:
    """A host key that is there must be readable: it is never replaced."""
    if not path.exists():
        return True, f"host key: {path} is made at the first start"
    try:
        key = asyncssh.read_private_key(str(path))
    except (OSError, asyncssh.KeyImportError) as error:
        return False, f"host key: {path} can't be read ({error})"
    return True, f"host key: ok, {key.get_fingerprint()}"

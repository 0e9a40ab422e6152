"""Checks before serving: settings, data directory, database, schema, host key."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import asyncssh

from server import config
from server.admission.login_policy import read_keys
from server.config import Settings, host_keys_beside
from server.errors import reason_of
from server.hostkeys import files, inforce
from server.hostkeys.files import HostKeyError
from server.store import hostkeys as stored_keys
from server.store import migrate
from server.store.choose import open_database
from server.store.errors import SchemaError, StoreUnavailable

ANSWER_S = 4.0
ANSWERS = "server: answers on {host}:{port}"
NO_ANSWER = "server: no answer on {host}:{port} ({why})"
NO_DATABASE = "database: no answer"
NO_SSH = "server: {host}:{port} does not speak SSH"


async def check(settings: Settings, out: Callable[[str], None]) -> bool:
    """Print one line for each check; return whether serving would work, if its ports are free."""
    results = [*files_of(settings), data_dir(settings.data_dir), await database(settings)]
    results += host_keys(settings.host_key)
    if all(is_fine for is_fine, _ in results):
        results += await in_force(settings)
    if all(is_fine for is_fine, _ in files_of(settings)):
        out("settings: ok")
    for stray in config.strays(os.environ):
        out(f"settings: {stray}")
    for _, line in results:
        out(line)
    return all(is_fine for is_fine, _ in results)


async def check_live(settings: Settings, out: Callable[[str], None]) -> bool:
    """Print whether the server that runs with these settings answers, and whether its database can be read."""
    results = [await server(near(settings.hosts[0]), settings), await database(settings)]
    for _, line in results:
        out(line)
    return all(is_fine for is_fine, _ in results)


def near(host: str) -> str:
    """Return an address to connect to for one to listen on, which may be a wildcard."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (read, not listened on)


async def server(host: str, settings: Settings) -> tuple[bool, str]:
    """Exchange versions with an SSH server, as every client does first."""
    port = settings.port
    try:
        said = await _greeting(host, settings)
    except (OSError, TimeoutError, ValueError) as error:
        return False, NO_ANSWER.format(host=host, port=port, why=type(error).__name__)
    if not said.startswith("SSH-2.0-"):
        return False, NO_SSH.format(host=host, port=port)
    return True, ANSWERS.format(host=host, port=port)


async def greeting(host: str, settings: Settings) -> str | None:
    """Return what whoever listens on the port says first; empty: nothing in time; None: nobody listens."""
    try:
        return await _greeting(host, settings)
    except (TimeoutError, ValueError):
        return ""
    except OSError:
        return None


async def _greeting(host: str, settings: Settings) -> str:
    async with asyncio.timeout(ANSWER_S):
        reader, writer = await asyncio.open_connection(host, settings.port)
        try:
            source = ip_address(writer.get_extra_info("sockname")[0])
            if any(source in network for network in settings.proxy_networks):
                writer.write(b"PROXY UNKNOWN\r\n")  # the server expects a header from this network
            writer.write(b"SSH-2.0-PatchbayCheck\r\n")
            return (await reader.readline()).decode("ascii", "replace").strip()
        finally:
            writer.close()


def files_of(settings: Settings) -> list[tuple[bool, str]]:
    """Return what is wrong with the files that settings name; nothing where all is well."""
    wrong: list[tuple[bool, str]] = []
    for name, file, read in (
        ("PATCHBAY_ALLOWED_KEYS", settings.allowed_keys, read_keys),
        ("PATCHBAY_MOTD", settings.motd, str),
    ):
        try:
            if file is not None:
                read(file.read_text(encoding="utf-8"))
        except OSError as error:
            wrong.append((False, f"settings: {name} can't be read: {reason_of(error)}"))
        except ValueError as error:
            wrong.append((False, f"settings: {name}: {file}: {error}"))
    return wrong


def data_dir(path: Path) -> tuple[bool, str]:
    """Tell whether the data directory and the logs in it can be written."""
    logs = path / "logs"
    if path.exists() and not path.is_dir():
        return False, f"data directory: {path} is no directory"
    for place in (path, logs, *(logs.glob("*.log") if os.access(logs, os.R_OK | os.X_OK) else ())):
        if not can_be_written(place):
            return False, f"data directory: {place} can't be written"
    return True, f"data directory: {path} {'ok' if path.exists() else 'is made at the first start'}"


def can_be_written(path: Path) -> bool:
    """Tell whether a file can be written, or a directory filled; or created, if missing."""
    if os.path.lexists(path):
        return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)
    existing = path
    while not os.path.lexists(existing) and existing != existing.parent:
        existing = existing.parent
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


async def database(settings: Settings) -> tuple[bool, str]:
    """Tell whether the database answers, and has the schema of this release."""
    url, file = settings.database, migrate.file_of(settings.database)
    try:
        if file is not None and await asyncio.to_thread(file.exists) and not can_be_written(file):
            return False, f"database: {file} can't be written"
        found = await migrate.state(url)
        await migrate.require_head(url)
    except StoreUnavailable as error:
        return False, f"{NO_DATABASE} ({error.why})"
    except SchemaError as error:
        return False, f"database: {error}"
    except OSError as error:  # its directory is another user's
        return False, f"database: {reason_of(error)}"
    return True, f"database: ok, schema {found.current}"


def is_mounted(path: Path) -> bool:
    """Tell whether a file or directory is root's and not ours: a mounted volume or secret, which our group may use."""
    return path.stat().st_uid == 0 != os.geteuid()


def host_keys(path: Path) -> list[tuple[bool, str]]:
    """Check the host key, and existing ones of other kinds beside it."""
    return [_host_key(path), *(_host_key(file) for file in host_keys_beside(path) if os.path.lexists(file))]


async def in_force(settings: Settings) -> list[tuple[bool, str]]:
    """Tell when the host keys are not those in force; nothing where all is well, or no database is there yet."""
    if (await migrate.state(settings.database)).current is None:
        return []
    found = await open_database(settings.database)
    try:
        recorded = await found.read(stored_keys.in_force)
        inforce.check(recorded, files.load_existing(settings.host_key), settings.host_key.parent)
    except (StoreUnavailable, HostKeyError) as error:
        return [(False, f"host key: {error}")]
    finally:
        await found.close()
    return []


def _host_key(path: Path) -> tuple[bool, str]:
    """Check one host key: an existing one must be readable, since it is never replaced."""
    if not os.path.lexists(path):
        return True, f"host key: {path} is made at the first start"
    try:
        key = asyncssh.read_private_key(str(path))
    except (OSError, ValueError, asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        return False, f"host key: {path} can't be read ({error})"
    if path.stat().st_mode & (0o007 if is_mounted(path) else 0o077):
        return True, f"host key: ok, {key.get_fingerprint()}; but others on this machine can read it: chmod 600 {path}"
    return True, f"host key: ok, {key.get_fingerprint()}"

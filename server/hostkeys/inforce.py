"""Which host keys are in force: their fingerprints are in the database, and the files have to agree with it.

Clients know the server by these keys. A kind of key that was never recorded is made; a recorded key whose file is
missing or holds another one stops the start. During a rotation a key of each kind and the one that follows it are both
in force: the present one proves who the server is, and clients are told of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import asyncssh
from sqlalchemy import Connection

from server.clock import Clock
from server.config import next_host_keys
from server.hostkeys import files
from server.hostkeys.files import HostKeyError
from server.store import hostkeys as stored
from server.store import processes
from server.store.database import Database
from server.store.hostkeys import StoredHostKey

ORDER = "hostkeys"  # to all processes: read the keys again
NOT_THERE = (
    "the host key {fingerprint} ({kind}) is in force, but is not in {folder}: put its file back from a backup, "
    "or copy it from a machine that serves the same database "
    "(`patchbay hostkeys accept` gives it up for those that are there, and clients will warn)"
)
UNKNOWN = (
    "the host key {fingerprint} ({kind}) in {folder} is not the one in force: put that one back from a backup "
    "(`patchbay hostkeys accept` gives it up for those that are there, and clients will warn)"
)


def check(recorded: Sequence[StoredHostKey], keys: Sequence[asyncssh.SSHKey], folder: Path) -> None:
    """Raise HostKeyError unless these keys are the recorded ones, and others only of kinds never recorded."""
    held = {key.get_fingerprint(): key.get_algorithm() for key in keys}
    for one in recorded:
        if one.fingerprint not in held:
            raise HostKeyError(NOT_THERE.format(fingerprint=one.fingerprint, kind=one.kind, folder=folder))
    kinds = {one.kind for one in recorded}
    for fingerprint in _unrecorded(recorded, keys):
        if held[fingerprint] in kinds:
            raise HostKeyError(UNKNOWN.format(fingerprint=fingerprint, kind=held[fingerprint], folder=folder))


def _unrecorded(recorded: Sequence[StoredHostKey], keys: Sequence[asyncssh.SSHKey]) -> list[str]:
    known = {one.fingerprint for one in recorded}
    return [key.get_fingerprint() for key in keys if key.get_fingerprint() not in known]


async def load(database: Database, clock: Clock, host_key: Path) -> list[asyncssh.SSHKey]:
    """Return the host keys in force, of each kind the one to be used first; make and record kinds never recorded.

    Raises HostKeyError, StoreUnavailable.
    """
    recorded = await database.read(stored.in_force)
    keys = await asyncio.to_thread(files.load_existing, host_key)
    check(recorded, keys, host_key.parent)
    if not files.has_all(host_key):
        await asyncio.to_thread(files.load_or_make_all, host_key)
        keys = await asyncio.to_thread(files.load_existing, host_key)

    def work(connection: Connection) -> None:
        check(stored.in_force(connection), keys, host_key.parent)  # another machine may have been first
        stored.record(connection, _kinds(keys), clock.now())

    if _unrecorded(recorded, keys):
        await database.write(work)
    return keys


async def begin_rotation(database: Database, clock: Clock, host_key: Path) -> list[asyncssh.SSHKey]:
    """Make a key of each kind that follows the present one, and put it in force beside it. Return all in force.

    Where a rotation has begun, nothing changes. Raises HostKeyError, StoreUnavailable.
    """
    await load(database, clock, host_key)
    await asyncio.to_thread(files.make_next, host_key)
    keys = await asyncio.to_thread(files.load_existing, host_key)
    await database.write(_record_and_tell, keys, clock)
    return keys


async def finish_rotation(database: Database, clock: Clock, host_key: Path) -> list[str]:
    """Use the keys that follow, and retire those before; return the fingerprints of these.

    Raises HostKeyError when no rotation has begun, StoreUnavailable. May be run again after it was interrupted.
    """
    following = [files.load(file) for file in next_host_keys(host_key) if file.exists()]
    if not following:
        raise HostKeyError("no rotation has begun: `patchbay hostkeys rotate` begins one")
    kept, replaced = {key.get_fingerprint() for key in following}, {key.get_algorithm() for key in following}

    def work(connection: Connection) -> list[str]:
        others = {one.fingerprint for one in stored.in_force(connection) if one.kind not in replaced}
        return stored.retire_others(connection, kept | others, clock.now())

    retired = await database.write(work)
    await asyncio.to_thread(files.use_next, host_key)
    keys = await asyncio.to_thread(files.load_existing, host_key)
    await database.write(_record_and_tell, keys, clock)
    return retired


async def accept(database: Database, clock: Clock, host_key: Path) -> list[asyncssh.SSHKey]:
    """Put the keys that have files in force, and retire all others. Raises HostKeyError, StoreUnavailable."""
    keys = await asyncio.to_thread(files.load_existing, host_key)
    if not keys:
        raise HostKeyError(f"there is no host key in {host_key.parent}")

    def work(connection: Connection) -> None:
        stored.retire_others(connection, list(_kinds(keys)), clock.now())
        _record_and_tell(connection, keys, clock)

    await database.write(work)
    return keys


def _record_and_tell(connection: Connection, keys: Sequence[asyncssh.SSHKey], clock: Clock) -> None:
    stored.record(connection, _kinds(keys), clock.now())
    processes.give_order(connection, ORDER, {}, clock.now())


def _kinds(keys: Sequence[asyncssh.SSHKey]) -> dict[str, str]:
    return {key.get_fingerprint(): key.get_algorithm() for key in keys}

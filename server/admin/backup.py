"""Backup and restore: the whole database and the host keys in one file, made beside a running server.

The file is gzipped JSON lines: a header (schema, release), each table's columns and rows, the host keys, a last line
with the counts. It holds what players see and the host's private keys: it is readable by its owner only. A backup of
SQLite can be restored into PostgreSQL and the other way round.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, Integer, MetaData, Table, delete, func, insert, select, text

from server.admin.output import NotWritten, check_free, whole_file
from server.clock import rfc3339
from server.config import host_keys_beside, next_host_keys
from server.errors import reason_of
from server.store import migrate, processes
from server.store.database import Database

V = 1
ROWS_AT_ONCE = 500
HOST_KEY = ""  # the name of the first host key in a backup
NOT_KEPT = frozenset(("alembic_version", "processes", "sessions"))  # tables of running processes


class BadBackup(Exception):
    """A file is not a complete backup, or can't be restored here; the message says why."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a backup holds."""

    tables: int
    rows: int
    has_key: bool = True


async def backup(
    database: Database, target: Path | BinaryIO, host_key: Path, now: datetime, *, replaces: bool = False
) -> Counted:
    """Write a backup, one snapshot of the database: to a file, which appears when it is complete, or to a stream.

    Raises StoreUnavailable; NotWritten where the file can't be written, or there is one already, unless it is a plain
    one and `replaces`.
    """
    found = await migrate.state(database.url.render_as_string(hide_password=False))
    header = {"v": V, "type": "backup", "schema": found.current, "release": _release(), "at": rfc3339(now)}
    if not isinstance(target, Path):
        return await database.read(_write, target, header, host_key)
    check_free(target, replaces=replaces)
    return await database.read(_write_file, target, header, host_key, replaces)


def _write_file(
    connection: Connection, file: Path, header: Mapping[str, Any], host_key: Path, replaces: bool
) -> Counted:
    try:
        with whole_file(file, replaces=replaces) as out:
            return _write(connection, out, header, host_key)
    except (ConnectionError, TimeoutError):  # the database's
        raise
    except OSError as error:
        is_of_key = error.filename is not None and Path(error.filename).parent == host_key.parent
        raise NotWritten(f"{file} is not written: {reason_of(error) if is_of_key else error.strerror}") from None


def _write(connection: Connection, raw: BinaryIO, header: Mapping[str, Any], host_key: Path) -> Counted:
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=5, mtime=0) as out:
        writer = _Writer(out)
        writer.put(header)
        counted = replace(_dump(connection, writer), has_key=os.path.lexists(host_key))
        if counted.has_key:
            writer.put({"type": "host_key", "text": host_key.read_text()})
        for other in _others(host_key):  # a type of their own, which older releases skip
            if os.path.lexists(other):
                writer.put({"type": "host_key_beside", "name": other.name, "text": other.read_text()})
        writer.put({"type": "end", "rows": counted.rows, "sha256": writer.digest()})
    return counted


def _others(host_key: Path) -> tuple[Path, ...]:
    """Return the files of the other host keys, and of those that follow them."""
    return (*host_keys_beside(host_key), *next_host_keys(host_key))


def _release() -> str:
    return version("patchbay")


class _Writer:
    """Lines of JSON and a hash over them."""

    def __init__(self, out: gzip.GzipFile) -> None:
        self._out = out
        self._hash = hashlib.sha256()

    def put(self, value: object) -> None:
        line = msgspec.json.encode(value) + b"\n"
        self._hash.update(line)
        self._out.write(line)

    def digest(self) -> str:
        return self._hash.hexdigest()


def _dump(connection: Connection, writer: _Writer) -> Counted:
    """Write every table in the order of foreign keys."""
    tables = _tables(connection)
    rows = 0
    for table in tables:
        names = [str(column.name) for column in table.columns]
        writer.put({"type": "table", "name": str(table.name), "columns": names})
        everything = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=ROWS_AT_ONCE)
        for row in connection.execute(everything):  # in batches: the logs may be larger than the memory
            writer.put([_outward(value) for value in row])
            rows += 1
    return Counted(len(tables), rows)


def _tables(connection: Connection) -> list[Table]:
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name not in NOT_KEPT]


def _outward(value: Any) -> Any:
    return {"b64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def load_lines(file: Path) -> Iterator[Any]:
    """Yield the values of a backup's lines, and check at the end that it is complete. Raises BadBackup."""
    digest, is_whole = hashlib.sha256(), False
    try:
        with gzip.open(file, "rb") as lines:
            for line in lines:
                value = msgspec.json.decode(line)
                if isinstance(value, dict) and value.get("type") == "end":
                    is_whole = value.get("sha256") == digest.hexdigest()
                    break
                digest.update(line)
                yield value
    except gzip.BadGzipFile:
        raise BadBackup(f"{file}: no backup of Patchbay, or a damaged one") from None
    except OSError as error:
        raise BadBackup(f"{file} can't be read: {error.strerror or error}") from None
    except (EOFError, zlib.error, msgspec.DecodeError):
        raise BadBackup(f"{file}: cut short or changed: take another backup") from None
    if not is_whole:
        raise BadBackup(f"{file}: cut short or changed: take another backup")


async def restore(
    database: Database, file: Path, host_key: Path, now: datetime, *, kept_in: Path
) -> tuple[Counted, Path | None]:
    """Replace the database's contents by a backup, in one transaction, and migrate the schema to head.

    Returns what was restored, and the file in `kept_in` with what was there before (None: nothing was). The host key is
    restored where there is none. Raises BadBackup for a bad file, or when a server is running on that database;
    SchemaError when the backup is newer than this program. Then nothing has changed.
    """
    _check_whole(file)
    url = database.url.render_as_string(hide_password=False)
    before = await _keep_what_is_there(database, url, host_key, now, kept_in)
    counted, keys = await migrate.run_alone(url, lambda connection: _load_and_upgrade(connection, file))
    _restore_keys(keys, host_key)
    return counted, before


def _restore_keys(keys: Mapping[str, str], host_key: Path) -> None:
    """Write the host keys if there are none: clients know the server by them."""
    if os.path.lexists(host_key):
        return
    host_key.parent.mkdir(parents=True, exist_ok=True)
    for name, file in (*((other.name, other) for other in _others(host_key)), (HOST_KEY, host_key)):  # the sign last
        if name in keys and not os.path.lexists(file):
            try:
                with whole_file(file, replaces=False) as out:  # half a key would keep the server from starting
                    out.write(keys[name].encode())
            except OSError as error:
                said = f"the database is restored, but not the host keys: {file}: {error.strerror}"
                raise BadBackup(f"{said}; make room, and restore again") from None


async def _keep_what_is_there(
    database: Database, url: str, host_key: Path, now: datetime, kept_in: Path
) -> Path | None:
    """Back up what a restore replaces. Raises BadBackup when a server is running."""
    found = await migrate.state(url)
    if found.current is None:
        return None
    if await database.read(processes.alive, now):
        raise BadBackup("a server is running on this database; stop it first")
    kept = _free_name(kept_in / f"before-restore-{now:%Y%m%dT%H%M%S}.backup")
    await backup(database, kept, host_key, now)
    return kept


def _free_name(wanted: Path) -> Path:
    """Return a free file name: a second restore within a second must not overwrite the first one's."""
    names = (wanted.with_stem(f"{wanted.stem}-{n}") if n else wanted for n in count())
    return next(name for name in names if not name.exists())


def _check_whole(file: Path) -> None:
    first = None
    for value in load_lines(file):
        first = first or value
    if not isinstance(first, dict) or first.get("type") != "backup" or first.get("v") != V:
        raise BadBackup(f"{file}: no backup of Patchbay")


def _load_and_upgrade(connection: Connection, file: Path) -> tuple[Counted, dict[str, str]]:
    loaded = load(connection, file)
    migrate.upgrade_to(connection, "head")
    return loaded


def load(connection: Connection, file: Path) -> tuple[Counted, dict[str, str]]:
    """Create the schema of a complete backup, and fill it. Returns the host keys by name, too."""
    lines = load_lines(file)
    header = next(lines)
    old = MetaData()
    old.reflect(connection)
    old.drop_all(connection)
    migrate.upgrade_to(connection, header["schema"])
    loader, keys = _Loader(connection), dict[str, str]()
    for value in lines:
        if isinstance(value, list):
            loader.row(value)
        elif value["type"] == "table":
            loader.begin(value["name"], value["columns"])
        elif value["type"] in ("host_key", "host_key_beside"):
            keys[value.get("name", HOST_KEY)] = value["text"]
    loader.finish()
    return Counted(len(loader.tables), loader.rows), keys


class _Loader:
    """Inserts rows in batches."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.tables = {table.name: table for table in _tables(connection)}
        self.rows = 0
        self._names: list[str] = []
        self._batch: list[dict[str, Any]] = []
        for table in self.tables.values():
            connection.execute(delete(table))  # rows that migrations inserted

    def begin(self, name: str, columns: list[str]) -> None:
        self._flush()
        self._table, self._names = self.tables[name], columns

    def row(self, values: list[Any]) -> None:
        self._batch.append(dict(zip(self._names, map(_inward, values), strict=True)))
        self.rows += 1
        if len(self._batch) >= ROWS_AT_ONCE:
            self._flush()

    def finish(self) -> None:
        """Insert the last batch, and set PostgreSQL's sequences."""
        self._flush()
        if self._connection.dialect.name != "postgresql":
            return
        for table in self.tables.values():
            if "id" in table.columns and isinstance(table.columns["id"].type, Integer):
                top = self._connection.execute(select(func.max(table.columns["id"]))).scalar_one()
                if top is not None:
                    count_on = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :top)")
                    self._connection.execute(count_on, {"name": table.name, "top": top})

    def _flush(self) -> None:
        if self._batch:
            self._connection.execute(insert(self._table), self._batch)
            self._batch = []


def _inward(value: Any) -> Any:
    return base64.b64decode(value["b64"]) if isinstance(value, dict) else value

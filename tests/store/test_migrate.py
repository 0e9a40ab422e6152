"""Migrations: from empty, from every release, killed in the middle, refused by older code."""

from __future__ import annotations

import importlib
import pkgutil
import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

import server.store
from server.admin.backup import restore
from server.admin.replay import verify
from server.store import accounts, conduct, matches, migrate
from server.store import chat as chat_store
from server.store.columns import metadata
from server.store.database import Database, open_database
from server.store.errors import SchemaError
from tests.services import drop_postgres, make_postgres
from tests.store.builders import START
from tests.store.release import SCHEMAS

RELEASES = sorted(file.stem for file in SCHEMAS.glob("*.sql"))


def strays(connection: Connection) -> list[object]:
    """Return where the migrated schema and the tables in the code differ."""
    for module in pkgutil.iter_modules(server.store.__path__):
        importlib.import_module(f"server.store.{module.name}")
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_the_migrations_make_the_tables_of_the_code(either: Database) -> None:
    assert await either.read(strays) == []


async def test_from_empty_to_head_and_again(sqlite_url: str) -> None:
    assert (await migrate.state(sqlite_url)).current is None
    assert not Path(sqlite_url.removeprefix("sqlite:///")).exists()  # looking makes nothing
    with pytest.raises(SchemaError, match="patchbay migrate"):
        await migrate.require_head(sqlite_url)
    before = await migrate.upgrade(sqlite_url)
    assert before.current is None
    await migrate.require_head(sqlite_url)
    assert (await migrate.upgrade(sqlite_url)).is_at_head


async def test_a_newer_schema_is_refused_by_older_code(either: Database) -> None:
    url = either.url.render_as_string(hide_password=False)
    await either.write(lambda c: c.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'"))
    for attempt in (migrate.require_head(url), migrate.upgrade(url)):
        with pytest.raises(SchemaError, match="newer"):
            await attempt


KILLED = """
import asyncio, os, sys
from server.store import migrate
made = []
def die(*_):
    made.append(1)
    if len(made) == 12:
        os._exit(9)
from sqlalchemy import event
from sqlalchemy.engine import Engine
event.listen(Engine, "after_cursor_execute", die)
asyncio.run(migrate.upgrade(sys.argv[1]))
"""


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
async def test_killed_in_the_middle_it_has_not_happened(kind: str, sqlite_url: str) -> None:
    url = sqlite_url if kind == "sqlite" else await make_postgres()
    killed = subprocess.run([sys.executable, "-c", KILLED, url], check=False, capture_output=True)
    assert killed.returncode == 9, killed.stderr.decode()
    assert (await migrate.state(url)).current is None
    await migrate.upgrade(url)
    await migrate.require_head(url)
    if kind != "sqlite":
        await drop_postgres(url)


@pytest.mark.parametrize("release", RELEASES)
async def test_an_upgrade_of_a_release_that_is_killed_in_the_middle_goes_on_when_run_again(
    release: str, sqlite_url: str
) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    raw = sqlite3.connect(file)
    raw.executescript((SCHEMAS / f"{release}.sql").read_text(encoding="utf-8"))
    before = list(raw.iterdump())
    raw.close()
    killed = subprocess.run([sys.executable, "-c", KILLED, sqlite_url], check=False, capture_output=True)
    if (await migrate.state(sqlite_url)).is_at_head:
        pytest.skip(f"the schema of {release} is this one's: nothing is migrated")
    assert killed.returncode == 9, killed.stderr.decode()
    raw = sqlite3.connect(file)
    assert list(raw.iterdump()) == before
    raw.close()
    await migrate.upgrade(sqlite_url)
    database = await open_database(sqlite_url)
    await check_what_the_release_kept(database)
    await database.close()


async def check_what_the_release_kept(database: Database) -> None:
    assert await database.read(strays) == []
    mira = await database.read(accounts.by_handle, "mira")
    assert mira is not None
    assert mira.roles == {"admin"}
    assert len(await database.read(accounts.keys_of, mira.id)) == 1
    assert [line.text for line in await database.read(chat_store.recent, "match:m1", 10)] == ["好棋"]
    assert [ban.target for ban in await database.read(conduct.in_force, START)] == ["198.51.100.0/24"]
    running = await database.read(matches.get, "running")
    assert running is not None
    assert running.last_seq == 9
    bad: dict[str, list[str]] = {}
    tally = await verify(database, bad.__setitem__)
    assert (tally.matches, bad) == (3, {})


@pytest.mark.parametrize("release", RELEASES)
async def test_every_release_upgrades_with_all_it_holds(release: str, sqlite_url: str) -> None:
    raw = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
    raw.executescript((SCHEMAS / f"{release}.sql").read_text(encoding="utf-8"))
    raw.close()
    await migrate.upgrade(sqlite_url)
    database = await open_database(sqlite_url)
    await check_what_the_release_kept(database)
    await database.close()


@pytest.mark.services
@pytest.mark.parametrize("release", RELEASES)
async def test_every_release_s_backup_restores_into_postgresql(release: str, tmp_path: Path) -> None:
    url = await make_postgres()
    database = await open_database(url)
    await restore(database, SCHEMAS / f"{release}.backup", tmp_path / "host_key", START)
    await check_what_the_release_kept(database)
    await database.close()
    await drop_postgres(url)


def test_this_release_has_left_its_dump() -> None:
    assert version("patchbay") in RELEASES

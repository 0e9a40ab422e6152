"""Migrations: from empty, from every release, killed in the middle, refused by older code."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from server.accounts.accounts import Accounts
from server.accounts.errors import AccountError
from server.admin.backup import load, restore
from server.admin.replay import verify_matches
from server.config import Limits
from server.store import accounts, conduct, matches, migrate, revisions, tables
from server.store import chat as chat_store
from server.store.choose import open_database
from server.store.database import Database
from server.store.errors import SchemaError
from server.store.tables import metadata
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.services import drop_postgres, make_postgres
from tests.store.builders import START
from tests.store.release import SCHEMAS

RELEASES = sorted(file.stem for file in SCHEMAS.glob("*.sql"))


def strays(connection: Connection) -> list[object]:
    """Return where the migrated schema and the tables in the code differ."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def test_all_tables_are_in_one_file() -> None:
    """Elsewhere a table was missing from the schema until something imported its module."""
    files = Path(tables.__file__).parent.glob("*.py")
    assert [file.name for file in files if " = Table(" in file.read_text()] == ["tables.py"]


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


def test_the_revisions_by_their_files_are_those_by_their_scripts() -> None:
    scripts = ScriptDirectory.from_config(revisions.scripts())
    assert migrate.revisions() == tuple(sorted(one.revision for one in scripts.walk_revisions()))
    assert migrate.revisions()[-1] == scripts.get_current_head()


async def test_a_newer_schema_is_refused_by_older_code(either: Database) -> None:
    url = either.url.render_as_string(hide_password=False)
    await either.write(lambda c: c.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'"))
    for attempt in (migrate.require_head(url), migrate.upgrade(url)):
        with pytest.raises(SchemaError, match="newer"):
            await attempt


KILLED = """
import asyncio, gc, os, sys
from server.store import migrate, postgres, revisions  # all that is loaded, each child would load again
from sqlalchemy import event
from sqlalchemy.engine import Engine
url, last, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

def attempt(n):
    made = []
    def count(*_):
        made.append(1)
        if len(made) == n:
            os._exit(9)
    event.listen(Engine, "after_cursor_execute", count)
    event.listen(Engine, "commit", count)  # just before it
    asyncio.run(migrate.upgrade(url))
    os._exit(0)

gc.freeze()
for n in range(1, last, step):
    if (child := os.fork()) == 0:
        attempt(n)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 9:
        break
print(n // step, code)
"""
MOST_STATEMENTS = 1000


def kill_at_every_statement(url: str, step: int = 1) -> int:
    """Upgrade again and again, each time killed `step` statements later, until one comes through.

    Returns how many were killed. So each but the first went on where a killed one had left the database.
    """
    done = subprocess.run(
        [sys.executable, "-c", KILLED, url, str(MOST_STATEMENTS), str(step)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    killed, code = map(int, done.stdout.split())
    assert code == 0, done.stderr
    return killed


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
async def test_killed_at_many_statements_it_has_not_happened(kind: str, sqlite_url: str) -> None:
    url = sqlite_url if kind == "sqlite" else await make_postgres()
    assert kill_at_every_statement(url, step=4) > 10
    await migrate.require_head(url)
    database = await open_database(url)
    assert await database.read(strays) == []
    await database.close()
    if kind != "sqlite":
        await drop_postgres(url)


def load_release(release: str, file: Path) -> None:
    raw = sqlite3.connect(file)
    raw.executescript((SCHEMAS / f"{release}.sql").read_text(encoding="utf-8"))
    raw.close()


async def release_in_postgres(release: str) -> str:
    """Make a PostgreSQL database as a release left it, at its own schema."""
    url = await make_postgres()
    await migrate.run_alone(url, lambda connection: load(connection, SCHEMAS / f"{release}.backup"))
    return url


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
async def test_an_upgrade_of_a_release_that_is_killed_at_any_statement_goes_on_when_run_again(
    release: str, kind: str, sqlite_url: str
) -> None:
    if kind == "sqlite":
        url = sqlite_url
        load_release(release, Path(sqlite_url.removeprefix("sqlite:///")))
    else:
        url = await release_in_postgres(release)
    is_old = not (await migrate.state(url)).is_at_head
    killed = kill_at_every_statement(url)
    assert killed > 5 or not is_old
    database = await open_database(url)
    await check_what_the_release_kept(database)
    await database.close()
    if kind != "sqlite":
        await drop_postgres(url)


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
    tally = await verify_matches(database, bad.__setitem__)
    assert (tally.matches, bad) == (3, {})


@pytest.mark.parametrize("release", RELEASES)
async def test_every_release_upgrades_with_all_it_holds(release: str, sqlite_url: str) -> None:
    load_release(release, Path(sqlite_url.removeprefix("sqlite:///")))
    await migrate.upgrade(sqlite_url)
    database = await open_database(sqlite_url)
    await check_what_the_release_kept(database)
    await database.close()


async def test_accounts_that_look_alike_by_a_later_rule_stay_and_are_guarded_by_it(sqlite_url: str) -> None:
    """`at4x` could come beside `atax`; where both are, neither is renamed, and nobody else comes."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    load_release("0.2.0", file)
    raw = sqlite3.connect(file)
    for account_id, handle in ((11, "atax"), (12, "at4x"), (13, "mia5")):
        raw.execute("INSERT INTO accounts (id, handle, created_at) VALUES (?, ?, 0)", (account_id, handle))
        raw.execute("INSERT INTO handle_skeletons VALUES (?, ?)", (handle, account_id))
    raw.commit()
    raw.close()
    await migrate.upgrade(sqlite_url)
    database = await open_database(sqlite_url)
    service = Accounts(database, FakeClock(), Limits())
    for handle in ("atax", "at4x", "mia5"):
        assert await service.by_handle(handle) is not None
    for handle in ("a7ax", "att-ax", "mias", "m1a5"):
        with pytest.raises(AccountError, match=r"handle\.taken"):
            await service.register(handle, public_key(handle), "192.0.2.1")
    await service.rename(12, "nadia")
    await service.register("mina", public_key("mina"), "192.0.2.1")
    await database.close()


@pytest.mark.services
@pytest.mark.parametrize("release", RELEASES)
async def test_every_release_s_backup_restores_into_postgresql(release: str, tmp_path: Path) -> None:
    url = await make_postgres()
    database = await open_database(url)
    await restore(database, SCHEMAS / f"{release}.backup", tmp_path / "host_key", START, kept_in=tmp_path)
    await check_what_the_release_kept(database)
    await database.close()
    await drop_postgres(url)


def test_this_release_has_left_its_dump() -> None:
    """What stands between two releases (`.dev0`) leaves none: its schema still changes."""
    now = version("patchbay")
    assert now.endswith(".dev0") or now in RELEASES

"""Fixtures for all tests: a migrated database per test, SQLite or PostgreSQL or each in turn."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from server.store.choose import open_database
from server.store.database import Database
from server.store.migrate import upgrade
from server.terminal import loop
from tests import serverlog
from tests.seeds import FIXED, chosen
from tests.services import drop_postgres, make_postgres

# The testers and the hundreds of servers they start compile each module once, whatever the caller's shell forbids.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
gc.disable()  # until all tests are collected: they all stay, and each tester collects all of them


HERE = Path(__file__).parent
# Folders whose tests mostly wait for servers of their own, the longest first.
WAITING = ("hostile", "durability", "hex", "load", "ssh", "store", "admin", "conformance")
WAITING_UNTIL = 0.8  # of the order; the rest is short


def pytest_configure(config: pytest.Config) -> None:
    """Refuse paths that there are not: several testers would run nothing, and not say why."""
    if missing := [one for one in config.args if not Path(one.partition("::")[0]).exists()]:
        raise pytest.UsageError(f"no such path: {', '.join(missing)}")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Weave the files whose tests wait with those that compute, so that the processors are busy to the end.

    The former end first: a long file that came last would keep a tester alone.
    """
    files = {HERE / name: list[Path]() for name in WAITING}
    computing = list[Path]()
    for file in dict.fromkeys(item.path for item in items):
        next((found for folder, found in files.items() if folder in file.parents), computing).append(file)
    waiting = [file for found in files.values() for file in found]
    place = {file: WAITING_UNTIL * i / len(waiting) for i, file in enumerate(waiting)}
    place |= {file: i / len(computing) for i, file in enumerate(computing)}
    items.sort(key=lambda item: place[item.path])


def pytest_collection_finish() -> None:
    """Look for garbage again, but not among what was collected."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to draw the same again, where it was not the usual."""
    if (seed := chosen()) != FIXED:
        terminalreporter.write_line(f"drawn with TEST_SEED={seed}")


@pytest.fixture(autouse=True)
def _no_error_is_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test by every error that a server or the loop logged, but for those that it names by `logs`."""
    with serverlog.loop_watched():
        yield
    expected = [text for marker in request.node.iter_markers("logs") for text in marker.args]
    if found := serverlog.problems(expected):
        pytest.fail("logged, and no test expects it:\n" + "\n".join(found), pytrace=False)


@pytest.fixture
def logging_put_back() -> Iterator[None]:
    """Let a test set logging up: afterwards it is as it was."""
    before = logging.getLogger().handlers[:], logging.raiseExceptions
    yield
    for handler in set(logging.getLogger().handlers) - set(before[0]):
        handler.close()
    logging.getLogger().handlers[:], logging.raiseExceptions = before
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _drawing_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no drawing of the tests' own process wait because earlier ones took long: on a loaded machine they do."""
    monkeypatch.setattr(loop, "thread_time", lambda: 0.0)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the schema at head, to copy."""
    file = tmp_path_factory.mktemp("migrated") / "patchbay.db"
    asyncio.run(upgrade(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def migrated_postgres() -> Iterator[str]:
    """The name of a PostgreSQL database with the schema at head, to make others from."""

    async def make() -> str:
        url = await make_postgres()
        await upgrade(url)
        return url

    url = asyncio.run(make())
    yield url.rpartition("/")[2]
    asyncio.run(drop_postgres(url))


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Where an SQLite database could be; there is none yet."""
    return f"sqlite:///{tmp_path / 'patchbay.db'}"


@pytest.fixture
async def database(tmp_path: Path, migrated_file: Path) -> AsyncIterator[Database]:
    """An SQLite database."""
    file = shutil.copy(migrated_file, tmp_path / "patchbay.db")
    opened = await open_database(f"sqlite:///{file}")
    yield opened
    await opened.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        matchlog = f"no tmpfs can be mounted here ({mounted.stderr.strip()}): the full disk is NOT tried"
        print(f"\n*** {matchlog} ***", file=sys.__stderr__)
        pytest.skip(matchlog)
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.fixture
async def postgres_url(migrated_postgres: str) -> AsyncIterator[str]:
    """The URL of a PostgreSQL database."""
    url = await make_postgres(migrated_postgres)
    yield url
    await drop_postgres(url)


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Database]:
    """A PostgreSQL database."""
    opened = await open_database(postgres_url)
    yield opened
    await opened.close()


@pytest.fixture(params=["database", pytest.param("postgres", marks=pytest.mark.services)])
def either(request: pytest.FixtureRequest) -> Database:
    """A database of each kind, in turn."""
    opened: Database = request.getfixturevalue(request.param)
    return opened

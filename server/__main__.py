"""The `patchbay` command."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from server import config, log
from server.admin import backup, check, command, replay
from server.admin.acts import Admin
from server.bus.choose import make_bus
from server.clock import SystemClock
from server.config import Settings, SettingsError
from server.store import migrate
from server.store.database import Database, open_database
from server.store.errors import SchemaError, StoreUnavailable

OK, REFUSED, USAGE = 0, 1, 2
Command = Callable[[Settings, argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 ok, 1 refused, 2 usage (docs/operations.md)."""
    os.umask(0o077)  # database, keys, logs and backups are nobody else's to read
    given = _parser().parse_args(arguments)
    options = {name: value for name, value in vars(given).items() if name in _OPTION_NAMES}
    try:
        settings = config.load(options)
        run: Command = given.run
        return run(settings, given)
    except SettingsError as error:
        return _refuse(f"settings: {error}", USAGE)
    except (SchemaError, backup.BadBackup) as error:
        return _refuse(str(error))
    except StoreUnavailable as error:
        return _refuse(f"database: {error.why}")
    except OSError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130


def _refuse(why: str, code: int = REFUSED) -> int:
    print(f"patchbay: {why}", file=sys.stderr)
    return code


_OPTION_NAMES = frozenset(option.removeprefix("--").replace("-", "_") for option, _, _ in config.options())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="patchbay", description="A place to play tabletop games over SSH.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "serve", "listen and play", _serve)
    _add(commands, "migrate", "bring the database's schema to this release", _migrate)
    checking = _add(commands, "check", "look whether everything is in place", _check)
    checking.add_argument("--live", action="store_true", help="whether the server that runs here answers")
    admin = _add(commands, "admin", "keep order: patchbay admin ACT …", _admin)
    admin.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ACT …")
    for name, help_text, run in (
        ("backup", "write everything to a file", _backup),
        ("restore", "put it back", _restore),
    ):
        _add(commands, name, help_text, run).add_argument("file", type=Path)
    _add(commands, "verify", "play every stored match again and compare", _verify)
    ratings = _add(commands, "ratings", "ratings rebuild: make them again from the matches", _ratings)
    ratings.add_argument("what", choices=["rebuild"])
    return parser


def _add(commands: Any, name: str, help_text: str, run: Command) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=help_text, description=help_text)
    config.add_options(made)
    made.set_defaults(run=run)
    return made


def _serve(settings: Settings, given: argparse.Namespace) -> int:
    log.configure(settings.log, settings.log_level, settings.data_dir / "logs" / "patchbay.log")
    asyncio.run(migrate.upgrade(settings.database))
    code: int = import_module("server.app").serve(settings)
    return code


def _migrate(settings: Settings, given: argparse.Namespace) -> int:
    before = asyncio.run(migrate.upgrade(settings.database))
    print(f"schema: {before.head}" + ("" if before.is_at_head else f" (was {before.current or 'empty'})"))
    return OK


def _check(settings: Settings, given: argparse.Namespace) -> int:
    look = check.check_live if given.live else check.check
    return OK if asyncio.run(look(settings, print)) else REFUSED


def _admin(settings: Settings, given: argparse.Namespace) -> int:
    async def work(database: Database, admin: Admin) -> int:
        console = command.Console(print, lambda line: print(line, file=sys.stderr), _read_stdin)
        return await command.run(given.arguments, admin, console)

    return asyncio.run(_beside(settings, work))


async def _read_stdin() -> str:
    return await asyncio.to_thread(sys.stdin.read, 65_536)


def _backup(settings: Settings, given: argparse.Namespace) -> int:
    async def work(database: Database, admin: Admin) -> int:
        counted = await backup.backup(database, given.file, settings.host_key, SystemClock().now())
        print(f"{given.file}: {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if not counted.has_key:
            print(f"without a host key: there is none at {settings.host_key}", file=sys.stderr)
        try:
            await admin.note("backup", given.file.name, {"rows": counted.rows})
        except StoreUnavailable as error:  # a full disk is when a backup is wanted most
            print(f"the backup is whole, but is not in the audit log: {error.why}", file=sys.stderr)
        return OK

    return asyncio.run(_beside(settings, work))


def _restore(settings: Settings, given: argparse.Namespace) -> int:
    async def work() -> int:
        database = await open_database(settings.database)
        now = SystemClock().now()
        try:
            counted, before = await backup.restore(database, given.file, settings.host_key, now)
            await Admin(database, SystemClock(), make_bus("local")).note("restore", given.file.name)
        finally:
            await database.close()
        print(f"restored {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if before is not None:
            print(f"what was there before is in {before}", file=sys.stderr)
        return OK

    return asyncio.run(work())


def _verify(settings: Settings, given: argparse.Namespace) -> int:
    def report(match_id: str, differences: list[str]) -> None:
        print(f"{match_id}\t{'; '.join(differences)}", flush=True)

    async def work(database: Database, admin: Admin) -> int:
        tally = await replay.verify(database, report)
        print(f"{tally.matches} matches played again, {tally.differ} differ", file=sys.stderr)
        return REFUSED if tally.differ else OK

    return asyncio.run(_beside(settings, work))


def _ratings(settings: Settings, given: argparse.Namespace) -> int:
    async def work(database: Database, admin: Admin) -> int:
        counted = await admin.rebuild_ratings()
        print(f"ratings made again from {counted} matches", file=sys.stderr)
        return OK

    return asyncio.run(_beside(settings, work))


async def _beside(settings: Settings, work: Callable[[Database, Admin], Awaitable[int]]) -> int:
    """Run a command beside the database, whether a server is running or not. Raises SchemaError, StoreUnavailable."""
    await migrate.require_head(settings.database)
    database = await open_database(settings.database)
    try:
        return await work(database, Admin(database, SystemClock(), make_bus("local")))
    finally:
        await database.close()


if __name__ == "__main__":
    sys.exit(main())

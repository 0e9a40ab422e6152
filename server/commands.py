"""The commands of `patchbay`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path

from game.cli.commandline import CommandLine, CommandOption, Syntax, read
from game.cli.exits import Exit
from game.errors import BadNotation
from server import config, datalock, log
from server.accounts.keys import decoded
from server.admin import backup, check, command, replay
from server.admin.acts import Admin
from server.bus.choose import make_bus
from server.clock import SystemClock
from server.collector import loading
from server.config import Settings, SettingsError
from server.i18n.catalogues import FALLBACK, catalogue
from server.i18n.refusals import sentence
from server.sharedtime import shared_clock
from server.store import migrate
from server.store.database import Database, open_database
from server.store.errors import SchemaError, StoreUnavailable

NO_HOST_KEY = "without a host key: there is none at {path}"
HELP = frozenset(("--help", "-h"))


@dataclass(frozen=True, slots=True)
class PatchbayCommand:
    """One word after `patchbay`: what it does, and what it takes besides the settings, which go with every command."""

    about: str
    run: Callable[[Settings, CommandLine], int]
    syntax: Syntax = field(default_factory=Syntax)

    @property
    def with_settings(self) -> Syntax:
        """Return all that the command takes."""
        return replace(self.syntax, options=(*self.syntax.options, *SETTINGS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (docs/operations.md)."""
    os.umask(0o077)  # database, keys, logs and backups are readable by their owner only
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader has closed the pipe: `… | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.CLOSED_PIPE
    except BadNotation as error:
        return _refuse(f"{sentence(error, catalogue(FALLBACK))}\n{_usage(words)}", Exit.USAGE)
    except SettingsError as error:
        return _refuse(f"settings: {error}", Exit.USAGE)
    except (SchemaError, backup.BadBackup, datalock.AnotherServer) as error:
        return _refuse(str(error))
    except StoreUnavailable as error:
        return _refuse(f"database: {error.why}")
    except OSError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def _run(words: Sequence[str]) -> int:
    """Run one command. Raises BadNotation, SettingsError and what the command raises."""
    if not words:
        raise BadNotation("usage.missing", "COMMAND")
    if words[0] in HELP:
        print(_overview())
        return Exit.OK
    found = COMMANDS.get(words[0])
    if found is None:
        raise BadNotation("usage.command", words[0][:40])
    if HELP & {*(words[1:2] if found.syntax.ends_options else words[1:])}:
        print(
            "\n".join((_usage(words), "", found.about, *(command.overview() if words[0] == "admin" else _settings())))
        )
        return Exit.OK
    given = read(found.with_settings, words[1:])
    return found.run(settings_of(given), given)


def settings_of(line: CommandLine) -> Settings:
    """Return the settings of the environment, with those of a command line on top. Raises SettingsError."""
    names = {option.name for option in SETTINGS} & line.options.keys()
    return config.load({name.replace("-", "_"): line.options[name][0] for name in names})


def _usage(words: Sequence[str]) -> str:
    """Return how the named command is written, or that there is a list of them."""
    if not words or words[0] not in COMMANDS:
        return "usage: patchbay COMMAND; patchbay --help lists the commands"
    return f"usage: patchbay {words[0]} [--SETTING X …] {COMMANDS[words[0]].syntax.synopsis}".rstrip()


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name:{width}}  {found.about}" for name, found in COMMANDS.items())
    return "\n".join(("usage: patchbay COMMAND", "", "Play tabletop games over SSH.", "", *lines))


def _settings() -> list[str]:
    return ["", "settings:", *(f"  {option} X\n      {about} ({name})" for option, name, about in config.options())]


def _refuse(why: str, code: int = Exit.REFUSED) -> int:
    print(f"patchbay: {why}", file=sys.stderr)
    return code


def _serve(settings: Settings, given: CommandLine) -> int:
    log.configure(settings.log, settings.log_level, _log_of(settings))
    with datalock.exclusive(migrate.file_of(settings.database)):
        asyncio.run(migrate.upgrade(settings.database))
        with loading():
            app = import_module("server.app")
        code: int = app.serve(settings)
    return code


def _log_of(settings: Settings) -> Path:
    return settings.data_dir / "logs" / "patchbay.log"


def _migrate(settings: Settings, given: CommandLine) -> int:
    before = asyncio.run(migrate.upgrade(settings.database))
    print(f"schema: {before.head}" + ("" if before.is_at_head else f" (was {before.current or 'empty'})"))
    return Exit.OK


def _check(settings: Settings, given: CommandLine) -> int:
    look = check.check_live if "live" in given.flags else check.check
    return Exit.OK if asyncio.run(look(settings, print)) else Exit.REFUSED


def _admin(settings: Settings, given: CommandLine) -> int:
    async def work(database: Database, admin: Admin) -> int:
        to_stderr = partial(print, file=sys.stderr)
        console = command.Console(print, to_stderr, _read_stdin, sys.stdout.isatty())
        return await command.run(given.words, admin, console)

    return asyncio.run(_beside(settings, work))


async def _read_stdin() -> str:
    return decoded(await asyncio.to_thread(sys.stdin.buffer.read, 65_536))


def _backup(settings: Settings, given: CommandLine) -> int:
    file = Path(given.words[0])

    async def work(database: Database, admin: Admin) -> int:
        now = (await shared_clock(database)).now()
        counted = await backup.backup(database, file, settings.host_key, now)
        print(f"{file}: {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if not counted.has_key:
            print(NO_HOST_KEY.format(path=settings.host_key), file=sys.stderr)
        try:
            await admin.note("backup", file.name, {"rows": counted.rows})
        except StoreUnavailable as error:  # on a full disk the backup still succeeds
            print(f"the backup is complete, but is not in the audit log: {error.why}", file=sys.stderr)
        return Exit.OK

    return asyncio.run(_beside(settings, work))


def _restore(settings: Settings, given: CommandLine) -> int:
    log.configure_beside(settings.log, _log_of(settings))
    file = Path(given.words[0])

    async def work() -> int:
        database = await open_database(settings.database)
        try:
            clock = SystemClock()
            counted, before = await backup.restore(database, file, settings.host_key, clock.now())
            await Admin(database, clock, make_bus("local")).note("restore", file.name)
        finally:
            await database.close()
        print(f"restored {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if before is not None:
            print(f"what was there before is in {before}", file=sys.stderr)
        return Exit.OK

    with datalock.exclusive(migrate.file_of(settings.database), wait_s=0):
        return asyncio.run(work())


def _verify(settings: Settings, given: CommandLine) -> int:
    def report(match_id: str, differences: list[str]) -> None:
        print(f"{match_id}\t{'; '.join(differences)}", flush=True)

    async def work(database: Database, admin: Admin) -> int:
        tally = await replay.verify(database, report)
        print(f"{tally.matches} matches played again, {tally.differ} differ", file=sys.stderr)
        return Exit.REFUSED if tally.differ else Exit.OK

    return asyncio.run(_beside(settings, work))


def _ratings(settings: Settings, given: CommandLine) -> int:
    if given.words[0] != "rebuild":
        raise BadNotation("usage.choice", f"{given.words[0][:40]} (rebuild)")

    async def work(database: Database, admin: Admin) -> int:
        counted = await admin.rebuild_ratings()
        print(f"ratings made again from {counted} matches", file=sys.stderr)
        return Exit.OK

    return asyncio.run(_beside(settings, work))


async def _beside(settings: Settings, work: Callable[[Database, Admin], Awaitable[int]]) -> int:
    """Run a command beside the database, whether a server is running or not. Raises SchemaError, StoreUnavailable."""
    log.configure_beside(settings.log, _log_of(settings))
    await migrate.require_head(settings.database)
    database = await open_database(settings.database)
    try:
        return await work(database, Admin(database, await shared_clock(database), make_bus("local")))
    finally:
        await database.close()


SETTINGS = tuple(CommandOption(option.removeprefix("--"), "X") for option, _, _ in config.options())
FILE = Syntax(("file",))
COMMANDS: Mapping[str, PatchbayCommand] = {
    "serve": PatchbayCommand("listen and play", _serve),
    "migrate": PatchbayCommand("bring the database's schema to this release", _migrate),
    "check": PatchbayCommand(
        "check settings, database, schema and host key", _check, Syntax(options=(CommandOption("live"),))
    ),
    "admin": PatchbayCommand(
        "run an admin command: patchbay admin ACT …", _admin, Syntax(("act…",), ends_options=True)
    ),
    "backup": PatchbayCommand("write everything to a file", _backup, FILE),
    "restore": PatchbayCommand("put a backup back", _restore, FILE),
    "verify": PatchbayCommand("replay every stored match and compare", _verify),
    "ratings": PatchbayCommand(
        "ratings rebuild: compute all ratings again from the matches", _ratings, Syntax(("act",))
    ),
}

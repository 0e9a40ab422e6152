"""The commands of `patchbay`."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from game.cli.commandline import (
    DETAIL_COLS,
    JSON,
    Command,
    CommandLine,
    CommandOption,
    CommandTable,
    HelpAsked,
    Syntax,
)
from game.cli.exits import Exit
from game.errors import BadNotation
from server import config, datalock, log, settingsreference
from server.accounts.actor import Actor
from server.accounts.publickeys import decoded
from server.admin import backup, check, command, doctor, hostkeys, manual, replay
from server.admin.acts import Admin
from server.admin.output import NotWritten
from server.bus.bus import LocalBus
from server.clock import SystemClock
from server.config import Settings, SettingsError
from server.errors import reason_of
from server.gctuning import loading
from server.hostkeys.files import HostKeyError
from server.i18n.catalogues import FALLBACK, catalogue
from server.i18n.refusals import sentence
from server.ownership import give_to_owner
from server.sharedtime import shared_clock
from server.starting import tell_admin
from server.store import migrate
from server.store.choose import open_database
from server.store.columns import to_json
from server.store.database import Database
from server.store.errors import SchemaError, StoreUnavailable

NO_HOST_KEY = "without a host key: there is none at {path}"
STANDARD = "-"  # a file name: standard output, or input


Run = Callable[[Settings, CommandLine], int | None]  # to an exit code; None: Exit.OK
PatchbayCommand = Command[Run]


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
        usage = COMMANDS.usage(words) or "patchbay --help lists the commands"
        return _refuse(f"{sentence(error, catalogue(FALLBACK))}\n{usage}", Exit.USAGE)
    except SettingsError as error:
        return _refuse(f"settings: {error}", Exit.USAGE)
    except (SchemaError, HostKeyError, NotWritten, backup.BadBackup, datalock.AnotherServer) as error:
        return _refuse(str(error))
    except StoreUnavailable as error:
        return _refuse(f"database: {error.why}")
    except OSError as error:
        return _refuse(reason_of(error))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def _run(words: Sequence[str]) -> int:
    """Run one command. Raises BadNotation, SettingsError and what the command raises."""
    if words[:1] == ["--version"]:
        print(f"patchbay {version('patchbay')}")
        return Exit.OK
    try:
        found, given = COMMANDS.read(words)
        if found.run is _admin:
            command.check_help(given.words)
    except HelpAsked as asked:
        print("\n".join(asked.lines))
        return Exit.OK
    settings = settings_of(given)
    try:
        return found.run(settings, given) or Exit.OK
    finally:
        if found.run is not _serve:
            _give_to_owner(settings)


def _give_to_owner(settings: Settings) -> None:
    """Give what this command has made, if root ran it, to the owner of the data directory."""
    database, keys = migrate.file_of(settings.database), settings.host_key
    elsewhere = [] if database is None else database.absolute().parent.glob(f"{database.name}*")
    give_to_owner(settings.data_dir, (*elsewhere, *keys.parent.glob(f"{keys.name}*")))


def settings_of(line: CommandLine) -> Settings:
    """Return the settings of the environment, with those of a command line on top. Raises SettingsError."""
    names = {option.name for option in SETTINGS} & line.options.keys()
    return config.load({name.replace("-", "_"): line.options[name][0] for name in names})


def _refuse(why: str, code: int = Exit.REFUSED) -> int:
    print(f"patchbay: {why}", file=sys.stderr)
    return code


def _serve(settings: Settings, given: CommandLine) -> int:
    for stray in config.strays(os.environ):
        tell_admin(stray)
    log.configure(settings.log, settings.log_level, _log_of(settings))
    with datalock.exclusive(migrate.file_of(settings.database)):
        asyncio.run(migrate.upgrade(settings.database))
        with loading():
            app = import_module("server.app")
        code: int = app.serve(settings)
    return code


def _log_of(settings: Settings) -> Path:
    return settings.data_dir / "logs" / "patchbay.log"


def _migrate(settings: Settings, given: CommandLine) -> None:
    before = asyncio.run(migrate.upgrade(settings.database))
    print(f"schema: {before.head}" + ("" if before.is_at_head else f" (was {before.current or 'empty'})"))


def _check(settings: Settings, given: CommandLine) -> int:
    look = check.check_live if "live" in given.flags else check.check
    return Exit.OK if asyncio.run(look(settings, print)) else Exit.REFUSED


def _doctor(settings: Settings, given: CommandLine) -> int:
    log.configure(settings.log, "error")  # what it tries in vain is no event of the server's
    if asyncio.run(doctor.run(settings, os.environ, print)):
        print("all well", file=sys.stderr)
        return Exit.OK
    return Exit.REFUSED


def _completion(settings: Settings, given: CommandLine) -> None:
    print(manual.completion(given.word_of(0, manual.SHELLS), COMMANDS, command.ACTS), end="")


def _man(settings: Settings, given: CommandLine) -> None:
    print(manual.page(COMMANDS, command.ACTS), end="")


def _admin(settings: Settings, given: CommandLine) -> int | None:
    async def work(database: Database, admin: Admin) -> int:
        to_stderr = partial(print, file=sys.stderr)
        console = command.Console(print, to_stderr, _read_stdin, sys.stdout.isatty())
        return await command.run(given.words, admin, console)

    return asyncio.run(_beside(settings, work))


async def _read_stdin() -> str:
    if sys.stdin.isatty():
        print("paste the line of KEY.pub, then Enter and Ctrl-D", file=sys.stderr)
    return decoded(await asyncio.to_thread(sys.stdin.buffer.read, 65_536))


def _backup(settings: Settings, given: CommandLine) -> int | None:
    name = given.words[0]
    target: Path | BinaryIO = sys.stdout.buffer if name == STANDARD else Path(name)
    if name == STANDARD and sys.stdout.isatty():
        return _refuse("a backup is not for a terminal: name a file, or a program to read it")

    async def work(database: Database, admin: Admin) -> None:
        now = (await shared_clock(database)).now()
        replaces = "force" in given.flags
        counted = await backup.backup(database, target, settings.host_key, now, replaces=replaces)
        print(f"{name}: {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if not counted.has_key:
            print(NO_HOST_KEY.format(path=settings.host_key), file=sys.stderr)
        try:
            await admin.note("backup", Path(name).name, {"rows": counted.rows})
        except StoreUnavailable as error:  # on a full disk the backup still succeeds
            print(f"the backup is complete, but is not in the audit log: {error.why}", file=sys.stderr)

    return asyncio.run(_beside(settings, work))


def _restore(settings: Settings, given: CommandLine) -> int | None:
    log.configure_beside(settings.log, _log_of(settings))
    name = given.words[0]
    if name == STANDARD and sys.stdin.isatty():
        return _refuse("a backup does not come from a terminal: name a file, or write `<file` behind it")

    async def work(file: Path) -> None:
        database = await open_database(settings.database)
        try:
            clock = SystemClock()
            counted, before = await backup.restore(
                database, file, settings.host_key, clock.now(), kept_in=settings.data_dir
            )
            await Admin(Actor(database, clock, LocalBus())).note("restore", Path(name).name)
        finally:
            await database.close()
        print(f"restored {counted.rows} rows of {counted.tables} tables", file=sys.stderr)
        if before is not None:
            print(f"what was there before is in {before}", file=sys.stderr)
        for _, line in await check.in_force(settings):  # the server would not start
            print(line, file=sys.stderr)

    with datalock.exclusive(migrate.file_of(settings.database), wait_s=0), _restored(name, settings.data_dir) as file:
        asyncio.run(work(file))
    return None


@contextmanager
def _restored(name: str, folder: Path) -> Iterator[Path]:
    """Yield the file to restore; standard input is kept in one meanwhile, since it is read twice. Raises OSError."""
    if name != STANDARD:
        yield Path(name)
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="standard-input-", suffix=".backup") as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.flush()
        yield Path(kept.name)


def _verify(settings: Settings, given: CommandLine) -> int | None:
    def report(match_id: str, differences: list[str]) -> None:
        print(f"{match_id}\t{'; '.join(differences)}", flush=True)

    async def work(database: Database, admin: Admin) -> int:
        tally = await replay.verify_matches(database, report)
        print(f"{tally.matches} matches played again, {tally.differ} differ", file=sys.stderr)
        return Exit.REFUSED if tally.differ else Exit.OK

    return asyncio.run(_beside(settings, work))


def _ratings(settings: Settings, given: CommandLine) -> int | None:
    async def work(database: Database, admin: Admin) -> None:
        counted = await admin.rebuild_ratings()
        print(f"ratings made again from {counted} matches", file=sys.stderr)

    return asyncio.run(_beside(settings, work))


def _head(*columns: str, given: CommandLine) -> None:
    """Print the header of a listing where a person reads it."""
    if sys.stdout.isatty() and "json" not in given.flags:
        print("\t".join(columns))


def _settings_in_force(settings: Settings, given: CommandLine) -> None:
    if "reference" in given.flags:
        print(settingsreference.example(), end="")
        return
    _head("SETTING", "VALUE", "FROM", given=given)
    for one in settingsreference.in_force(settings, given.options.keys(), os.environ):
        if "json" in given.flags:
            row = {"v": 1, "type": "setting", "setting": one.setting.variable, "value": one.value, "from": one.source}
            print(to_json({**row, "default": one.setting.default, "allowed": one.setting.allowed}))
        else:
            print(f"{one.setting.variable}\t{one.value or '-'}\t{one.source}")


def _hostkeys(settings: Settings, given: CommandLine) -> int | None:
    async def work(database: Database, admin: Admin) -> None:
        clock = await shared_clock(database)
        to_stderr = partial(print, file=sys.stderr)
        lists = partial(_head, *hostkeys.COLUMNS, given=given)
        await hostkeys.run(given, database, clock, admin, settings.host_key, print, to_stderr, lists)

    return asyncio.run(_beside(settings, work))


async def _beside(settings: Settings, work: Callable[[Database, Admin], Awaitable[int | None]]) -> int | None:
    """Run a command beside the database, whether a server is running or not. Raises SchemaError, StoreUnavailable."""
    log.configure_beside(settings.log, _log_of(settings))
    await migrate.require_head(settings.database)
    database = await open_database(settings.database)
    try:
        return await work(database, Admin(Actor(database, await shared_clock(database), LocalBus()), settings.name))
    finally:
        await database.close()


SETTINGS_TOLD = ("settings:", *(f"  {option} X  {about} ({name})" for option, name, about in config.options()))
SETTINGS = tuple(CommandOption(option.removeprefix("--"), "X") for option, _, _ in config.options())


def _row(name: str, syntax: Syntax, about: str, run: Run) -> PatchbayCommand:
    """Return a command that takes the settings besides its own options."""
    told = command.ACTS.overview(cols=DETAIL_COLS) if run is _admin else SETTINGS_TOLD
    return Command(name, replace(syntax, beside=SETTINGS), about, run, details=tuple(told))


COMMANDS = CommandTable(
    (
        _row("serve", Syntax(), "listen and play", _serve),
        _row("migrate", Syntax(), "bring the database's schema to this release", _migrate),
        _row(
            "check",
            Syntax(options=(CommandOption("live"),)),
            "check settings, database, schema and host key",
            _check,
        ),
        _row(
            "admin",
            Syntax(("act…",), ends_options=True),
            "what admins and moderators do; patchbay admin help lists the acts",
            _admin,
        ),
        _row("doctor", Syntax(), "look at everything that is easily got wrong, and say what to do", _doctor),
        _row(
            "settings",
            Syntax(options=(JSON, CommandOption("reference"))),
            "print every setting with its value and where that comes from; --reference: a commented file of all of "
            "them",
            _settings_in_force,
        ),
        _row(
            "hostkeys",
            Syntax(("list|rotate|accept",), (CommandOption("finish"), JSON)),
            "list the host keys in force, rotate them, or accept those that have files",
            _hostkeys,
        ),
        _row(
            "backup",
            Syntax(("file",), (CommandOption("force"),)),
            "write everything to a file; -: to standard output",
            _backup,
        ),
        _row("restore", Syntax(("file",)), "put a backup back; -: from standard input", _restore),
        _row("verify", Syntax(), "replay every stored match and compare", _verify),
        _row("completion", Syntax(("|".join(manual.SHELLS),)), "print what completes commands in a shell", _completion),
        _row("man", Syntax(), "print the manual page, patchbay(8)", _man),
        _row("ratings rebuild", Syntax(), "compute all ratings again from the matches", _ratings),
    ),
    "patchbay",
)

"""`patchbay doctor`: looks at everything that an admin may have got wrong, and says what to do about each fault."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import secrets
import shutil
import socket
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from game import registry
from game.contract import LEVELS
from server import config
from server.address import FORGOTTEN_PROXY, is_trusted
from server.admin import check
from server.bus.choose import bus_of
from server.bus.remote import RemoteBus
from server.clock import SystemClock, moment_words
from server.config import Settings
from server.matches.botpool import BotProcess
from server.matches.botprocess import BotQuestion
from server.sharedtime import shared_clock
from server.starting import port_refused
from server.store import processes
from server.store.choose import open_database
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.health import told_by, try_write

FREE_BYTES = 500_000_000
FREE_FILES = 10_000
OPEN_FILES = 1024
OLDEST_SQLITE, OLDEST_POSTGRES = (3, 35), 13
AGREE_S = 5.0
BUS_S, BOT_S = 5.0, 30.0
LOOKS = 50
LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
MADE_BY_DISK = "lost+found"  # in the root of a file system
OURS_THERE = ("patchbay.db", "host_key", "logs")  # one of them is in every data directory
OWN_DIRECTORY = "make a directory for it alone, and name that in PATCHBAY_DATA_DIR"
OURS = "SSH-2.0-Patchbay"
HELD = (
    "{where} is taken, and nobody answers there: a server that is starting (ask again in a minute), or another program"
)


async def run(settings: Settings, environment: Mapping[str, str], out: Callable[[str], None]) -> bool:
    """Print a line for each fault: what is wrong, and what to do; return whether there is none."""
    n_faults = 0
    async for fault in faults(settings, environment):
        out(fault)
        n_faults += 1
    return not n_faults


async def faults(settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[str]:
    """Yield every fault, as a line."""
    own = (*_settings(settings, environment), *_proxies(settings))
    here = (*own, *_permissions(settings), *_disk(settings.data_dir), *_open_files())
    for fault in here:
        yield fault
    greetings = {host: await _greeting(host, settings) for host in settings.hosts}
    is_running = any(said is not None and said.startswith(OURS) for said in greetings.values())
    is_there, line = await check.database(settings)
    if not is_there:
        yield f"{line}; see that it runs, and PATCHBAY_DATABASE_URL" if check.NO_DATABASE in line else line
    else:
        async for fault in _database(settings, is_running):
            yield fault
    for fault in await _host_keys(settings, is_there):
        yield fault
    for fault in (*_ports(settings, greetings), *(() if is_running else _other_ports(settings))):
        yield fault
    for asked in (_bus(settings), _bots()):
        if (said := await asked) is not None:
            yield said


async def _host_keys(settings: Settings, is_there: bool) -> list[str]:
    """Return what is wrong with the host keys. `is_there`: the database is, which knows those in force."""
    found = check.host_keys(settings.host_key)
    bad = [f"{line}; put it back from a backup" for is_fine, line in found if not is_fine]
    if bad or not is_there:
        return bad
    elsewhere = [line for _, line in found if "chmod" in line and settings.host_keys is not None]
    return [*elsewhere, *(line for _, line in await check.in_force(settings))]


def _settings(settings: Settings, environment: Mapping[str, str]) -> Iterator[str]:
    for stray in config.strays(environment):
        yield f"settings: {stray}"
    is_public = _is_public(settings)
    if is_public and settings.reached_at is None:
        yield "settings: players do not read how the server is reached: set PATCHBAY_PUBLIC_ADDRESS=HOST[:PORT]"
    if is_public and not settings.contact:
        yield "settings: who is banned or worried does not read whom to write to: set PATCHBAY_CONTACT (mail, a page)"
    for _, line in check.files_of(settings):
        yield f"{line}; mend the file, or unset the setting"


def _is_public(settings: Settings) -> bool:
    return not config.EVERYWHERE.isdisjoint(settings.hosts)


def _proxies(settings: Settings) -> Iterator[str]:
    """Look at what stands before the browsers' port: what the settings say of it, and what the server has seen."""
    if settings.web_port is None:
        return
    if _is_public(settings) and urlsplit(settings.web_url).hostname in LOCAL:
        yield (
            "settings: links that people share lead to their own machines: set PATCHBAY_WEB_URL (with the compose "
            "files: PATCHBAY_DOMAIN in deploy/.env)"
        )
    if settings.web_url.startswith("https://") and not settings.web_proxy_networks:
        yield (
            "settings: PATCHBAY_WEB_URL is https, and no proxy is named that speaks it: set PATCHBAY_WEB_PROXY_FROM, "
            "or everybody in a browser counts as one"
        )
    for source in sorted(_unnamed_proxies(settings.data_dir)):
        if not is_trusted(source, settings.web_proxy_networks):
            yield f"proxy: {source} sends X-Forwarded-For, and is not in PATCHBAY_WEB_PROXY_FROM: name it there"


def _unnamed_proxies(folder: Path) -> set[str]:
    """Return the addresses of which the log says today that they are proxies."""
    lines = (line for file in folder.glob("logs/*.log") for line in file.read_text(errors="replace").splitlines())
    told = (msgspec.json.decode(line) for line in lines if FORGOTTEN_PROXY in line)
    return {str(one["source"]) for one in told if isinstance(one, dict) and "source" in one}


def _permissions(settings: Settings) -> Iterator[str]:
    """Look at the data directory: can it be written, is it private, does it belong to one user."""
    folder = settings.data_dir
    is_fine, line = check.data_dir(folder)
    if not is_fine:
        yield f"{line}: {_remedy(folder)}"
    if not folder.is_dir():
        return
    real = folder.resolve()  # of a unit with a user of its own it is a link, which is root's
    there = {path.name for path in real.iterdir()} - {MADE_BY_DISK}
    if there and there.isdisjoint(OURS_THERE):
        yield f"data directory: {folder} holds other things than Patchbay's: {OWN_DIRECTORY}"
        return
    owner, made = real.stat().st_uid, (*sorted(real.glob("*")), *sorted(real.glob("logs/*")))
    if check.is_mounted(real):
        owner, made = os.geteuid(), tuple(path for path in made if path.name != MADE_BY_DISK)
    else:
        made = (real, *made)
    for path in made:
        found = path.lstat()
        if found.st_uid != owner:
            yield f"permissions: {path} belongs to another user than {folder}: chown --reference={folder} {path}"
        if stat.S_IMODE(found.st_mode) & 0o077 and not path.is_symlink() and path.suffix != ".pub":
            yield f"permissions: others on this machine can read {path}: chmod go= {path}"


def _remedy(folder: Path) -> str:
    """Say what to do about a data directory that can't be written."""
    if folder.exists() and not folder.is_dir():
        return OWN_DIRECTORY
    if folder.exists() and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return "its file system is read-only: mount it for writing; after a fault of the disk `dmesg` tells of it"
    return "run this as the user of the server, or give it to that user with chown"


def _disk(folder: Path) -> Iterator[str]:
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free, files = shutil.disk_usage(there).free, os.statvfs(there)
    if free < FREE_BYTES:
        yield f"disk: {free // 1_000_000} MB are free at {there}: make room, at least {FREE_BYTES // 1_000_000} MB"
    if files.f_files > 0 and files.f_favail < FREE_FILES:
        yield f"disk: only {files.f_favail} more files can be made at {there}: remove some"


def _open_files() -> Iterator[str]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < OPEN_FILES:
        yield f"open files: {most} at most, so few people fit: raise `ulimit -n`, or LimitNOFILE of the unit, to 65536"


async def _database(settings: Settings, is_running: bool) -> AsyncIterator[str]:
    """Look at a database that answers: its version, its clock, whether it takes writes, what the server has written.

    `is_running`: a server of ours answers on the port.
    """
    clock, database = SystemClock(), await open_database(settings.database)
    try:
        said = await database.read(told_by)
        last = await database.read(processes.last_alive)
        shared = await shared_clock(database)
        alive = await database.read(processes.alive, shared.now())
        drained = await database.read(processes.drained_since)
    except StoreUnavailable as error:
        yield f"database: no answer ({error.why}); see that it runs, and PATCHBAY_DATABASE_URL"
        return
    else:
        refused = await _refused_write(database)
    finally:
        await database.close()
    if refused is not None:
        yield f"database: it takes no writes ({refused}); running matches are safe, and go on once it does"
    if settings.is_sqlite and sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield f"database: SQLite {sqlite3.sqlite_version} is too old: take a Python with 3.35 or newer"
    if said.postgres is not None and said.postgres < OLDEST_POSTGRES:
        yield f"database: PostgreSQL {said.postgres} is too old: upgrade it to {OLDEST_POSTGRES} or newer"
    now = clock.now()
    if said.now is not None and abs(said.now - now) > timedelta(seconds=AGREE_S):
        yield f"clock: {abs((said.now - now).total_seconds()):.0f} s from the database's: let both machines follow NTP"
    if (fault := clock_fault(now, last, shared.ahead_s() if alive else None)) is not None:
        yield fault
    if is_running and not alive and refused is None:  # else a server that runs can't say so there
        yield (
            f"database: a server answers on port {settings.port}, and does not use this database: give this command "
            "the settings of that server (docs/installing.md, Secrets)"
        )
    if alive and drained is not None:
        yield f"drained: nobody is let in since {moment_words(drained)}: patchbay admin undrain"


async def _refused_write(database: Database) -> str | None:
    """Return why the database takes no writes; None: it does."""
    try:
        await database.write(try_write, secrets.randbits(31))
    except StoreUnavailable as error:
        return error.why
    return None


def clock_fault(now: datetime, last: datetime | None, ahead_s: float | None) -> str | None:
    """Return what is wrong with this machine's clock, which says `now`.

    `last`: the server's last heartbeat; `ahead_s`: how far the clock is ahead of a running server's time.
    """
    if ahead_s is not None and abs(ahead_s) > AGREE_S:
        return (
            f"clock: it is {abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'} the running server, which "
            "goes on by the time it started with: set it (NTP); if it is right, stop the server and start it again"
        )
    if ahead_s is None and last is not None and last > now + timedelta(seconds=AGREE_S):
        return f"clock: it stands before the server's last heartbeat ({last:%Y-%m-%d %H:%M:%S} UTC): set it (NTP)"
    return None


async def _greeting(host: str, settings: Settings) -> str | None:
    """Return what whoever listens on our port says first; None: nobody listens, or any port will do."""
    return await check.greeting(check.near(host), settings) if settings.port else None


def _ports(settings: Settings, greetings: Mapping[str, str | None]) -> Iterator[str]:
    """Look at the port to listen on: our server may answer there, else it has to be free."""
    for host, said in greetings.items():
        where, error = f"{host}:{settings.port}", _refusal(host, settings.port)
        if said is not None and not said.startswith(OURS):
            yield f"port: another program has {where} ({said[:60]}): stop it, or set PATCHBAY_PORT"
        elif said is None and error is not None:
            is_held = error.errno == errno.EADDRINUSE
            yield f"port: {HELD.format(where=where) if is_held else port_refused(where, error)}"


def _other_ports(settings: Settings) -> Iterator[str]:
    """Look at the ports besides, which a server that runs has itself."""
    for number in range(settings.metrics_port or 0, settings.highest_metrics_port + 1):
        if (error := _refusal(settings.metrics_host, number)) is not None:
            yield f"port: {port_refused(f'{settings.metrics_host}:{number}', error, 'METRICS_')}"
    if (error := _refusal(settings.web_host, settings.web_port or 0)) is not None:
        yield f"port: {port_refused(f'{settings.web_host}:{settings.web_port}', error, 'WEB_')}"


def _refusal(host: str, port: int) -> OSError | None:
    """Return why a port can't be had; None: it is free, or 0, which is any."""
    if not port:
        return None
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


async def _bus(settings: Settings) -> str | None:
    if settings.bus_url == "local":
        return None
    parsed = urlsplit(settings.bus_url)
    bus = bus_of(settings.bus_url, b"", SystemClock())  # it listens only: no message is sealed
    try:
        await bus.start()
        for _ in range(LOOKS):
            await asyncio.sleep(BUS_S / LOOKS)
            if bus.is_connected:
                break
        else:
            raise TimeoutError
    except (TimeoutError, OSError):
        why = f" ({bus.lost_because})" if isinstance(bus, RemoteBus) and bus.lost_because else ""
        return f"bus: no answer from {parsed.hostname}{why}: see that it runs, and PATCHBAY_BUS_URL (user, password)"
    finally:
        await bus.close()
    if parsed.scheme.startswith("redis") and parsed.password is None and parsed.hostname not in LOCAL:
        return f"bus: {parsed.hostname} asks for no password: set one (requirepass), and name it in PATCHBAY_BUS_URL"
    return None


async def _bots() -> str | None:
    """Let a bot process answer one question."""
    game = registry.get(registry.in_order(registry.KEYS)[0])
    state = game.setup({}, 2, bytes(32)).state
    pending = game.pending(state)[0]
    why = "its process dies"
    try:
        process = await BotProcess.begin(())
        try:
            question = BotQuestion(game.key, LEVELS[0], game.view(state, pending.seat), pending, bytes(32))
            is_good, why = await asyncio.wait_for(process.ask(question), BOT_S)
        finally:
            await process.end()
    except TimeoutError:
        return f"bots: no answer within {BOT_S:.0f} s: this machine is too busy or too slow"
    except (OSError, EOFError) as error:
        why, is_good = str(error) or why, False
    return None if is_good else f"bots: none can be played against ({why}): look at the limits of the unit or container"

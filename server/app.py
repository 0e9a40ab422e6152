"""The composition root: the only place that builds the services and the listener, and closes both in order."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version

import asyncssh

from server import gctuning, upkeep
from server.accounts.accounts import Accounts, Policy
from server.accounts.conduct import Conduct
from server.accounts.decks import Decks
from server.accounts.following import Following
from server.accounts.machines import Machines
from server.accounts.messages import Messages
from server.accounts.wrong_codes import WrongCodes
from server.admission.audience import ServedSession, text
from server.admission.reading import ReadingBudget
from server.admission.tally import Tally
from server.bus.bus import Bus
from server.bus.choose import make_bus
from server.bus.orders import Orders
from server.bus.seal import REFUSALS
from server.chat.chat import Chat
from server.clock import Clock, SystemClock
from server.config import Settings
from server.errors import reason_of
from server.hostkeys.files import HostKeyError
from server.i18n import catalogues
from server.lobby.context import LobbyContext
from server.lobby.lobby import Lobby
from server.log import get_logger
from server.matches.botpool import FAILURES, BotPool
from server.matches.exhibition import Exhibition
from server.matches.matches import Matches
from server.metrics import Metrics, MetricsServer, Refreshed
from server.noticehosts import read_hosts
from server.notices.notices import EVERY_S, Notices
from server.periodic import repeat
from server.preparing import metrics_line, pages_line, prepare, print_ready
from server.presence.presence import Presence
from server.ratings.ratings import Ratings
from server.readiness import WriteCheck, readiness
from server.sanitize import clean
from server.screens.routes import ScreenRoutes
from server.services import Services
from server.session.sharing import Groups
from server.sharedtime import KEEP_EVERY_S, TimeKeeper, shared_clock
from server.ssh.access import RESTARTS, Access
from server.ssh.listener import Listener
from server.ssh.order_handlers import OrderHandlers
from server.starting import BROWSERS_PORT, Starting, have_port, port_refused, tell_admin
from server.stopping import end_within, stopped_by_signal
from server.store.choose import open_database
from server.store.database import Database
from server.store.errors import SchemaError, StoreUnavailable
from server.store.failedwrites import FailedWrites
from server.store.logwriter import LogWriter
from server.supervisor import supervise
from server.tasks import Tasks
from server.terminal.drawqueue import DrawQueue
from server.terminal.screen import ChannelScreen
from server.terminal.sheet import LineCanvas
from server.textfile import WatchedFile

log = get_logger("app")
MOTD_CHARS = 500
CLOSE_S = 8.0  # of the 10 s that a stop may take


class StartError(Exception):
    """The server can't start; the message is one line for the admin."""


START_ERRORS = (StartError, HostKeyError, SchemaError, StoreUnavailable, OSError)


def serve(settings: Settings) -> int:
    """Run the server until it is told to stop; return the exit code. With several workers this is their parent."""
    try:
        if settings.workers > 1:
            return supervise(settings)
        return asyncio.run(run(settings))
    except START_ERRORS as error:
        return cannot_start(error)


def cannot_start(error: Exception) -> int:
    """Print why, in one line; return the exit code."""
    match error:
        case StoreUnavailable():
            said = error.why
        case OSError():
            said = reason_of(error)
        case _:
            said = str(error)
    tell_admin(f"can't start: {said}")
    return 1


async def run(settings: Settings, *, reuse_port: bool = False, tally: Tally | None = None) -> int:
    """Be one server process until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    async with AsyncExitStack() as stack:
        stack.enter_context(stopped_by_signal(stop.set))
        with Starting() as start:
            opened = await open_all(stack, start, settings, stop, reuse_port, tally)
        if opened is None:
            return 0
        gctuning.collect_rarely()
        print_ready(settings, opened.host_keys, opened.port, opened.lines)
        kind = "sqlite" if settings.is_sqlite else "postgresql"
        at = {"port": opened.port, "hosts": settings.host}
        log.info("started", **at, database=kind, release=version("patchbay"), pid=os.getpid())
        await stop.wait()
        end_within()
        log.info("draining")
        await opened.services.matches.drain()
        await close_listener(opened.listener)
    log.info("stopped")
    return 0


@dataclass(frozen=True, slots=True)
class Opened:
    """A process whose ports are all open. `lines`: what is printed of those beside the main one."""

    host_keys: Sequence[asyncssh.SSHKey]
    services: Services
    listener: Listener
    port: int
    lines: list[str]


async def open_all(
    stack: AsyncExitStack,
    start: Starting,
    settings: Settings,
    stop: asyncio.Event,
    reuse_port: bool,
    tally: Tally | None,
) -> Opened | None:
    """Build everything and open every port; None where the process is told to stop while it waits for its port.

    `start` says what takes long, `stack` closes what was opened.
    """
    start.step = "the database's schema and the host key"
    host_keys = await prepare(settings)
    metrics, failed = Metrics(), FailedWrites()
    bots = BotPool(settings.bot_processes, failed=metrics.bot_failed)
    start.step = "the database and the bus"
    services = await stack.enter_async_context(open_services(settings, metrics, bots, failed))
    browsers = set[ServedSession]()  # of the other door
    screens = ScreenRoutes(), Groups(DrawQueue(), services.rendered)
    retire = None if tally is None else stop.set
    listening = open_listener(settings, services, host_keys, metrics, tally, retire, browsers, screens)
    listener = await stack.enter_async_context(listening)
    start.step = "the metrics' port"
    measured = open_metrics(settings, services, listener, metrics, bots, failed)
    metrics_port = await stack.enter_async_context(measured)
    start.step = f"port {settings.port}"
    listen = partial(listener.listen_all, settings.hosts, settings.port, reuse_port)
    port = await have_port(listen, start.step, stop)
    if port is None:
        return None
    start.step = "the browsers' port"
    pages = open_browsers(settings, services, listener, host_keys, browsers, screens, port, reuse_port)
    web_port = await stack.enter_async_context(pages)
    lines = [] if metrics_port is None else [metrics_line(settings, metrics_port)]
    lines += [] if web_port is None else [pages_line(settings, web_port)]
    return Opened(host_keys, services, listener, port, lines)


@asynccontextmanager
async def open_metrics(
    settings: Settings, services: Services, listener: Listener, metrics: Metrics, bots: BotPool, failed: FailedWrites
) -> AsyncIterator[int | None]:
    """Serve /metrics, /healthz and /readyz if a port is set; yield the port."""
    if settings.metrics_port is None:
        yield None
        return
    metrics.gauge("connections", "connections that have logged in", lambda: listener.gate.inside)
    metrics.gauge("connections_knocking", "connections that have not", lambda: listener.gate.knocking)
    metrics.gauge("sessions", "session channels", lambda: len(listener.context.sessions))
    metrics.start_at_zero(FAILURES, REFUSALS)
    live = Refreshed(services.matches.count_live)
    metrics.gauge("matches_open", "matches that are being played, by all processes together", lambda: live.value)
    metrics.gauge("matches_held", "matches this process holds in memory", lambda: services.matches.open_count)
    metrics.gauge("draining", "1 while an admin lets nobody in", lambda: services.matches.is_draining)
    metrics.gauge("bus_connected", "1 while the bus is there", lambda: services.bus.is_connected)
    metrics.counter("commits_failed", "writes that the database did not take", lambda: failed.n)
    metrics.gauge("bot_processes", "processes that think for built-in players", lambda: len(bots.pids))
    metrics.gauge("bot_questions_waiting", "decisions that wait for one of them", lambda: bots.n_waiting)
    metrics.gauge("bots_degraded", "1 while no process for a built-in player can be started", lambda: bots.is_degraded)
    metrics.gauge("tasks", "tasks of the event loop", lambda: len(asyncio.all_tasks()))
    metrics.gauge("screens", "terminals and shared frames", lambda: ChannelScreen.alive)
    metrics.gauge("canvases", "drawn frames that are kept", lambda: LineCanvas.alive)

    writes = WriteCheck(services.database, failed, services.clock.monotonic)

    async def ready() -> tuple[bool, str]:
        return await readiness(services.matches.is_draining, listener.has_files, writes, bots)

    server = MetricsServer(metrics, ready, (live,))
    try:
        try:
            port = await server.start(settings.metrics_host, settings.metrics_port)
        except OSError as error:
            raise StartError(port_refused(f"the metrics' port {settings.metrics_port}", error, "METRICS_")) from error
        yield port
    finally:
        await server.close()
        await writes.close()


@dataclass(frozen=True, slots=True)
class Foundation:
    """What every service is built on."""

    database: Database
    clock: Clock
    tasks: Tasks
    writer: LogWriter
    bus: Bus


@asynccontextmanager
async def open_foundation(settings: Settings, metrics: Metrics, failed: FailedWrites) -> AsyncIterator[Foundation]:
    """Open the database and the bus, and begin what is done to the store from time to time."""
    async with AsyncExitStack() as stack:
        database = await open_database(settings.database, failed)
        stack.push_async_callback(database.close)
        clock = SystemClock() if settings.is_sqlite else await shared_clock(database)
        tasks = Tasks()
        stack.push_async_callback(tasks.close)
        keeper = TimeKeeper(clock, database)
        tasks.spawn(repeat(clock, KEEP_EVERY_S, keeper.compare), "time")
        forget = partial(upkeep.forget_old, database, clock, settings.moderation_days)
        tasks.spawn(repeat(clock, upkeep.EVERY_S, forget, first_s=upkeep.FIRST_S), "upkeep")
        old = upkeep.GuestMatches(database, clock, settings.guest_matches_days)
        tasks.spawn(repeat(clock, upkeep.MATCHES_EVERY_S, old.forget, first_s=upkeep.FIRST_S), "guest matches")
        writer = LogWriter(database, observe=metrics.committed)
        writer.start()
        stack.push_async_callback(writer.close)
        bus = await make_bus(settings.bus_url, database, clock, metrics.bus_refused)
        await bus.start()
        stack.push_async_callback(bus.close)
        yield Foundation(database, clock, tasks, writer, bus)


@asynccontextmanager
async def open_services(
    settings: Settings, metrics: Metrics, bots: BotPool, failed: FailedWrites
) -> AsyncIterator[Services]:
    """Build every service after its dependencies; close them in the opposite order."""
    catalogues.load_all()
    async with AsyncExitStack() as stack:
        built_on = await stack.enter_async_context(open_foundation(settings, metrics, failed))
        database, clock, bus = built_on.database, built_on.clock, built_on.bus
        presence = Presence()
        conduct = Conduct(database, clock, settings.contact, presence.connections.identities)
        await conduct.refresh()
        machines = Machines(database, clock, bus)
        await machines.refresh()
        ratings = Ratings(database, clock)
        chat = Chat(database, clock, bus, settings.limits, conduct.mute_of, presence.connections.counted)
        await chat.start()
        stack.push_async_callback(chat.close)
        matches = Matches(
            clock,
            database,
            built_on.writer,
            ratings,
            bots,
            chat,
            conduct,
            bus,
            presence=presence,
            machines=machines.known,
            beginnings_per_min=settings.limits.beginnings_per_min,
            beginnings_per_day=settings.limits.beginnings_per_day,
            reading=ReadingBudget(clock.monotonic, settings.limits.reading_ms_per_min),
        )
        stack.push_async_callback(matches.close)
        exhibition = Exhibition(clock, bots)
        stack.push_async_callback(exhibition.close)
        following = Following(database, clock)
        await following.refresh()
        context = LobbyContext(clock, database, presence, ratings, conduct, following, chat, machines.known)
        wrong_codes = WrongCodes(clock, bus, settings.limits.wrong_codes_per_min)
        lobby = Lobby(context, matches, bus, wrong_codes=wrong_codes)
        stack.push_async_callback(lobby.close)
        await matches.start()
        await lobby.start()
        policy = Policy(settings.accounts, settings.admin_fingerprints)
        accounts = Accounts(
            database, clock, settings.limits, bus=bus, server_name=settings.name, policy=policy, wrong_codes=wrong_codes
        )
        decks = Decks(database, clock)
        rendered = metrics.renders.observe
        people = accounts, conduct, following, Messages(database, clock, chat.muted), machines, ratings
        motd = message_of_the_day(settings)
        notices = open_notices(settings, clock, database, matches, accounts)
        if notices is not None:
            stack.push_async_callback(notices.close)
            built_on.tasks.spawn(repeat(clock, EVERY_S, notices.send_new), "notices")
        around = rendered, motd, notices
        yield Services(settings, clock, database, bus, *people, chat, matches, lobby, decks, exhibition, *around)


def open_notices(
    settings: Settings, clock: Clock, database: Database, matches: Matches, accounts: Accounts
) -> Notices | None:
    """Build what sends notices; None: no host is listed."""
    hosts = read_hosts(settings.notice_hosts)
    if not hosts:
        return None
    posting = import_module("server.notices.posting")  # with the HTTP client, which most servers don't need

    async def language_of(account_id: int) -> str:
        return (await accounts.preferences(account_id)).language or catalogues.FALLBACK

    connections = matches.connections
    return Notices(clock, database, matches.own_events, connections, hosts, posting.post, settings.name, language_of)


def message_of_the_day(settings: Settings) -> Callable[[], str]:
    """Return what tells the message of the day, as one line; empty: there is none. Raises StartError."""
    if settings.motd is None:
        return lambda: ""
    try:
        file = WatchedFile(settings.motd, lambda text: clean(" ".join(text.split()), MOTD_CHARS))
    except OSError as error:
        raise StartError(f"PATCHBAY_MOTD can't be read: {reason_of(error)}") from error
    except ValueError as error:
        raise StartError(f"PATCHBAY_MOTD: {settings.motd} can't be read: {error}") from error
    return lambda: file.value


@asynccontextmanager
async def open_listener(
    settings: Settings,
    services: Services,
    host_keys: Sequence[asyncssh.SSHKey],
    metrics: Metrics,
    tally: Tally | None,
    stop: Callable[[], None] | None,
    browsers: Collection[ServedSession],
    screens: tuple[ScreenRoutes, Groups],
) -> AsyncIterator[Listener]:
    """Build the listener and the handlers of admins' orders; the caller starts listening. `stop`: see OrderHandlers.

    `screens`: the routes and groups of all sessions of the process, those of `browsers` too.
    """
    routes, groups = screens
    try:
        access = Access(services, routes, groups)
    except OSError as error:
        raise StartError(f"PATCHBAY_ALLOWED_KEYS can't be read: {reason_of(error)}") from error
    except ValueError as error:
        raise StartError(f"PATCHBAY_ALLOWED_KEYS: {settings.allowed_keys}: {error}") from error
    listener = Listener(
        host_keys,
        settings.limits,
        services.clock,
        access.recognise,
        access.serve,
        groups.queue,
        settings.proxy_networks,
        tally,
        refuses=access.refuses,
        public=settings.reached_at,
        count=metrics.count,
        keeps_place=access.keeps_place,
        login_policy=access.login_policy,
        others=browsers,
    )
    orders = Orders(services.database, services.bus, services.clock)
    OrderHandlers(services, listener, stop, browsers).follow(orders)
    await orders.start()
    try:
        yield listener
    finally:
        await close_listener(listener)
        await orders.close()


@asynccontextmanager
async def open_browsers(
    settings: Settings,
    services: Services,
    listener: Listener,
    host_keys: Sequence[asyncssh.SSHKey],
    browsers: set[ServedSession],
    screens: tuple[ScreenRoutes, Groups],
    ssh_port: int,
    reuse_port: bool,
) -> AsyncIterator[int | None]:
    """Serve pages and sessions to browsers if a port is set; yield the port. `ssh_port`: of the other door."""
    if settings.web_port is None:
        yield None
        return
    opening = import_module("server.web.opening")  # with its HTTP server, which most servers don't need
    fingerprint = host_keys[0].get_fingerprint("sha256")
    admission, at = (listener.gate, listener.login_policy), settings.reached_on(ssh_port)
    served = opening.serving(settings, services, *admission, at, fingerprint, browsers, screens, reuse_port)
    async with AsyncExitStack() as stack:
        try:
            port: int = await stack.enter_async_context(served)
        except OSError as error:
            where = BROWSERS_PORT.format(port=settings.web_port)
            raise StartError(port_refused(where, error, "WEB_")) from error
        yield port


async def close_listener(listener: Listener) -> None:
    """End all sessions with a message, and wait for them for at most CLOSE_S."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(listener.close(text(RESTARTS)), CLOSE_S)

"""The composition root: the only place that builds the house, opens its door, and closes both in order."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import asyncssh

from server import collector
from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.decks import Decks
from server.bus.choose import make_bus
from server.bus.orders import Orders
from server.chat.chat import Chat
from server.clock import SystemClock
from server.config import Settings
from server.lobby.service import Lobby
from server.log import get_logger
from server.matches.service import Matches
from server.matches.workers import BotPool
from server.metrics import Metrics, MetricsServer
from server.opening import metrics_line, prepare, print_ready
from server.ratings.ratings import Ratings
from server.services import Services
from server.ssh.hostkey import HostKeyError
from server.ssh.obedience import Obedience
from server.ssh.reception import GOODBYE, Reception
from server.ssh.server import Listener
from server.ssh.tally import Tally
from server.ssh.terminal import ChannelScreen
from server.starting import Starting, have_port, tell_admin
from server.stopping import end_within
from server.store.database import open_database, ping
from server.store.errors import SchemaError, StoreUnavailable
from server.store.logwriter import LogWriter
from server.supervisor import supervise
from server.tui import i18n
from server.tui.sheet import LineCanvas

log = get_logger("app")
CLOSE_S = 8.0  # of the ten that a stop may take


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
    """Say why in one line; return the exit code."""
    tell_admin(f"can't start: {error.why if isinstance(error, StoreUnavailable) else error}")
    return 1


async def run(settings: Settings, *, reuse_port: bool = False, tally: Tally | None = None) -> int:
    """Be one server process until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as house:
        with Starting() as start:
            start.step = "the database's schema and the host key"
            host_key = await prepare(settings)
            metrics = Metrics()
            start.step = "the database and the bus"
            services = await house.enter_async_context(open_house(settings, metrics))
            listener = await house.enter_async_context(open_door(settings, services, host_key, tally))
            start.step = "the metrics' port"
            metrics_port = await house.enter_async_context(open_metrics(settings, services, listener, metrics))
            start.step = f"port {settings.port}"
            listen = partial(listener.listen_all, settings.hosts, settings.port, reuse_port)
            port = await have_port(listen, start.step, stop)
        if port is None:
            return 0
        collector.calm()
        print_ready(settings, host_key, port, [] if metrics_port is None else [metrics_line(settings, metrics_port)])
        await stop.wait()
        end_within()
        log.info("draining")
        await services.matches.drain()
        await close_door(listener)
    return 0


@asynccontextmanager
async def open_metrics(
    settings: Settings, services: Services, listener: Listener, metrics: Metrics
) -> AsyncIterator[int | None]:
    """Serve /metrics, /healthz and /readyz, if a port is set; gives the port."""
    if settings.metrics_port is None:
        yield None
        return
    metrics.gauge("connections", "connections that have logged in", lambda: listener.gate.inside)
    metrics.gauge("connections_knocking", "connections that have not", lambda: listener.gate.knocking)
    metrics.gauge("sessions", "session channels", lambda: len(listener.house.sessions))
    metrics.gauge("matches_open", "matches this process holds in memory", lambda: services.matches.open_count)
    metrics.gauge("tasks", "tasks of the event loop", lambda: len(asyncio.all_tasks()))
    metrics.gauge("screens", "terminals and shared pictures", lambda: ChannelScreen.alive)
    metrics.gauge("canvases", "drawn pictures that are kept", lambda: LineCanvas.alive)
    listener.count = metrics.count

    async def ready() -> str:
        if services.matches.house.is_draining:
            return "draining"
        try:
            await asyncio.wait_for(ping(services.database), 2)
        except (StoreUnavailable, TimeoutError):
            return "the database does not answer"
        return ""

    server = MetricsServer(metrics, ready)
    try:
        try:
            port = await server.start(settings.hosts[0], settings.metrics_port)
        except OSError as error:
            raise StartError(f"the metrics' port {settings.metrics_port} can't be had: {error.strerror}") from error
        yield port
    finally:
        await server.close()


@asynccontextmanager
async def open_house(settings: Settings, metrics: Metrics) -> AsyncIterator[Services]:
    """Build every service, each after what it stands on; close them in the opposite order."""
    i18n.load_all()
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        database = await open_database(settings.database)
        stack.push_async_callback(database.close)
        writer = LogWriter(database, observe=metrics.committed)
        writer.start()
        stack.push_async_callback(writer.close)
        bus = make_bus(settings.bus_url)
        await bus.start()
        stack.push_async_callback(bus.close)
        conduct = Conduct(database, clock)
        await conduct.refresh()
        ratings = Ratings(database, clock)
        chat = Chat(database, clock, bus, settings.limits, conduct.mute_of)
        await chat.start()
        stack.push_async_callback(chat.close)
        matches = Matches(
            clock, database, writer, ratings, BotPool(settings.bot_processes), bus, talk=chat, manners=conduct
        )
        stack.push_async_callback(matches.close)
        conduct.guests_source = matches.whereabouts.source_of_guest
        lobby = Lobby(matches, conduct, bus)
        stack.push_async_callback(lobby.close)
        await matches.start()
        await lobby.start()
        accounts = Accounts(database, clock, settings.limits)
        decks = Decks(database, clock)
        rendered = metrics.renders.observe
        yield Services(
            settings, clock, database, bus, accounts, conduct, ratings, chat, matches, lobby, decks, rendered
        )


@asynccontextmanager
async def open_door(
    settings: Settings, services: Services, host_key: asyncssh.SSHKey, tally: Tally | None = None
) -> AsyncIterator[Listener]:
    """Build the listener and what it does by the admin's orders; the caller lets it listen."""
    reception = Reception(services)
    listener = Listener(
        host_key, settings.limits, services.clock, reception.recognise, reception.serve, settings.proxy_networks, tally
    )
    listener.refuses = reception.refuses
    orders = Orders(services.database, services.bus, services.clock)
    Obedience(services, listener).follow(orders)
    await orders.start()
    try:
        yield listener
    finally:
        await close_door(listener)
        await orders.close()


async def close_door(listener: Listener) -> None:
    """Send everybody home with a sentence, and wait for their sessions, but not for ever."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(listener.close(GOODBYE), CLOSE_S)

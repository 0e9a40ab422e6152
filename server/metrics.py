"""What the server counts, as Prometheus text, with /healthz and /readyz; off unless a port is set."""

from __future__ import annotations

import asyncio
import contextlib
import platform
from collections.abc import Awaitable, Callable, Iterable, Sequence
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector

from server.errors import Refused

LAG_EVERY_S = 0.5
REQUEST_S = 5.0
REQUEST_BYTES = 8192
RENDER_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1)
LAG_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
COMMIT_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
REFRESH_S, LOOK_UP_S = 5.0, 1.0
Ready = Callable[[], Awaitable[tuple[bool, str]]]  # whether people can be served, and what there is to say of it


class Refreshed:
    """A number that is looked up before a scrape, at most once in REFRESH_S, and kept where it can't be."""

    def __init__(self, look_up: Callable[[], Awaitable[int]]) -> None:
        """`look_up` raises Refused where it can't."""
        self.value = 0
        self._look_up = look_up
        self._due_at = float("-inf")

    async def refresh(self) -> None:
        """Look it up if it is due, for LOOK_UP_S at most: a scrape must not wait for a database that hangs."""
        now = asyncio.get_running_loop().time()
        if now >= self._due_at:
            self._due_at = now + REFRESH_S
            with contextlib.suppress(Refused, TimeoutError):
                self.value = await asyncio.wait_for(self._look_up(), LOOK_UP_S)


class _Counted(Collector):
    """A counter that somebody else counts, read at each scrape."""

    def __init__(self, name: str, about: str, value: Callable[[], float]) -> None:
        self._name, self._about, self._value = name, about, value

    def collect(self) -> Iterable[CounterMetricFamily]:
        yield CounterMetricFamily(self._name, self._about, self._value())


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.logins = Counter("patchbay_logins", "connections by who came", ["outcome"], registry=self.registry)
        self.cut_off = Counter(
            "patchbay_disconnects_forced", "clients cut off by reason", ["reason"], registry=self.registry
        )
        self.commits = Histogram(
            "patchbay_commit_seconds", "group commits of the log", buckets=COMMIT_BUCKETS, registry=self.registry
        )
        self.entries = Counter("patchbay_log_appends", "appends to logs that are durable", registry=self.registry)
        self.renders = Histogram(
            "patchbay_render_seconds", "drawings of a screen, compared and sent", buckets=RENDER_BUCKETS,
            registry=self.registry,
        )  # fmt: skip
        self.lag = Histogram(
            "patchbay_loop_lag_seconds", "how late the event loop is", buckets=LAG_BUCKETS, registry=self.registry
        )
        self.bot_failures = Counter(
            "patchbay_bot_failures", "answers of built-in players that could not be had", ["why"],
            registry=self.registry,
        )  # fmt: skip
        self.refused_messages = Counter(
            "patchbay_bus_refused", "messages on the bus that no process of this server has sent", ["why"],
            registry=self.registry,
        )  # fmt: skip
        build = Gauge("patchbay_build_info", "what runs", ["version", "python"], registry=self.registry)
        build.labels(version("patchbay"), platform.python_version()).set(1)
        ProcessCollector(registry=self.registry)

    def start_at_zero(self, bot_failures: Sequence[str], bus_refused: Sequence[str]) -> None:
        """Show what alerts look at before it happens: for Prometheus a series that begins with 1 has not increased."""
        for why in bot_failures:
            self.bot_failures.labels(why)
        for why in bus_refused:
            self.refused_messages.labels(why)

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a gauge that is read at each scrape."""
        Gauge(f"patchbay_{name}", about, registry=self.registry).set_function(value)

    def counter(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Add a counter that is read at each scrape."""
        self.registry.register(_Counted(f"patchbay_{name}", about, value))

    def count(self, kind: str, label: str) -> None:
        """Count a `login` or a `cut_off`."""
        counter = self.logins if kind == "login" else self.cut_off
        counter.labels(label).inc()

    def committed(self, seconds: float, appends: int) -> None:
        """Count one group commit."""
        self.commits.observe(seconds)
        self.entries.inc(appends)

    def bus_refused(self, why: str) -> None:
        """Count a message on the bus that is not believed."""
        self.refused_messages.labels(why).inc()

    def bot_failed(self, why: str) -> None:
        """Count a bot process that died or could not be started, or an answer that was late or none."""
        self.bot_failures.labels(why).inc()

    async def watch_loop(self) -> None:
        """Measure the event loop's delay until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(LAG_EVERY_S)
            self.lag.observe(max(0.0, loop.time() - began - LAG_EVERY_S))


class MetricsServer:
    """A minimal HTTP server for three pages."""

    def __init__(self, metrics: Metrics, ready: Ready, refreshed: Sequence[Refreshed]) -> None:
        """`refreshed`: what is looked up before a scrape."""
        self._metrics = metrics
        self._ready = ready
        self._refreshed = refreshed
        self._server: asyncio.Server | None = None
        self._lag: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; return the port. Raises OSError when the address can't be had."""
        self._server = await asyncio.start_server(self._serve, host, port, limit=REQUEST_BYTES)
        self._lag = asyncio.create_task(self._metrics.watch_loop(), name="loop lag")
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        """Stop."""
        if self._server is not None:
            self._server.close()
        if self._lag is not None:
            self._lag.cancel()
            await asyncio.gather(self._lag, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(REQUEST_S):
                head = await reader.readuntil(b"\r\n\r\n")
                status, kind, body = await self._answer(head.split(b" ", 2)[1] if b" " in head else b"")
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                    "Connection: close\r\n\r\n".encode()
                )
                writer.write(body)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            with contextlib.suppress(OSError):
                writer.close()

    async def _answer(self, path: bytes) -> tuple[str, str, bytes]:
        plain = "text/plain; charset=utf-8"
        match path.split(b"?")[0]:
            case b"/metrics":
                for one in self._refreshed:
                    await one.refresh()
                return "200 OK", CONTENT_TYPE_LATEST, generate_latest(self._metrics.registry)
            case b"/healthz":
                return "200 OK", plain, b"ok\n"
            case b"/readyz":
                is_ready, says = await self._ready()
                return "200 OK" if is_ready else "503 Service Unavailable", plain, f"{says}\n".encode()
        return "404 Not Found", plain, b"there are /metrics, /healthz and /readyz\n"

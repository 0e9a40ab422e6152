"""Reads the orders that all processes are to carry out: every second, and at once after a hint."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from server.bus.bus import Bus, Payload
from server.clock import Clock
from server.log import ThrottledWarning, get_logger
from server.store import processes
from server.store.columns import Json
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.processes import Order

log = get_logger("orders")
TOPIC = "orders"
LOOK_EVERY_S = 1.0
Obey = Callable[[Order], Awaitable[None]]


def hint(bus: Bus | None) -> None:
    """Hint the running processes to read their orders at once; without a bus they do within a second."""
    if bus is not None:
        bus.publish(TOPIC, {})


class Orders:
    """Calls the handler of each kind of order: announce, ban, mute, roles, keys, logout, report, …"""

    def __init__(self, database: Database, bus: Bus, clock: Clock) -> None:
        self._database = database
        self._bus = bus
        self._clock = clock
        self._obey: dict[str, list[Obey]] = {}
        self._last = 0
        self._hint = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._warning = ThrottledWarning(log, clock.monotonic)

    def on(self, kind: str, obey: Obey) -> None:
        """Call `obey(order)` for every order of this kind given from now on."""
        self._obey.setdefault(kind, []).append(obey)

    async def give(self, kind: str, data: dict[str, Json]) -> None:
        """Store an order for every process. Raises NotSaved."""
        await self._database.write(processes.give_order, kind, data, self._clock.now())
        hint(self._bus)

    async def start(self) -> None:
        """Begin to read; earlier orders are skipped. Raises StoreUnavailable."""
        self._last = await self._database.read(processes.last_order)
        self._heard = self._bus.subscribe(TOPIC, self._hinted)
        self._task = asyncio.create_task(self._run(), name="orders")

    async def close(self) -> None:
        if self._task is not None:
            self._heard.close()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _hinted(self, _payload: Payload) -> None:
        self._hint.set()

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._hint.wait()
            except TimeoutError:
                pass
            self._hint.clear()
            try:
                await self.poll()
            except StoreUnavailable as error:
                self._warning.say("orders.unreadable", why=error.why)

    async def poll(self) -> None:
        """Read and obey new orders. Raises StoreUnavailable; an order that met it is read again."""
        for order in await self._database.read(processes.orders_after, self._last):
            for obey in self._obey.get(order.kind, ()):
                try:
                    await obey(order)
                except StoreUnavailable:
                    raise  # read again later: a ban must not be lost
                except Exception:  # one failing handler must not stop later orders
                    log.exception("orders.failed", kind=order.kind)
            self._last = order.id

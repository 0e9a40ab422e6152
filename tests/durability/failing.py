"""What lies between the processes of the simulation: a store and a bus that are late, refuse, forget and repeat.

A call goes to the store, is done there in one moment, and its answer comes back; each way takes its own time, so calls
overtake each other. The store goes on by itself: what was on its way when its process died may still be stored.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, create_engine, make_url

from server.bus.bus import Exchange, Heard, Payload, Subscription
from server.store import tables
from server.store.errors import NotSaved, StoreUnavailable
from server.store.tables import metadata
from tests.durability.virtual import Group
from tests.matches.table import store_people

# Seconds; one is drawn for each way of each call: mostly quick, now and then slow, rarely very slow.
QUICK = tuple(n / 10_000 for n in (2, 3, 5, 8, 12, 20))
LATENCIES = (*QUICK * 6, 0.004, 0.007, 0.011, 0.016, 0.024, 0.035, 0.06, 0.3)
HINTS = (*QUICK * 3, 0.005, 0.01, 0.02, 0.05, 0.2, 1.2, 3.5)


@dataclass(frozen=True)
class Faults:
    """How often things go wrong; between 0 and 1."""

    refuse: float = 0.06  # the store refuses a write, nothing is stored
    lose_answer: float = 0.06  # it is stored, and the answer gets lost
    fail_read: float = 0.03
    ghost: float = 0.5  # what was on its way to the store when its process died is stored all the same
    lose_hint: float = 0.25
    double_hint: float = 0.1


CALM = Faults(0, 0, 0, 0, 0, 0)


@cache
def _database() -> tuple[Connection, sqlite3.Connection, sqlite3.Connection]:
    """Return one database in memory for all runs, as SQLAlchemy and as the driver know it, and what each begins with.

    All work is done on this one connection, a unit at a time; `Store.run` begins and ends the transactions itself.
    """
    engine = create_engine("sqlite://", connect_args={"isolation_level": None})
    metadata.create_all(engine)
    connection = engine.connect()
    store_people(connection)
    connection.execute(tables.counters.insert().values(name="finish", value=0))
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    kept = sqlite3.connect(":memory:")
    raw.backup(kept)
    return connection, raw, kept


class Store:
    """The one database of all processes."""

    def __init__(self, rng: Random, faults: Faults) -> None:
        self.faults = faults
        self.rng = rng
        self.counts: Counter[str] = Counter()
        self.trace: list[str] = []
        self.down_until = 0.0
        self._connection, self._raw, begin = _database()
        begin.backup(self._raw)

    def run(self, work: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Do something in one transaction, at once and without any fault."""
        self._raw.execute("BEGIN")
        try:
            outcome = work(self._connection, *args, **more)
        except BaseException:
            self._raw.execute("ROLLBACK")
            raise
        self._raw.execute("COMMIT")
        return outcome

    def last_seq(self, match_id: str) -> int:
        """Return where a match's log ends in this moment."""
        found: int = self._raw.execute("SELECT last_seq FROM matches WHERE id = ?", (match_id,)).fetchone()[0]
        return found

    def latency(self) -> float:
        return LATENCIES[int(self.rng.random() * len(LATENCIES))]


@dataclass
class Call:
    """One call of one process, on its way to the store and back."""

    client: StoreClient
    work: Callable[[], Any]
    name: str
    is_writing: bool
    answer: asyncio.Future[Any]

    def arrive(self) -> None:
        """Be done in the store, unless something comes between."""
        store, rng = self.client.store, self.client.store.rng
        if self.client.group.is_dead and not (self.is_writing and rng.random() < store.faults.ghost):
            return
        chance = rng.random()
        refused = store.faults.refuse if self.is_writing else store.faults.fail_read
        if self.answer.get_loop().time() < store.down_until or chance < refused:
            self._come_back(None, self._failure("refused"))
            return
        if self.client.group.is_dead:
            store.counts["stored after the crash"] += 1
        try:
            outcome, error = self.work(), None
        except Exception as raised:  # handed to who asked
            outcome, error = None, raised
        if self.is_writing and rng.random() < store.faults.lose_answer:
            outcome, error = None, self._failure("answer lost")
        self._come_back(outcome, error)

    def _failure(self, why: str) -> StoreUnavailable:
        self.client.store.counts[f"{'write' if self.is_writing else 'read'}: {why}"] += 1
        return NotSaved(why) if self.is_writing else StoreUnavailable(why)

    def _come_back(self, outcome: Any, error: Exception | None) -> None:
        store, loop = self.client.store, self.answer.get_loop()
        store.trace.append(f"{loop.time():.6f} {self.client.name} {self.name} {error!r}")
        loop.call_later(store.latency(), self._deliver, outcome, error)

    def _deliver(self, outcome: Any, error: Exception | None) -> None:
        if self.answer.done():
            return  # who asked is dead, or waits no more
        if error is None and self.answer.get_loop().time() < self.client.store.down_until:
            error = self._failure("answer lost")
        if error is None:
            self.answer.set_result(outcome)
        else:
            self.answer.set_exception(error)


@dataclass
class StoreClient:
    """The store as one process reaches it: a `Database`."""

    store: Store
    group: Group
    name: str
    url: URL = field(default_factory=lambda: make_url("postgresql+asyncpg://simulated"))
    is_sqlite: bool = False

    async def read(self, work: Any, *args: Any, **more: Any) -> Any:
        return await self._call(work, args, more, is_writing=False)

    async def write(self, work: Any, *args: Any, **more: Any) -> Any:
        return await self._call(work, args, more, is_writing=True)

    async def _call(self, work: Any, args: Any, more: Any, is_writing: bool) -> Any:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        if not self.group.is_dead:
            self.store.counts["calls"] += 1
            call = Call(self, lambda: self.store.run(work, *args, **more), work.__name__, is_writing, answer)
            loop.call_later(self.store.latency(), call.arrive)
        return await answer

    async def close(self) -> None:
        return None


@dataclass
class Post:
    """The bus between all processes."""

    store: Store  # whose random stream and whose notes are shared
    boxes: dict[str, Box] = field(default_factory=dict)

    def carry(self, topic: str, payload: Payload) -> None:
        """Bring a hint to everybody: late, in another order, twice, or never."""
        store, told = self.store, msgspec.json.encode(payload)
        for name, box in list(self.boxes.items()):
            chance = store.rng.random()
            if chance < store.faults.lose_hint:
                store.counts["hints lost"] += 1
                continue
            times = 2 if chance > 1 - store.faults.double_hint else 1
            store.counts["hints doubled"] += times - 1
            for _ in range(times):
                late = HINTS[int(store.rng.random() * len(HINTS))]
                store.trace.append(f"hint to {name} in {late}")
                asyncio.get_running_loop().call_later(late, box.take, topic, told, context=box.group.context)


@dataclass
class Box:
    """The bus as one process reaches it: a `Bus`."""

    post: Post
    group: Group
    is_connected: bool = True
    exchange: Exchange = field(default_factory=Exchange)

    async def start(self) -> None:
        return None

    async def close(self) -> None:
        return None

    def publish(self, topic: str, payload: Payload) -> None:
        if not self.group.is_dead:
            self.post.carry(topic, payload)

    def take(self, topic: str, told: bytes) -> None:
        if not self.group.is_dead:
            self.exchange.deliver(topic, msgspec.json.decode(told))

    def subscribe(self, topic: str, heard: Heard) -> Subscription:
        return self.exchange.subscribe(topic, heard)

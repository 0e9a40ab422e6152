"""Hints: every process hears them, also after the connection was lost."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import asyncpg
import msgspec
import pytest
import structlog.testing
from redis.asyncio import Redis
from redis.exceptions import RedisError

import server
from server.bus import remote
from server.bus.bus import Bus, LocalBus, Payload
from server.bus.choose import make_bus
from server.bus.orders import Orders
from server.bus.postgres import PostgresBus
from server.bus.redis import RedisBus
from server.bus.remote import RemoteBus
from server.bus.seal import Seal
from server.clock import SystemClock
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.processes import Order
from tests.clocks import FakeClock
from tests.services import POSTGRES_URL, REDIS_URL, missing
from tests.waiting import until

Make = Callable[..., Bus]
KEY = bytes(range(32))
FORGED: dict[str, Payload] = {  # a message of each kind, as somebody with the source would write it
    "matches": {
        "from": "x",
        "match": "m1",
        "seq": 3,
        "offers": True,
        "entry": ["resign", 0, None, "2026-01-01T00:00:00.000Z", {}],
    },
    "lobby": {"from": "x", "match": "m1", "persons": ["a1"]},
    "chat": {"channel": "lobby", "id": 1},
    "orders": {},
    "guesses": {"from": "x", "who": ["from 192.0.2.1"]},
}
TOPICS = list(FORGED)


@pytest.fixture(params=[pytest.param("postgres", marks=pytest.mark.services), "redis"])
async def make(request: pytest.FixtureRequest) -> Make:
    channel = f"test_{uuid.uuid4().hex}"
    if request.param == "postgres":
        try:
            await (await asyncpg.connect(POSTGRES_URL.replace("+asyncpg", ""), timeout=5)).close()
        except (OSError, TimeoutError, asyncpg.PostgresError) as error:
            missing("PostgreSQL", error)
        return lambda refused=None: PostgresBus(POSTGRES_URL, KEY, SystemClock(), refused, channel)
    redis: Redis = Redis.from_url(REDIS_URL, socket_connect_timeout=5)
    try:
        pong = redis.ping()
        assert not isinstance(pong, bool)
        await pong
    except (OSError, RedisError) as error:
        missing("Redis", error)
    await redis.aclose()
    return lambda refused=None: RedisBus(REDIS_URL, KEY, SystemClock(), refused, channel)


@pytest.fixture
async def three(make: Make) -> AsyncIterator[list[Bus]]:
    made = [make() for _ in range(3)]
    for bus in made:
        await bus.start()
    await until(lambda: all(bus.is_connected for bus in made))
    yield made
    for bus in made:
        await bus.close()


async def test_a_local_hint_arrives_soon_but_not_inside_publish() -> None:
    bus, heard = LocalBus(), list[Payload]()
    subscription = bus.subscribe("match", heard.append)
    bus.publish("match", {"id": "m1"})
    bus.publish("other", {"id": "m2"})
    assert heard == []
    await asyncio.sleep(0)
    assert heard == [{"id": "m1"}]
    subscription.close()
    subscription.close()
    bus.publish("match", {"id": "m3"})
    await asyncio.sleep(0)
    assert len(heard) == 1


async def test_a_listener_that_fails_harms_nobody_else() -> None:
    bus, heard = LocalBus(), list[Payload]()

    def fails(_payload: Payload) -> None:
        raise ZeroDivisionError

    bus.subscribe("match", fails)
    bus.subscribe("match", heard.append)
    bus.publish("match", {})
    await asyncio.sleep(0)
    assert heard == [{}]


@pytest.mark.services
async def test_every_process_hears_a_hint_once(three: list[Bus]) -> None:
    heard: list[list[Payload]] = [[], [], []]
    for bus, ears in zip(three, heard, strict=True):
        bus.subscribe("match", ears.append)
    for seq in range(250):
        three[0].publish("match", {"id": "m1", "seq": seq})
    await until(lambda: all(len(ears) >= 250 for ears in heard))
    assert all([hint["seq"] for hint in ears] == list(range(250)) for ears in heard)


@pytest.mark.services
async def test_what_is_too_long_is_dropped_alone(three: list[Bus]) -> None:
    heard: list[Payload] = []
    three[1].subscribe("t", heard.append)
    three[0].publish("t", {"x": "y" * 20_000})
    three[0].publish("t", {"x": "ok"})
    await until(lambda: bool(heard))
    assert heard == [{"x": "ok"}]


@pytest.mark.services
async def test_a_lost_connection_comes_back(three: list[Bus], make: Make) -> None:
    heard: list[Payload] = []
    three[1].subscribe("t", heard.append)
    await drop_connections(three[1])
    await until(lambda: not three[1].is_connected)
    await until(lambda: three[1].is_connected)
    three[0].publish("t", {"n": 1})
    await until(lambda: {"n": 1} in heard)


async def drop_connections(bus: Bus) -> None:
    """Cut this bus off, from the server's side."""
    if isinstance(bus, PostgresBus):
        admin = await asyncpg.connect(POSTGRES_URL.replace("+asyncpg", ""))
        listening = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND query LIKE $1"
        )
        await admin.execute(listening, f"%{bus.channel}%")
        await admin.close()
        return
    assert isinstance(bus, RedisBus)
    redis: Redis = Redis.from_url(REDIS_URL)
    for client in await redis.client_list():
        if client["name"] == f"patchbay-{bus.sender}":
            await redis.client_kill_filter(_id=client["id"])
    await redis.aclose()


async def test_nothing_there_to_connect_to_is_no_failure(database: Database) -> None:
    for url in ("redis://127.0.0.1:1/0", "postgresql://nobody@127.0.0.1:1/x"):
        bus, heard = await make_bus(url, database, SystemClock()), list[Payload]()
        await bus.start()
        bus.subscribe("t", heard.append)
        bus.publish("t", {"n": 1})
        await asyncio.sleep(0)
        assert heard == [{"n": 1}]
        assert not bus.is_connected
        await bus.close()


async def test_orders_are_heard_once_by_those_who_listen_already(database: Database) -> None:
    bus, clock, told = LocalBus(), FakeClock(), list[str]()
    giver, obeyer, late = (Orders(database, bus, clock) for _ in range(3))

    async def obey(order: object) -> None:
        told.append(str(order.data["text"]))  # type: ignore[attr-defined]
        if len(told) == 1:
            raise ZeroDivisionError

    obeyer.on("announce", obey)
    await obeyer.start()
    await giver.give("announce", {"text": "one"})
    await giver.give("drain", {})
    await giver.give("announce", {"text": "two"})
    await until(lambda: len(told) == 2)
    late.on("announce", obey)
    await late.start()
    await late.poll()
    assert told == ["one", "two"]
    await obeyer.close()
    await late.close()


async def test_what_could_not_be_obeyed_because_the_store_was_away_is_obeyed_a_little_later(database: Database) -> None:
    """A ban whose reading failed did not hold in that process until the next one, or a restart."""
    orders, obeyed = Orders(database, LocalBus(), FakeClock()), list[str]()

    async def obey(order: Order) -> None:
        if not obeyed:
            obeyed.append("not yet")
            raise StoreUnavailable
        obeyed.append(order.kind)

    for kind in ("ban", "announce"):
        orders.on(kind, obey)
        await orders.give(kind, {})
    with pytest.raises(StoreUnavailable):
        await orders.poll()
    await orders.poll()
    assert obeyed == ["not yet", "ban", "announce"]


class Wire(RemoteBus):
    """Keeps what it would send."""

    def __init__(self) -> None:
        super().__init__(KEY, FakeClock())
        self.sent: list[bytes] = []

    async def serve(self) -> None:
        self.is_connected = True
        while True:
            await self.wait_for_news(60)
            self.sent += self.take_messages()

    async def turns(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    @property
    def numbers(self) -> list[list[int]]:
        """By message, the numbers of the hints in it."""
        return [[hint["n"] for _, hint in json.loads(message)[1]] for message in self.sent]


async def test_the_first_hint_goes_at_once_and_what_follows_soon_goes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GATHER_S", "GATHER_MOST_S"):
        monkeypatch.setattr(remote, name, 3600.0)
    bus = Wire()
    await bus.start()
    await bus.turns()
    for number in range(5):
        bus.publish("match", {"n": number})
        await bus.turns()
    assert bus.numbers == [[0]]
    monkeypatch.setattr(remote, "GATHER_S", 0.0)
    await bus.close()
    await bus.start()
    await until(lambda: len(bus.sent) > 1)
    assert bus.numbers == [[0], [1, 2, 3, 4]]
    await bus.close()


class Flapping(Wire):
    """Is lost twice before it stays."""

    outages = (OSError,)
    tries = 0

    async def serve(self) -> None:
        self.tries += 1
        if self.tries < 3:
            raise ConnectionRefusedError
        self.connected()
        await asyncio.Event().wait()


async def test_a_bus_that_was_away_filled_the_log_and_nothing_said_that_it_was_back() -> None:
    bus = Flapping()
    with structlog.testing.capture_logs() as said:
        await bus.start()
        await until(lambda: bus.is_connected)
    await bus.close()
    assert [one["event"] for one in said] == ["bus.lost", "bus.back"]


@pytest.mark.services
async def test_what_others_write_to_the_channel_harms_nobody(three: list[Bus]) -> None:
    heard: list[Payload] = []
    three[1].subscribe("t", heard.append)
    deep = b'["x",[["t",{"a":' + b"[" * 3000 + b"]" * 3000 + b"}]]]"
    for nonsense in (b"", b"{}", b"\xc3\x28" if isinstance(three[0], RedisBus) else b"?", deep, b'["x",[["t",5]]]'):
        await write_to_channel(three[0], nonsense)
    three[0].publish("t", {"n": 1})
    await until(lambda: bool(heard))
    assert heard == [{"n": 1}]
    assert all(bus.is_connected for bus in three)


async def write_to_channel(bus: Bus, message: bytes, hear: int = 3) -> None:
    """Write where this bus listens, as anybody may who has the password; `hear`: how many buses do."""
    if isinstance(bus, PostgresBus):
        neighbour = await asyncpg.connect(POSTGRES_URL.replace("+asyncpg", ""))
        await neighbour.execute("SELECT pg_notify($1, $2)", bus.channel, message.decode())
        await neighbour.close()
        return
    assert isinstance(bus, RedisBus)
    redis: Redis = Redis.from_url(REDIS_URL)
    assert await redis.publish(f"{bus.channel}:0", message) == hear
    await redis.aclose()


def test_a_message_of_every_kind_is_forged() -> None:
    """A new kind of message has to be forged below, too."""
    named = set[str]()
    for file in Path(server.__path__[0]).rglob("*.py"):
        named |= set(re.findall(r'^TOPIC(?:: Final)? = "(\w+)"', file.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == set(TOPICS)


async def test_only_what_this_server_s_processes_send_is_believed(make: Make) -> None:
    """One message, written by whoever reached the Redis, ended a match for its players and told them its seed."""
    refused, heard = list[str](), list[str]()
    bus = make(refused.append)
    assert isinstance(bus, RemoteBus)
    for topic in TOPICS:
        bus.subscribe(topic, partial(_note, heard, topic))
    stranger = Seal(bytes(32), SystemClock(), "0" * 16)
    sender = Seal(KEY, SystemClock(), "1" * 16)
    await bus.start()
    await until(lambda: bus.is_connected)
    everything = msgspec.json.encode([[topic, FORGED[topic]] for topic in TOPICS])
    good = Seal(KEY, SystemClock(), "2" * 16).close(everything)
    first, second = (sender.close(b'[["other",{}]]') for _ in range(2))
    for message in (
        b'["%b",%b]' % (b"3" * 16, everything),  # as a release before this one wrote
        b'["%b",%b]' % (bus.sender.encode(), everything),
        stranger.close(everything),
        good.replace(b"m1", b"m2"),
        second,
        first,
        second,
        b'["%b %b' % (bus.sender.encode(), good[19:]),
        good,
    ):
        await write_to_channel(bus, message, hear=1)
    await until(lambda: bool(heard))
    await write_to_channel(bus, good, hear=1)
    await until(lambda: len(refused) >= 7)
    await bus.close()
    assert heard == TOPICS, "each kind once: what this server's own process has sent"
    assert refused == ["unsigned", "unsigned", "forged", "forged", "repeated", "repeated", "repeated"]


def _note(heard: list[str], topic: str, _payload: Payload) -> None:
    heard.append(topic)

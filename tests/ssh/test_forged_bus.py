"""Messages that somebody forges on the bus of a real server: nobody notices anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
import redis.asyncio as redis

from tests.services import REDIS_URL, missing
from tests.ssh.client import new_key
from tests.ssh.server import Server
from tests.ssh.test_metrics import address, fetch, value
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.services
Write = Callable[[str], Awaitable[Any]]
RedisClient = redis.Redis
AT = "2026-01-01T00:00:00.000Z"


@pytest.fixture(params=["redis", "postgres"])
def bus_url(request: pytest.FixtureRequest, postgres_url: str) -> str:
    """Where the bus of the server is: whoever may connect there may write to it."""
    plain = postgres_url.replace("+asyncpg", "")
    return REDIS_URL if request.param == "redis" else plain


@pytest.fixture
def server(tmp_path: Path, postgres_url: str, bus_url: str) -> Iterator[Server]:
    env = {
        "PATCHBAY_DATABASE_URL": postgres_url,
        "PATCHBAY_BUS_URL": bus_url,
        "PATCHBAY_METRICS_PORT": "0",
        "PATCHBAY_LIMIT_WRONG_CODES_PER_MIN": "3",
    }
    server = Server(tmp_path / "var", env)
    server.start()
    yield server
    assert server.stop() == 0, server.errors()


@asynccontextmanager
async def writing(url: str) -> AsyncIterator[Write]:
    """Write to the bus as somebody who may reach it."""
    if url.startswith("redis"):
        client: RedisClient = redis.Redis.from_url(url)
        try:
            await client.publish("patchbay:0", "")
        except (OSError, redis.RedisError) as error:
            missing("Redis", error)
        yield lambda message: client.publish("patchbay:0", message)
        await client.aclose()
    else:
        connection = await asyncpg.connect(url)
        yield lambda message: connection.execute("SELECT pg_notify('patchbay', $1)", message)
        await connection.close()


def forged(match: str, source: str) -> list[tuple[str, dict[str, Any]]]:
    """Return a message of each kind, as somebody with the source would write them."""
    hints: list[tuple[str, dict[str, Any]]] = [("orders", {}), ("chat", {"channel": "lobby", "id": 10**9})]
    for seq in range(1, 20):
        for entry in (["resign", 0, None, AT, {}], ["timeout", 1, None, AT, {"forfeit": True}]):
            hints.append(("matches", {"from": "x", "match": match, "seq": seq, "offers": False, "entry": entry}))
    hints += [("guesses", {"from": "x", "who": [f"from {source}", "account 1", "account 2"]})] * 50
    hints.append(("lobby", {"from": "x", "match": match, "persons": ["account 1", "account 2"]}))
    return hints


async def refused(server: Server) -> float:
    """Return how many messages the server did not believe, as its metrics say."""
    text = fetch(f"{address(server)}/metrics")[1]
    return value(text, 'patchbay_bus_refused_total{why="unsigned"}')


async def test_one_message_ended_a_match_told_its_seed_and_locked_everybody_out(
    server: Server, bus_url: str, tmp_path: Path
) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("ada", "bob")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob, writing(bus_url) as write:
        room = await ada.ask(do="create", game="rainet", players=2, private=True, speed="slow")
        assert (await bob.ask(do="join", code=room["code"]))["type"] == "ok"
        match = (await ada.until("start"))["match"]
        turn, _ = await ada.until("turn"), await bob.until("turn")
        messages = [json.dumps([uuid4().hex[:16], [hint]]) for hint in forged(match, "127.0.0.1")]
        before = await refused(server)
        for message in messages:
            await write(message)
        async with asyncio.timeout(PATIENCE_S):
            while await refused(server) < before + len(messages):
                await asyncio.sleep(0.05)
        status, record, _ = await server.ssh("record", match, key=keys["ada"])
        assert (status, record) == (1, ""), "no record, and no seed, of a match that runs"
        another = await bob.ask(do="create", game="rainet", players=2, private=True)
        assert (await ada.ask(do="join", code=another["code"]))["type"] == "ok", "nobody has guessed a code"
        answer = await ada.ask(do="act", match=match, seq=turn["seq"], action="setup LLLLVVVV")
        assert (answer["type"], answer["seq"]) == ("ok", 1)
        for bot in (ada, bob):
            assert bot.last("end", match=match) is None
        assert (await bob.ask(do="resign", match=match))["type"] == "ok"
        assert (await ada.until("end", match=match))["seq"] == 2

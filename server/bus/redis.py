"""A bus over Redis publish/subscribe, for many processes and many hints."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from server.bus.remote import CHANNEL, PING_S, TIMEOUT_S, Refused, RemoteBus
from server.clock import Clock


class RedisBus(RemoteBus):
    """One connection publishes, one listens; the number of the Redis database is part of the channel's name."""

    outages = (RedisError, OSError)

    def __init__(self, url: str, key: bytes, clock: Clock, refused: Refused | None, channel: str = CHANNEL) -> None:
        super().__init__(key, clock, refused)
        self._url = url
        self.channel = channel

    async def serve(self) -> None:
        redis: Redis = Redis.from_url(
            self._url,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            client_name=f"patchbay-{self.sender}",  # as `CLIENT LIST` shows it
        )
        pubsub = redis.pubsub()
        number = redis.connection_pool.connection_kwargs.get("db", 0)
        channel = f"{self.channel}:{number}"
        try:
            await pubsub.subscribe(channel)
            self.connected()
            async with asyncio.TaskGroup() as both:
                both.create_task(self._send(redis, channel))
                both.create_task(self._listen(pubsub))
        finally:
            await pubsub.aclose()  # type: ignore[no-untyped-call]
            await redis.aclose()

    async def _send(self, redis: Redis, channel: str) -> None:
        while True:
            await self.wait_for_news(PING_S)
            messages = self.take_messages()
            for message in messages:
                await redis.publish(channel, message)
            if not messages:
                await redis.execute_command("PING")  # type: ignore[no-untyped-call]

    async def _listen(self, pubsub: PubSub) -> None:
        silent_s = 0.0
        while True:
            message = await pubsub.get_message(timeout=1.0)
            silent_s = silent_s + 1.0 if message is None else 0.0
            if message is not None and message["type"] == "message":
                self.receive(message["data"])
            if silent_s and silent_s % PING_S == 0:
                await pubsub.ping()
            if silent_s > 3 * PING_S:
                raise ConnectionError("no answer")

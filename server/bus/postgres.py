"""A bus over PostgreSQL's LISTEN and NOTIFY: no other service is needed."""

from __future__ import annotations

import asyncio

import asyncpg
from sqlalchemy import make_url

from server.bus.remote import CHANNEL, PING_S, TIMEOUT_S, Refused, RemoteBus
from server.clock import Clock


class PostgresBus(RemoteBus):
    """One connection listens and notifies."""

    outages = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)

    def __init__(
        self, url: str, key: bytes, clock: Clock, refused: Refused | None = None, channel: str = CHANNEL
    ) -> None:
        super().__init__(key, clock, refused)
        self._url = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self.channel = channel

    async def serve(self) -> None:
        connection = await asyncpg.connect(self._url, timeout=TIMEOUT_S, command_timeout=TIMEOUT_S)
        try:
            await connection.add_listener(self.channel, lambda _c, _pid, _channel, text: self.receive(text))
            connection.add_termination_listener(lambda _: self._news.set())
            self.connected()
            while not connection.is_closed():
                await self.wait_for_news(PING_S)
                messages = self.take_messages()
                for message in messages:
                    await connection.execute("SELECT pg_notify($1, $2)", self.channel, message.decode())
                if not messages:
                    await connection.execute("SELECT 1")  # finds out whether the connection is still alive
            raise ConnectionError("closed by the server")
        finally:
            await self._leave(connection)

    async def _leave(self, connection: asyncpg.Connection) -> None:
        try:
            await asyncio.wait_for(connection.close(timeout=1), 2)
        except self.outages:
            connection.terminate()

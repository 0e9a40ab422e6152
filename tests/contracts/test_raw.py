"""What attackers use of asyncssh's private parts still does what they mean: else they would attack nothing."""

from __future__ import annotations

import asyncssh
import pytest
from asyncssh.packet import String

from tests.contracts import raw
from tests.ssh.bare import bare_listener, connect
from tests.ssh.client import Guest

MSG_KEXINIT = 20


class Kept(asyncssh.SSHClientSession[bytes]):
    """A session that keeps its channel."""

    def connection_made(self, chan: object) -> None:
        self.chan = chan


async def test_a_connection_has_a_transport_and_a_session_identifier() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        assert raw.transport(connection).get_extra_info("peername") == ("127.0.0.1", bare.port)
        assert len(raw.session_id(connection)) >= 20
        connection.abort()
        await connection.wait_closed()
        with pytest.raises(ConnectionResetError):
            raw.transport(connection)


async def test_a_bare_channel_runs_nothing_until_it_is_asked_to() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        session = Kept()
        await raw.open_channel(connection, session)
        assert raw.number_of(session.chan) >= 0
        assert await raw.make_request(session.chan, b"exec", String(b"wait"))
        assert not await raw.make_request(session.chan, b"shell")
        connection.abort()


async def test_a_key_exchange_begins_and_is_not_answered() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        sent: list[int] = []
        connection.send_packet = lambda kind, *_, **__: sent.append(kind)  # type: ignore[method-assign]
        raw.begin_key_exchange(connection)
        raw.forget_key_exchange(connection)
        assert sent == [MSG_KEXINIT]
        connection.abort()


def test_an_attribute_that_is_gone_is_noticed() -> None:
    with pytest.raises(AssertionError, match="_gone"):
        raw.replace(object(), _gone=1)


async def test_one_logs_in_under_the_name_that_one_calls_oneself() -> None:
    class Named(Guest):
        def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
            raw.call_oneself(conn, "a\x1bb")

    async with bare_listener() as bare:
        with pytest.raises(asyncssh.IllegalUserName):  # which the server says: it was told that name
            await connect(bare, client_factory=Named)

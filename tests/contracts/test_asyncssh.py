"""The narrow overrides of the SSH library: what they rely on still holds."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from typing import Any

import asyncssh
import pytest
from asyncssh.packet import Boolean, String

from server.config import Limits
from server.ssh import algorithms, pausedreading
from server.ssh.link import MSG_IGNORE, PACKET_COST, PIECE, REKEY_RESERVE, Link
from server.tokenbucket import Bucket
from tests.ssh.bare import BareListener, bare_listener, connect
from tests.waiting import PATIENCE_S, until

MSG_GLOBAL_REQUEST, MSG_KEXINIT = 80, 20


class Sent(Link):
    """A link that only counts."""

    def __init__(self) -> None:
        self.sent: list[int] = []

    def send_all(self, *kinds: int) -> list[int]:
        self.sent = []
        original = asyncssh.SSHServerConnection.send_packet
        asyncssh.SSHServerConnection.send_packet = lambda _, kind, *args, handler=None: self.sent.append(kind)  # type: ignore
        try:
            for kind in kinds:
                self.send_packet(kind)
        finally:
            asyncssh.SSHServerConnection.send_packet = original  # type: ignore[method-assign]
        return self.sent


def test_empty_packets_are_not_sent_and_all_others_are() -> None:
    assert Sent().send_all(94, MSG_IGNORE, 93) == [94, 93]


def test_no_cipher_is_offered_that_would_need_them() -> None:
    assert not any("cbc" in name for name in algorithms.ENCRYPTION)


# What protects packets is the library's alone


async def test_a_spoilt_packet_ends_the_connection() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        process = await connection.create_process("echo", encoding=None)
        process.stdin.write(b"one\n")
        await process.stdout.readline()
        transport: Any = connection._transport
        transport.write(bytes(3) + bytes([32]) + os.urandom(48))
        await until(lambda: not bare.listener.clients)


@pytest.mark.parametrize("cipher", algorithms.ENCRYPTION)
async def test_data_arrives_whole_across_a_key_exchange(cipher: str) -> None:
    async with bare_listener() as bare, await connect(bare, encryption_algs=[cipher]) as connection:
        link = link_of(bare)
        first, link._rekey_bytes = link._send_encryption, 600
        said = {str((await connection.run("whoami")).stdout) for _ in range(12)}
        await until(lambda: link._send_encryption is not first)
        said.add(str((await connection.run("whoami")).stdout))
        assert len(said) == 1
        assert "null" in said.pop()


@pytest.mark.parametrize("cipher", algorithms.ENCRYPTION)
async def test_openssh_reads_data_across_key_exchanges(cipher: str) -> None:
    async with bare_listener() as bare:
        options = ("-o", f"Ciphers={cipher}", "-o", "RekeyLimit=256", "-o", "MACs=hmac-sha2-256")
        assert (await bare.whoami(options=options))["key"] is None


# What clients do to a connection


def link_of(bare: BareListener) -> Link:
    [client] = bare.listener.clients
    return client.link


async def test_who_answers_no_more_is_gone_after_a_few_questions() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link, transport = link_of(bare), connection._transport
        transport.pause_reading()  # type: ignore[union-attr]
        link._cancel_keepalive_timer()
        link._keepalive_interval = 0.05
        link._set_keepalive_timer()
        await until(lambda: not bare.listener.clients)
        connection.abort()


async def test_output_in_packets_of_one_byte_is_refused() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        with pytest.raises(asyncssh.ChannelOpenError, match="too much"):
            await connection.create_session(asyncssh.SSHClientSession, "whoami", max_pktsize=1)
        assert link_of(bare).sessions == 0
        assert "key" in str((await connection.run("whoami")).stdout), "the connection goes on"


async def test_a_key_exchange_that_is_not_ended_ends_the_connection() -> None:
    async with bare_listener(Limits(login_timeout_s=0.5)) as bare, connect(bare) as connection:
        link = link_of(bare)
        transport: Any = connection._transport
        transport.pause_reading()  # so that nobody answers
        connection.send_packet(MSG_KEXINIT, connection._client_kexinit[1:])
        await until(lambda: not link._kex_complete)
        for _ in range(3):
            link.send_packet(MSG_GLOBAL_REQUEST, String(b"x" * 1000) + Boolean(False))
        assert link.unsent_bytes > 3000, "what waits for the exchange counts as unread"
        await until(lambda: not bare.listener.clients)


async def test_answers_to_who_does_not_read_them_do_not_pile_up() -> None:
    async with bare_listener(Limits(buffer_bytes=1024)) as bare, connect(bare) as connection:
        link = link_of(bare)
        transport: Any = connection._transport
        transport.pause_reading()
        link._transport.write(b"x" * 2**24)  # type: ignore[union-attr]
        assert "unread" in link._paused
        connection.abort()
        await until(lambda: not bare.listener.clients)


async def test_a_burst_is_taken_in_whole_and_a_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    original = asyncssh.SSHServerConnection.data_received

    def counted(link: asyncssh.SSHServerConnection, data: bytes, datatype: Any = None) -> None:
        taken.append(len(data))
        original(link, data, datatype)

    async with bare_listener(Limits(input_bytes_per_s=10**7)) as bare, connect(bare) as connection:
        monkeypatch.setattr(asyncssh.SSHServerConnection, "data_received", counted)
        lines = b"".join(b"%d\n" % n for n in range(10_000))
        async with connection.create_process("echo", encoding=None) as process:
            process.stdin.write(lines)
            process.stdin.write_eof()
            out = await asyncio.wait_for(process.stdout.read(), PATIENCE_S)
        assert out.split(b"\n", 1)[1].replace(b"\r", b"") == lines
    assert max(taken) <= PIECE


async def test_every_packet_counts_for_more_than_its_bytes() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        link._bucket = Bucket(1e-6, 20 * PACKET_COST, link._now())  # more than the bytes of these packets
        for _ in range(20):
            connection.send_packet(MSG_IGNORE, String(b""))
        await until(lambda: "rate" in link._paused)
        connection.abort()
        await until(lambda: not bare.listener.clients)


async def test_of_an_environment_listed_variables_of_bounded_size_are_kept() -> None:
    async with bare_listener(Limits(env_vars=2, env_bytes=10)) as bare, connect(bare) as connection:
        given = {"LANG": "x" * 11, "PATH": "/", "TZ": "UTC", "LC_ALL": "C", "NO_COLOR": "1"}
        said = str((await connection.run("whoami", env=given)).stdout)
        assert json.loads(said)["env"] == {"TZ": "UTC", "LC_ALL": "C"}


async def test_a_command_line_that_is_too_long_is_refused() -> None:
    async with bare_listener(Limits(exec_bytes=64)) as bare, connect(bare) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.run("whoami " + "x" * 64)
        assert "key" in str((await connection.run("whoami")).stdout), "the connection goes on"


async def test_keys_may_be_exchanged_often_and_then_less_often() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        link._rekeys = Bucket(1e-6, REKEY_RESERVE, link._now())  # nothing flows in while the test runs
        for _ in range(REKEY_RESERVE):
            connection._send_kexinit()
            connection._kexinit_sent = True
            await until(lambda: connection._kex_complete)
        assert link._rekeys.take(1, link._now()) > 0, "the next one has to wait"
        assert "key" in str((await connection.run("whoami")).stdout)


async def test_a_client_that_hangs_up_while_it_is_slowed_down_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        link._slow_down(10_000)  # as after far too many packets
        assert "rate" in link._paused
        assert "unread" not in link._paused
        connection.abort()
        await until(lambda: not bare.listener.clients)


async def test_a_hang_up_behind_bytes_that_are_not_read_is_noticed() -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link, transport = link_of(bare), connection._transport
        link._slow_down(10_000)
        sock: Any = transport.get_extra_info("socket")  # type: ignore[union-attr]
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(sock.fileno(), bytes(2**16))
        connection.abort()
        await until(lambda: not bare.listener.clients)


async def test_who_is_slowed_down_and_still_there_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pausedreading, "LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(pausedreading, "ASK_EVERY_S", 0.01)
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        link._paused.begin("rate")
        asked = link._send_seq
        await until(lambda: link._send_seq >= asked + 10)
        link._paused.end("rate")
        assert "key" in str((await connection.run("whoami")).stdout)


async def test_who_may_not_come_in_reads_why() -> None:
    async with bare_listener() as bare:
        bare.listener.refuses = lambda address: "you can't come in: a flood"
        status, out, err = await bare.ssh("whoami")
        assert (status, out) == (255, "")
        assert "you can't come in: a flood" in err
        with pytest.raises(asyncssh.DisconnectError, match="a flood"):
            await connect(bare)
        await until(lambda: bare.listener.parting == 0)
        assert not bare.listener.clients


async def test_answers_to_who_is_gone_are_not_told_in_the_log_one_by_one(caplog: pytest.LogCaptureFixture) -> None:
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        assert link._transport is not None
        link._transport.abort()
        for _ in range(50):
            link.send_packet(MSG_GLOBAL_REQUEST, String(b"keepalive"), Boolean(False))
        assert [record for record in caplog.records if record.name == "asyncio"] == []
        connection.abort()
        await until(lambda: not bare.listener.clients)

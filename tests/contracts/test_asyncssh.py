"""The narrow overrides of the SSH library: what they rely on still holds."""

from __future__ import annotations

import asyncio
import contextlib
import os
from random import Random
from typing import Any

import asyncssh
import pytest
from asyncssh.encryption import GCMEncryption, get_encryption, get_encryption_params
from asyncssh.packet import Boolean, String, UInt32

from server.config import Limits
from server.ssh import algorithms
from server.ssh import link as links
from server.ssh.link import MSG_CHANNEL_DATA, MSG_IGNORE, PIECE, REKEY_RESERVE, Link, Padding
from server.tokenbucket import Bucket
from tests.ssh.bare import BareListener, bare_listener, connect
from tests.waiting import PATIENCE_S, until

MSG_GLOBAL_REQUEST, MSG_KEXINIT, MSG_CHANNEL_WINDOW_ADJUST = 80, 20, 93


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


# Data of a channel in one packet


class Sealed(Link):
    """A link after the key exchange, whose packets are kept."""

    def __init__(self, cipher: bytes, rekey_bytes: int = 1 << 30) -> None:
        _, iv_size, block, _, _, _ = get_encryption_params(cipher)
        self.packets: list[bytes] = []
        self._auth_complete = self._kex_complete = True
        self._send_encryption = get_encryption(cipher, bytes(range(32)), bytes(range(iv_size)), b"", b"", True)
        self._send_enchdrlen, self._send_blocksize, self._send_seq = 1, block, 0xFFFFFFFE
        self._compressor, self._deferred_packets, self._seals_for, self._seal = None, [], None, None
        self._rekey_bytes, self._rekey_bytes_sent, self._rekey_seconds = rekey_bytes, 0, 0

    def _send(self, data: bytes) -> None:
        self.packets.append(data)

    def counted(self) -> tuple[int, int, bytes]:
        """Return what the next packet and the next key exchange depend on."""
        assert isinstance(self._send_encryption, GCMEncryption)
        return self._send_seq, self._rekey_bytes_sent, self._send_encryption._cipher._iv


def test_data_is_sent_as_the_library_would_send_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    monkeypatch.setattr(links, "PADDING", Padding())
    cipher = b"aes256-gcm@openssh.com"
    ours, theirs = Sealed(cipher), Sealed(cipher)
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 1000, 32768):
        assert ours.send_data(7, b"x" * size)
        theirs.send_packet(MSG_CHANNEL_DATA, UInt32(7) + String(b"x" * size))
    assert ours.packets == theirs.packets
    assert ours.counted() == theirs.counted()


def test_no_byte_of_padding_is_sent_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bytes] = []

    def draw(count: int) -> bytes:
        drawn.append(Random(len(drawn)).randbytes(count))
        return drawn[-1]

    monkeypatch.setattr(os, "urandom", draw)
    padding = Padding()
    taken = [padding.take(250) for _ in range(17)]
    assert taken[:16] == [drawn[0][at : at + 250] for at in range(0, 4000, 250)]
    assert taken[16] == drawn[1][:250], "what is left of the first bytes was too short"


def test_the_library_sends_data_while_keys_are_exchanged_or_should_be() -> None:
    due, exchanging, deferred = (Sealed(b"aes256-gcm@openssh.com") for _ in range(3))
    due._rekey_bytes_sent = due._rekey_bytes
    exchanging._kex_complete = False
    deferred._deferred_packets = [(MSG_CHANNEL_DATA, ())]
    assert [link.send_data(7, b"x") for link in (due, exchanging, deferred)] == [False] * 3


class Ear:
    """The receiving side of a channel."""

    def __init__(self) -> None:
        self._recv_window, self._recv_state = 40_000, "open"
        self.heard = b""

    def _accept_data(self, data: bytes) -> None:
        self._recv_window -= len(data)
        self.heard += data


class Opened(Link):
    """A link after the key exchange that only receives."""

    def __init__(self, cipher: bytes) -> None:
        _, iv_size, _, _, _, _ = get_encryption_params(cipher)
        self._auth_complete = self._kex_complete = self._auth_final = True
        self._recv_encryption = get_encryption(cipher, bytes(range(32)), bytes(range(iv_size)), b"", b"", False)
        self._recv_seq, self._decompressor, self._strict_kex = 0xFFFFFFFE, None, True
        self._transport, self._timers, self._backlog = asyncio.Transport(), {}, bytearray()
        self._opens_for, self._opens, self._inpbuf = None, None, b""
        self.ear = Ear()
        self._channels = {7: self.ear}  # type: ignore[dict-item]

    def state(self) -> tuple[bytes, int, bytes, int]:
        """Return what has been heard, and what the next packet depends on."""
        assert isinstance(self._recv_encryption, GCMEncryption)
        return self.ear.heard, self._recv_seq, self._recv_encryption._cipher._iv, self.ear._recv_window


def sealed(kind: int, *parts: bytes) -> list[bytes]:
    """Return packets of this kind as the library sends them under the key of `Opened`."""
    sender = Sealed(b"aes256-gcm@openssh.com")
    for part in parts:
        asyncssh.SSHServerConnection.send_packet(sender, kind, part)
    return sender.packets


def test_data_is_received_as_the_library_would_receive_it() -> None:
    sizes = (1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 1000, 31_000)
    texts = [bytes([65 + i]) * size for i, size in enumerate(sizes)]
    ours = Opened(b"aes256-gcm@openssh.com")
    reference = get_encryption(b"aes256-gcm@openssh.com", bytes(range(32)), bytes(range(12)), b"", b"", False)
    for n, packet in enumerate(sealed(MSG_CHANNEL_DATA, *[UInt32(7) + String(text) for text in texts])):
        opened = reference.decrypt_packet(n, packet[:16], packet[16:-16], 4, packet[-16:])
        assert opened is not None
        assert opened[10 : 10 + sizes[n]] == texts[n]
        ours._inpbuf += packet + b"next"
        assert ours._recv_data_packet()
        assert ours._inpbuf == b"next"
        ours._inpbuf = b""
    assert isinstance(reference, GCMEncryption)
    assert ours.state() == (
        b"".join(texts),
        0xFFFFFFFE + len(sizes) & 0xFFFFFFFF,
        reference._cipher._iv,
        40_000 - sum(sizes),
    )


def test_what_is_to_be_ignored_is_received_as_the_library_would_receive_it() -> None:
    ours, packets = Opened(b"aes256-gcm@openssh.com"), sealed(MSG_IGNORE, String(b""), String(b"chaff"))
    reference = get_encryption(b"aes256-gcm@openssh.com", bytes(range(32)), bytes(range(12)), b"", b"", False)
    for n, packet in enumerate(packets):
        assert reference.decrypt_packet(n, packet[:16], packet[16:-16], 4, packet[-16:]) is not None
        ours._inpbuf = packet + b"next"
        assert ours._recv_data_packet()
        assert ours._inpbuf == b"next"
    assert isinstance(reference, GCMEncryption)
    assert ours.state() == (b"", 0xFFFFFFFE + 2 & 0xFFFFFFFF, reference._cipher._iv, 40_000)


def test_the_library_receives_all_that_is_not_simply_data() -> None:
    [good] = sealed(MSG_CHANNEL_DATA, UInt32(7) + String(b"a"))
    wrong = {
        "spoilt": good[:-1] + bytes([good[-1] ^ 1]),
        "not whole": good[:-1],
        "no header": good[:3],
        "for nobody": sealed(MSG_CHANNEL_DATA, UInt32(8) + String(b"a"))[0],
        "no data": sealed(MSG_CHANNEL_WINDOW_ADJUST, UInt32(7) + UInt32(1))[0],
        "too long for the window": sealed(MSG_CHANNEL_DATA, UInt32(7) + String(b"a" * 30_000))[0],
        "with more behind it": sealed(MSG_CHANNEL_DATA, UInt32(7) + String(b"a") + b"more")[0],
        "cut": sealed(MSG_CHANNEL_DATA, UInt32(7) + UInt32(50) + b"a")[0],
        "ignored, with more behind it": sealed(MSG_IGNORE, String(b"a") + b"more")[0],
        "ignored, cut": sealed(MSG_IGNORE, UInt32(50) + b"a")[0],
        "empty": sealed(MSG_CHANNEL_DATA, b"")[0],
    }
    for name, packet in wrong.items():
        link = Opened(b"aes256-gcm@openssh.com")
        link.ear._recv_window = 20_000
        before, link._inpbuf = link.state(), packet
        assert not link._recv_data_packet(), name
        assert (link.state(), link._inpbuf) == (before, packet), name
    closed, exchanging = (Opened(b"aes256-gcm@openssh.com") for _ in range(2))
    closed.ear._recv_state, exchanging._kex_complete = "eof", False
    for link in (closed, exchanging):
        link._inpbuf = good
        assert not link._recv_data_packet()
    link = Opened(b"aes256-gcm@openssh.com")
    link._inpbuf = good
    assert link._recv_data_packet(), "what all of these differ from"


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


async def test_who_was_heard_of_late_is_not_asked_whether_they_are_there() -> None:
    async with bare_listener() as bare, connect(bare):
        link, asked = link_of(bare), []

        async def ask() -> None:
            asked.append(link)

        link._make_keepalive_request = ask  # type: ignore[method-assign]
        now = asyncio.get_running_loop().time()
        link._cancel_keepalive_timer()
        link._heard_at = now - link._keepalive_interval / 2
        link._keepalive_timer_callback()
        await asyncio.sleep(0)
        assert not asked
        assert link._keepalive_timer is not None
        assert link._keepalive_timer.when() - now == pytest.approx(link._keepalive_interval / 2, abs=5)
        link._cancel_keepalive_timer()
        link._heard_at = now - link._keepalive_interval
        link._keepalive_timer_callback()
        await asyncio.sleep(0)
        assert asked, "who was silent for so long is asked"


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
        assert link._held_by == {"unread"}
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
        assert link._held_by == {"rate"}
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
    monkeypatch.setattr(links, "LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(links, "ASK_EVERY_S", 0.01)
    async with bare_listener() as bare, connect(bare) as connection:
        link = link_of(bare)
        link._hold("rate")
        asked = link._send_seq
        await until(lambda: link._send_seq >= asked + 10)
        link._release("rate")
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

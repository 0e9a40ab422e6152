"""Measuring rates, counts that processes share, and believing balancers."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.address import address_of, is_trusted
from server.admission import tally
from server.admission.gate import Reason
from server.config import Limits
from server.ssh.proxy import V2_SIGNATURE, ProxyHeader
from server.tokenbucket import Bucket, Rates
from tests.ssh.bare import BareListener, bare_listener
from tests.ssh.client import run
from tests.waiting import PATIENCE_S


def test_a_bucket_gives_its_reserve_and_then_its_rate() -> None:
    bucket = Bucket(rate=10, burst=20, now=0.0)
    assert bucket.take(20, 0.0) == 0
    assert bucket.take(5, 0.0) == 0.5
    assert bucket.take(0, 0.5) == 0
    assert bucket.take(10, 10.0) == 0


def test_what_is_refused_is_not_counted() -> None:
    bucket = Bucket(rate=1, burst=2, now=0.0)
    assert [bucket.try_take(1, 0.0) for _ in range(4)] == [0, 0, 1, 1]
    assert bucket.try_take(1, 1.0) == 0


def test_rates_forget_who_has_not_come_for_longest() -> None:
    rates = Rates(lambda: 0.0)
    for n in range(Rates.KEPT + 10):
        rates.count("x", ((str(n), 60),))
    assert len(rates) == Rates.KEPT
    assert ("x", "0") not in rates


def test_a_server_that_is_started_beside_another_does_not_wipe_what_that_one_counts(tmp_path: Path) -> None:
    tally.create(tmp_path / "tally", 2)
    here, there = (tally.Tally(tmp_path / "tally", number) for number in range(2))
    here.store("192.0.2.1", 1, 2, 1)
    tally.create(tmp_path / "tally", 2)
    assert there.elsewhere("192.0.2.1") == (1, 2)
    assert tally.Tally(tmp_path / "tally", 1).elsewhere("192.0.2.1") == (0, 0)


def test_a_crowded_tally_forgets_nobody_it_has_room_for(tmp_path: Path) -> None:
    tally.create(tmp_path / "tally", 2)
    here, there = (tally.Tally(tmp_path / "tally", number) for number in range(2))
    sources = [f"192.0.{n // 256}.{n % 256}" for n in range(1000)]
    for source in sources:
        here.store(source, 1, 2, len(sources))
    assert {there.elsewhere(source) for source in sources} == {(1, 2)}
    assert there.knocking_elsewhere() == 1000
    for source in sources:
        here.store(source, 0, 0, 0)
    assert {there.elsewhere(source) for source in sources} == {(0, 0)}


V2 = V2_SIGNATURE + b"\x21\x11\x00\x0c" + bytes((192, 0, 2, 7, 10, 0, 0, 1)) + b"\x10\x00\x08\xae"
V2_6 = V2_SIGNATURE + b"\x21\x21\x00\x24" + bytes.fromhex("20010db8" + "0" * 23 + "1") + bytes(16) + b"\x10\x00\x08\xae"


@pytest.mark.parametrize(
    ("header", "address"),
    [
        (b"PROXY TCP4 192.0.2.7 10.0.0.1 4096 2222\r\n", "192.0.2.7"),
        (b"PROXY TCP6 2001:db8::1 ::1 4096 2222\r\n", "2001:db8::1"),
        (b"PROXY UNKNOWN\r\n", ""),
        (V2, "192.0.2.7"),
        (V2_6, "2001:db8::1"),
        (V2_SIGNATURE + b"\x20\x00\x00\x00", ""),
        (V2_SIGNATURE + b"\x20\x11\x00\x0c" + V2[16:], ""),  # LOCAL: the addresses count for nothing
        (V2_SIGNATURE + b"\x21\x31\x00\xd8" + bytes(216), ""),  # a socket in the file system
        (V2_SIGNATURE + b"\x21\x11\x08\x00" + V2[16:] + b"\x04" * 2036, "192.0.2.7"),  # with more after it
        (b"PROXY TCP6 ::ffff:192.0.2.7 ::1 4096 2222\r\n", "192.0.2.7"),
        (V2_SIGNATURE + b"\x21\x21\x00\x24" + bytes(10) + b"\xff\xff\xc0\x00\x02\x07" + bytes(20), "192.0.2.7"),
    ],
)
def test_a_proxy_header_may_arrive_in_pieces(header: bytes, address: str) -> None:
    assert ProxyHeader().feed(header + b"SSH-2.0-x") == (address, b"SSH-2.0-x")
    reader = ProxyHeader()
    for byte in header[:-1]:
        assert reader.feed(bytes([byte])) is None
    assert reader.feed(header[-1:]) == (address, b"")


@pytest.mark.parametrize(
    ("header", "line"),
    [
        (b"PROXY TCP4 192.0.2.7 198.51.100.1 4096 22\r\n", "ssh 198.51.100.1"),
        (b"PROXY TCP6 2001:db8::1 2001:db8::2 4096 2222\r\n", "ssh -p 2222 2001:db8::2"),
        (b"PROXY TCP6 2001:db8::1 ::1%\x1b[2J 4096 2222\r\n", "ssh -p 2222 localhost"),
        (
            V2_SIGNATURE + b"\x21\x11\x00\x0c\xc0\x00\x02\x07\xc6\x33\x64\x01\x10\x00\x08\xae",
            "ssh -p 2222 198.51.100.1",
        ),
    ],
)
def test_a_proxy_header_says_what_others_can_type(header: bytes, line: str) -> None:
    reader = ProxyHeader()
    reader.feed(header)
    assert address_of(reader.reached).line() == line


@pytest.mark.parametrize(
    "header",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4096\r\n",
        b"PROXY TCP4 2001:db8::1 ::1 4096 2222\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4096 99999\r\n",
        b"PROXY TCP4 192.0.2.7 ::1 4096 2222\r\n",
        b"PROXY TCP6 fe80::1%\x1b[2J ::1 4096 2222\r\n",  # a zone may hold anything, and has no meaning elsewhere
        b"PROXY TCP4  192.0.2.7 10.0.0.1 4096 2222\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 -1 2222\r\n",
        b"proxy TCP4 192.0.2.7 10.0.0.1 4096 2222\r\n",
        b"PROXY TCP4 " + b"1" * 200,
        V2_SIGNATURE + b"\x11\x11\x00\x0c",
        V2_SIGNATURE + b"\x21\x11\xff\xff",
        V2_SIGNATURE + b"\x22\x11\x00\x0c" + bytes(12),
        V2_SIGNATURE + b"\x21\x21\x00\x0c" + bytes(12),
        V2_SIGNATURE + b"\x21\x11\x00\x04abcd",
    ],
)
def test_what_is_no_proxy_header_is_refused(header: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        ProxyHeader().feed(header)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"PROXY TCP4 ", b"\r\n", V2_SIGNATURE, b"\x21\x11\x00\x0c"])))
def test_any_bytes_are_a_header_or_refused_soon(pieces: list[bytes]) -> None:
    reader, fed = ProxyHeader(), 0
    for piece in pieces:
        fed += len(piece)
        try:
            if reader.feed(piece) is not None:
                return
        except ValueError:
            return
        assert fed < 4096, "it must not be kept for ever"


def test_only_named_networks_are_believed() -> None:
    networks = (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))
    assert is_trusted("10.9.9.9", networks)
    assert is_trusted("2001:db8::1", networks)
    assert not is_trusted("192.0.2.1", networks)
    assert not is_trusted("nonsense", networks)
    assert not is_trusted("10.0.0.1", ())


async def test_a_balancer_names_the_real_address() -> None:
    async with bare_listener(proxies=(ip_network("127.0.0.1/32"),)) as bare:
        forward = await asyncio.start_server(lambda r, w: tunnel(r, w, bare.port), "127.0.0.2", 0)
        port = forward.sockets[0].getsockname()[1]
        command = [word.replace(str(bare.port), str(port)) for word in bare.command("whoami")]
        command[-2] = command[-2].replace("127.0.0.1", "127.0.0.2")
        status, out, err = await run(command)
        assert status == 0, err
        assert '"source":"192.0.2.7"' in out
        forward.close()
        status, _, _ = await bare.ssh("whoami")
        assert status == 255, "a trusted peer without a header is no client"


def header_of(address: str) -> bytes:
    return f"PROXY TCP4 {address} 127.0.0.1 40000 2222\r\n".encode()


async def knock(port: int, said: bytes) -> tuple[bytes, asyncio.StreamWriter]:
    """Connect and say something; return the first bytes of the answer, with the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for byte in said:  # byte by byte, as the network may
        writer.write(bytes((byte,)))
        await writer.drain()
    return await asyncio.wait_for(reader.read(600), PATIENCE_S), writer


async def test_limits_and_bans_see_the_real_address_only() -> None:
    limits = Limits(unauthenticated_per_source=2)
    async with bare_listener(limits, proxies=(ip_network("127.0.0.1/32"),)) as bare:
        bare.listener.refuses = lambda address: "banned" if address == "192.0.2.66" else None
        writers, answers = [], []
        for address in ("192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.66"):
            answer, writer = await knock(bare.port, header_of(address))
            answers.append(answer)
            writers.append(writer)
        told = Reason.NOT_LOGGED_IN.format(count=2).encode()
        assert [told in answer for answer in answers] == [False, False, True, False, False]
        assert [b"banned" in answer for answer in answers] == [False] * 4 + [True]
        for writer in writers:
            writer.close()


async def test_a_header_counts_once_and_from_balancers_only() -> None:
    async with bare_listener(proxies=(ip_network("127.0.0.1/32"),)) as bare:
        answer, writer = await knock(bare.port, header_of("192.0.2.7") + header_of("192.0.2.8"))
        assert answer.startswith(b"SSH-2.0-")
        await until_gone(bare)
        writer.close()
    async with bare_listener(proxies=(ip_network("10.0.0.0/8"),)) as bare:
        bare.listener.refuses = lambda address: f"you are {address}"
        answer, writer = await knock(bare.port, header_of("192.0.2.7"))
        assert b"you are 127.0.0.1" in answer, "who is no balancer is who they are, whatever they say"
        writer.close()
    async with bare_listener() as bare:
        answer, writer = await knock(bare.port, header_of("192.0.2.7"))
        await until_gone(bare)
        writer.close()


async def test_the_fullest_network_is_told_by_the_real_addresses() -> None:
    async with bare_listener(Limits(unauthenticated=3), proxies=(ip_network("127.0.0.1/32"),)) as bare:
        writers, readers = [], []
        for address in ("192.0.2.7", "192.0.2.7", "198.51.100.1", "203.0.113.1"):
            reader, writer = await asyncio.open_connection("127.0.0.1", bare.port)
            writer.write(header_of(address))
            assert (await reader.readline()).startswith(b"SSH-2.0-")
            writers.append(writer)
            readers.append(reader)
        assert b"closed to let others in" in await asyncio.wait_for(readers[0].read(), 30)
        assert bare.listener.gate.knocking == 3
        for writer in writers:
            writer.close()


async def until_gone(bare: BareListener) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while bare.listener.clients or bare.listener.gate.knocking:
            await asyncio.sleep(0.01)


async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """Forward a connection with a header before it."""
    inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
    inner_writer.write(b"PROXY TCP4 192.0.2.7 127.0.0.1 40000 2222\r\n")

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            sink.write(data)
        sink.close()

    await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer), return_exceptions=True)

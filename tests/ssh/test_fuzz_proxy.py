"""Fuzzing the PROXY header: iterations as stated, the seed printed, and first some bugs planted for the fuzzer."""

from __future__ import annotations

import random
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

import pytest

from server.ssh.proxy import V2_SIGNATURE, ProxyHeader
from tests import seeds
from tests.ssh.pieces import pieces

HEADERS = 8_000
HEADER_PARTS = (
    *(b"PROXY ", b"TCP4 ", b"TCP6 ", b"UNKNOWN", b"192.0.2.7 ", b"10.0.0.1 ", b"999.1.1.1 ", b"2001:db8::1 ", b"::1 "),
    *(b"4096 ", b"2222", b"99999", b"-1", b"\r\n", b"\n", b" ", V2_SIGNATURE, V2_SIGNATURE[:5], b"\x21\x11\x00\x0c"),
    *(b"\x20\x00\x00\x00", b"\x21\x21\x00\x24", b"\x31\x11\x00\x0c", b"\x21\x11\xff\xff", b"SSH-2.0-x\r\n", bytes(12)),
)


HEADER_WORDS = (
    b"TCP4",
    b"TCP4",
    b"TCP6",
    b"UNKNOWN",
    b"192.0.2.7",
    b"999.1.1.1",
    b"::1",
    b"::1",
    b"fe80::1%\x1b[2J",
    b"4096",
    b"2222",
    b"99999",
    b"",
)


TRUE_HEADERS = (
    b"PROXY TCP4 192.0.2.7 10.0.0.1 4096 2222\r\n",
    b"PROXY TCP6 2001:db8::1 ::1 4096 2222\r\n",
    b"PROXY UNKNOWN\r\n",
    V2_SIGNATURE + b"\x21\x11\x00\x0c" + bytes((192, 0, 2, 7, 10, 0, 0, 1, 16, 0, 8, 174)),
    V2_SIGNATURE + b"\x21\x21\x00\x24" + bytes(36),
    V2_SIGNATURE + b"\x20\x00\x00\x00",
)


def header_stream(rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        data = rng.choice(TRUE_HEADERS) + b"SSH-2.0-x\r\n" * rng.randrange(3)
        at = rng.randrange(len(data))
        return (
            data if rng.random() < 0.4 else data[:at] + rng.randbytes(rng.randrange(3)) + data[at + rng.randrange(3) :]
        )
    if rng.random() < 0.5:
        said = [b"PROXY", *(rng.choice(HEADER_WORDS) for _ in range(rng.choice((1, 4, 5, 5, 5, 6))))]
        return b" ".join(said) + rng.choice((b"\r\n", b"\n", b"")) + b"SSH-2.0-x\r\n"
    return b"".join(rng.choice(HEADER_PARTS) for _ in range(rng.randrange(9))) + rng.randbytes(rng.randrange(40))


def outcome(reader: Any, stream: list[bytes]) -> tuple[str, bytes] | str | None:
    """Return what a reader makes of a stream: an address and what follows, "refused", or None: it waits for more."""
    for i, piece in enumerate(stream):
        try:
            found = reader.feed(piece)
        except ValueError:
            return "refused"
        if found is not None:
            return found[0], found[1] + b"".join(stream[i + 1 :])
    return None


def fuzz_headers(reader: Callable[[], Any], iterations: int, seed: int) -> str | None:
    """Return the first stream that gives no address, loses bytes, depends on how it is cut, or is kept for ever."""
    rng = random.Random(seed)
    for _ in range(iterations):
        data = header_stream(rng)
        try:
            whole, cut = outcome(reader(), [data]), outcome(reader(), pieces(rng, data))
        except Exception as error:
            return f"{data!r}: {error!r}"
        if whole != cut:
            return f"{data!r}: {whole!r}, but cut {cut!r}"
        if isinstance(whole, tuple):
            address, rest = whole
            if not data.endswith(rest) or len(rest) == len(data):
                return f"{data!r}: goes on with {rest!r}"
            if address:
                try:
                    is_plain = str(ip_address(address)) == address and "%" not in address
                except ValueError:
                    is_plain = False
                if not is_plain:
                    return f"{data!r}: comes from {address!r}"
        elif whole is None and len(data) > 4096:
            return f"{data!r}: still waits"
    return None


class BelievesAnything(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        if data.startswith(b"PROXY TCP4 999"):
            return "999.1.1.1", data.partition(b"\r\n")[2]
        return super().feed(data)


class BelievesZones(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        found = super().feed(data.replace(b"%\x1b[2J", b""))
        return found if found is None or b"%" not in data else (f"{found[0]}%\x1b[2J", found[1])


class LosesTheRest(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        found = super().feed(data)
        return None if found is None else (found[0], found[1][:4])


class NeedsOnePiece(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        if self.held and not self.held.startswith(V2_SIGNATURE):
            raise ValueError("in pieces")
        return super().feed(data)


def test_any_stream_has_an_address_or_none() -> None:
    assert fuzz_headers(ProxyHeader, HEADERS, seeds.drawn()) is None


@pytest.mark.parametrize("planted", [BelievesAnything, BelievesZones, LosesTheRest, NeedsOnePiece])
def test_the_header_fuzzer_finds_a_planted_bug(planted: type[ProxyHeader]) -> None:
    assert fuzz_headers(planted, HEADERS, 1) is not None

"""Fuzzing the key parser: iterations as stated, the seed printed, and first some bugs planted for the fuzzer."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from server.terminal.keys import LONGEST_PASTE, LONGEST_STRING, KeyDecoder
from tests import seeds
from tests.hostile.nasty import SEQUENCES
from tests.ssh.pieces import pieces

KEY_STREAMS = 4_000
KEY_PARTS = (
    *(text.encode("utf-8", "surrogatepass") for text in SEQUENCES),
    *(b"\x1b[A", b"\x1bOP", b"\x1b[1;5C", b"\x1b[<0;10;5M", b"\x1b[M !!", b"\x1b[200~", b"\x1b[201~", b"\x1b", b"q"),
    *("雷".encode(), b"\xe9\x9b", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\x1b]" + b"x" * 300, b"\x1b[" + b"1" * 90),
)


def key_stream(rng: random.Random) -> bytes:
    return b"".join(
        rng.choice(KEY_PARTS) if rng.random() < 0.8 else rng.randbytes(rng.randrange(1, 9))
        for _ in range(rng.randrange(12))
    )


def fuzz_keys(decoder: Callable[[], Any], iterations: int, seed: int) -> str | None:
    """Return the first complaint: an unsafe key, a paste too long, something kept for ever, an exception."""
    rng = random.Random(seed)
    for _ in range(iterations):
        data, keys, at = key_stream(rng), decoder(), []
        try:
            for piece in pieces(rng, data):
                at += keys.feed(piece)
                if len(keys.kept) > LONGEST_STRING + 512:
                    return f"{data!r}: keeps {len(keys.kept)} bytes"
            at += keys.expire()
            at += keys.expire()
        except Exception as error:
            return f"{data!r}: {error!r}"
        if keys.kept:
            return f"{data!r}: {keys.kept!r} is never given up"
        for key in at:
            if isinstance(key, str) and not (key and key.isprintable()):
                return f"{data!r}: the key {key!r}"
            if isinstance(key, tuple) and not all(isinstance(part, int) for part in key[1:]):
                return f"{data!r}: the event {key!r}"
        if len(at) > len(data) + 2 or len(at) > 2 * LONGEST_PASTE + len(data):
            return f"{data!r}: {len(at)} keys"
    return None


class PassesControls(KeyDecoder):
    def feed(self, data: bytes) -> list[Any]:
        return [*super().feed(data), *(["\x9b"] if b"\xc2\x9b" in data else [])]


class KeepsStrings(KeyDecoder):
    def expire(self) -> list[Any]:
        return [] if self.kept.startswith(b"\x1b]") else super().expire()


class TrustsUtf8(KeyDecoder):
    def feed(self, data: bytes) -> list[Any]:
        if b"\xff" in data:
            data.decode()
        return super().feed(data)


def test_any_bytes_are_safe_keys() -> None:
    assert fuzz_keys(KeyDecoder, KEY_STREAMS, seeds.drawn()) is None


@pytest.mark.parametrize("planted", [PassesControls, KeepsStrings, TrustsUtf8])
def test_the_key_fuzzer_finds_a_planted_bug(planted: type[KeyDecoder]) -> None:
    assert fuzz_keys(planted, KEY_STREAMS, 1) is not None

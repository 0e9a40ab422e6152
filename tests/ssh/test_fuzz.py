"""Fuzzing what strangers' bytes meet first: keys, command lines, the bot protocol, the PROXY header.

Each fuzzer runs so many iterations as its constant says, from a seed that it prints; each first finds bugs planted for
it (from a fixed seed). The sanitiser has its own (tests/server/test_words_fuzz.py), so have the admin commands
(tests/admin/test_command_fuzz.py) and records (tests/game/test_fuzz_records.py).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

import pytest

from server.ssh.bot.orders import Order, Unreadable, read_order
from server.ssh.commands.all import TABLE
from server.ssh.commands.words import Spec, UsageError, Words, read, split
from server.ssh.keys import LONGEST_PASTE, LONGEST_STRING, KeyDecoder
from server.ssh.proxy import V2_SIGNATURE, ProxyHeader
from tests import seeds
from tests.hostile.nasty import SEQUENCES
from tests.server.test_words_fuzz import complaint

KEY_STREAMS = 4_000
COMMAND_LINES = 4_000
ORDERS = 8_000
HEADERS = 8_000


def pieces(rng: random.Random, data: bytes) -> list[bytes]:
    """Cut bytes anywhere."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(5)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def seeded() -> int:
    seed = seeds.drawn()
    return seed


# Keys

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
                if len(keys._rest) > LONGEST_STRING + 512:
                    return f"{data!r}: keeps {len(keys._rest)} bytes"
            at += keys.expire()
            at += keys.expire()
        except Exception as error:
            return f"{data!r}: {error!r}"
        if keys._rest:
            return f"{data!r}: {keys._rest!r} is never given up"
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
        return [] if self._rest.startswith(b"\x1b]") else super().expire()


class TrustsUtf8(KeyDecoder):
    def feed(self, data: bytes) -> list[Any]:
        if b"\xff" in data:
            data.decode()
        return super().feed(data)


def test_any_bytes_are_safe_keys() -> None:
    assert fuzz_keys(KeyDecoder, KEY_STREAMS, seeded()) is None


@pytest.mark.parametrize("planted", [PassesControls, KeepsStrings, TrustsUtf8])
def test_the_key_fuzzer_finds_a_planted_bug(planted: type[KeyDecoder]) -> None:
    assert fuzz_keys(planted, KEY_STREAMS, 1) is not None


# Command lines

LINE_WORDS = (
    *TABLE,
    *(
        "--json",
        "--live",
        "--as",
        "--game",
        "rainet",
        "--after",
        "--speed=5",
        "--format",
        "cast",
        "--yes",
        "--",
        "-",
        "m1",
    ),
    *(
        "''",
        '"',
        "'",
        "\\",
        "$(id)",
        "`id`",
        ";",
        "|",
        "&&",
        "\n",
        "--as=",
        "--=x",
        "--json=1",
        "ß" * 300,
        "%s",
        "\x00",
    ),
    *SEQUENCES,
)
Reader = Callable[[Spec, str], Words]


def read_line(spec: Spec, line: str) -> Words:
    return read(spec, split(line)[1:])


def fuzz_lines(reader: Reader, iterations: int, seed: int) -> str | None:
    """Return the first line that is read into something no command asked for, or breaks the reader."""
    rng = random.Random(seed)
    for _ in range(iterations):
        command = TABLE[rng.choice(list(TABLE))]
        line = " ".join([command.name, *(rng.choice(LINE_WORDS) for _ in range(rng.randrange(6)))])
        try:
            words = reader(command.spec, line)
        except UsageError:
            continue
        except Exception as error:
            return f"{line!r}: {error!r}"
        for text in (*words.words, *words.options.values()):
            if found := complaint(text, 4096):
                return f"{line!r}: {text!r}: {found}"
        if not (set(words.options) <= set(command.spec.options) and words.flags <= set(command.spec.flags)):
            return f"{line!r}: {words}"
        if len(words.words) > len(command.spec.words) and not command.spec.rest:
            return f"{line!r}: too many words"
    return None


def unsanitised(spec: Spec, line: str) -> Words:
    import shlex

    try:
        return read(spec, shlex.split(line)[1:])
    except ValueError:
        raise UsageError("a quote is not closed") from None


def quoteless(spec: Spec, line: str) -> Words:
    import shlex

    return read(spec, split(line)[1:] if "'" not in line else shlex.split(line)[1:])


def lenient(spec: Spec, line: str) -> Words:
    found = read_line(Spec(spec.words, spec.options, (*spec.flags, "speed", "json"), spec.rest), line)
    return found


def test_any_line_is_words_or_a_usage_error() -> None:
    assert fuzz_lines(read_line, COMMAND_LINES, seeded()) is None


@pytest.mark.parametrize("planted", [unsanitised, quoteless, lenient])
def test_the_line_fuzzer_finds_a_planted_bug(planted: Reader) -> None:
    assert fuzz_lines(planted, COMMAND_LINES, 1) is not None


# The bot protocol

DOS = (
    "seek",
    "create",
    "join",
    "cancel",
    "act",
    "offer",
    "accept",
    "decline",
    "claim",
    "resign",
    "say",
    "pong",
    "x",
    "",
    None,
)
FIELDS = (
    *("do", "id", "match", "seq", "action", "game", "players", "options", "speed", "rated", "as", "deck", "code"),
    *("what", "text", "private", "against", "v", ""),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1,
        2,
        10**9,
        10**30,
        1.5,
        "",
        "rainet",
        "draw",
        "win",
        "m1",
        "x" * 65,
        "x" * 300,
        "x" * 5000,
        [],
    ),
    *({}, [[[[]]]], {"a": {"b": []}}, {"x" * 70: 1}, *SEQUENCES[:20]),
)


def order_line(rng: random.Random) -> bytes:
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return rng.choice((b"[", b"{", b'{"a":')) * rng.randrange(1, 3000)
    said = {rng.choice(FIELDS): rng.choice(VALUES) for _ in range(rng.randrange(7))}
    line = json.dumps({"do": rng.choice(DOS), **said}, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3 and line:
        at = rng.randrange(len(line))
        line = line[:at] + rng.randbytes(rng.randrange(3)) + line[at + rng.randrange(3) :]
    return line


def fuzz_orders(reader: Callable[[bytes], Any], iterations: int, seed: int) -> str | None:
    """Return the first line that is neither an order of bounded parts nor refused with an id to answer to."""
    rng = random.Random(seed)
    for _ in range(iterations):
        line = order_line(rng)
        try:
            order = reader(line)
        except Unreadable as error:
            if not (error.re is None or isinstance(error.re, int | float | str)) or len(str(error.re)) > 400:
                return f"{line!r}: answers to {error.re!r}"
            continue
        except Exception as error:
            return f"{line!r}: {error!r}"
        if not isinstance(order, Order):
            return f"{line!r}: {order!r}"
        for name, most in (("match", 64), ("action", 4096), ("code", 64), ("text", 4096), ("game", 64), ("id", 200)):
            value = getattr(order, name, None)
            if isinstance(value, str) and len(value) > most:
                return f"{line!r}: {name} of {len(value)} characters"
        if getattr(order, "seq", 0) < 0 or not 1 <= getattr(order, "players", 1) <= 8:
            return f"{line!r}: {order!r}"
    return None


def crashes_on_lists(line: bytes) -> Any:
    if line.startswith(b"["):
        return json.loads(line)["do"]
    return read_order(line)


def forgets_bounds(line: bytes) -> Any:
    order = read_order(line.replace(b"x" * 300, b"x" * 60))
    for name in ("match", "game", "code"):
        if getattr(order, name, "") == "x" * 60:
            setattr(order, name, "x" * 300)
    return order


def answers_to_anything(line: bytes) -> Any:
    try:
        return read_order(line)
    except Unreadable as error:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise error from None
        raise Unreadable(str(error), said.get("id") if isinstance(said, dict) else None) from None


def test_any_line_is_an_order_or_refused() -> None:
    assert fuzz_orders(read_order, ORDERS, seeded()) is None


@pytest.mark.parametrize("planted", [crashes_on_lists, forgets_bounds, answers_to_anything])
def test_the_order_fuzzer_finds_a_planted_bug(planted: Callable[[bytes], Any]) -> None:
    assert fuzz_orders(planted, ORDERS, 1) is not None


# The PROXY header

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
                    ip_address(address)
                except ValueError:
                    return f"{data!r}: comes from {address!r}"
        elif whole is None and len(data) > 4096:
            return f"{data!r}: still waits"
    return None


class BelievesAnything(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        if data.startswith(b"PROXY TCP4 999"):
            return "999.1.1.1", data.partition(b"\r\n")[2]
        return super().feed(data)


class LosesTheRest(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        found = super().feed(data)
        return None if found is None else (found[0], found[1][:4])


class NeedsOnePiece(ProxyHeader):
    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        if self._data and not self._data.startswith(V2_SIGNATURE):
            raise ValueError("in pieces")
        return super().feed(data)


def test_any_stream_has_an_address_or_none() -> None:
    assert fuzz_headers(ProxyHeader, HEADERS, seeded()) is None


@pytest.mark.parametrize("planted", [BelievesAnything, LosesTheRest, NeedsOnePiece])
def test_the_header_fuzzer_finds_a_planted_bug(planted: type[ProxyHeader]) -> None:
    assert fuzz_headers(planted, HEADERS, 1) is not None

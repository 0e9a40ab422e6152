"""Seals of messages: whose they are, how old, and whether they were heard before."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from server.bus.choose import KEY as NAME
from server.bus.seal import FRESH_MS, SEAL_BYTES, BadSeal, Seal
from server.store.database import Database
from server.store.server_secrets import secret_for
from tests.clocks import FakeClock
from tests.store.builders import START

KEY = bytes(range(32))
HINTS = b'[["matches",{"match":"m1","seq":3}]]'


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def seal(clock: FakeClock, sender: str = "a" * 16, key: bytes = KEY) -> Seal:
    return Seal(key, clock, sender)


def why_not(hearer: Seal, message: bytes) -> str:
    with pytest.raises(BadSeal) as refused:
        hearer.open(message)
    return refused.value.why


def test_a_message_is_opened_once(clock: FakeClock) -> None:
    sender, hearer = seal(clock), seal(clock, "b" * 16)
    first, second = sender.close(HINTS), sender.close(HINTS)
    assert len(first) <= len(HINTS) + SEAL_BYTES
    assert hearer.open(first) == HINTS
    assert hearer.open(second) == HINTS
    assert [why_not(hearer, one) for one in (first, second)] == ["repeated", "repeated"]


def test_what_was_changed_or_is_under_another_key_is_not_believed(clock: FakeClock) -> None:
    hearer, message = seal(clock), seal(clock, "b" * 16).close(HINTS)
    stamp = message.split(b'",')[0]
    number = stamp.split()[1]
    for forged in (
        message.replace(b'"seq":3', b'"seq":4'),
        message.replace(b" " + number + b" ", b" 9" + number + b" ", 1),
        message.replace(b"b" * 16, b"c" * 16),
        seal(clock, "b" * 16, bytes(32)).close(HINTS),
        message[:-1],
    ):
        assert why_not(hearer, forged) == "forged"
    for unsigned in (b"", b"{}", HINTS, b'["bbbbbbbbbbbbbbbb",' + HINTS + b"]", message + b" "):
        assert why_not(hearer, unsigned) == "unsigned"
    assert hearer.open(message) == HINTS, "what was refused has not used its number up"


async def test_what_was_recorded_is_stale_for_whoever_has_not_heard_it(clock: FakeClock) -> None:
    """Who starts later knows no numbers yet: what was sent before is not believed."""
    sender = seal(clock)
    old = sender.close(HINTS)
    await clock.advance(1)
    assert why_not(seal(clock, "b" * 16), old) == "stale"
    await clock.advance(FRESH_MS / 1000)
    assert why_not(seal(clock, "b" * 16), old) == "stale"


async def test_numbers_are_remembered_for_as_long_as_a_message_is_fresh(clock: FakeClock) -> None:
    hearer = seal(clock)
    recorded = list[bytes]()
    for number in range(50):
        recorded.append(seal(clock, f"{number:016x}").close(HINTS))
        assert hearer.open(recorded[-1]) == HINTS
        await clock.advance(5)
        assert {why_not(hearer, one) for one in recorded} <= {"repeated", "stale"}
    remembered = max(len(kept) for kept in vars(hearer).values() if isinstance(kept, dict))
    assert 0 < remembered <= FRESH_MS / 5000 + 1


async def test_a_clock_that_is_a_little_ahead_does_no_harm(clock: FakeClock) -> None:
    ahead, hearer = FakeClock(clock.now() + timedelta(seconds=20)), seal(clock)
    sender = seal(ahead, "b" * 16)
    message = sender.close(HINTS)
    assert hearer.open(message) == HINTS
    await clock.advance(49)
    assert why_not(hearer, message) == "repeated"
    await ahead.advance(49 + FRESH_MS / 1000)
    assert why_not(hearer, sender.close(HINTS)) == "stale"


def test_a_release_without_seals_reads_what_is_sealed(clock: FakeClock) -> None:
    """Workers are replaced one by one; the release before knew a sender's name and hints, and nothing else."""
    known = tuple[str, list[tuple[str, dict[str, Any]]]]
    sender, hints = msgspec.json.decode(seal(clock).close(HINTS), type=known)
    assert sender.startswith("a" * 16)
    assert hints == [("matches", {"match": "m1", "seq": 3})]


async def test_processes_that_start_together_share_one_key(either: Database) -> None:
    keys = await asyncio.gather(*(either.write(secret_for, NAME, START) for _ in range(8)))
    assert len(set(keys)) == 1
    assert len(keys[0]) == 32
    assert await either.write(secret_for, "another", START) != keys[0]

"""Many real clients under kills and a bad network: what was acknowledged is there, once, in order, from its player."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import asyncssh
import pytest

from server.store.appends import LogEntry
from tests.durability.history import Truth, check
from tests.durability.people import Acknowledged, Player, Stretch
from tests.durability.proxy import Weather
from tests.durability.trouble import Crowd, sqlite_server, through

KILLS_SOAKED = 200


async def kill_cycles(folder: Path, kills: int, players: int, spectators: int, pause_s: float) -> None:
    seed = random.randrange(10**6)
    print("seed", seed)
    server, url = sqlite_server(folder)
    server.start()
    crowd = Crowd(server, url, Random(seed))
    await crowd.enlist(players, spectators, pause_s)
    try:
        crash = lambda: asyncio.to_thread(server.crash)  # noqa: E731
        report = await through(crowd, Weather(), [crash] * kills)
    finally:
        server.stop()
    print(f"{kills} kills:", report)
    assert report.wrong == []


async def test_a_history_under_kills_and_a_bad_network_is_true(tmp_path: Path) -> None:
    await kill_cycles(tmp_path, kills=2, players=4, spectators=2, pause_s=0.1)


@pytest.mark.soak
async def test_a_history_under_two_hundred_kills_is_true(tmp_path: Path) -> None:
    await kill_cycles(tmp_path, KILLS_SOAKED, players=6, spectators=2, pause_s=0.05)


# The checker itself


AT = datetime(2026, 1, 1, tzinfo=UTC)
EVENTS: tuple[tuple[int, dict[str, Any]], ...] = tuple((seq, {"kind": "moved", "n": seq}) for seq in (1, 1, 2, 3))


def told(seq: int, seat: int, action: str) -> LogEntry:
    return LogEntry(seq, "action", AT, seat, action)


def noting(name: str, seat: int, *acknowledged: tuple[int, str]) -> Player:
    player = Player(name, asyncssh.generate_private_key("ssh-ed25519"), lambda: 0, Random(1))
    player.matches["m"] = seat
    player.acknowledged = [Acknowledged("m", seq, seat, action) for seq, action in acknowledged]
    player.sent = Counter({("m", seat, action): 1 for _, action in acknowledged})
    return player


@pytest.fixture
def players() -> list[Player]:
    return [noting("ada", 0, (1, "a"), (3, "c")), noting("bob", 1, (2, "b"))]


@pytest.fixture
def truth() -> Truth:
    return Truth("m", ("ada", "bob"), (told(1, 0, "a"), told(2, 1, "b"), told(3, 0, "c")), EVENTS)


def wrongs(players: list[Player], truth: Truth, *stretches: Stretch) -> str:
    return "\n".join(check(players, stretches, {"m": truth}))


def test_it_says_nothing_of_a_true_history(players: list[Player], truth: Truth) -> None:
    assert wrongs(players, truth, Stretch("m", -1, EVENTS[:3]), Stretch("m", 1, EVENTS[2:])) == ""


def test_it_finds_what_was_lost(players: list[Player], truth: Truth) -> None:
    assert "acknowledged and lost" in wrongs(players, replace(truth, entries=truth.entries[:2]))


def test_it_finds_a_gap(players: list[Player], truth: Truth) -> None:
    assert "gap" in wrongs(players, replace(truth, entries=(*truth.entries[:2], told(4, 0, "c"))))


def test_it_finds_what_was_stored_twice(players: list[Player], truth: Truth) -> None:
    assert "stored 2 times, sent 1" in wrongs(players, replace(truth, entries=(*truth.entries, told(4, 0, "c"))))


def test_it_finds_who_moved_for_another(players: list[Player], truth: Truth) -> None:
    assert "sent 0 times" in wrongs(players, replace(truth, entries=(*truth.entries, told(4, 1, "x"))))


def test_it_finds_what_is_out_of_order(players: list[Player], truth: Truth) -> None:
    players[0].acknowledged.reverse()
    assert "out of order" in wrongs(players, truth)


def test_it_finds_a_seat_that_is_somebody_elses(players: list[Player], truth: Truth) -> None:
    assert "somebody else's" in wrongs(players, replace(truth, seats=("bob", "ada")))


def test_it_finds_who_paid_for_an_outage(players: list[Player], truth: Truth) -> None:
    assert "is a timeout" in wrongs(players, replace(truth, entries=(*truth.entries, LogEntry(4, "timeout", AT, 1))))


@pytest.mark.parametrize(
    "seen",
    [
        Stretch("m", -1, (EVENTS[0], EVENTS[2])),  # something was left out
        Stretch("m", -1, (*EVENTS, EVENTS[3])),  # more than there was
        Stretch("m", 1, EVENTS[1:]),  # what was seen already
        Stretch("m", -1, (EVENTS[1], (1, {"kind": "moved", "n": 9}))),  # what never was
        Stretch("other", -1, EVENTS),
    ],
)
def test_it_finds_a_spectator_who_was_shown_something_else(players: list[Player], truth: Truth, seen: Stretch) -> None:
    assert "a spectator" in wrongs(players, truth, seen)

"""Many real clients under kills and a bad network: what was acknowledged is there, once, in order, from its player."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import asyncssh
import pytest

from server.store.appends import LogEntry
from tests.durability.history import Events, Truth, check
from tests.durability.people import Acknowledged, Player, Seen, Sent, Stretch
from tests.durability.proxy import CALM, Weather
from tests.durability.trouble import Crowd, sqlite_server, through

KILLS_SOAKED = 200
Say = Callable[[str], None]


async def kill_cycles(folder: Path, kills: int, players: int, spectators: int, pause_s: float, say: Say) -> None:
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
    verified, _, why = await server.beside("verify")
    say(f"{kills} kills from seed {seed}: {report}")
    assert report.wrong == []
    assert verified == 0, why


async def test_a_history_under_kills_and_a_bad_network_is_true(tmp_path: Path, say: Say) -> None:
    await kill_cycles(tmp_path, kills=2, players=4, spectators=2, pause_s=0.1, say=say)


@pytest.mark.soak
async def test_a_history_under_two_hundred_kills_is_true(tmp_path: Path, say: Say) -> None:
    await kill_cycles(tmp_path, KILLS_SOAKED, players=8, spectators=3, pause_s=0.05, say=say)


# The checker itself


AT = datetime(2026, 1, 1, tzinfo=UTC)
EVENTS: Events = tuple((seq, {"kind": "moved", "n": seq}) for seq in (1, 1, 2, 3))
OWN: Events = tuple((seq, {"kind": "moved", "n": seq, "own": True}) for seq in (1, 1, 2, 3))


def told(seq: int, seat: int, action: str) -> LogEntry:
    return LogEntry(seq, "action", AT, seat, action)


def noting(name: str, seat: int, *acknowledged: tuple[int, str]) -> Player:
    player = Player(name, asyncssh.generate_private_key("ssh-ed25519"), lambda: 0, Random(1))
    player.matches["m"] = seat
    player.acknowledged = [Acknowledged("m", seq, seat, action, after=seq - 1) for seq, action in acknowledged]
    player.sent = [Sent("m", seat, action, seq - 1) for seq, action in acknowledged]
    return player


@pytest.fixture
def players() -> list[Player]:
    return [noting("ada", 0, (1, "a"), (3, "c")), noting("bob", 1, (2, "b"))]


@pytest.fixture
def truth() -> Truth:
    entries = (told(1, 0, "a"), told(2, 1, "b"), told(3, 0, "c"))
    view = lambda seat, seq: {"seat": seat, "at": seq}  # noqa: E731
    return Truth("m", ("ada", "bob"), entries, (0, 1, 2), EVENTS, (OWN, OWN), view, {"placements": [[0], [1]]})


def wrongs(players: list[Player], truth: Truth, *stretches: Stretch) -> str:
    return "\n".join(check(players, stretches, {"m": truth}))


def more(truth: Truth, *entries: LogEntry, asked: int = 3) -> Truth:
    """Return the same with more entries, which answer what was asked since an entry."""
    return replace(truth, entries=(*truth.entries, *entries), asked=(*truth.asked, *[asked] * len(entries)))


def test_it_says_nothing_of_a_true_history(players: list[Player], truth: Truth) -> None:
    players[0].seen.append(Seen("m", 0, 2, {"seat": 0, "at": 2}))
    players[0].ends.append(("m", {"placements": [[0], [1]]}))
    players[1].stretches.append(Stretch("m", 1, list(OWN[2:]), seat=1))
    assert wrongs(players, truth, Stretch("m", -1, list(EVENTS[:3])), Stretch("m", 1, list(EVENTS[2:]))) == ""


def test_it_finds_what_was_lost(players: list[Player], truth: Truth) -> None:
    assert "acknowledged and lost" in wrongs(players, replace(truth, entries=truth.entries[:2]))


def test_it_finds_what_was_lost_and_replaced(players: list[Player], truth: Truth) -> None:
    other = (*truth.entries[:2], told(3, 0, "d"))
    assert "acknowledged and lost" in wrongs(players, replace(truth, entries=other))


def test_it_finds_a_match_that_was_lost_whole(players: list[Player]) -> None:
    assert "there is no such match" in wrongs(players, Truth("m", (), (), wrong=("there is no such match",)))


def test_it_finds_a_gap(players: list[Player], truth: Truth) -> None:
    assert "gap" in wrongs(players, replace(truth, entries=(*truth.entries[:2], told(4, 0, "c"))))


def test_it_finds_what_was_stored_twice(players: list[Player], truth: Truth) -> None:
    assert "nobody sent 'c'" in wrongs(players, more(truth, told(4, 0, "c")))


def test_it_finds_what_was_stored_twice_though_it_had_been_sent_twice(players: list[Player], truth: Truth) -> None:
    players[0].sent.append(Sent("m", 0, "c", 2))  # the answer got lost, it was sent again, and both were taken
    assert "nobody sent 'c'" in wrongs(players, more(truth, told(4, 0, "c")))


def test_it_finds_an_answer_that_counted_for_a_later_question(players: list[Player], truth: Truth) -> None:
    players[1].sent.append(Sent("m", 1, "x", 1))
    assert "nobody sent 'x'" in wrongs(players, more(truth, told(4, 1, "x")))
    players[1].sent.append(Sent("m", 1, "x", 3))
    assert wrongs(players, more(truth, told(4, 1, "x"))) == ""


def test_it_finds_who_moved_for_another(players: list[Player], truth: Truth) -> None:
    players[0].sent.append(Sent("m", 0, "x", 3))
    assert "nobody sent 'x' of seat 1" in wrongs(players, more(truth, told(4, 1, "x")))


def test_it_finds_who_moved_on_anothers_seat(players: list[Player], truth: Truth) -> None:
    players[0].sent.append(Sent("m", 1, "x", 3))
    assert "nobody sent 'x' of seat 1" in wrongs(players, more(truth, told(4, 1, "x")))


def test_it_finds_moves_in_a_match_that_nobody_was_told_of(players: list[Player], truth: Truth) -> None:
    other = Truth("n", ("ada", "bob"), (told(1, 0, "a"),), (0,))
    assert "n: nobody sent 'a'" in "\n".join(check(players, [], {"m": truth, "n": other}))


def test_it_finds_what_is_out_of_order(players: list[Player], truth: Truth) -> None:
    players[0].acknowledged.reverse()
    assert "out of order" in wrongs(players, truth)


def test_it_finds_an_entry_before_another_players_that_was_acknowledged_when_it_was_sent(
    players: list[Player], truth: Truth
) -> None:
    players[1].acknowledged[0] = replace(players[1].acknowledged[0], after=3)
    assert "bob: acknowledged out of order" in wrongs(players, truth)


def test_it_finds_a_seat_that_is_somebody_elses(players: list[Player], truth: Truth) -> None:
    assert "somebody else's" in wrongs(players, replace(truth, seats=("bob", "ada")))


def test_it_finds_who_paid_for_an_outage(players: list[Player], truth: Truth) -> None:
    assert "is a timeout" in wrongs(players, more(truth, LogEntry(4, "timeout", AT, 1)))


def test_it_finds_an_outage_that_is_credited_twice(players: list[Player], truth: Truth) -> None:
    credit = LogEntry(4, "clock_credited", AT, data={"outage": 1, "ms": 5, "seats": [0, 1]})
    other = replace(credit, seq=5, data={"home": 1, "ms": 5, "seats": [0]})
    assert wrongs(players, more(truth, credit, other)) == ""
    assert "2 times credited" in wrongs(players, more(truth, credit, replace(credit, seq=5)))


def test_it_finds_an_answer_that_no_fault_explains(players: list[Player], truth: Truth) -> None:
    players[0].told["not_saved"] += 1
    assert wrongs(players, truth) == ""
    players[0].told["refused"] += 1
    assert wrongs(players, truth) == "ada: refused"


@pytest.mark.parametrize("seen", [Seen("m", 0, 2, {"seat": 0, "at": 1}), Seen("m", 0, 4, {"seat": 0, "at": 4})])
def test_it_finds_a_view_that_is_stale_or_of_what_is_not_stored(
    players: list[Player], truth: Truth, seen: Seen
) -> None:
    players[0].seen.append(seen)
    assert "a view of m" in wrongs(players, truth)


@pytest.mark.parametrize("result", [None, {"placements": [[1], [0]]}])
def test_it_finds_an_end_that_never_was(players: list[Player], truth: Truth, result: Any) -> None:
    players[0].ends.append(("m", result))
    assert "an end of m that never was" in wrongs(players, truth)


@pytest.mark.parametrize(
    "seen",
    [
        Stretch("m", -1, [EVENTS[0], EVENTS[2]]),  # something was left out
        Stretch("m", -1, [*EVENTS, EVENTS[3]]),  # more than there was
        Stretch("m", -1, [EVENTS[0], EVENTS[1], EVENTS[3], EVENTS[2]]),  # in another order
        Stretch("m", 1, list(EVENTS[1:])),  # what was seen already
        Stretch("m", -1, [EVENTS[1], (1, {"kind": "moved", "n": 9})]),  # what never was
        Stretch("m", -1, list(OWN)),  # what only a seat may know
        Stretch("other", -1, list(EVENTS)),
    ],
)
def test_it_finds_a_spectator_who_was_shown_something_else(players: list[Player], truth: Truth, seen: Stretch) -> None:
    assert "a spectator" in wrongs(players, truth, seen)


def test_it_finds_a_player_who_was_shown_something_else(players: list[Player], truth: Truth) -> None:
    players[1].stretches.append(Stretch("m", 1, list(OWN[3:]), seat=1))
    assert "seat 1 of m" in wrongs(players, truth)


# The whole of it, with a server in which a bug is planted


@pytest.mark.parametrize(
    ("bug", "found"),
    [
        ("lost", "acknowledged and lost"),
        ("doubled", "nobody sent"),
        ("for-another", "nobody sent"),
        ("stale-view", "a view of"),
        ("out-of-order", "which never was"),
        ("left-out", "which never was"),
    ],
)
@pytest.mark.logs("match.ahead-of-its-log")
async def test_a_bug_planted_in_the_server_is_found(tmp_path: Path, bug: str, found: str) -> None:
    server, url = sqlite_server(tmp_path)
    server.module, server.env = "tests.durability.planted", {**server.env, "PLANTED": bug}
    server.start()
    crowd = Crowd(server, url, Random(1))
    await crowd.enlist(players=4, spectators=2, pause_s=0.05)
    try:
        report = await through(crowd, CALM, [idle] * 3, patience_s=5)
    finally:
        server.stop()
    assert [what for what in report.wrong if found in what], report.wrong


async def idle() -> None:
    """No trouble at all."""

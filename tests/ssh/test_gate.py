"""Who may knock when many do: the fullest network makes room, and who never logs in counts for more."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from server.accounts.sources import Sources, networks_of, source_of
from server.admission import tally
from server.admission.gate import (
    HALF_LIFE_S,
    KEPT_PLACES,
    PATIENCE_S,
    Capacity,
    Gate,
    Inside,
    Knocking,
    Reason,
    TurnedAway,
)
from server.config import Limits
from server.ssh.listener import NewConnection
from tests.ssh.bare import bare_listener, connect


class Crowd:
    """A gate at which people knock, with a clock of its own; `closed` names those who were sent away, and why."""

    def __init__(self, limits: Limits | None = None, **more: object) -> None:
        self.now = 1000.0
        self.gate = Gate(limits or Limits(), now=lambda: self.now, **more)  # type: ignore[arg-type]
        self.closed: list[tuple[str, str]] = []

    def knock(self, source: str, name: str = "") -> Knocking:
        return self.gate.knock(source, lambda why: self.closed.append((name or source, why)))

    def enter(
        self,
        address: str,
        account: int | None = None,
        settled: bool = False,
        kept: bool = False,
        has_channel: bool = True,
    ) -> Inside:
        """Log in from an address; `closed` names who was sent away by the address."""
        sources = Sources.of((address,), account, settled)
        inside = self.gate.enter(sources, lambda why: self.closed.append((address, why)), kept)
        inside.use(has_channel)
        return inside

    def refusal(self, source: str) -> tuple[Reason, dict[str, object]]:
        with pytest.raises(TurnedAway) as turned:
            self.knock(source)
        return turned.value.reason, turned.value.params

    def fill(self, *sources: str) -> None:
        for source in sources:
            self.knock(source)

    @property
    def gone(self) -> list[str]:
        return [name for name, _ in self.closed]


def attackers(many: int, each: int = 1) -> list[str]:
    return [f"10.0.{n}.1" for n in range(many) for _ in range(each)]


# The textbook case


def test_a_newcomer_from_elsewhere_takes_the_place_of_the_oldest_of_the_fullest_source() -> None:
    crowd = Crowd(Limits(unauthenticated=6))
    crowd.fill("192.0.2.1", *attackers(2, each=2), "10.0.1.1")
    crowd.knock("198.51.100.7")
    assert crowd.gone == ["10.0.1.1"]
    assert "10.0.1.1" in crowd.closed[0][1]
    assert crowd.gate.knocking == 6


def test_of_the_fullest_source_who_is_busy_goes_last() -> None:
    crowd = Crowd(Limits(unauthenticated=3, unauthenticated_per_source=3))
    crowd.knock("192.0.2.1", "busy").serve(True)
    crowd.knock("192.0.2.1", "idle")
    crowd.knock("192.0.2.1", "later")
    crowd.knock("198.51.100.1")
    assert crowd.gone == ["idle"]
    crowd.knock("203.0.113.1")
    assert crowd.gone == ["idle", "later"]
    crowd.knock("203.0.114.1")  # networks that gave up before count as fuller
    assert crowd.gone == ["idle", "later", "busy"]


def test_a_hundred_idle_sockets_do_not_lock_everybody_out() -> None:
    """They did, from ten addresses, and the honest were told that it was they who had too many."""
    crowd = Crowd()
    crowd.fill(*attackers(10, each=10))
    for n in range(50):
        crowd.knock(f"192.0.{n}.7")
    assert crowd.gate.knocking == 100
    assert len(crowd.gone) == 50
    assert all(name.startswith("10.") for name in crowd.gone)


def test_who_is_of_the_fullest_network_waits_itself_and_is_told_the_true_reason() -> None:
    crowd = Crowd(Limits(unauthenticated=4))
    crowd.fill("192.0.2.1", *attackers(1, each=3))
    assert crowd.refusal("10.0.0.1") == (Reason.NETWORK, {"count": 3, "network": "10.0.0.1"})
    assert crowd.closed == []


def test_when_many_honest_people_come_at_once_the_reason_blames_nobody() -> None:
    crowd = Crowd(Limits(unauthenticated=4))
    crowd.fill(*(f"192.0.{n}.1" for n in range(4)))
    assert crowd.refusal("198.51.100.1") == (Reason.CROWDED, {})


def test_a_source_with_too_many_is_told_how_many() -> None:
    crowd = Crowd(Limits(unauthenticated_per_source=2))
    crowd.fill("192.0.2.1", "192.0.2.1")
    assert crowd.refusal("192.0.2.1") == (Reason.NOT_LOGGED_IN, {"count": 2})


# Networks


@pytest.mark.parametrize(
    ("crowd", "one", "newcomer"),
    [
        ("10.0.0.{}", 254, "10.0.1.1"),
        ("2001:db8:0:{:x}::/64", 65_000, "2001:db8:1::/64"),
        ("2001:db8:0:1{:02x}::/64", 255, "2001:db8:0:200::/64"),
    ],
)
def test_many_sources_of_one_network_count_together(crowd: str, one: int, newcomer: str) -> None:
    """Else whoever has a network has as many places as addresses."""
    people = Crowd(Limits(unauthenticated=40, unauthenticated_per_source=40))
    sources = [crowd.format(n * one // 40) for n in range(40)]
    people.fill(*sources)
    people.knock(newcomer)
    assert people.gone == [sources[0]]


def test_a_few_neighbours_are_not_taken_for_a_crowd() -> None:
    crowd = Crowd(Limits(unauthenticated=8))
    crowd.fill(*(f"192.0.2.{n}" for n in range(5)), "10.0.0.1", "10.0.0.1", "10.0.0.1")
    crowd.knock("198.51.100.1")
    assert crowd.gone == ["10.0.0.1"]


@pytest.mark.parametrize(
    ("source", "networks"),
    [
        ("192.0.2.9", ["192.0.2.9", "192.0.2.0/24"]),
        ("2001:db8:1:2ff::/64", ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1::/48"]),
        ("::1", ["::1"]),
        ("127.0.0.9", ["127.0.0.9"]),
        ("::ffff:127.0.0.9", ["127.0.0.9"]),
        ("::ffff:192.0.2.9", ["192.0.2.9", "192.0.2.0/24"]),
        ("unknown", ["unknown"]),
    ],
)
def test_networks_around_a_source(source: str, networks: list[str]) -> None:
    assert list(networks_of(source)) == networks


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("nonsense", "nonsense"),
    ],
)
def test_sources(address: str, key: str) -> None:
    assert source_of(address) == key


# Who never logs in


def test_who_never_logged_in_makes_room_for_who_is_new_here() -> None:
    crowd = Crowd(Limits(unauthenticated=3))
    crowd.knock("10.0.0.1").gave_up()
    crowd.fill("192.0.2.1", "192.0.3.1", "10.0.0.1")
    crowd.knock("198.51.100.1")
    assert crowd.gone == ["10.0.0.1"]


def test_a_thousand_sources_with_one_socket_each_do_not_lock_anybody_out_for_long() -> None:
    crowd = Crowd()
    sources = attackers(100)
    crowd.fill(*sources)
    assert crowd.refusal("192.0.2.1") == (Reason.CROWDED, {}), "nobody knows yet which of them are honest"
    crowd.now += PATIENCE_S
    crowd.knock("192.0.2.1").logged_in()
    assert crowd.gone == [sources[0]]


def test_a_failure_weighs_less_after_a_login_and_with_time() -> None:
    crowd = Crowd(Limits(unauthenticated=2))
    for _ in range(3):
        crowd.knock("10.0.0.1").gave_up()
        crowd.knock("10.0.9.1").gave_up()
    crowd.knock("10.0.9.1").logged_in()
    crowd.fill("10.0.9.1", "10.0.0.1")
    crowd.knock("198.51.100.1")
    assert crowd.gone == ["10.0.0.1"]
    forgetful = Crowd(Limits(unauthenticated=1))
    forgetful.knock("10.0.0.1").gave_up()
    forgetful.now += 40 * HALF_LIFE_S
    forgetful.fill("10.0.0.1")
    assert forgetful.refusal("198.51.100.1") == (Reason.CROWDED, {})


def test_each_connection_is_counted_once_however_often_it_ends() -> None:
    crowd = Crowd(Limits(unauthenticated_per_source=2, connections_per_source=1))
    first = crowd.knock("a")
    crowd.knock("a")
    crowd.refusal("a")
    first.logged_in()
    first.gave_up()
    assert crowd.gate.knocking == 1
    inside = crowd.enter("a")
    with pytest.raises(TurnedAway) as turned:
        crowd.enter("a")
    assert (turned.value.reason, turned.value.params) == (Reason.SOURCE, {"count": 1})
    inside.leave()
    inside.leave()
    crowd.enter("a")
    assert crowd.gate.inside == 1


def test_a_process_lets_in_no_more_than_it_has_files_for() -> None:
    crowd = Crowd(capacity=Capacity(knocking=2, inside=3))
    inside = [crowd.enter(f"192.0.2.{n}") for n in range(3)]
    with pytest.raises(TurnedAway) as turned:
        crowd.enter("192.0.2.9")
    assert (turned.value.reason, turned.value.params) == (Reason.SERVER_FULL, {"count": 3})
    inside[0].leave()
    crowd.enter("192.0.2.9")
    crowd.fill("192.0.2.1", "192.0.3.1")
    crowd.refusal("192.0.4.1")


# Guests, new accounts, and those that are a day old


def test_a_network_of_64s_had_as_many_connections_as_sources() -> None:
    crowd = Crowd(Limits(connections_per_source=5, unauthenticated_per_source=5))
    for n in range(20):
        crowd.enter(f"2001:db8:1:{n << 8:x}::7", None if n % 2 else n)
        crowd.knock(f"2001:db8:1:{n << 8:x}::7")
    with pytest.raises(TurnedAway) as turned:
        crowd.enter("2001:db8:1:ffff::7")
    assert (turned.value.reason, turned.value.params) == (Reason.AROUND, {"count": 20, "network": "2001:db8:1::/48"})
    assert crowd.refusal("2001:db8:1:ffff::7") == (Reason.NETWORK, {"count": 20, "network": "2001:db8:1::/48"})
    crowd.enter("2001:db8:2::7")


def test_whoever_renewed_connections_in_one_part_of_a_network_kept_the_rest_of_it_out() -> None:
    """None of them waited for five seconds, so that none made room."""
    crowd = Crowd(Limits(unauthenticated_per_source=5))
    for n in range(20):
        crowd.knock(f"2001:db8:1:{n % 4 << 8:x}::{n}", f"attacker {n}")
    crowd.knock("2001:db8:1:ff00::7", "honest")
    assert crowd.gone == ["attacker 0"]
    crowd = Crowd(Limits(unauthenticated_per_source=5))
    for n in range(40):
        crowd.knock(f"192.0.2.{n % 8}", f"attacker {n}")
    crowd.knock("192.0.2.250", "honest")
    assert crowd.gone == ["attacker 0"]
    for n in range(3):
        crowd.knock("192.0.2.250", f"honest {n}")
    assert crowd.refusal("192.0.2.250")[0] is Reason.NETWORK


def test_whoever_opened_connections_anew_at_ones_own_address_locked_one_out_for_good() -> None:
    """None of them ever waited for five seconds, so none made room."""
    drawn = random.Random(7)
    crowd = Crowd(Limits(unauthenticated_per_source=10), below=drawn.randrange)
    address, mine = "192.0.2.7", list[Knocking]()
    got_in = 0
    for tick in range(2000):  # of a tenth of a second: twenty of theirs a second
        crowd.now += 0.1
        for _ in range(2):
            mine = mine[-9:]
            with contextlib.suppress(TurnedAway):
                mine.append(crowd.knock(address))
        for old in [one for one in mine if crowd.now - one.since >= 4]:
            old.gave_up()
        if tick >= 100 and tick % 20 == 0:  # somebody else comes, is asked after 0.1 s and has logged in after 0.4 s
            honest = crowd.knock(address, f"honest-{tick}")
            for step in range(4):
                crowd.now += 0.1
                honest.has_asked = step >= 1
                for _ in range(2):
                    with contextlib.suppress(TurnedAway):
                        mine.append(crowd.knock(address))
            got_in += not any(name == f"honest-{tick}" for name, _ in crowd.closed)
            honest.logged_in()
    assert got_in > 60, "of 95"


def test_nobody_locks_the_accounts_of_a_campus_out() -> None:
    crowd = Crowd(Limits(connections_per_source=3))
    for _ in range(3):
        crowd.enter("192.0.2.1")
    for _ in range(3):
        crowd.enter("192.0.2.1", 7, settled=True)
    with pytest.raises(TurnedAway) as turned:
        crowd.enter("192.0.2.1", 7, settled=True)
    assert (turned.value.reason, turned.value.params) == (Reason.ACCOUNT, {"count": 3})


def test_idle_guests_locked_an_account_out_whose_match_ran() -> None:
    """Its opponent claimed the win."""
    crowd = Crowd(Limits(connections_per_source=3))
    for _ in range(3):
        crowd.enter("192.0.2.1")
    with pytest.raises(TurnedAway):
        crowd.enter("192.0.2.1", 7)
    for _ in range(KEPT_PLACES):
        crowd.enter("192.0.2.1", 7, kept=True)
    with pytest.raises(TurnedAway):
        crowd.enter("192.0.2.1", 7, kept=True)


def test_a_full_server_keeps_places_for_whose_match_runs() -> None:
    crowd = Crowd(Limits(connections_per_source=100), capacity=Capacity(knocking=2, inside=20))
    for n in range(18):
        crowd.enter(f"192.0.{n}.1")
    with pytest.raises(TurnedAway):
        crowd.enter("198.51.100.1", 8, settled=True)
    crowd.enter("198.51.100.1", 8, settled=True, kept=True)


def test_a_full_source_gives_the_place_of_its_oldest_connection_without_a_channel() -> None:
    crowd = Crowd(Limits(connections_per_source=3))
    for n in range(3):
        crowd.gate.enter(Sources.of(("192.0.2.1",)), lambda why, n=n: crowd.closed.append((str(n), why))).use(n == 0)  # type: ignore[misc]
    crowd.enter("192.0.2.1")
    assert crowd.gone == ["1"]
    crowd.enter("192.0.2.1")
    assert crowd.gone == ["1", "2"]
    with pytest.raises(TurnedAway):
        crowd.enter("192.0.2.1")


def test_whoever_waits_at_the_door_for_long_makes_room_for_the_next_of_the_same_source() -> None:
    """Ten idle sockets kept everybody behind one address out, for as long as somebody opened new ones."""
    crowd = Crowd(Limits(unauthenticated_per_source=2))
    crowd.knock("192.0.2.1", "first")
    crowd.knock("192.0.2.1", "second")
    crowd.refusal("192.0.2.1")
    crowd.now += PATIENCE_S
    crowd.knock("192.0.2.1")
    assert crowd.gone == ["first"]


# Several processes


def test_processes_count_together(tmp_path: Path) -> None:
    tally.create(tmp_path / "tally", 3)
    limits = Limits(unauthenticated=5, unauthenticated_per_source=3, connections_per_source=2)
    one, two, three = (Crowd(limits, tally=tally.Tally(tmp_path / "tally", number)) for number in range(3))
    left = one.knock("a")
    two.knock("a")
    three.knock("a")
    for crowd in (one, two, three):
        assert crowd.refusal("a") == (Reason.NOT_LOGGED_IN, {"count": 3})
    left.gave_up()
    two.knock("a")
    one.fill("b", "c")
    one.refusal("d")
    one.enter("a")
    inside = two.enter("a")
    with pytest.raises(TurnedAway):
        three.enter("a")
    inside.leave()
    three.enter("a")
    fresh = Crowd(limits, tally=tally.Tally(tmp_path / "tally", 2))
    fresh.enter("a")  # what a process counted goes with it


def test_a_process_sends_its_own_part_of_a_crowd_away(tmp_path: Path) -> None:
    tally.create(tmp_path / "tally", 2)
    limits = Limits(unauthenticated=8)
    one, two = (Crowd(limits, tally=tally.Tally(tmp_path / "tally", number)) for number in range(2))
    for n in range(4):
        one.knock(f"10.0.{n}.1")
        two.knock(f"10.0.{n}.1")  # of each source one here and one there: each looks alone as honest as anybody
    one.knock("198.51.100.1")
    assert one.gone == ["10.0.0.1"]
    assert two.gone == []


def test_a_process_that_holds_none_of_the_crowd_lets_in_its_own_share(tmp_path: Path) -> None:
    tally.create(tmp_path / "tally", 2)
    limits = Limits(unauthenticated=4)
    one, two = (Crowd(limits, tally=tally.Tally(tmp_path / "tally", number)) for number in range(2))
    one.fill(*attackers(2, each=2))
    two.fill("192.0.2.1", "192.0.3.1")
    assert two.refusal("192.0.4.1") == (Reason.CROWDED, {})


# On the wire


async def test_who_is_closed_for_others_reads_why_and_others_come_in() -> None:
    async with bare_listener(Limits(unauthenticated=4)) as bare:
        idle = []
        for n in (1, 1, 2, 2):
            idle.append(await asyncio.open_connection("127.0.0.1", bare.port, local_addr=(f"127.2.{n}.1", 0)))
            assert (await idle[-1][0].readline()).startswith(b"SSH-2.0-")
        assert (await bare.whoami())["source"] == "127.0.0.1"
        assert b"from no network are there more of those than from yours (127.2.1.1)" in await idle[0][0].read()
        refused = await asyncio.open_connection("127.0.0.1", bare.port, local_addr=("127.2.2.1", 0))
        refused_too = await asyncio.open_connection("127.0.0.1", bare.port, local_addr=("127.2.2.1", 0))
        assert b"are from your network (127.2.2.1)" in await refused_too[0].read()
        for _, writer in (*idle, refused, refused_too):
            writer.close()


async def test_who_is_turned_away_reads_it_in_their_client() -> None:
    async with bare_listener(Limits(unauthenticated_per_source=1)) as bare:
        _, writer = await asyncio.open_connection("127.0.0.1", bare.port)
        async with asyncio.timeout(240):
            while not bare.listener.gate.knocking:
                await asyncio.sleep(0)
        with pytest.raises(asyncssh.DisconnectError, match=r"from your address have not logged in yet \(1\)"):
            await asyncssh.connect("127.0.0.1", bare.port, known_hosts=None, config=None, client_keys=None)
        writer.close()


class Foreign:
    """A transport of another event loop: it has the methods, and not the base class."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


async def test_a_transport_of_another_event_loop_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transports were recognised by their class: under another loop every connection was refused, or got nothing."""
    made = NewConnection.connection_made
    monkeypatch.setattr(NewConnection, "connection_made", lambda self, transport: made(self, Foreign(transport)))  # type: ignore[arg-type]
    async with bare_listener() as bare, connect(bare) as connection:
        assert (await connection.run("whoami --json")).exit_status == 0

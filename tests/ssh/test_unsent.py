"""What clients have not read, in all: those with most of the greediest network go first."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.admission.unsent import UnsentBudget, victims
from server.config import Limits
from tests.hostile.attacking import Silent, pause_reading
from tests.ssh.bare import POURED_BYTES, bare_listener, connect
from tests.waiting import until


@dataclass(frozen=True)
class FakeReceiver:
    source: str
    waiting_bytes: int
    ended: list[str] = field(default_factory=list)

    def abort(self) -> None:
        """End at once."""
        self.ended.append(self.source)


def test_the_greediest_network_is_closed_first_and_there_whoever_has_most() -> None:
    greedy = [FakeReceiver(f"2001:db8:1:{n << 8:x}::1", 10 + n) for n in range(10)]
    honest = [FakeReceiver("192.0.2.1", 30), FakeReceiver("2001:db8:1:ffff::1", 1)]
    every = [(one, one.waiting_bytes) for one in (*honest, *greedy)]
    total = sum(size for _, size in every)
    assert victims(every, total) == []
    assert victims(every, total - 20) == [greedy[9], greedy[8]]
    assert victims(every, 0)[-1] == honest[1]


async def test_nothing_is_closed_within_the_bound() -> None:
    closed: list[FakeReceiver] = []
    readers = [FakeReceiver("192.0.2.1", 50), FakeReceiver("192.0.3.1", 50), FakeReceiver("192.0.4.1", 0)]
    await UnsentBudget(100, lambda: readers, closed.append).enforce()
    assert closed == []
    readers.append(FakeReceiver("192.0.2.1", 1))
    await UnsentBudget(100, lambda: readers, closed.append).enforce()
    assert closed == [readers[0]]


async def test_channels_that_nobody_read_held_memory_without_bound() -> None:
    """Each had its 0.8 MB for half a minute, and 1,250 of them the whole machine.

    What is poured waits in the channels, behind their windows: sockets take more or less of it on each machine.
    """
    cut: list[tuple[str, str]] = []
    limits = Limits(unsent_bytes=2 * POURED_BYTES, connections_per_source=100)
    async with bare_listener(limits, count=lambda kind, label: cut.append((kind, label))) as bare:
        honest = await connect(bare, local_addr=("127.0.0.8", 0))
        await honest.create_session(Silent, "wait", encoding=None)
        silent = [await connect(bare, local_addr=("127.0.0.9", 0)) for _ in range(6)]
        for connection in silent:
            await connection.create_session(Silent, "pour", encoding=None, window=2**16)
            pause_reading(connection)
        await until(lambda: len(bare.listener.clients) <= 3)
        assert {why for kind, why in cut if kind == "cut_off"} == {"unsent"}
        assert sum(one.link.waiting_bytes for one in bare.listener.clients) <= limits.unsent_bytes
        assert "127.0.0.8" in {one.link.source for one in bare.listener.clients}
        for connection in (honest, *silent):
            connection.abort()


async def test_what_browsers_had_not_read_did_not_count() -> None:
    page = FakeReceiver("127.0.0.9", 2**21)
    limits = Limits(unsent_bytes=2**20)
    cut: list[tuple[str, str]] = []
    async with bare_listener(limits, count=lambda kind, label: cut.append((kind, label)), others=(page,)):
        await until(lambda: bool(page.ended))
        assert ("cut_off", "unsent") in cut

"""A deterministic simulation of the match service: virtual time, a store that fails, processes that crash.

Everything that happens follows from one seed: when calls come through, which of them fail (before the commit, or after
it), which hints get lost, when a process dies. Players act through whatever process they reach and note what was
acknowledged; spectators note what they saw. At the end all of it is compared with the log.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sqlalchemy import URL, StaticPool, create_engine, event, make_url

from game.choices import draw
from game.contract import Seat, Watcher
from game.errors import GameError
from game.rng import Rng
from server.bus.bus import Exchange, Heard, Payload, Subscription
from server.errors import Refused
from server.matches.line import from_log
from server.matches.model import NewMatch
from server.matches.service import Matches
from server.matches.standing import Standing, after, first
from server.store import matches as store
from server.store import tables
from server.store.columns import metadata
from server.store.errors import NotSaved
from server.store.logwriter import LogWriter
from tests.clocks import FakeClock
from tests.matches.table import LIO, MIRA, SEED, TARN, FakeRater, InlinePool, _people

PLAYERS = (MIRA, TARN, LIO)
PROCESSES = 3


@dataclass
class Faults:
    """How often things go wrong; between 0 and 1."""

    refuse: float = 0.08  # the store refuses, nothing is stored
    lose_answer: float = 0.08  # it is stored, and the answer gets lost
    lose_hint: float = 0.4
    crash: float = 0.04  # of a process, each step


class SimulatedDatabase:
    """One database for all processes: runs on the loop, late and unreliably, as the seed has it."""

    is_sqlite = False

    def __init__(self, rng: Random, faults: Faults) -> None:
        self.url: URL = make_url("sqlite://")
        self._rng = rng
        self._faults = faults
        self._engine = create_engine(
            "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False, "isolation_level": None}
        )
        event.listen(self._engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        metadata.create_all(self._engine)
        with self._engine.begin() as connection:
            _people(connection)
            connection.execute(tables.counters.insert().values(name="finish", value=0))

    async def read(self, work: Any, *args: Any, **more: Any) -> Any:
        await self._delay()
        with self._engine.begin() as connection:
            return work(connection, *args, **more)

    async def write(self, work: Any, *args: Any, **more: Any) -> Any:
        await self._delay()
        if self._rng.random() < self._faults.refuse:
            raise NotSaved("simulated")
        with self._engine.begin() as connection:
            result = work(connection, *args, **more)
        await self._delay()
        if self._rng.random() < self._faults.lose_answer:
            raise NotSaved("simulated: answer lost")
        return result

    async def surely(self, work: Callable[..., Any], *args: Any) -> Any:
        """Read without any fault: for the checker."""
        with self._engine.begin() as connection:
            return work(connection, *args)

    async def _delay(self) -> None:
        for _ in range(self._rng.randrange(4)):
            await asyncio.sleep(0)

    async def close(self) -> None:
        self._engine.dispose()


@dataclass
class LossyBus:
    """Loses hints."""

    rng: Random
    faults: Faults
    is_connected: bool = True
    exchange: Exchange = field(default_factory=Exchange)

    async def start(self) -> None:
        return None

    async def close(self) -> None:
        return None

    def publish(self, topic: str, payload: Payload) -> None:
        if self.rng.random() >= self.faults.lose_hint:
            self.exchange.deliver_soon(topic, payload)

    def subscribe(self, topic: str, heard: Heard) -> Subscription:
        return self.exchange.subscribe(topic, heard)


@dataclass
class Process:
    """One server process."""

    matches: Matches
    writer: LogWriter


@dataclass
class History:
    """What people noted."""

    acknowledged: list[tuple[int, int, str]] = field(default_factory=list)  # seq, seat, action
    seen: list[tuple[int, Any]] = field(default_factory=list)  # seq, public view
    unreadable: list[str] = field(default_factory=list)  # why the log could not be folded
    crashes: int = 0


class Simulation:
    """One run."""

    def __init__(self, seed: int, faults: Faults | None = None) -> None:
        self.rng = Random(seed)
        self.faults = faults or Faults()
        self.clock = FakeClock()
        self.database = SimulatedDatabase(self.rng, self.faults)
        self.bus = LossyBus(self.rng, self.faults)
        self.history = History()
        self.processes: list[Process] = []
        self.match_id = ""

    async def run(self, steps: int = 60) -> list[str]:
        """Run, and return what is wrong (nothing, if all is well)."""
        quiet = Faults(0, 0, self.faults.lose_hint, 0)
        noisy, self.database._faults = self.faults, quiet
        for _ in range(PROCESSES):
            self.processes.append(await self._boot())
        match = await self.processes[0].matches.create(NewMatch("tiny", {}, PLAYERS, "normal", False, seed=SEED))
        self.match_id, self._begun = match.id, match
        self.database._faults = noisy
        for _ in range(steps):
            await self._step()
        self.database._faults = quiet
        for _ in range(8):  # until the house has done what was left to do, and everybody has looked once more
            await self.clock.advance(8)
            await self._look()
            stored = await self.database.surely(store.get, self.match_id)
            if all(seq == stored.last_seq for seq, _ in self.history.seen[-PROCESSES:]):
                break
        wrong = await self._check()
        for process in self.processes:
            await self._kill(process)
        return wrong

    async def _boot(self) -> Process:
        """Start a process; one that can't, because the store fails, is started again."""
        while True:
            writer = LogWriter(self.database, resolve_s=0.2)  # type: ignore[arg-type]
            process_id, pool = uuid.UUID(int=self.rng.getrandbits(128)).hex, InlinePool()
            parts: Any = (self.clock, self.database, writer, FakeRater(), pool, self.bus)
            process = Process(Matches(*parts, process_id=process_id), writer)
            writer.start()
            try:
                await process.matches.start()
            except Refused:
                await self._kill(process)
                continue
            return process

    async def _kill(self, process: Process) -> None:
        """End a process as kill -9 does: nothing is said, nothing is finished."""
        await process.matches.house.tasks.close()
        process.matches.hints.close()
        if process.writer._task is not None:
            process.writer._task.cancel()
            await asyncio.gather(process.writer._task, return_exceptions=True)

    async def _step(self) -> None:
        """Let a few people do something at once, time pass, and perhaps a process die in the middle of it."""
        doing = [asyncio.create_task(self._act()) for _ in range(self.rng.randrange(1, 5))]
        for _ in range(self.rng.randrange(6)):
            await asyncio.sleep(0)
        if self.rng.random() < self.faults.crash:
            index = self.rng.randrange(PROCESSES)
            await self._kill(self.processes[index])
            self.processes[index] = await self._boot()
            self.history.crashes += 1
        for _ in range(400):
            if all(task.done() for task in doing):
                break
            await asyncio.sleep(0)
        for task in doing:  # whose process died: nobody answers them any more
            task.cancel()
        await asyncio.gather(*doing, return_exceptions=True)
        await self._look()
        await self.clock.advance(self.rng.choice((0.1, 0.5, 2.0)))

    async def _act(self) -> None:
        """Do something on a seat, through some process; note it if it was acknowledged."""
        self.clock.shift(0.001)  # nobody does two things in one millisecond
        arrived = self.clock.now()
        process, seat = self.rng.choice(self.processes), Seat(self.rng.randrange(len(PLAYERS)))
        try:
            match = await process.matches.open(self.match_id)
            snapshot = match.snapshot(seat)
            if snapshot.pending is not None and self.rng.random() < 0.8:
                said = draw(snapshot.pending.choice, Rng(self.rng.randbytes(32)))[0].text
            else:
                said = self.rng.choice(("auto on", "auto off"))
            seq = await match.act(seat, said, snapshot.turn_seq, arrived)
        except (Refused, GameError):
            return
        self.history.acknowledged.append((seq, seat, said))

    async def _look(self) -> None:
        """A spectator looks, at every process."""
        for process in self.processes:
            try:
                match = await process.matches.open(self.match_id)
            except Refused:
                continue
            except GameError as error:
                self.history.unreadable.append(str(error))
                continue
            snapshot = match.snapshot(Watcher.PUBLIC)
            self.history.seen.append((snapshot.seq, snapshot.view))

    # The checker

    async def _check(self) -> list[str]:
        """Compare what people noted with the log."""
        stored = await self.database.surely(store.get, self.match_id)
        rows = await self.database.surely(store.log, self.match_id)
        wrong = [f"the log can't be read: {why}" for why in self.history.unreadable]
        if [row.seq for row in rows] != list(range(1, len(rows) + 1)) or stored.last_seq != len(rows):
            wrong.append("the log has a gap or a double")
        by_seq = {row.seq: row for row in rows}
        for seq, seat, said in self.history.acknowledged:
            row = by_seq.get(seq)
            if row is None or (row.seat, row.action) != (seat, said):
                wrong.append(f"acknowledged and lost: {seq} {seat} {said}")
        # The same answer to the same decision, sent through two processes, may be told to both.
        settings = [seq for seq, _, said in self.history.acknowledged if said.startswith("auto")]
        if len(set(settings)) != len(settings):
            wrong.append("two acknowledgements of one entry")
        wrong += self._check_views(rows)
        return wrong

    def _check_views(self, rows: list[Any]) -> list[str]:
        """Fold the log by hand: no entry may be illegal, and every spectator saw a moment of the truth."""
        match, views = self._begun, {}
        game, terms = match.line.game, match.terms
        standing: Standing
        standing, _ = first(game, terms.header, terms.speed, terms.started_at)
        views[0] = game.view(standing.fold.state, Watcher.PUBLIC)
        for row in rows:
            try:
                standing, _ = after(game, standing, from_log(row))
            except GameError as error:
                return [f"entry {row.seq} does not fit: {error}"]
            views[row.seq] = game.view(standing.fold.state, Watcher.PUBLIC)
        wrong = [
            f"a spectator saw what never was, at {seq}" for seq, view in self.history.seen if views.get(seq) != view
        ]
        last = [seq for seq, _ in self.history.seen[-PROCESSES:]]
        if any(seq != len(rows) for seq in last):
            wrong.append(f"a process is behind: {last} of {len(rows)}")
        return wrong


def simulate(seed: int, steps: int = 40) -> list[str]:
    """Run one seed from beginning to end."""
    return asyncio.run(Simulation(seed).run(steps))

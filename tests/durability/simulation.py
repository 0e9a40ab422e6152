"""A deterministic simulation of the match service: virtual time, a store that fails, processes that crash.

Everything that happens follows from one seed: how long each call takes to the store and back, which of them fail
(before the commit, or after it), which hints are lost, doubled or late, when a process dies or the store is down. The
service, the log writer and the tables are the real ones; only the way to the store and to the bus is the simulation's
(`failing.py`), and time (`virtual.py`). Players act through whatever process they reach and note what was
acknowledged; spectators note what they saw. At the end all of it is compared with the log (`notes.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import structlog.testing

from game.choices import draw, in_order
from game.contract import Seat, Viewer, Watcher
from game.errors import GameError
from game.rng import Rng
from server.accounts.conduct import Conduct
from server.chat.chat import Chat
from server.config import Limits
from server.errors import Refused
from server.matches.agreement import Agreement
from server.matches.deadlines import due_at
from server.matches.errors import MatchUnreadable
from server.matches.match import Match
from server.matches.matches import Matches
from server.matches.matchlog import MatchLog
from server.matches.model import AnyViewerState, NewMatch
from server.matches.playable import terms_of
from server.matches.terms import Terms, to_store
from server.presence.connections import Connections
from server.presence.presence import Presence
from server.ratings.ratings import Ratings
from server.store import arrangements
from server.store import matches as store
from server.store.errors import StoreUnavailable
from server.store.logwriter import LogWriter
from tests.durability.failing import CALM, Box, Faults, Post, Store, StoreClient
from tests.durability.notes import RESIGN, Notes, Press, Sight, Stored, Wrong, check
from tests.durability.virtual import Group, NothingWillHappen, VirtualClock, VirtualLoop
from tests.matches.table import EASY, LIO, MIRA, TARN, InlinePool

PROCESSES = 3
STEPS = 80
RESIGNS = 0.01  # of what people do
COMPLAINTS = ("error", "critical")  # levels of the service's own log that no fault here may bring about
AGAIN = 2  # how often an answer that was not stored is sent again
SOON, LATER, LONG = (
    (0.0, 0.001, 0.001, 0.002, 0.005),
    (0.01, 0.03, 0.1, 0.25),
    (0.8, 3.0, 11.0),
)  # seconds between steps
THINKING = (0.0, 0.001, 0.004, 0.02, 0.1, 0.5)  # seconds between what one sees and the key


@dataclass(frozen=True)
class Chances:
    """How often something happens in a step of the simulation; the rest are players."""

    crash: float = 0.02  # of one process; another takes its place
    down: float = 0.004  # the store is down for a while
    look: float = 0.12  # a spectator looks, at every process
    long: float = 0.0  # it is long until the next step: times run out


@dataclass
class Process:
    """One server process."""

    name: str
    group: Group
    matches: Matches


@dataclass(frozen=True)
class Outcome:
    """What came of one run: what is wrong (nothing, if all is well), what happened, and a digest of all of it."""

    wrong: list[Wrong]
    counts: Counter[str]
    digest: str


class Simulation:
    """One run."""

    def __init__(self, seed: int, loop: asyncio.AbstractEventLoop, faults: Faults | None = None) -> None:
        self.rng = Random(seed)
        self.faults = faults or Faults()
        self.chances = Chances(long=self.rng.choice((0.0, 0.0, 0.0, 0.0, 0.05)))
        self.clock = VirtualClock(loop)
        self.store = Store(self.rng, CALM)
        self.post = Post(self.store)
        self.notes = Notes()
        self.counts = self.store.counts
        self.processes: list[Process] = []
        self.terms: list[Terms] = []
        self.stored: list[Stored] = []  # in the end
        self._running: list[Terms] = []  # the matches that nobody has seen end
        self._booted = 0
        self._moment = 0  # milliseconds; of the last key
        self._acknowledged: Counter[str] = Counter()  # by match, the newest entry that somebody was told of

    async def run(self, steps: int = STEPS) -> list[Wrong]:
        """Run, and return what is wrong."""
        self._begin_matches()
        for _ in range(PROCESSES):
            self.processes.append(await self._boot())
        self.store.faults = self.faults
        people = Group()
        for _ in range(steps):
            await self._step(people)
            if not self._running:
                break
        await asyncio.sleep(0.6)  # who still tries has done so
        self.store.faults, self.store.down_until = CALM, 0.0
        await self._settle()
        await people.kill()
        self.stored = [self._stored(terms) for terms in self.terms]
        wrong = check(self.notes, self.stored) + self._count_finished(self.stored)
        for process in self.processes:
            await self._kill(process)
        return wrong

    def _begin_matches(self) -> None:
        """Store two matches of the same people; in some runs a bot holds a seat of the second."""
        third = self.rng.choice((LIO, EASY))
        for number, players in enumerate(((MIRA, TARN, LIO), (TARN, MIRA, third))):
            options, speed = {"rounds": self.rng.choice((1, 2, 4, 9))}, self.rng.choice(("fast", "normal"))
            new = NewMatch(Agreement("tiny", options=options, speed=speed), players, seed=self.rng.randbytes(32))
            drawn = terms_of(new, self.clock)
            terms = Terms(
                **{**{name: getattr(drawn, name) for name in Terms.__slots__}, "id": f"match{number}", "chance": b""}
            )
            deadline = due_at(terms, MatchLog(terms).head)
            self.store.run(arrangements.create, to_store(terms, deadline), terms.arrangement, None)
            self.terms.append(terms)
        self._running = list(self.terms)

    # Processes

    async def _boot(self) -> Process:
        """Start a process; one that can't start, because the store fails, is started again."""
        while True:
            self._booted += 1
            name, group = f"process{self._booted}", Group()
            client, box = StoreClient(self.store, group, name), Box(self.post, group)
            writer = LogWriter(client, resolve_s=0.2)
            presence = Presence(Connections(name))
            ratings, conduct = Ratings(client, self.clock), Conduct(client, self.clock)
            chat = Chat(client, self.clock, box, Limits(), conduct.mute_of)
            parts = Matches(self.clock, client, writer, ratings, InlinePool(), chat, conduct, box, presence=presence)
            process = Process(name, group, parts)
            try:
                await group.start(_start(process, writer))
            except StoreUnavailable:
                await self._kill(process)
                await asyncio.sleep(0.5)
                continue
            self.post.boxes[name] = box
            return process

    async def _kill(self, process: Process) -> None:
        """End a process as kill -9 does: nothing is said, nothing is finished, whatever it was doing."""
        self.post.boxes.pop(process.name, None)
        await process.group.kill()

    async def _crash(self) -> None:
        self.counts["crashes"] += 1
        index = self.rng.randrange(PROCESSES)
        await self._kill(self.processes[index])
        self.processes[index] = await self._boot()

    # What people do

    async def _step(self, people: Group) -> None:
        """Let a moment pass, then let one thing happen beside all that is under way."""
        rng = self.rng
        span = rng.random()
        await asyncio.sleep(rng.choice(LONG if span < self.chances.long else LATER if span < 0.3 else SOON))
        self.counts["steps"] += 1
        chance, chances = rng.random(), self.chances
        if chance < chances.crash:
            await self._crash()
        elif chance < chances.crash + chances.down:
            self.counts["store down"] += 1
            self.store.down_until = asyncio.get_running_loop().time() + rng.choice((0.2, 1.0, 4.0))
        elif chance < chances.crash + chances.down + chances.look:
            await self._look()
        else:
            terms = rng.choice(self._running or self.terms)
            people.start(self._play(terms, rng.choice(terms.people))).add_done_callback(self._played)

    def _played(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.notes.wrong.append(Wrong("error", f"the service raised {error!r}"))

    async def _play(self, terms: Terms, seat: Seat) -> None:
        """Look at a match, decide something, and send it, again where it was not stored."""
        rng = self.rng
        seen = await self._through(terms, self._see, seat)
        if not seen:
            return
        chance = rng.random()
        if chance < RESIGNS:
            said = RESIGN
        elif seen.pending is not None and chance < 0.9:
            said = in_order(seen.pending.choice, draw(seen.pending.choice, Rng(rng.randbytes(32)))[0]).text
        else:
            said = rng.choice(("auto on", "auto off"))
        await asyncio.sleep(rng.choice(THINKING))
        for _ in range(1 + AGAIN):
            press = await self._press(terms.id, seat, said, seen.turn_seq)
            answer = await self._through(terms, self._send, press)
            if answer is not None:
                return

    async def _through(self, terms: Terms, do: Any, what: Any) -> Any:
        """Do something with a match at some process; None where that dies or its store does not answer."""
        process = self.rng.choice(self.processes)
        if process.group.is_dead:
            await asyncio.sleep(self.rng.choice(THINKING))  # nobody answers there; another takes its place soon
            return None
        task = process.group.start(do(process, terms, what))
        await asyncio.wait([task])
        return None if task.cancelled() else task.result()

    async def _see(self, process: Process, terms: Terms, viewer: Viewer) -> AnyViewerState | bool | None:
        """Look at a match, and note it; None: the store does not answer. False: the log can't be read."""
        try:
            seen = (await process.matches.open(terms.id)).snapshot(viewer)
        except StoreUnavailable:
            return None
        except (GameError, MatchUnreadable) as error:
            self.notes.wrong.append(Wrong("unfit", f"{process.name} can't read {terms.id}: {error}"))
            return False
        self._note_sight(process.name, seen)
        return seen

    async def _press(self, match: str, seat: Seat, said: str, turn_seq: int) -> Press:
        """Press a key, in a millisecond of its own."""
        now = asyncio.get_running_loop().time() * 1000
        self._moment = max(self._moment + 1, math.ceil(now))
        await asyncio.sleep((self._moment - now) / 1000)
        press = Press(match, seat, said, turn_seq, self.clock.now(), self._acknowledged[match])
        self.notes.presses.append(press)
        self.counts["sent"] += 1
        return press

    async def _send(self, process: Process, terms: Terms, press: Press) -> bool | None:
        """Let a process act for a player; None: it could not, and it may be tried again."""
        try:
            match = await process.matches.open(press.match)
            if press.said == RESIGN:
                press.acknowledged = await match.resign(press.seat)
            else:
                press.acknowledged = await match.act(press.seat, press.said, press.turn_seq, press.at)
        except StoreUnavailable:
            self.counts["not saved"] += 1
            return None
        except (Refused, GameError) as error:
            self.counts[f"refused: {error.key}"] += 1
            return False
        self.counts["acknowledged"] += 1
        self.store.trace.append(f"{process.name} acknowledged {press}")
        self._acknowledged[press.match] = max(self._acknowledged[press.match], press.acknowledged)
        if press.acknowledged > self.store.last_seq(press.match):
            self.notes.wrong.append(Wrong("early", f"acknowledged before it was stored: {press}"))
        return True

    # What spectators see

    async def _look(self) -> None:
        """A spectator looks, at every process that has the match at hand, and reads on in the stream of events."""
        for process, match in self._opened():
            self._note_sight(process.name, match.snapshot(Watcher.PUBLIC))
            self._read_on(process, match)

    def _read_on(self, process: Process, match: Match) -> None:
        stream = self.notes.streams.setdefault((match.id, process.name), [])
        stream += match.events(Watcher.PUBLIC, stream[-1].seq if stream else -1)

    def _note_sight(self, process: str, seen: AnyViewerState) -> None:
        sight = Sight(seen.match, process, seen.viewer, seen.seq, seen.view, self.store.last_seq(seen.match))
        self.notes.sights.append(sight)
        if seen.status == "finished":
            self._running = [terms for terms in self._running if terms.id != seen.match]
        self.store.trace.append(f"{process} showed {seen.match} {seen.seq}")

    # The end

    async def _settle(self) -> None:
        """Wait until the server has done what was left to do, and every process has looked at the log once more."""
        for process in self.processes:
            for terms in self.terms:
                while await process.group.start(self._see(process, terms, Watcher.PUBLIC)) is None:
                    await asyncio.sleep(0.1)  # what failed before is not over yet
        for _ in range(40):
            await asyncio.sleep(0.2)
            if all(match.live.log.head.seq == self.store.last_seq(match.id) for _, match in self._opened()):
                break
        await self._look()

    def _opened(self) -> Iterator[tuple[Process, Match]]:
        for process in self.processes:
            for terms in self.terms:
                if (match := process.matches.opened(terms.id)) is not None:
                    yield process, match

    def _stored(self, terms: Terms) -> Stored:
        row = self.store.run(store.get, terms.id)
        entries = tuple(self.store.run(store.log, terms.id))
        ends = {process.name: match.live.log.head for process, match in self._opened() if match.id == terms.id}
        return Stored(terms, row, entries, ends)

    def _count_finished(self, stored: list[Stored]) -> list[Wrong]:
        """Every match that ended did so once."""
        ended = sorted(one.row.finish_no for one in stored if one.row.finish_no is not None)
        self.counts["finished"] += len(ended)
        self.counts["entries"] += sum(len(one.entries) for one in stored)
        self.counts["timeouts"] += sum(row.kind == "timeout" for one in stored for row in one.entries)
        self.counts["resignations"] += sum(row.kind == RESIGN for one in stored for row in one.entries)
        self.counts["credits"] += sum(row.kind == "clock_credited" for one in stored for row in one.entries)
        return [] if ended == list(range(1, len(ended) + 1)) else [Wrong("row", f"places by their ends: {ended}")]


async def _start(process: Process, writer: LogWriter) -> None:
    writer.start()
    await process.matches.start()


@contextmanager
def one_run(seed: int, faults: Faults | None = None) -> Iterator[tuple[Simulation, Callable[[int], Outcome]]]:
    """Prepare a run; what is called with a number of steps runs it, once."""
    with structlog.testing.capture_logs() as logged, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        run = Simulation(seed, runner.get_loop(), faults)

        def begin(steps: int) -> Outcome:
            try:
                wrong = runner.run(run.run(steps))
            except NothingWillHappen as error:
                wrong = [*run.notes.wrong, Wrong("stopped", repr(error))]
            return _outcome(
                run, [*wrong, *(_complaint(matchlog) for matchlog in logged if matchlog["log_level"] in COMPLAINTS)]
            )

        yield run, begin


def _complaint(matchlog: Any) -> Wrong:
    return Wrong("error", f"the service says {matchlog}")


def _outcome(run: Simulation, wrong: list[Wrong]) -> Outcome:
    run.counts["virtual seconds"] = round(run.clock.monotonic())
    trace = "\n".join((*run.store.trace, *map(repr, wrong), repr(sorted(run.counts.items()))))
    return Outcome(wrong, run.counts, hashlib.sha256(trace.encode()).hexdigest())


def simulate(seed: int, steps: int = STEPS) -> Outcome:
    """Run one seed from beginning to end."""
    with one_run(seed) as (_, begin):
        return begin(steps)

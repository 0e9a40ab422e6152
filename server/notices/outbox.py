"""What waits to be sent: a bounded queue for each host, a budget a minute, and longer pauses after failures.

A host that does not answer pauses for all its topics. One that refuses for now refuses that topic: people name topics
that do so on purpose, and others' notices must not wait for these.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from server.clock import Clock
from server.log import get_logger
from server.noticehosts import Topic
from server.notices.errors import NotPosted
from server.tasks import Tasks
from server.tokenbucket import Bucket

log = get_logger("notices")
MOST_WAITING = 200  # of a host; the oldest go first
PER_MIN = 60  # requests to a host
PAUSES_S = (5.0, 30.0, 120.0, 600.0)  # after so many failures in a row
MOST_TRIES = 3  # of one notice
Post = Callable[[Topic, str, str], Awaitable[None]]


@dataclass(slots=True)
class QueuedNotice:
    """A notice that waits. `is_wanted` is asked just before it goes out."""

    topic: Topic
    title: str
    text: str
    is_wanted: Callable[[], Awaitable[bool]]
    tries: int = 0

    def failed(self) -> None:
        """Count a try."""
        self.tries += 1


@dataclass(slots=True)
class _Lane:
    waiting: deque[QueuedNotice]
    budget: Bucket
    failures: int = 0
    is_running: bool = False
    refused: int = 0  # notices that wait until their topic may take them

    def begins(self) -> bool:
        """Begin to run; tell whether it did not yet."""
        was, self.is_running = self.is_running, True
        return not was

    def ended(self) -> None:
        self.is_running = False

    def failed(self) -> None:
        self.failures += 1

    def postpones(self, by: int) -> None:
        """Count one more, or one less, that was refused."""
        self.refused += by

    def worked(self) -> None:
        self.failures = 0


@dataclass(slots=True)
class Outbox:
    """Sends notices, one at a time to each host; a host that does not answer delays no other."""

    clock: Clock
    post: Post
    tasks: Tasks = field(default_factory=Tasks)
    _lanes: dict[str, _Lane] = field(default_factory=dict)

    def put(self, waiting: QueuedNotice) -> None:
        """Send a notice when its turn comes."""
        host = waiting.topic.host
        name = f"{host.name}:{host.port}"
        if name not in self._lanes:
            budget = Bucket(PER_MIN / 60, PER_MIN, self.clock.monotonic())
            self._lanes[name] = _Lane(deque(maxlen=MOST_WAITING), budget)
        lane = self._lanes[name]
        lane.waiting.append(waiting)
        if lane.begins():
            self.tasks.spawn(self._run(name, lane), f"notices to {name}")

    async def _run(self, name: str, lane: _Lane) -> None:
        try:
            while lane.waiting:
                if pause := lane.budget.try_take(1, self.clock.monotonic()):
                    await self.clock.sleep(pause)
                    continue
                await self._send(name, lane, lane.waiting.popleft())
        finally:
            lane.ended()

    async def _send(self, name: str, lane: _Lane, one: QueuedNotice) -> None:
        if not await one.is_wanted():
            return
        try:
            await self.post(one.topic, one.title, one.text)
        except NotPosted as error:
            log.info("notice.not-sent", host=name, why=error.why, tries=one.tries + 1)
            one.failed()
            if error.is_answer:
                lane.worked()
                if not error.is_final and one.tries < MOST_TRIES and lane.refused < MOST_WAITING:
                    lane.postpones(1)
                    self.tasks.spawn(self._again(lane, one), f"notice to {name}, again")
                return
            lane.failed()
            if one.tries < MOST_TRIES and len(lane.waiting) < MOST_WAITING:
                lane.waiting.appendleft(one)
            await self.clock.sleep(PAUSES_S[min(lane.failures, len(PAUSES_S)) - 1])
        else:
            lane.worked()

    async def _again(self, lane: _Lane, one: QueuedNotice) -> None:
        """Send what was refused behind the others, after a pause."""
        try:
            await self.clock.sleep(PAUSES_S[min(one.tries, len(PAUSES_S)) - 1])
        finally:
            lane.postpones(-1)
        self.put(one)

    async def close(self) -> None:
        """Send no more; what waits is lost."""
        await self.tasks.close()

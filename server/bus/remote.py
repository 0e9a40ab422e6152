"""What both network buses share: outbox, wire format, reconnecting."""

from __future__ import annotations

import asyncio
import secrets
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from server.bus.bus import Exchange, Heard, Payload, TopicListener
from server.bus.seal import SEAL_BYTES, BadSeal, Seal
from server.clock import Clock
from server.log import ThrottledWarning, get_logger

log = get_logger("bus")
OUTBOX = 10_000  # hints waiting for a connection; the oldest are dropped, since readers also poll
AT_ONCE = 100
GATHER_S, GATHER_MOST_S = 0.02, 0.1  # between two messages, for each hint in the last one, and at most
MAX_BYTES = 7_500  # PostgreSQL takes 8,000
CHANNEL = "patchbay"
PING_S = 5.0  # between two questions whether the connection is still there
TIMEOUT_S = 5.0  # of connecting, and of an answer
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 3.0
Hints = list[tuple[str, dict[str, Any]]]  # topics and payloads
Refused = Callable[[str], None]  # why a message is not believed


class RemoteBus(ABC):
    """Delivers to this process at once, to the others through `serve`, one task that lives as long as the bus."""

    outages: ClassVar[tuple[type[Exception], ...]]  # what `serve` raises when the connection is lost

    def __init__(self, key: bytes, clock: Clock, refused: Refused | None = None) -> None:
        """`key`: shared by the processes of this server, which alone are believed; `refused`: told of all others."""
        self.is_connected = False
        self.lost_because = ""  # why there was last no connection
        self.sender = secrets.token_hex(8)
        self._begins = f'["{self.sender} '.encode()
        self._seal = Seal(key, clock, self.sender)
        self._monotonic = clock.monotonic
        self._refused = refused
        self._warnings: dict[str, ThrottledWarning] = {}
        self._lost = ThrottledWarning(log, clock.monotonic)
        self._is_told = False  # the log says that the connection is lost
        self._exchange = Exchange()
        self._outbox: deque[tuple[str, Payload]] = deque(maxlen=OUTBOX)
        self._news = asyncio.Event()
        self._sent_at, self._sent = float("-inf"), 0  # when, and how many hints
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to connect; returns at once, even if nothing answers."""
        self._task = asyncio.create_task(self._run(), name="bus")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def publish(self, topic: str, payload: Payload) -> None:
        self._exchange.deliver_soon(topic, payload)
        self._outbox.append((topic, payload))
        self._news.set()

    def subscribe(self, topic: str, heard: Heard) -> TopicListener:
        return self._exchange.subscribe(topic, heard)

    async def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while True:
            try:
                await self.serve()
            except* self.outages as lost:
                self.lost_because = _reason(lost)
                self._is_told |= self._lost.say("bus.lost", why=self.lost_because)
            except* Exception as failed:  # the guard of the bus: the server goes on without it and tries again
                self.lost_because = _reason(failed)
                log.exception("bus.failed")
            pause = FIRST_PAUSE_S if self.is_connected else min(pause * 2, LONGEST_PAUSE_S)
            self.is_connected = False
            await asyncio.sleep(pause)

    @abstractmethod
    async def serve(self) -> None:
        """Connect, call `connected`, carry hints both ways; raise when the connection is lost."""

    def connected(self) -> None:
        """Note that the connection is there; the log says so where it said that it was lost."""
        self.is_connected = True
        if self._is_told:
            self._is_told = False
            log.info("bus.back")

    async def wait_for_news(self, timeout_s: float) -> None:
        """Return when there is something to send, or after `timeout_s`.

        The first hint after a silence goes at once. What comes soon after something was sent is gathered, the longer
        the more there is to tell: each message costs the sender, the server in between and every other process about as
        much as an action itself.
        """
        pause = self._sent_at + min(GATHER_S * self._sent, GATHER_MOST_S) - asyncio.get_running_loop().time()
        if pause > 0:
            await asyncio.sleep(pause)
        try:
            async with asyncio.timeout(timeout_s):
                await self._news.wait()
        except TimeoutError:
            return

    def take_messages(self) -> list[bytes]:
        """Take the waiting hints, packed into messages of at most `MAX_BYTES`."""
        self._news.clear()
        messages: list[bytes] = []
        self._sent = len(self._outbox)
        while self._outbox:
            hints = [self._outbox.popleft() for _ in range(min(AT_ONCE, len(self._outbox)))]
            messages.extend(self._packed(hints))
        if messages:
            self._sent_at = asyncio.get_running_loop().time()
        return messages

    def _packed(self, hints: list[tuple[str, Payload]]) -> list[bytes]:
        packed = msgspec.json.encode(hints)
        if len(packed) <= MAX_BYTES - SEAL_BYTES:
            return [self._seal.close(packed)]
        if len(hints) == 1:
            log.error("bus.too_long", topic=hints[0][0])
            return []
        half = len(hints) // 2
        return self._packed(hints[:half]) + self._packed(hints[half:])

    def receive(self, message: str | bytes) -> None:
        """Deliver a message of another process of this server; whatever else is written to the bus is dropped."""
        read = message.encode() if isinstance(message, str) else message
        if read.startswith(self._begins):
            return  # its own
        try:
            hints = msgspec.json.decode(self._seal.open(read), type=Hints)
        except BadSeal as error:
            self._refuse(error.why)
        except (msgspec.DecodeError, ValueError, RecursionError):  # of a release that speaks otherwise
            self._refuse("unreadable")
        else:
            for topic, payload in hints:
                self._exchange.deliver(topic, payload)

    def _refuse(self, why: str) -> None:
        """Count a message that is not believed; the log says it once a minute."""
        if why not in self._warnings:
            self._warnings[why] = ThrottledWarning(log, self._monotonic)
        self._warnings[why].say("bus.refused", why=why)
        if self._refused is not None:
            self._refused(why)


def _reason(errors: ExceptionGroup[Exception]) -> str:
    """Return the first of them in one line."""
    first = errors.exceptions[0]
    return " ".join(f"{type(first).__name__}: {first}".split())

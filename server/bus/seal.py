"""Seals of messages on a bus: which are of this server's processes, fresh, and heard for the first time.

Whoever reaches the Redis or the database may write to the bus, and repeat what was written to it. So each message
names its sender, its number and its moment, and bears an HMAC-SHA256 over these and its hints, under a key that the
processes share through the database. A message reads `["SENDER NUMBER MOMENT MAC",HINTS]`, the moment in milliseconds
since 1970; processes of a release without seals take the first text for a sender's name, and read the rest.
"""

from __future__ import annotations

import hmac
import re
from datetime import timedelta

from server.clock import Clock
from server.store.columns import EPOCH

FRESH_MS = 30_000  # for how long a message may be under way, or clocks may differ
MILLISECOND = timedelta(milliseconds=1)
SEALED = re.compile(rb'\["([0-9a-f]{16}) (\d{1,15}) (\d{1,15}) ([0-9a-f]{64})",(\[.*\])\]', re.DOTALL)
SEAL_BYTES = 16 + 15 + 15 + 64 + 3 + len('["",]')  # at most


REFUSALS = ("unsigned", "forged", "stale", "repeated", "unreadable")  # why a message is not believed


class BadSeal(Exception):
    """A message that no process of this server has just sent: `unsigned`, `forged`, `stale` or `repeated`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Seal:
    """Seals what one process sends, and opens what it hears."""

    def __init__(self, key: bytes, clock: Clock, sender: str) -> None:
        """`key`: shared by all processes of the server; `sender`: 16 hexadecimal digits, drawn by this process."""
        self._key = key
        self._clock = clock
        self._sender = sender
        self._sent = 0
        self._began = self._now_ms()
        self._last: dict[str, tuple[int, int]] = {}  # by sender: number and moment of the last message heard

    def close(self, hints: bytes) -> bytes:
        """Return a message that carries `hints`."""
        self._sent += 1
        stamp = f"{self._sender} {self._sent} {self._now_ms()}".encode()
        return b'["%b %b",%b]' % (stamp, self._mac(stamp, hints), hints)

    def open(self, message: bytes) -> bytes:
        """Return the hints of a message of another process, each message once. Raises BadSeal.

        Messages of a sender arrive in their order. What was sent before this process began is as stale as what was
        under way for too long: of neither is remembered whether it was heard.
        """
        read = SEALED.fullmatch(message)
        if read is None:
            raise BadSeal("unsigned")
        hints = read[5]
        if not hmac.compare_digest(read[4], self._mac(message[2 : read.end(3)], hints)):
            raise BadSeal("forged")
        sender, number, moment = read[1].decode(), int(read[2]), int(read[3])
        now = self._now_ms()
        if not max(self._began, now - FRESH_MS) <= moment <= now + FRESH_MS:
            raise BadSeal("stale")
        if number <= self._last.get(sender, (0, 0))[0]:
            raise BadSeal("repeated")
        if sender not in self._last:
            self._last = {one: last for one, last in self._last.items() if last[1] >= now - FRESH_MS}
        self._last[sender] = number, moment
        return hints

    def _mac(self, stamp: bytes, hints: bytes) -> bytes:
        return hmac.digest(self._key, stamp + b" " + hints, "sha256").hex().encode()

    def _now_ms(self) -> int:
        return (self._clock.now() - EPOCH) // MILLISECOND

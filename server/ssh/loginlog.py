"""The log of logins: a line for each, and one a minute and source for those that fail."""

from __future__ import annotations

import asyncio
from collections import Counter

from server.log import get_logger
from server.ssh.auth import ProvenKey

log = get_logger("ssh")
TELL_EVERY_S = 60.0
LINES_EACH = 10  # logins of one source a minute with a line of their own
SOURCES = 100  # sources a minute with a line of their own; the others share one
MOST_SOURCES = 20_000  # sources that are counted separately


class LoginLog:
    """Counts the outcomes of connections and logs them every minute."""

    def __init__(self) -> None:
        self._logins: Counter[str] = Counter()
        self._others: dict[str, Counter[str]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def succeeded(self, source: str, key: ProvenKey | None) -> None:
        """Note a login; the first ones of a source have a line each."""
        self._wake()
        outcome = "guest" if key is None else "key"
        if self._logins[source] < LINES_EACH and len(self._logins) < MOST_SOURCES:
            self._logins[source] += 1
            log.info("login", outcome=outcome, key=key and key.fingerprint, source=source)
        else:
            self._count(source, outcome)

    def failed(self, source: str, outcome: str) -> None:
        """Note a connection that did not log in, and why."""
        self._wake()
        self._count(source, outcome)

    def _count(self, source: str, outcome: str) -> None:
        if source not in self._others and len(self._others) >= MOST_SOURCES:
            source = ""
        self._others.setdefault(source, Counter())[outcome] += 1

    def _wake(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_EVERY_S, self.flush)

    def flush(self) -> None:
        """Log the counts, the largest first, and reset them."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        others, self._others = self._others, {}
        self._logins.clear()
        rest = others.pop("", Counter())
        ranked = sorted(others.items(), key=lambda one: one[1].total(), reverse=True)
        for source, counted in ranked[:SOURCES]:
            log.info("logins", source=source, **_fields(counted))
        for _, counted in ranked[SOURCES:]:
            rest.update(counted)
        if rest:
            log.info("logins", source="others", sources=max(0, len(ranked) - SOURCES), **_fields(rest))


def _fields(counted: Counter[str]) -> dict[str, int]:
    return {f"n_{outcome}": n for outcome, n in sorted(counted.items())}

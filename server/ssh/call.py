"""One request of a client: a command line or a shell, who asks, and its three streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from time import thread_time
from typing import Any

import msgspec

from server.accounts.identity import Identity
from server.ssh.limits import Rates, Turns, source_key
from server.ssh.outlet import Inlet, Outlet
from server.ssh.sharedscreen import OwnScreen
from server.tui.i18n import from_locale

ENCODER = msgspec.json.Encoder()
SLICE_S = 0.005  # CPU seconds of one command before others get their turn


class Exit(IntEnum):
    """How a command ends (interface.md, section 4)."""

    OK = 0
    REFUSED = 1
    USAGE = 2
    NOT_FOUND = 3
    NOT_ALLOWED = 4
    RATE_LIMITED = 5
    DRAINING = 75
    INTERRUPTED = 130


def to_json(value: Mapping[str, Any] | list[Any]) -> bytes:
    """Return one line of JSON, without its end."""
    return ENCODER.encode(value)


@dataclass
class Call:
    """What a command gets. stdout carries data only; everything for people's eyes that is no answer is stderr."""

    identity: Identity
    command: str | None  # None: a shell
    env: Mapping[str, str]
    screen: OwnScreen | None  # a terminal was asked for
    outlet: Outlet
    inlet: Inlet
    session: str  # an id for logs and presence
    rates: Rates
    turns: Turns = field(default_factory=Turns)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    on_announcement: Callable[[str], None] | None = None  # what an admin tells everybody
    on_roles: Callable[[frozenset[str]], None] | None = None  # a role was given or taken
    on_blocks: Callable[[], None] | None = None  # whom the person has blocked is not the same any more
    on_report: Callable[[], None] | None = None  # something was reported
    send_home: Callable[[str, int], None] | None = None  # ends the session with a sentence and an exit status
    _turn_began: float = field(default=0.0, init=False)

    def rate(self, limit: str, per_min: float) -> float:
        """Count one against a limit of the caller's source; return 0, or the seconds to wait."""
        return self.rates.count(limit, source_key(self.identity.source), per_min)

    @property
    def language(self) -> str:
        """Return the language the client's environment asks for: `en`, `zh_CN` or `zh_TW`."""
        said = self.env.get("LC_ALL") or self.env.get("LC_MESSAGES") or self.env.get("LANG") or ""
        return from_locale(said)

    def put(self, text: str) -> None:
        """Write to stdout without waiting."""
        self.outlet.write(self._line_ends(text).encode("utf-8", "replace"))

    async def out(self, text: str) -> None:
        """Write a line to stdout; wait while the client does not keep up, and now and then for others' turns."""
        self.put(text + "\n")
        if self.outlet.paused:
            await self.outlet.drain()
        await self.give_way()

    async def give_way(self) -> None:
        """Let others have their turn, if this command has had its own."""
        if thread_time() - self._turn_began > SLICE_S:
            await self.turns.give()
            self._turn_began = thread_time()

    async def out_json(self, value: Mapping[str, Any]) -> None:
        """Write one object as a line to stdout."""
        await self.out(to_json(value).decode())

    def err(self, text: str) -> None:
        """Write a line to stderr."""
        self.outlet.write(self._line_ends(text + "\n").encode("utf-8", "replace"), to_stderr=True)

    def _line_ends(self, text: str) -> str:
        return text.replace("\n", "\r\n") if self.screen is not None else text

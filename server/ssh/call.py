"""One request of a client: a command line or a shell, who asks, and its three streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time
from typing import Any

import msgspec

from game.printable import escaped, printable
from server.accounts.identity import Identity
from server.address import LOCAL, Address
from server.errors import Refused
from server.i18n.catalogues import from_locale
from server.roundrobin import RoundRobin
from server.ssh.streams import ChannelWriter, LineReader
from server.terminal.lineterminal import LineTerminal
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import client_term
from server.tokenbucket import Rates

ENCODER = msgspec.json.Encoder()
PIPE_SIZE = (120, 24)  # columns and rows of what is no terminal
SLICE_S = 0.005  # CPU seconds of one command's time slice


def to_json(value: Mapping[str, Any] | list[Any]) -> bytes:
    """Return one line of JSON without a line end; what a terminal must not get as it is, is escaped."""
    line = ENCODER.encode(value)
    return line if line.isascii() and b"\x7f" not in line else escaped(line.decode()).encode()


def locale_of(env: Mapping[str, str]) -> str:
    """Return the locale that an environment names for messages; empty: none."""
    return env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""


def language_of(env: Mapping[str, str]) -> str:
    """Return the language that an environment asks for."""
    return from_locale(locale_of(env))


class Audience:
    """What a served session hears of admins' orders and of its person's other sessions."""

    def announced(self, text: str) -> None:
        """Hear what an admin tells everybody."""

    def roles_changed(self, roles: frozenset[str]) -> None:
        """Hear which roles the person has from now on."""

    def renamed(self, name: str) -> None:
        """Hear that the person has another handle now."""

    def muted(self, refused: Refused | None) -> None:
        """Hear why the person may not speak from now on; None: they may again."""

    def reported(self) -> None:
        """Hear that something was reported; only moderators do."""

    def blocks_changed(self) -> None:
        """Hear that the person has blocked or unblocked an account."""

    def following_changed(self) -> None:
        """Hear that the person follows others than before, or that one of them has another handle."""

    def wish_came_true(self, name: str, tell: str) -> None:
        """Hear that somebody whom the person waited for is here, or plays."""

    def visibility_changed(self, is_invisible: bool) -> None:
        """Hear that the person does not want to be seen connected, or does again."""

    def written_to(self, message_id: int) -> None:
        """Hear that somebody has written to the person: in the message of this number."""

    def language_changed(self) -> None:
        """Hear that the person has chosen another language, perhaps in another session."""

    def guest_hidden(self, name: str, is_hidden: bool) -> None:
        """Hear that a guest is hidden from the person, or no longer."""


@dataclass
class Call:
    """What a command gets. stdout carries data only; messages go to stderr."""

    identity: Identity
    command: str | None  # None: a shell
    env: Mapping[str, str]
    screen: OwnScreen | None  # a terminal was asked for
    writer: ChannelWriter
    lines: LineReader
    session: str  # an id for logs and presence
    rates: Rates
    turns: RoundRobin = field(default_factory=RoundRobin)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    end_session: Callable[[str, int], None] = lambda text, status: None  # ends the session with a sentence and a status
    reached_at: Address = LOCAL  # how the caller got here
    line_terminal: LineTerminal | None = None  # made where one is needed
    _audience: Audience = field(default_factory=Audience, init=False)
    _turn_began: float = field(default=0.0, init=False)

    @property
    def audience(self) -> Audience:
        """Return who hears of orders just now."""
        return self._audience

    @contextmanager
    def heard_by(self, audience: Audience) -> Iterator[None]:
        """Let an audience hear of orders while the block runs. Afterwards the call does not refer to it."""
        self._audience = audience
        try:
            yield
        finally:
            self._audience = Audience()

    def open_lines(self) -> LineTerminal:
        """Return the channel as a terminal of lines, which gets all input that no screen takes."""
        if self.line_terminal is None:
            screen = self.screen
            self.line_terminal = made = LineTerminal(
                self.writer,
                screen.client if screen is not None else client_term("dumb", self.env),
                screen.get_cols_rows if screen is not None else lambda: PIPE_SIZE,
                edits=screen is not None,
                hold=self.lines.hold_back,
            )
            self.lines.pour(made.feed, made.end_input)
        return self.line_terminal

    def close_lines(self) -> None:
        """Take no more lines; nothing refers to the call any more."""
        if self.line_terminal is not None:
            self.lines.stop_pouring()
            self.line_terminal = None

    def become(self, identity: Identity) -> None:
        """Serve somebody else from now on: a guest has registered or linked an account, or roles have changed."""
        self.identity = identity

    def rate(self, limit: str, per_min: float) -> float:
        """Count one use against whom it counts for (`Sources`); return 0, or the seconds to wait."""
        return self.rates.count(limit, self.identity.sources.budgets(per_min))

    @property
    def language(self) -> str:
        """Return the language the client's environment asks for: `en`, `zh_CN` or `zh_TW`."""
        return language_of(self.env)

    def put(self, text: str) -> None:
        """Write to stdout without waiting."""
        self.writer.write(self._line_ends(text).encode("utf-8", "replace"))

    async def out(self, text: str) -> None:
        """Write a line to stdout; wait for a slow client, and yield after each time slice."""
        self.put(text + "\n")
        if self.writer.paused:
            await self.writer.drain()
        await self.give_way()

    async def give_way(self) -> None:
        """Yield to other commands when the time slice is used up."""
        if thread_time() - self._turn_began > SLICE_S:
            await self.turns.give()
            self._turn_began = thread_time()

    async def out_json(self, value: Mapping[str, Any]) -> None:
        """Write one object as a line to stdout."""
        await self.out(to_json(value).decode())

    def err(self, text: str) -> None:
        """Write a line to stderr. It may quote what was asked, so it is made printable."""
        self.writer.write(self._line_ends(printable(text) + "\n").encode("utf-8", "replace"), to_stderr=True)

    def _line_ends(self, text: str) -> str:
        return text.replace("\n", "\r\n") if self.screen is not None else text

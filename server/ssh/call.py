"""One request of a client: a command line or a shell, who asks, and its three streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time
from typing import Any

from game.printable import printable
from server.accounts.identity import Identity
from server.address import LOCAL, Address
from server.admission.audience import Audience, Say
from server.boards.wire import to_json
from server.i18n.catalogues import from_locale
from server.roundrobin import RoundRobin
from server.ssh.streams import ChannelWriter, LineReader
from server.terminal.lineterminal import LineTerminal
from server.terminal.look import Look
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import client_term
from server.tokenbucket import Rates

PIPE_SIZE = (120, 24)  # columns and rows of what is no terminal
SLICE_S = 0.005  # CPU seconds of one command's time slice


def locale_of(env: Mapping[str, str]) -> str:
    """Return the locale that an environment names for messages; empty: none."""
    return env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""


def language_of(env: Mapping[str, str]) -> str:
    """Return the language that an environment asks for."""
    return from_locale(locale_of(env))


def speaks_utf8(env: Mapping[str, str]) -> bool:
    """Tell whether an environment speaks UTF-8; one that says nothing does."""
    said = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or "utf-8"
    return "utf" in said.lower()


def look_of(call: Call, palette: str = "monochrome") -> Look:
    """Return the look of text for this caller: their language, and ASCII where UTF-8 is not spoken."""
    return Look(palette, "unicode" if speaks_utf8(call.env) else "ascii", call.language)


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
    end_session: Callable[[Say, int], None] = lambda say, status: None  # ends the session with a sentence and a status
    reached_at: Address = LOCAL  # how the caller got here
    line_terminal: LineTerminal | None = None  # made where one is needed
    _kept_language: str = field(default="", init=False)  # the one that the caller has chosen in their settings
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

    def rate(self, limit: str, per_min: float, units: float = 1) -> float:
        """Count a use, or so many, against whom it counts for (`Sources`); return 0, or the seconds to wait."""
        return self.rates.count(limit, self.identity.sources.budgets(per_min), units)

    @property
    def language(self) -> str:
        """Return the language of the caller's settings, else the one that the client's environment asks for.

        It is `en`, `zh_CN` or `zh_TW`; where UTF-8 is not spoken the settings count for nothing.
        """
        return (speaks_utf8(self.env) and self._kept_language) or language_of(self.env)

    def speak(self, language: str) -> None:
        """Speak the language of the caller's settings from now on; empty: they have chosen none."""
        self._kept_language = language

    def put(self, text: str) -> None:
        """Write to stdout without waiting."""
        self.writer.write(self._line_ends(text).encode("utf-8", "replace"))

    async def out(self, text: str, end: str = "\n") -> None:
        """Write a line to stdout; wait for a slow client, and yield after each time slice. `end`: what ends it."""
        self.put(text + end)
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

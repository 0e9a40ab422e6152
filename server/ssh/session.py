"""One session channel: a terminal with a shell, or one command. Every other request is refused."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from time import thread_time
from typing import Any

import asyncssh

from game.cli.exits import Exit
from server.accounts.identity import Identity
from server.admission.audience import Say, silently
from server.i18n import catalogues
from server.i18n.catalogues import Catalogue
from server.log import get_logger
from server.roundrobin import RoundRobin
from server.sanitize import clean
from server.ssh.call import Call, language_of
from server.ssh.channel import LinkChannel
from server.ssh.link import Link
from server.ssh.streams import ChannelWriter, LineReader
from server.store.errors import StoreUnavailable
from server.terminal.drawqueue import DrawQueue
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import client_term
from server.tokenbucket import Bucket, Rates

log = get_logger("ssh")
NUMBERS = count(1)
PROCESS = secrets.token_hex(4)
Serve = Callable[[Call], Awaitable[int]]
Identify = Callable[[], Awaitable[Identity]]
INPUT_BURST_S = 4
INTERRUPT = b"\x03"
TYPED_SHARE = 16  # a terminal's input rate is this fraction of a program's: keys cost more than bytes
TYPED_BURST_S = 8
TYPED_AT_ONCE = 32  # bytes
TYPED_SLICE_S = 0.002  # CPU seconds of one session's keys in one iteration of the event loop
RESIZE_S = 0.1


def session_id() -> str:
    """Return an id for logs and presence that no other process uses."""
    return f"{PROCESS}-{next(NUMBERS)}"


def kept_environment(chan: LinkChannel) -> dict[str, str]:
    """Return the environment of a channel, sanitised."""
    return {name.decode(): clean(value.decode("utf-8", "replace")) for name, value in chan.env.items()}


@dataclass(frozen=True)
class SessionContext:
    """What all sessions of a listener share."""

    rates: Rates
    cut_off: Callable[[str], None]
    drawings: DrawQueue  # of the process
    turns: RoundRobin = field(default_factory=RoundRobin)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    sessions: set[ClientSession] = field(default_factory=set)


class ClientSession(asyncssh.SSHServerSession[bytes]):
    """One channel. Its task runs the command; the result is the channel's exit status."""

    def __init__(self, link: Link, serve: Serve, identify: Identify, context: SessionContext) -> None:
        self.link = link
        self._serve = serve
        self._identify = identify
        self._context = context
        self._terminal: tuple[str, tuple[int, int]] | None = None
        self._lacks_terminal = False  # it asked for one while another channel of the connection had it
        self._command: str | None = None
        self.call: Call | None = None
        self._ending: tuple[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self._bucket: Bucket | None = None
        self._reading_again: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._typed = bytearray()  # received, not yet passed to the screen
        self._early: list[bytes] = []
        self._early_end = False
        self._is_over = False
        self._has_run = False

    def connection_made(self, chan: Any) -> None:
        """Set up writer, reader and input rate limit."""
        self._chan: LinkChannel = chan
        self._context.sessions.add(self)
        self._writer = ChannelWriter(self.link, chan, self._stalled, self._resumed)
        self._lines = LineReader(chan, self.link.limits.line_bytes)
        limits = self.link.limits
        burst = max(limits.input_bytes_per_s * INPUT_BURST_S, 2 * limits.line_bytes)
        self._bucket = Bucket(limits.input_bytes_per_s, burst, asyncio.get_running_loop().time())

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything the channel holds."""
        self._context.sessions.discard(self)
        self.link.close_session(self._terminal is not None, self._has_run)
        for timer in (self._reading_again, self._resizing):
            if timer is not None:
                timer.cancel()
        self._lines.end()
        self._writer.close()
        if self._task is not None:
            self._task.cancel()

    # Requests

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Allocate a terminal, one per connection."""
        if self._terminal is not None or not self.link.open_terminal():
            self._lacks_terminal = True
            return False
        self._terminal = (term_type, (term_size[0], term_size[1]))
        return True

    def shell_requested(self) -> bool:
        """Accept: a shell shows the screens."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Accept a command, if its line is not too long."""
        if len(command.encode()) > self.link.limits.exec_bytes:
            return False
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse every subsystem; sftp clients are told that there are no files."""
        if subsystem == "sftp":
            said = catalogues.catalogue(language_of(kept_environment(self._chan))).t(
                "advice.copy", ssh=self.link.reached_at.line()
            )
            self._writer.write(f"patchbay: {said}\n".encode(), True)
        return False

    def session_started(self) -> None:
        """Start the task that serves the call."""
        self._has_run = True
        self.link.run_session()
        self._task = asyncio.create_task(self._run(), name="session")
        self._context.tasks.add(self._task)
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Break the reference cycles between session, call and writer, so that they don't wait for the collector."""
        self._context.tasks.discard(task)
        self.call = self._task = None
        self._is_over = True

    async def _run(self) -> None:
        status = int(Exit.REFUSED)
        try:
            self.call = call = self._make_call(await self._identify())
            self._hand_over_early(call)
            if self._lacks_terminal and self._command is None:
                line = call.reached_at.line("", "-S", "none")
                call.err(f"patchbay: {catalogues.catalogue(call.language).t('advice.second-terminal', line=line)}")
            else:
                status = await self._serve(call)
        except asyncio.CancelledError:
            if self._ending is None:
                raise
            text, status = self._ending
            if text:
                self._writer.write(f"patchbay: {text}\r\n".encode(), True)
        except StoreUnavailable as error:
            log.warning("store unavailable", why=error.why)
            self._writer.write(f"patchbay: {self._texts().t('ended.unavailable')}\r\n".encode(), True)
        except Exception:  # the guard of one session: only this one ends
            log.exception("session failed", session=self.call.session if self.call else "")
            self._writer.write(f"patchbay: {self._texts().t('ended.went-wrong')}\r\n".encode(), True)
        finally:
            if not self._chan.is_closing():
                self._chan.exit(status)

    def end_session(self, say: Say, status: int) -> None:
        """End this session with a message and an exit status, after restoring its terminal."""
        self._ending = say(self._texts()), status
        if self._task is not None:
            self._task.cancel()

    def _texts(self) -> Catalogue:
        """Return the texts of the language that is read here."""
        call = self.call
        here = "" if call is None else call.audience.language() or call.language
        return catalogues.catalogue(here or language_of(kept_environment(self._chan)))

    def _make_call(self, identity: Identity) -> Call:
        env = kept_environment(self._chan)
        screen = None
        if self._terminal is not None:
            term_type, size = self._terminal
            screen = OwnScreen(self._writer, client_term(term_type, env), size)
            rate = self.link.limits.input_bytes_per_s / TYPED_SHARE
            self._bucket = Bucket(rate, rate * TYPED_BURST_S, asyncio.get_running_loop().time())
        streams, context = (self._writer, self._lines), self._context
        shared = (context.rates, context.turns)
        return Call(
            identity,
            self._command,
            env,
            screen,
            *streams,
            session_id(),
            *shared,
            end_session=self.end_session,
            reached_at=self.link.reached_at,
        )

    def _hand_over_early(self, call: Call) -> None:
        for data in self._early:
            self._feed(data)
        self._early.clear()
        if self._early_end:
            self._lines.end()

    # Input

    @property
    def held_by(self) -> frozenset[str]:
        """Return the reasons why input waits at the client: `rate`, `lines`; none: it is taken."""
        return self._chan.held_by

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Take input at the allowed rate; above it, delivery pauses and the client's window fills."""
        loop = asyncio.get_running_loop()
        pause = self._bucket.take(len(data), loop.time()) if self._bucket is not None else 0
        if pause and self._reading_again is None:
            self._chan.hold("rate")
            self._reading_again = loop.call_later(min(pause, 30.0), self._read_on)
        if self.call is not None:
            self._feed(data)
        elif not self._is_over:
            self._early.append(data)

    def _feed(self, data: bytes) -> None:
        screen = self.call.screen if self.call is not None else None
        if screen is not None and screen.started:
            if not self._typed and len(data) <= TYPED_AT_ONCE:
                self._context.drawings.answer(partial(screen.feed, data))
                return
            self._typed += data
            if len(self._typed) == len(data):
                self._context.drawings.answer(partial(self._feed_some, screen))
        elif screen is not None and INTERRUPT in data and self._task is not None and not self._lines.is_poured:
            self.end_session(silently, Exit.INTERRUPTED)  # a command on a terminal: nothing else handles ctrl-c
        else:
            self._lines.feed(data)

    def _feed_some(self, screen: OwnScreen) -> None:
        """Pass typed bytes to the screen for one time slice; then yield."""
        began: float | None = None
        while self._typed and screen.started and (began is None or thread_time() - began < TYPED_SLICE_S):
            chunk = bytes(self._typed[:TYPED_AT_ONCE])
            del self._typed[:TYPED_AT_ONCE]
            if self._typed and began is None:
                began = thread_time()
            screen.feed(chunk)
        if not screen.started:
            self._typed.clear()
        elif self._typed:
            asyncio.get_running_loop().call_soon(self._feed_some, screen)

    def _read_on(self) -> None:
        self._reading_again = None
        self._chan.release("rate")

    def eof_received(self) -> bool:
        """Keep the channel open: a program may close its input and still read."""
        self._early_end = True
        if self.call is not None:
            self._lines.end()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass on a new window size, at most ten times a second: each one repaints everything."""
        if self._terminal is None:
            return
        self._terminal = (self._terminal[0], (width, height))
        if self._resizing is None:
            self._resize()
            self._resizing = asyncio.get_running_loop().call_later(RESIZE_S, self._resize_again)

    def _resize_again(self) -> None:
        self._resizing = None
        self._resize()

    def _resize(self) -> None:
        screen = self.call.screen if self.call is not None else None
        if self._terminal is not None and screen is not None:
            screen.resize(*self._terminal[1])

    def signal_received(self, signal: str) -> None:
        """End the command on a terminating signal."""
        if signal in ("INT", "TERM", "HUP", "QUIT", "KILL") and self._task is not None:
            self._task.cancel()
            self._chan.close()

    def break_received(self, msec: int) -> bool:
        """Refuse breaks."""
        return False

    def pause_writing(self) -> None:
        """Note that the client's window is full."""
        self._writer.window_full(True)

    def resume_writing(self) -> None:
        """Note that the client's window has room again."""
        self._writer.window_full(False)

    def _resumed(self) -> None:
        for terminal in (self.call.screen, self.call.line_terminal) if self.call is not None else ():
            if terminal is not None:
                terminal.resume()

    def _stalled(self, why: str) -> None:
        log.info("client cut off", why=why, source=self.link.source)
        self._context.cut_off(why)

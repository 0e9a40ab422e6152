"""One session channel: a terminal with a shell, or one command. Everything else that is asked for is refused."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from time import thread_time
from typing import Any

import asyncssh

from server.accounts.identity import Identity
from server.log import get_logger
from server.pace import Bucket
from server.ssh.call import Call, Exit
from server.ssh.limits import Rates, Turns
from server.ssh.link import Link, LinkChannel
from server.ssh.outlet import Inlet, Outlet
from server.ssh.sharedscreen import OwnScreen
from server.ssh.term import client_term
from server.store.errors import StoreUnavailable
from server.words import clean

log = get_logger("ssh")
NUMBERS = count(1)
PROCESS = secrets.token_hex(4)
Serve = Callable[[Call], Awaitable[int]]
Identify = Callable[[], Awaitable[Identity]]
INPUT_BURST_S = 4
INTERRUPT = b"\x03"
TYPED_SHARE = 16  # a terminal may send this part of what a program may: keys cost more than bytes
TYPED_BURST_S = 8
TYPED_AT_ONCE = 32  # bytes
TYPED_SLICE_S = 0.002  # CPU seconds of one session's keys before others get their turn
RESIZE_S = 0.1
UNAVAILABLE = "the server can't read its database just now; please come back in a moment"


def session_id() -> str:
    """Return an id for logs and presence that no other process uses."""
    return f"{PROCESS}-{next(NUMBERS)}"


@dataclass(frozen=True)
class SessionHouse:
    """What all sessions of a listener share."""

    rates: Rates
    cut_off: Callable[[str], None]
    turns: Turns = field(default_factory=Turns)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    sessions: set[ClientSession] = field(default_factory=set)


class ClientSession(asyncssh.SSHServerSession[bytes]):
    """Lives as long as its channel. Its task runs the command and its end is the channel's exit status."""

    def __init__(self, link: Link, serve: Serve, identify: Identify, house: SessionHouse) -> None:
        self._link = link
        self._serve = serve
        self._identify = identify
        self._house = house
        self._terminal: tuple[str, tuple[int, int]] | None = None
        self._command: str | None = None
        self.call: Call | None = None
        self._farewell: tuple[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self._bucket: Bucket | None = None
        self._reading_again: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._typed = bytearray()  # arrived, and not yet handed to the screen
        self._early: list[bytes] = []
        self._early_end = False
        self._is_over = False

    def connection_made(self, chan: Any) -> None:
        """Begin."""
        self._chan: LinkChannel = chan
        self._house.sessions.add(self)
        self._outlet = Outlet(self._link, chan, self._stalled)
        self._inlet = Inlet(chan, self._link.limits.line_bytes)
        limits = self._link.limits
        burst = max(limits.input_bytes_per_s * INPUT_BURST_S, 2 * limits.line_bytes)
        self._bucket = Bucket(limits.input_bytes_per_s, burst, asyncio.get_running_loop().time())

    def connection_lost(self, exc: Exception | None) -> None:
        """End, whoever ended it."""
        self._house.sessions.discard(self)
        if self._terminal is not None:
            self._link.terminals -= 1
        self._link.sessions -= 1
        for timer in (self._reading_again, self._resizing):
            if timer is not None:
                timer.cancel()
        if self.call is not None:
            self.call.gone.set()
        self._inlet.end()
        self._outlet.close()
        if self._task is not None:
            self._task.cancel()

    # What is asked for

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Give one terminal per connection."""
        if self._terminal is not None or self._link.terminals >= 1:
            return False
        self._link.terminals += 1
        self._terminal = (term_type, (term_size[0], term_size[1]))
        return True

    def shell_requested(self) -> bool:
        """Show the screens."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Run a command, if its line is not too long."""
        if len(command.encode()) > self._link.limits.exec_bytes:
            return False
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse every subsystem."""
        return False

    def session_started(self) -> None:
        """Start the task; the client has its answer."""
        self._task = asyncio.create_task(self._run(), name="session")
        self._house.tasks.add(self._task)
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Let go of what the task held: it all knows each other, and would wait for the collector."""
        self._house.tasks.discard(task)
        self._outlet.on_resume = None
        if self.call is not None:
            self.call.send_home = None
        self.call = self._task = None
        self._is_over = True

    async def _run(self) -> None:
        status = int(Exit.REFUSED)
        try:
            self.call = call = self._make_call(await self._identify())
            self._hand_over_early(call)
            status = await self._serve(call)
        except asyncio.CancelledError:
            if self._farewell is None:
                raise
            text, status = self._farewell
            if text:
                self._outlet.write(f"patchbay: {text}\r\n".encode(), True)
        except StoreUnavailable as error:
            log.warning("store unavailable", why=error.why)
            self._outlet.write(f"patchbay: {UNAVAILABLE}\r\n".encode(), True)
        except Exception:  # the guard of one session: it ends, nobody else notices
            log.exception("session failed", session=self.call.session if self.call else "")
            self._outlet.write(b"patchbay: something went wrong here, and was noted. Please try again.\r\n", True)
        finally:
            if not self._chan.is_closing():
                self._chan.exit(status)

    def send_home(self, text: str, status: int) -> None:
        """End this session with a sentence and an exit status; its terminal is restored first."""
        self._farewell = text, status
        if self._task is not None:
            self._task.cancel()

    def _make_call(self, identity: Identity) -> Call:
        env = {name.decode(): clean(value.decode("utf-8", "replace")) for name, value in self._chan.env.items()}
        screen = None
        if self._terminal is not None:
            term_type, size = self._terminal
            screen = OwnScreen(self._outlet, client_term(term_type, env), size)
            rate = self._link.limits.input_bytes_per_s / TYPED_SHARE
            self._bucket = Bucket(rate, rate * TYPED_BURST_S, asyncio.get_running_loop().time())
            self._outlet.on_resume = screen.resume
        streams, house = (self._outlet, self._inlet), self._house
        call = Call(identity, self._command, env, screen, *streams, session_id(), house.rates, house.turns)
        call.send_home = self.send_home
        return call

    def _hand_over_early(self, call: Call) -> None:
        for data in self._early:
            self._take(data)
        self._early.clear()
        if self._early_end:
            self._inlet.end()

    # What arrives

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Take input, not faster than allowed: the client's window does the rest."""
        loop = asyncio.get_running_loop()
        pause = self._bucket.take(len(data), loop.time()) if self._bucket is not None else 0
        if pause and self._reading_again is None:
            self._chan.hold("rate")
            self._reading_again = loop.call_later(min(pause, 30.0), self._read_on)
        if self.call is not None:
            self._take(data)
        elif not self._is_over:
            self._early.append(data)

    def _take(self, data: bytes) -> None:
        screen = self.call.screen if self.call is not None else None
        if screen is not None and screen.started:
            self._typed += data
            if len(self._typed) == len(data):
                self._feed_some(screen)
        elif screen is not None and INTERRUPT in data and self._task is not None:
            self.send_home("", Exit.INTERRUPTED)  # a command on a terminal: nobody else reads ctrl-c there
        else:
            self._inlet.feed(data)

    def _feed_some(self, screen: OwnScreen) -> None:
        """Hand over a little of what was typed; everybody else gets their turn before the rest."""
        began = thread_time()
        while self._typed and screen.started and thread_time() - began < TYPED_SLICE_S:
            chunk = bytes(self._typed[:TYPED_AT_ONCE])
            del self._typed[:TYPED_AT_ONCE]
            screen.feed(chunk)
        if not screen.started:
            self._typed.clear()
        elif self._typed:
            asyncio.get_running_loop().call_soon(self._feed_some, screen)

    def _read_on(self) -> None:
        self._reading_again = None
        self._chan.release("rate")

    def eof_received(self) -> bool:
        """Keep our side open: a program may have closed its input and still read."""
        self._early_end = True
        if self.call is not None:
            self._inlet.end()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass a new window size on, at most ten times a second: each makes a whole picture."""
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
        """End a command that is told to."""
        if signal in ("INT", "TERM", "HUP", "QUIT", "KILL") and self._task is not None:
            self._task.cancel()
            self._chan.close()

    def break_received(self, msec: int) -> bool:
        """Refuse breaks."""
        return False

    def pause_writing(self) -> None:
        """Hear that the client's window is full."""
        self._outlet.window_full(True)

    def resume_writing(self) -> None:
        """Hear that it is not any more."""
        self._outlet.window_full(False)

    def _stalled(self, why: str) -> None:
        log.info("client cut off", why=why, source=self._link.source)
        self._house.cut_off(why)

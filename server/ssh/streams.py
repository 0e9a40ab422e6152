"""Writing to one channel with backpressure, and reading lines from it."""

from __future__ import annotations

import asyncio
import codecs
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from asyncssh import EXTENDED_DATA_STDERR

from server.ssh.channel import LinkChannel
from server.ssh.link import Link

CHANNEL_HIGH = 32 * 1024  # bytes waiting for the client's window above which a client counts as slow
LOOK_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which a client takes no bytes. `since_s`: of the loop's clock."""

    since_s: float
    over: asyncio.Event = field(default_factory=asyncio.Event)


class ChannelWriter:
    """Writes to a channel, and is `paused` while the client's window is full or its connection clogged.

    A client that stays so for `stall_s`, or has four times the buffer unsent, is disconnected; `on_stall` is told why.
    `on_resume` is called when the client takes bytes again.
    """

    def __init__(
        self, link: Link, chan: LinkChannel, on_stall: Callable[[str], None], on_resume: Callable[[], None]
    ) -> None:
        self._link = link
        self._chan = chan
        self._on_stall = on_stall
        self._loop = asyncio.get_running_loop()
        self._is_window_full = False
        self._pause: Pause | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._on_resume = on_resume
        chan.set_write_buffer_limits(high=CHANNEL_HIGH, low=0)

    @property
    def paused(self) -> bool:
        """Tell whether bytes written now would only wait."""
        return self._pause is not None

    def write(self, data: bytes, to_stderr: bool = False) -> None:
        """Send without blocking. Data after the end of the channel is dropped."""
        if self._chan.is_closing():
            return
        try:
            self._chan.write(data, EXTENDED_DATA_STDERR if to_stderr else None)
        except OSError:
            return
        if self._pause is None and self._is_clogged():
            self._begin_pause()

    async def drain(self) -> None:
        """Wait until the client takes bytes, or is gone."""
        if self._pause is not None:
            await self._pause.over.wait()

    def window_full(self, is_full: bool) -> None:
        """Note whether the client's window is full."""
        self._is_window_full = is_full
        if is_full and self._pause is None:
            self._begin_pause()
        elif not is_full:
            self._check_reader()

    def close(self) -> None:
        """Stop the timer and wake whoever waits in `drain`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pause is not None:
            self._pause.over.set()

    def _is_clogged(self) -> bool:
        return self._is_window_full or self._link.unsent_bytes > self._link.limits.buffer_bytes

    def _begin_pause(self) -> None:
        self._pause = Pause(self._loop.time())
        self._timer = self._loop.call_later(LOOK_EVERY_S, self._check_reader)

    def _check_reader(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if (pause := self._pause) is None:
            return
        limits = self._link.limits
        waiting = self._link.unsent_bytes + self._chan.get_write_buffer_size()
        if not self._is_clogged():
            self._pause = None
            pause.over.set()
            self._on_resume()
        elif waiting > limits.buffer_bytes * 4:
            self._cut("buffer")
        elif self._loop.time() - pause.since_s > limits.stall_s:
            self._cut("stalled")
        else:
            self._timer = self._loop.call_later(LOOK_EVERY_S, self._check_reader)

    def _cut(self, why: str) -> None:
        self._on_stall(why)
        self._link.abort()


class LineReader:
    """The input of one channel as lines, without a byte order mark, with a bound on unread bytes."""

    HIGH = 256 * 1024

    def __init__(self, chan: LinkChannel, max_line: int) -> None:
        self._chan = chan
        self._max_line = max_line
        self._data = bytearray()
        self._is_skipping = False
        self._has_begun = False
        self._lines: deque[bytes | None] = deque()
        self._poured: tuple[Callable[[bytes], None], Callable[[], None]] | None = None  # gets the bytes, and the end
        self._arrival: asyncio.Event | None = None  # while somebody waits for a line
        self._has_ended = False
        self.is_held = False  # until half of what waits is read
        self._waiting_bytes = 0

    @property
    def is_poured(self) -> bool:
        """Tell whether somebody gets all input as bytes."""
        return self._poured is not None

    def __len__(self) -> int:
        """Return how many lines wait to be read."""
        return len(self._lines)

    def feed(self, data: bytes) -> None:
        """Buffer input. A line longer than allowed becomes None."""
        if self._poured is not None:
            self._poured[0](data)
            return
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._end_line(data[start:end])
            start = end + 1
        rest = data[start:]
        if not self._is_skipping and len(self._data) + len(rest) > self._max_line:
            self._is_skipping = True
            self._data.clear()
        elif not self._is_skipping:
            self._data += rest
        self._hold_or_release()

    def _end_line(self, rest: bytes) -> None:
        line = None if self._is_skipping or len(self._data) + len(rest) > self._max_line else bytes(self._data) + rest
        self._data.clear()
        self._is_skipping = False
        if line is not None and not self._has_begun:
            line = line.removeprefix(codecs.BOM_UTF8)
        self._has_begun = True
        self._lines.append(line)
        self._waiting_bytes += 64 + len(line or b"")
        self._tell_reader()

    def _hold_or_release(self) -> None:
        if not self.is_held and self._waiting_bytes > self.HIGH:
            self.is_held = True
            self._chan.hold("lines")
        elif self.is_held and self._waiting_bytes < self.HIGH // 2:
            self.is_held = False
            self._chan.release("lines")

    def end(self) -> None:
        """Note the end of the input; an unfinished line counts as a line."""
        if self._poured is not None and not self._has_ended:
            self._has_ended = True
            self._poured[1]()
        elif not self._has_ended:
            if self._data or self._is_skipping:
                self._end_line(b"")
            self._has_ended = True
            self._tell_reader()

    def _tell_reader(self) -> None:
        if self._arrival is not None:
            self._arrival.set()
            self._arrival = None

    def pour(self, feed: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Hand over what waits and all that comes as bytes, from now on; `end` hears that no more comes."""
        waiting = b"".join((b"\xff" if line is None else line) + b"\n" for line in self._lines) + bytes(self._data)
        self._lines.clear()
        self._data.clear()
        self._waiting_bytes = 0
        self._hold_or_release()
        self._poured = feed, end
        if waiting:
            feed(waiting)
        if self._has_ended:
            end()

    def stop_pouring(self) -> None:
        """Drop what comes from now on: nobody takes it any more."""
        self._poured = None

    def hold_back(self, is_full: bool) -> None:
        """Have the client wait with its input, or no longer."""
        if is_full:
            self._chan.hold("lines")
        else:
            self._chan.release("lines")

    async def line(self) -> bytes | None:
        """Return the next line without its end, None for one that was too long. Raises EOFError at the end."""
        while not self._lines:
            if self._has_ended:
                raise EOFError
            self._arrival = self._arrival or asyncio.Event()
            await self._arrival.wait()
        line = self._lines.popleft()
        self._waiting_bytes -= 64 + len(line or b"")
        self._hold_or_release()
        return line

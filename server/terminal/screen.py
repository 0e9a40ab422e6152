"""urwid's screen over a byte channel: no pty, no file descriptors, no threads. All contact with its private module.

A `ChannelScreen` draws for one terminal. Those who look at the same thing share one frame (sharedscreen.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import urwid
from urwid.display import _raw_display_base as raw
from urwid.display.common import BaseScreen

from server.terminal import term as seq
from server.terminal.fanout import Badge, FrameMember
from server.terminal.keys import Key, KeyDecoder
from server.terminal.paint import Painter, StyledRow
from server.terminal.palette import shared_palette
from server.terminal.protocols import Alarms, SharedTerminal
from server.terminal.sheet import LineCanvas
from server.terminal.term import ClientTerm, clamp_size

PROBE_S = 5.0  # how long a terminal may take to say what it is
ESC_WAIT_S = 0.1  # how long a lone ESC may still become a sequence
REST_WAIT_S = 2.0  # how long the rest of a sequence or character that has begun is waited for
InputCallback = Callable[[list[Any], list[int]], Any]

urwid.set_encoding("utf-8")


class ByteChannel(Protocol):
    """Where a terminal's bytes go."""

    @property
    def paused(self) -> bool:
        """Tell whether the other side does not keep up; nothing is rendered until it does."""
        ...

    def write(self, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Probe:
    """What a terminal was asked about itself: who hears when it is known, and what was said so far."""

    heard: Callable[[], None]
    end: Any  # the alarm after which no answer is taken
    ground: seq.Ground = "unknown"


class ChannelScreen(FrameMember, raw.Screen):
    """A terminal at the other end of a channel.

    The owner calls `feed` with what arrives, `resize` when the window changes, `resume` when the channel takes bytes
    again. While the screen `is_paused` nothing is drawn: `draw_screen` notes that the frame is stale (an event loop
    that looks first saves the rendering), and `on_resume` is called when it is worth while again. Text runs can't
    carry control characters; what is sent besides is in `term`.
    """

    draws, ticks, means = True, True, False
    alive: ClassVar[int] = 0  # how many there are in this process

    def __init__(self, channel: ByteChannel, term: ClientTerm, size: tuple[int, int] = seq.DEFAULT_SIZE) -> None:
        # Not raw.Screen.__init__: it reads our own environment and opens a pair of sockets for each screen.
        BaseScreen.__init__(self)
        ChannelScreen.alive += 1
        self.term = term.name
        self.client = term
        self.colors = term.colors
        self._channel = channel
        self._size = clamp_size(*size)
        self._palette_entries: tuple[Any, ...] = ()
        self.shared = shared_palette((), term.colors, term.bright_is_bold)
        self._painter = Painter(self.shared.styles.__getitem__, term.moves_rows)
        self._keys = KeyDecoder()
        self._loop: Alarms | None = None
        self._callback: InputCallback | None = None
        self._expiry: Any = None
        self._probe: Probe | None = None  # while answers are awaited
        self._out: list[str] = []
        self.waits_for_frame = False  # what is said before the first frame goes with it
        self._mouse = False
        self._title: str | None = None  # None: the terminal has its own
        self._last_canvas: urwid.Canvas | None = None
        self.group: SharedTerminal | None = None
        self.badge: Badge | None = None
        self.is_stale = False
        self.on_resume: Callable[[], None] | None = None

    def __del__(self) -> None:
        """Close nothing (the base class has sockets)."""
        ChannelScreen.alive -= 1

    def __repr__(self) -> str:
        return f"<ChannelScreen {self.term} {self._size[0]}x{self._size[1]}>"

    # What goes out

    def write(self, data: str) -> None:
        """Collect; `flush` sends it."""
        self._out.append(data)

    def flush(self) -> None:
        """Send what was collected in one write; where a frame is waited for, it goes with that."""
        if self._out and not self.waits_for_frame:
            self.send(b"")

    def send(self, data: bytes) -> None:
        """Send bytes, perhaps made by another screen for terminals like this one, after what was collected."""
        self.waits_for_frame = False
        if self._out:
            data, self._out = "".join(self._out).encode() + data, []
        self._channel.write(data)

    def set_title(self, text: str) -> None:
        """Set the window's title, on terminals known to have one; it is given back when the screen stops."""
        if self.client.is_xterm_like and self._started and text != self._title:
            if self._title is None:
                self.write(seq.TITLE_PUSH)
            self._title = text
            self.write(seq.title(text))
            self.flush()

    def ring(self) -> None:
        """Sound the bell."""
        self.write(seq.BELL)
        self.flush()

    def set_mouse_tracking(self, enable: bool = True) -> None:
        """Ask for mouse buttons, or no longer."""
        if enable != self._mouse and self.client.is_xterm_like:
            self._mouse = enable
            self.write(seq.MOUSE_ON if enable else seq.MOUSE_OFF)
            self.flush()

    def probe(self, heard: Callable[[], None]) -> None:
        """Ask the terminal for its ground and how wide it draws; `heard` is called when `client` is known better.

        Answers are taken for some seconds, and never for keys. Call it after `start`, with an event loop hooked.
        """
        client = self.client
        if client.is_xterm_like and self._started and self._loop is not None:
            self.write((seq.PROBE_GROUND if client.colors > 1 else "") + (seq.PROBE_WIDTH if client.is_unicode else ""))
            self.flush()
            self._probe = Probe(heard, self._loop.alarm(PROBE_S, self.end_probe))

    def end_probe(self) -> None:
        """Take no more answers of the terminal."""
        if self._probe is not None and self._loop is not None:
            self._loop.remove_alarm(self._probe.end)
        self._probe = None

    def _take_reports(self) -> None:
        """Take what the terminal said; where the cursor stands comes last."""
        reports, self._keys.reports = self._keys.reports, []
        for report in reports:
            if (probe := self._probe) is None:
                return
            if report[0] == "string" and (ground := seq.ground_of(report[1])) != "unknown":
                self._probe = probe = replace(probe, ground=ground)
                if not self.client.is_unicode:
                    self._know(probe, False)
            elif report[0] == "cursor" and report[2] == seq.PROBE_ROW:
                self._know(probe, report[1] != seq.NARROW_COL)

    def _know(self, probe: Probe, is_wide: bool) -> None:
        self.end_probe()
        ground = probe.ground if probe.ground != "unknown" else self.client.ground
        self.client = replace(self.client, ground=ground, is_wide=is_wide)
        probe.heard()

    # Styles

    def register_palette(self, palette: Iterable[Any]) -> None:
        """Add entries, as urwid has them; the result is shared with all screens that have the same ones."""
        added = {entry[0]: tuple(entry) for entry in (*self._palette_entries, *palette)}
        self.set_palette(tuple(added.values()))

    def register_palette_entry(
        self,
        name: Hashable,
        foreground: str,
        background: str,
        mono: str | tuple[str, ...] | None = None,
        foreground_high: str | None = None,
        background_high: str | None = None,
    ) -> None:
        """Add one entry."""
        self.register_palette([(name, foreground, background, mono, foreground_high, background_high)])

    def set_palette(self, entries: tuple[Any, ...]) -> None:
        """Replace all entries (a change of theme) and draw everything again."""
        self._palette_entries = entries
        self.shared = shared_palette(entries, self.client.colors, self.client.bright_is_bold)
        self._painter.styles = self.shared.styles.__getitem__
        if self.group is not None:  # its frame is in other colours
            self.group.leave(self)
        self.clear()

    # Drawing

    def get_cols_rows(self) -> tuple[int, int]:
        """Return the window's size, clamped."""
        return self._size

    def paint(self, size: tuple[int, int], canvas: urwid.Canvas) -> bytes:
        """Return the bytes `draw_screen` would send."""
        rows = canvas.frame.lines if isinstance(canvas, LineCanvas) else runs_of(canvas)
        if len(rows) != size[1]:
            raise ValueError(f"canvas has {len(rows)} rows, not {size[1]}")
        self._last_canvas = canvas
        painted: bytes = self._painter.paint(rows, size[0], canvas.cursor)
        return painted

    def resize(self, cols: int, rows: int) -> None:
        """Take a new window size; the widgets hear of it as the key `window resize`."""
        if (size := clamp_size(cols, rows)) != self._size:
            self._size = size
            if self.group is not None:
                self.group.leave(self)
            self.clear()
            self._deliver(["window resize"])

    def _start(self, *args: Any, **kwargs: Any) -> None:
        self.clear()
        self.write(seq.START)
        self.flush()

    def _stop(self) -> None:
        if self.group is not None:
            self.group.leave(self)
        if self.waits_for_frame:  # nothing was said to the terminal yet: there is nothing to restore
            self._out.clear()
            self._mouse = self.waits_for_frame = False
            self._title = None
            return
        if self._mouse:
            self.write(seq.MOUSE_OFF)
        if self._title is not None:
            self.write(seq.TITLE_POP)
        self._mouse, self._title = False, None
        self.write(seq.STOP)
        self.send(b"")

    # What comes in

    def hook_event_loop(self, event_loop: Alarms, callback: InputCallback) -> None:
        """Let `callback` have the keys."""
        self._loop, self._callback = event_loop, callback

    def unhook_event_loop(self, event_loop: Alarms) -> None:
        """Forget the callback and what was waited for."""
        self.end_probe()
        if self._expiry is not None:
            event_loop.remove_alarm(self._expiry)
        self._loop = self._callback = self._expiry = None

    def feed(self, data: bytes) -> None:
        """Decode what the terminal sent and hand over the keys."""
        if self._expiry is not None and self._loop is not None:
            self._loop.remove_alarm(self._expiry)
            self._expiry = None
        keys = self._keys.feed(data)
        if self._keys.reports:
            self._take_reports()
        self._deliver(keys)
        if (self._keys.is_waiting or self._keys.is_pasting) and self._loop is not None:
            self._expiry = self._loop.alarm(self._wait_s(), self.expire_keys)

    def _wait_s(self) -> float:
        """Return how long to wait for what is missing."""
        if self._probe is not None and self._keys.is_reporting:
            return PROBE_S
        return ESC_WAIT_S if self._keys.is_lone_escape else REST_WAIT_S

    def expire_keys(self) -> None:
        """Take what waits for its end as keys: the end has not come in time."""
        self._expiry = None
        self._deliver(self._keys.expire())

    def _deliver(self, keys: list[Key]) -> None:
        inside = [key for key in keys if isinstance(key, str) or self._holds(key[2], key[3])]
        if inside and self._callback is not None:
            self._callback(inside, [])

    def _holds(self, col: int, row: int) -> bool:
        return 0 <= col < self._size[0] and 0 <= row < self._size[1]

    # Parts of the base class that stand for a real terminal

    def _read_raw_input(self, timeout: float) -> Iterable[int]:
        raise NotImplementedError("keys come through feed")

    def get_input_descriptors(self) -> list[Any]:
        """Return none: there is nothing to poll."""
        return []


def runs_of(canvas: urwid.Canvas) -> list[StyledRow]:
    """Return the rows of any canvas; our own (LineCanvas) has them as they are."""
    return [[(attr, run.decode("utf-8", "replace")) for attr, _, run in row] for row in canvas.content()]

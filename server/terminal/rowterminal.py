"""A terminal that gets rows of styled text and what they mean, as JSON: a page in a browser (docs/browser.md).

It is a screen like any other to a session. What is sent is messages of one or more lines, each a JSON object; what only
time changes (a running clock) is not sent: the other side counts by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import msgspec

from server.terminal.fanout import Badge, Fanout, FrameMember, SharedFrame
from server.terminal.keys import BEGIN_PASTE, END_PASTE, LINE_END, Key, RowPress
from server.terminal.lines import Line, columns
from server.terminal.meaning import Meaning
from server.terminal.paint import readable
from server.terminal.protocols import Alarms, SharedTerminal
from server.terminal.screen import ByteChannel, InputCallback
from server.terminal.sheet import LineCanvas
from server.terminal.term import ClientTerm, Ground, clamp_size

ENCODER: Final = msgspec.json.Encoder()
Runs = list[tuple[str, str, int]]  # (style, text, columns)
DEEPEST: Final = 16_777_216  # colours
FIRST_KEYS: Final = ("end", "ctrl u")  # empty a line being typed


def browser(ground: Ground) -> ClientTerm:
    """Return what a browser is as a terminal, on a dark or a light ground."""
    return ClientTerm("browser", DEEPEST, ground=ground)


def line(kind: str, value: object) -> bytes:
    """Return one line of a message."""
    return ENCODER.encode({kind: value}) + b"\n"


def runs(row: Line) -> Runs:
    """Return a row as it is sent: without control characters, each run with its columns."""
    return [(str(style or ""), shown := readable(text), columns(shown)) for style, text in row if text]


class RowPainter:
    """What the other side shows, and the messages that change it."""

    def __init__(self) -> None:
        self.rows: tuple[Line, ...] = ()
        self.cursor: tuple[int, int] | None = None
        self.meaning: Meaning | None = None

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing is known to show."""
        return not self.rows

    @property
    def top(self) -> Line | None:
        """Return the first row, in which badges are."""
        return self.rows[0] if self.rows else None

    def forget(self) -> None:
        """Send everything next time."""
        self.rows, self.cursor, self.meaning = (), None, None

    def paint(self, canvas: LineCanvas) -> bytes:
        """Return what changes the frame that shows into this one."""
        before, now = self.rows, canvas.lines
        is_same_size = len(before) == len(now)
        changed = [y for y, row in enumerate(now) if not is_same_size or row != before[y]]
        said = b""
        if not is_same_size:
            said += line("size", (canvas.cols(), len(now)))
        if changed:
            said += line("rows", {str(y): runs(now[y]) for y in changed})
        cursor = canvas.cursor
        if cursor != self.cursor or not is_same_size:
            said += line("cursor", cursor)
        meaning = canvas.meaning
        if meaning is not None and (told := meaning.changes(self.meaning)):
            said += line("means", told)
        self.rows, self.cursor, self.meaning = now, cursor, meaning
        return said

    def become(self, other: RowPainter) -> bytes:
        """Return what makes everything show that another frame shows."""
        rows = {str(y): runs(row) for y, row in enumerate(other.rows)}
        cols = sum(width for _, _, width in rows["0"]) if rows else 0
        said = line("size", (cols, len(rows))) + line("rows", rows) + line("cursor", other.cursor)
        if other.meaning is not None:
            said += line("means", other.meaning.changes(None))
        self.adopt(other)
        return said

    def adopt(self, other: RowPainter, without_top: bool = False) -> None:
        """Take it that what shows is what another frame shows; `without_top`: but for the first row."""
        self.rows, self.cursor, self.meaning = other.rows, other.cursor, other.meaning
        if without_top and self.rows:
            self.rows = ((), *self.rows[1:])


class RowTerminal(FrameMember):
    """One person's page: rows and meaning out, keys, taps and typed lines in.

    The owner calls `press`, `tap`, `type_line` with what comes in, `resize`, and `resume` when the channel takes bytes
    again.
    """

    draws, ticks, means = True, False, True

    def __init__(self, channel: ByteChannel, client: ClientTerm, size: tuple[int, int]) -> None:
        self.client = client
        self._channel = channel
        self._size = clamp_size(*size)
        self._painter = RowPainter()
        self._last_canvas: Any = None
        self._callback: InputCallback | None = None
        self._before = b""  # what goes with the first frame
        self.started = self.waits_for_frame = self.is_stale = False
        self.group: SharedTerminal | None = None
        self.badge: Badge | None = None
        self.on_resume: Callable[[], None] | None = None

    # What goes out

    def send(self, data: bytes) -> None:
        """Send a message, perhaps made by another terminal of this kind, after what was said before the first frame."""
        self.waits_for_frame = False
        data, self._before = self._before + data, b""
        if data:
            self._channel.write(data)

    def say(self, kind: str, value: object) -> None:
        """Send one line, or keep it for the first frame."""
        if self.waits_for_frame:
            self._before += line(kind, value)
        else:
            self.send(line(kind, value))

    def paint(self, size: tuple[int, int], canvas: Any) -> bytes:
        """Return the message `draw_screen` would send."""
        self._last_canvas = canvas
        painted: bytes = self._painter.paint(canvas)
        return painted

    def set_palette(self, entries: tuple[Any, ...]) -> None:
        """Send what the styles look like, by name: foreground, background, settings; empty: those of the page."""
        self.say("styles", {str(entry[0] or ""): _shown(entry[4], entry[5]) for entry in entries})

    def set_title(self, text: str) -> None:
        """Send what the window is called."""
        self.say("window", readable(text))

    def ring(self) -> None:
        """Call the person."""
        self.say("bell", True)

    # Shared frames

    def make_group(self) -> SharedRows:
        """Return a new frame for all pages that are like this one, and of the size it has now."""
        return SharedRows(self.client, self._size)

    # What comes in

    def press(self, key: str) -> None:
        """Take a key, by urwid's name for it."""
        self._deliver([key])

    def tap(self, col: int, row: int) -> None:
        """Take a press of the first mouse button, or of a finger, on a cell."""
        if 0 <= col < self._size[0] and 0 <= row < self._size[1]:
            self._deliver([("mouse press", 1, col, row)])

    def choose(self, number: int, text: str, opens: bool = True) -> None:
        """Take a press on a row of the page's items, by its number and what it is called; it `opens`, or is chosen."""
        self._deliver([RowPress(number, text, opens)])

    def type_line(self, text: str, label: str, is_whole: bool) -> None:
        """Take the text of the line being typed, as it stands in the page; `is_whole`: it ends here.

        `label`: under which it was typed. Where another line is asked for by now, or none, it is dropped.
        """
        meaning = self._painter.meaning
        if meaning is None or meaning.entry is None or meaning.entry.label != label:
            return
        typed = [LINE_END if one == "\n" else one for one in text if one == "\n" or readable(one)]
        self._deliver([*FIRST_KEYS, BEGIN_PASTE, *typed, END_PASTE, *(("enter",) if is_whole else ())])

    def resize(self, cols: int, rows: int) -> None:
        """Take a new size."""
        if (size := clamp_size(cols, rows)) != self._size:
            self._size = size
            if self.group is not None:
                self.group.leave(self)
            self.clear()
            self._deliver(["window resize"])

    def _deliver(self, keys: Sequence[Key | RowPress]) -> None:
        if self._callback is not None:
            self._callback(list(keys), [])

    # A terminal, to its session

    def start(self) -> None:
        """Take keys from now on."""
        self.started = True

    def stop(self) -> None:
        """Leave the page as it is."""
        self.started = False
        if self.group is not None:
            self.group.leave(self)

    def hook_event_loop(self, event_loop: Alarms, callback: InputCallback) -> None:
        """Let `callback` have the keys."""
        self._callback = callback

    def unhook_event_loop(self, event_loop: Alarms) -> None:
        """Forget the callback."""
        self._callback = None

    def get_cols_rows(self) -> tuple[int, int]:
        """Return the size, clamped."""
        return self._size

    def set_mouse_tracking(self, enable: bool = True) -> None:
        """Do nothing: taps always come."""

    def probe(self, heard: Callable[[], None]) -> None:
        """Ask nothing: what a browser is, it has said."""


class SharedRows(SharedFrame, RowTerminal):
    """One frame for many pages of the same size: composed and encoded once, the same message for every member."""

    def __init__(self, client: ClientTerm, size: tuple[int, int]) -> None:
        self._fanout = Fanout(self.badge_of, self.resume)
        RowTerminal.__init__(self, self._fanout, client, size)
        self.badge_end = None

    def paint(self, size: tuple[int, int], canvas: Any) -> bytes:
        """Return the message for all, and note whether it touches the row that badges are in."""
        before = self._painter.top
        data = super().paint(size, canvas)
        self._fanout.has_new_top = before != self._painter.top
        return data

    def badge_of(self, member: Any) -> bytes:
        """Return what only this member gets: its words in the first row, which end at a column."""
        if self.badge_end is None or member.badge is None:
            return b""
        style, text, _ = member.badge
        return line("badge", (self.badge_end, style, readable(text)))

    def set_palette(self, entries: tuple[Any, ...]) -> None:
        """Do nothing: members have told their pages."""

    def resize(self, cols: int, rows: int) -> None:
        """Refuse: another size is another group."""
        raise NotImplementedError


def _shown(foreground: Hashable, background: Hashable) -> tuple[str, str, str]:
    """Return urwid's words for a style as colours and settings."""
    fore, _, settings = str(foreground).partition(",")
    back = str(background)
    return ("" if fore == "default" else fore, "" if back == "default" else back, settings)

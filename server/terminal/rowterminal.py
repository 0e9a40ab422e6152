"""A terminal that gets rows of styled text and what they mean, as JSON: a page in a browser (docs/browser.md).

It is a screen like any other to a session. What is sent is messages of one or more lines, each a JSON object; what only
time changes (a running clock) is not sent: the other side counts by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from server.terminal.fanout import Badge, Fanout, FrameMember, SharedFrame
from server.terminal.keys import BEGIN_PASTE, END_PASTE, LINE_END, Key, RowPress
from server.terminal.lines import Line, columns
from server.terminal.meaning import HEAD, LONG, Meaning
from server.terminal.paint import readable
from server.terminal.protocols import Alarms, SharedTerminal
from server.terminal.screen import ByteChannel, InputCallback
from server.terminal.sheet import Frame, LineCanvas
from server.terminal.term import ClientTerm, Ground, clamp_size

ENCODER: Final = msgspec.json.Encoder()
Runs = list[tuple[str, str, int]]  # (style, text, columns)
Change = tuple[int, int, Runs]  # of a row: how many runs stay before it, how many go, what comes in their place
ALL_RUNS: Final = 999  # more than a row has
UNKNOWN: Final = (-1, -1)  # where the cursor is
PART_BYTES: Final = 8 * 1024  # of a frame, after which the rest waits until the other side takes more
MOST_AT_ONCE: Final = 2 * PART_BYTES  # of a change for all; a member gets what is larger in parts
DEEPEST: Final = 16_777_216  # colours
FIRST_KEYS: Final = ("end", "ctrl u")  # empty a line being typed


def browser(ground: Ground) -> ClientTerm:
    """Return what a browser is as a terminal, on a dark or a light ground."""
    return ClientTerm("browser", DEEPEST, ground=ground)


def line(kind: str, value: object) -> bytes:
    """Return one line of a message."""
    return ENCODER.encode({kind: value}) + b"\n"


def runs(row: Line) -> Runs:
    """Return a row as it is sent: without control characters, one run for each change of style, with its columns."""
    found = []
    for style, parts in groupby(row, key=lambda part: str(part[0] or "")):
        if shown := "".join(readable(text) for _, text in parts):
            found.append((style, shown, columns(shown)))
    return found


def change(before: Line | None, now: Line) -> Change:
    """Return what makes a row of another one; `before` None: it is not known what shows there.

    >>> change((("dim", "1 "), ("", "2 ")), (("dim", "1 "), ("", "3 ")))
    (1, 1, [('', '3 ', 2)])
    """
    new = runs(now)
    if before is None:
        return 0, ALL_RUNS, new
    old = runs(before)
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return head, len(old) - head - tail, new[head : len(new) - tail]


class RowPainter:
    """What the other side shows, and the messages that change it."""

    def __init__(self) -> None:
        self.frame: Frame | None = None  # the last one of which all was sent
        self.rows: tuple[Line | None, ...] = ()  # None: not known
        self.cursor: tuple[int, int] | None = UNKNOWN
        self.told: dict[str, Any] = {}  # what the frame means, by field

    @property
    def is_blank(self) -> bool:
        """Tell whether no whole frame is known to show."""
        return self.frame is None

    @property
    def top(self) -> Line | None:
        """Return the first row, in which badges are."""
        return self.rows[0] if self.rows else None

    def forget(self) -> None:
        """Send everything next time."""
        self.frame, self.rows, self.cursor, self.told = None, (), UNKNOWN, {}

    def parts(self, frame: Frame) -> Iterator[bytes]:
        """Yield what makes a frame show, in messages of little more than PART_BYTES.

        Who takes a part must send it; who stops between two parts may go on with another frame.
        """
        said = b""
        for kind, value in self._changes(frame):
            said += line(kind, value)
            if len(said) >= PART_BYTES:
                yield said
                said = b""
        self.frame = frame
        if said:
            yield said

    def _changes(self, frame: Frame) -> Iterator[tuple[str, object]]:
        """Yield what makes a frame show, line by line; each is taken to show when the next one is asked for."""
        if len(self.rows) != frame.rows:
            self.rows, self.cursor = (None,) * frame.rows, UNKNOWN
            yield "size", (frame.cols, frame.rows)
        for y, row in enumerate(frame.lines):
            if row != (before := self.rows[y]):
                self.rows = (*self.rows[:y], row, *self.rows[y + 1 :])
                yield "row", (y, *change(before, row))
        if frame.cursor != self.cursor:
            self.cursor = frame.cursor
            yield "cursor", frame.cursor
        if frame.meaning is not None:
            yield from self._tell(frame.meaning)

    def _tell(self, meaning: Meaning) -> Iterator[tuple[str, object]]:
        """Yield the fields that have changed, what may be long by itself; at another place nothing has happened yet."""
        changed = meaning.changes(self.told)
        if any(name in changed for name in HEAD):
            for name in ("happened", "chat"):
                self.told.pop(name, None)
        short = [name for name in changed if name not in LONG]
        long = [[name] for name in LONG if name in changed]
        for names in [short, *long]:
            if names:
                self.told |= {name: getattr(meaning, name) for name in names}
                yield "means", {name: changed[name] for name in names}

    def adopt(self, other: RowPainter, without_top: bool = False) -> None:
        """Take it that what shows is what another frame shows; `without_top`: but for the first row."""
        self.frame, self.rows, self.cursor, self.told = other.frame, other.rows, other.cursor, dict(other.told)
        if without_top and self.rows:
            self.rows = (None, *self.rows[1:])


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
        self._said: dict[str, object] = {}  # by kind, what waits for the first frame or for the channel
        self.started = self.waits_for_frame = self.is_stale = False
        self.group: SharedTerminal | None = None
        self.badge: Badge | None = None
        self.on_resume: Callable[[], None] | None = None

    # What goes out

    def send(self, data: bytes) -> None:
        """Send a message, perhaps made by another terminal of this kind, after what was said and has waited."""
        self.waits_for_frame = False
        said, self._said = self._said, {}
        data = b"".join(line(kind, value) for kind, value in said.items()) + data
        if data:
            self._channel.write(data)

    def say(self, kind: str, value: object) -> None:
        """Send one line, or keep the last one of its kind for the first frame, or until the channel takes bytes."""
        self._said[kind] = value
        if not self.waits_for_frame and not self._channel.paused:
            self.send(b"")

    def resume(self) -> None:
        """Send what has waited since the channel was paused."""
        if not self.waits_for_frame:
            self.send(b"")
        super().resume()

    def takes(self, data: bytes) -> bool:
        """Tell whether a change for all goes here at once."""
        return self.takes_bytes and len(data) <= MOST_AT_ONCE

    def show(self, size: tuple[int, int], canvas: LineCanvas) -> bool:
        """Send what differs while the channel takes it."""
        if is_all := self._send_parts(canvas.frame):
            self._last_canvas = canvas
        return is_all

    def look_on(self, frame: RowPainter, extra: bytes) -> bool:
        """Send what makes this page show a shared frame, while the channel takes it; nothing of it is kept."""
        assert frame.frame is not None
        if not self._send_parts(frame.frame):
            return False
        self._painter.forget()
        if extra:
            self.send(extra)
        return True

    def _send_parts(self, frame: Frame) -> bool:
        """Send a frame while the channel takes it; return whether all was sent."""
        parts = self._painter.parts(frame)
        while not self._channel.paused:
            if (part := next(parts, None)) is None:
                return True
            self.send(part)
        return False

    def paint(self, size: tuple[int, int], canvas: LineCanvas) -> bytes:
        """Return all that differs as one message."""
        return b"".join(self._painter.parts(canvas.frame))

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
        entry = self._painter.told.get("entry")
        if entry is None or entry.label != label:
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

    def show(self, size: tuple[int, int], canvas: LineCanvas) -> bool:
        """Send a change to all, whatever its size, and note whether it touches the row that badges are in."""
        before = self._painter.top
        data = self.paint(size, canvas)
        self._fanout.has_new_top = before != self._painter.top
        if data:
            self.send(data)
        return True

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

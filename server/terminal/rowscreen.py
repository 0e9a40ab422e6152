"""A terminal that is a page in a browser: rows of styled runs and what they mean, as lines of JSON (docs/web.md).

It is a screen like any other to its session, shares frames as they do, and skips them while its socket does not keep
up. `RowPainter` writes a line of JSON where `Painter` writes sequences.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import msgspec
import urwid

from server.terminal import theme
from server.terminal.meaning import NOTHING, Meaning, added
from server.terminal.paint import Cursor, Painter, StyledRow, readable
from server.terminal.screen import ByteChannel, ChannelScreen
from server.terminal.sharedscreen import OwnScreen, SharedScreen
from server.terminal.term import DEFAULT_SIZE, ClientTerm

ENCODER = msgspec.json.Encoder()
BROWSER = ClientTerm("browser", 16777216, is_xterm_like=False)
PASTE = ("begin paste", "end paste")
MOST_KEY = 24  # characters of a key's name


def line(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line of JSON."""
    return ENCODER.encode(message) + b"\n"


def runs(row: StyledRow) -> list[tuple[str, str]]:
    """Return a row as [style, text] runs, without what no page may show; neighbours of one style are one run."""
    found: list[tuple[str, str]] = []
    for style, text in row:
        name, shown = str(style or ""), readable(text)
        if found and found[-1][0] == name:
            found[-1] = name, found[-1][1] + shown
        elif shown:
            found.append((name, shown))
    return found


class RowPainter(Painter):
    """One frame and its meaning as last sent, as JSON: whole, or what has changed."""

    __slots__ = ("_sent", "meaning")

    def __init__(self) -> None:
        super().__init__(str)
        self.meaning = NOTHING  # of the frame that is painted next
        self._sent = NOTHING

    def tell(self, meaning: Meaning) -> bool:
        """Take what the next frame means; return whether that is new."""
        self.meaning = meaning
        return self.has_news

    @property
    def has_news(self) -> bool:
        """Tell whether the frame means something else than when it was painted."""
        return self.meaning != self._sent

    def adopt(self, other: Painter, without_top: bool) -> None:
        """Go on from another's frame, which this page shows."""
        super().adopt(other, without_top)
        if isinstance(other, RowPainter):
            self._sent = self.meaning = other._sent

    def become(self, other: Painter) -> bytes:
        """Return what turns this page into another's frame; what this one was is forgotten."""
        if isinstance(other, RowPainter):
            _ = self.tell(other._sent)
        return super().become(other)

    def forget(self) -> None:
        """Send everything next time."""
        super().forget()
        self._sent = NOTHING

    def paint(self, rows: Sequence[StyledRow | None], cols: int, cursor: Cursor) -> bytes:
        """Return what turns the last frame into this one (empty when they are equal), and remember this one."""
        old, self._full = self._rows, None
        if old is None or len(old) != len(rows) or self._cols != cols:
            self._rows, self._cols, self._cursor, self._sent = rows, cols, cursor, self.meaning
            return self.full()
        changed = {
            y: runs(now)
            for y, (was, now) in enumerate(zip(old, rows, strict=True))
            if now is not None and was is not now and was != now
        }
        message: dict[str, Any] = {"rows": sorted(changed.items())} if changed else {}
        if cursor != self._cursor:
            message["cursor"] = cursor
        message |= _news(self._sent, self.meaning)
        self._rows, self._cursor, self._sent = rows, cursor, self.meaning
        return line(message) if message else b""

    def full(self) -> bytes:
        """Return the whole frame for a page that shows anything."""
        if self._full is None:
            shown = [runs(row or ()) for row in self._rows or ()]
            frame = {"whole": shown, "cols": self._cols, "cursor": self._cursor}
            self._full = line({**frame, **_whole(self._sent)})
        return self._full


def _whole(meaning: Meaning) -> dict[str, Any]:
    return {one.name: getattr(meaning, one.name) for one in fields(meaning) if one.name != "log"} | {
        "log": [True, meaning.log]
    }


def _news(was: Meaning, now: Meaning) -> dict[str, Any]:
    """Return what a frame means that it did not before."""
    if was == now:
        return {}
    whole = _whole(now)
    news = {name: value for name, value in whole.items() if name != "log" and getattr(was, name) != value}
    if was.log != now.log:
        news["log"] = added(was.log, now.log)
    return news


class RowScreen(OwnScreen):
    """A person's page in a browser."""

    takes_meaning = True

    def __init__(self, channel: ByteChannel, size: tuple[int, int] = DEFAULT_SIZE) -> None:
        super().__init__(channel, BROWSER, size)
        self._painter: RowPainter = RowPainter()
        self._theme = ""

    def make_group(self) -> SharedScreen:
        """Return a new frame for all pages of this size."""
        return SharedRowScreen(self.client, self._size)

    # What goes out

    def tell(self, meaning: Meaning) -> bool:
        """Take what the next frame means; return whether that is new."""
        return self._painter.tell(meaning)

    def draw_screen(self, size: tuple[int, int], canvas: urwid.Canvas) -> None:
        """Send what differs from the last frame and its meaning."""
        if self._painter.has_news:
            self._last_canvas = None
        super().draw_screen(size, canvas)

    def set_palette(self, entries: tuple[Any, ...]) -> None:
        """Say which theme is in force: the page has the colours of all."""
        super().set_palette(entries)
        named = next(
            (name for name in theme.PALETTES if theme.palette(name, self.client.ground, 16777216) is entries), ""
        )
        if named != self._theme:
            self._theme = named
            self._say(theme=named)

    def set_title(self, text: str) -> None:
        """Set the page's title."""
        self._say(window=readable(text))

    def ring(self) -> None:
        """Have the page call for attention."""
        self._say(bell=True)

    def say_goodbye(self, text: str, comes_back: bool) -> None:
        """Say why the session ends; `comes_back`: the page may try again in a moment."""
        self.waits_for_frame = False
        self._say(over=text, again=comes_back)

    def _say(self, **message: Any) -> None:
        self.write(line(message).decode())
        self.flush()

    def _start(self, *args: Any, **kwargs: Any) -> None:
        self.clear()

    def _stop(self) -> None:
        if self.group is not None:
            self.group.leave(self)

    # What comes in

    def take(self, message: Mapping[str, Any]) -> None:
        """Take what the page sends: a key, a text, a tap, a turn of the wheel or a size. All else is ignored."""
        match message:
            case {"key": str(key)} if 0 < len(key) <= MOST_KEY and key == readable(key):
                self._deliver([key])
            case {"text": str(text)}:
                self._deliver(
                    [PASTE[0], *("enter" if char == "\n" else char for char in text if _is_text(char)), PASTE[1]]
                )
            case {"tap": [int(col), int(row)]}:
                self._deliver([("mouse press", 1, col, row)])
            case {"wheel": [int(turn), int(col), int(row)]}:
                self._deliver([("mouse press", 4 if turn < 0 else 5, col, row)])
            case {"size": [int(cols), int(rows)]}:
                self.resize(cols, rows)


def _is_text(char: str) -> bool:
    return char == "\n" or readable(char) == char


class SharedRowScreen(SharedScreen):
    """One frame for many pages of one size: encoded once, the same bytes for every member."""

    takes_meaning = True

    def __init__(self, client: ClientTerm, size: tuple[int, int]) -> None:
        super().__init__(client, size)
        self._painter: RowPainter = RowPainter()

    def tell(self, meaning: Meaning) -> bool:
        """Take what the next frame means; return whether that is new."""
        return self._painter.tell(meaning)

    def draw_screen(self, size: tuple[int, int], canvas: urwid.Canvas) -> None:
        """Send what differs from the last frame and its meaning to all."""
        if self._painter.has_news:
            self._last_canvas = None
        super().draw_screen(size, canvas)

    def badge_of(self, member: ChannelScreen) -> bytes:
        """Return what only this member gets: its badge."""
        if self.badge_end is None or member.badge is None:
            return b""
        style, text, cols = member.badge
        return line({"badge": [max(0, self.badge_end - cols), *_styled(style, text)]})


def _styled(style: Hashable, text: str) -> tuple[str, str]:
    return str(style or ""), readable(text)

"""Terminals that draw for themselves or look on at one frame with others, and what such a frame does with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Any

from server.terminal.protocols import SharedTerminal

MISSED = -1
Badge = tuple[Hashable, str, int]  # style, text, columns


class Fanout:
    """Many channels as one. Yields to the loop after every `CHUNK` writes; a member that can't keep up is left out."""

    CHUNK = 50

    def __init__(self, badge_of: Callable[[Any], bytes], on_free: Callable[[], None]) -> None:
        """`on_free`: called once a frame that took several rounds has gone to all members."""
        self.members: dict[Any, int] = {}  # which frame each has; MISSED: needs the whole one
        self.frame = 0  # the number of the last one
        self.has_new_top = False
        self._on_free: Callable[[], None] | None = on_free
        self._badge_of = badge_of
        self._left = 0

    def end(self) -> None:
        """Forget the screen, with which it knows each other."""
        self._on_free, self._badge_of = None, lambda member: b""

    @property
    def paused(self) -> bool:
        """Tell whether the last frame is still on its way."""
        return self._left > 0

    def write(self, data: bytes) -> None:
        """Send to every member that has all that came before; the others get the whole frame when they can."""
        self.frame += 1
        self._spread(data, list(self.members), 0)

    def _spread(self, data: bytes, targets: list[Any], start: int) -> None:
        members, frame, has_new_top = self.members, self.frame, self.has_new_top
        before = frame - 1
        for member in targets[start : start + self.CHUNK]:
            last = members.get(member)
            if last == before and member.takes(data):
                members[member] = frame
                member.send(data + self._badge_of(member) if has_new_top else data)
                continue
            if last == before:
                members[member] = MISSED
                member.miss()
            if members.get(member) == MISSED and member.takes_bytes and member.group is not None:
                member.group.catch_up(member)
        self._left = max(0, len(targets) - start - self.CHUNK)
        if self._left:
            asyncio.get_running_loop().call_soon(self._spread, data, targets, start + self.CHUNK)
        elif start and self._on_free is not None:
            self._on_free()


class SharedFrame:
    """The part of a shared frame that deals with its members: terminals of one kind and size, which get its bytes.

    A terminal class beside it draws the frame: `_painter` holds what was painted last, `_fanout` sends it.
    """

    client: Any
    on_resume: Callable[[], None] | None
    _size: tuple[int, int]
    _painter: Any
    _last_canvas: Any
    _fanout: Fanout
    badge_end: int | None  # the column of the first row at which members' badges end

    @property
    def painter(self) -> Any:
        """Return what was painted last."""
        return self._painter

    def begin_with(self, painter: Any, badge_end: int | None) -> None:
        """Begin with what another frame for terminals of this kind and size has painted last."""
        self._painter, self.badge_end = painter, badge_end

    @property
    def members(self) -> int:
        """Return how many terminals look on."""
        return len(self._fanout.members)

    def join(self, member: Any) -> None:
        """Let a terminal look on: it gets the whole frame. Raises ValueError when it is of another kind or size."""
        if member.client != self.client or member.get_cols_rows() != self._size:
            raise ValueError("only equal terminals share frames")
        if member.group is not None:
            member.group.leave(member)
        member.group = self
        self.catch_up(member)

    def leave(self, member: Any) -> None:
        """Let a terminal draw for itself again, from what it shows now."""
        last = self._fanout.members.pop(member, None)
        if last is not None:
            member.group = None
            member.look_away(self._painter if last == self._fanout.frame else None)
            member.is_stale = True
            member.resume()

    def let_all_go(self) -> None:
        """Let all members draw for themselves."""
        for member in list(self._fanout.members):
            self.leave(member)

    def end(self) -> None:
        """Let go of everything: nobody looks any more. Else it would wait for the collector."""
        self.on_resume = self._last_canvas = None
        self._fanout.end()

    def catch_up(self, member: Any) -> None:
        """Send what is missing to a member that joins or has missed something, as soon as it takes bytes."""
        self._fanout.members[member] = MISSED
        if not self._painter.is_blank and member.takes_bytes and member.look_on(self._painter, self.badge_of(member)):
            self._fanout.members[member] = self._fanout.frame

    def badge_of(self, member: Any) -> bytes:
        """Return what only this member gets: its badge."""
        raise NotImplementedError


class FrameMember:
    """The part of a terminal that draws a frame where it has one of its own, and looks on where a group has it.

    A terminal class beside it knows the other side: `_channel` takes its bytes, `_painter` holds what shows there.
    """

    _channel: Any
    _painter: Any
    _last_canvas: Any
    _size: tuple[int, int]
    group: SharedTerminal | None
    badge: Badge | None
    is_stale: bool
    on_resume: Callable[[], None] | None

    def send(self, data: bytes) -> None:
        """Send bytes, perhaps made by another terminal like this one."""
        raise NotImplementedError

    def paint(self, size: tuple[int, int], canvas: Any) -> bytes:
        """Return the bytes that `draw_screen` would send."""
        raise NotImplementedError

    @property
    def is_paused(self) -> bool:
        """Tell whether drawing now would be for nothing: the bytes would pile up, or a group draws for this one."""
        return self.group is not None or self._channel.paused

    @property
    def takes_bytes(self) -> bool:
        """Tell whether the other side keeps up."""
        return not self._channel.paused

    def takes(self, data: bytes) -> bool:
        """Tell whether a change that was made for all goes here at once."""
        return self.takes_bytes

    def skips(self) -> bool:
        """Tell whether to skip this drawing; it is made good on resume."""
        if is_paused := self.is_paused:
            self.is_stale = True
        return is_paused

    def resume(self) -> None:
        """Draw again what was not drawn while the channel was paused."""
        if self.group is not None:
            self.group.catch_up(self)
        elif self.is_stale and self.on_resume is not None:
            self.on_resume()

    def draw_screen(self, size: tuple[int, int], canvas: Any) -> None:
        """Send what differs from the last frame. A canvas of another size than the terminal's is not drawn."""
        if canvas is self._last_canvas or self.group is not None or size != self._size:
            return
        self.is_stale = self._channel.paused or not self.show(size, canvas)

    def show(self, size: tuple[int, int], canvas: Any) -> bool:
        """Send what differs; return whether it was all, or the rest waits for `resume`."""
        if data := self.paint(size, canvas):
            self.send(data)
        return True

    def clear(self) -> None:
        """Send everything next time."""
        self._painter.forget()
        self._last_canvas = None
        if self.group is not None:
            self.group.catch_up(self)

    def set_badge(self, badge: Badge | None) -> None:
        """Put one's own words into a shared frame that leaves room for them."""
        if badge != self.badge:
            self.badge = badge
            if self.group is not None:
                self.clear()

    def look_on(self, frame: Any, extra: bytes) -> bool:
        """Send what makes this terminal show a shared frame, and the words of its own; return whether it was all."""
        if data := self._painter.become(frame) + extra:
            self.send(data)
        return True

    def look_away(self, frame: Any) -> None:
        """Draw for oneself again; `frame` is what shows, None: this terminal has missed something."""
        self._last_canvas = None
        if frame is None:
            self._painter.forget()
        else:
            self._painter.adopt(frame, without_top=self.badge is not None)

    def miss(self) -> None:
        """Note that this terminal did not get what its group got."""
        self._painter.forget()

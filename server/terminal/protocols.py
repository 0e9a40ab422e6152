"""What a session needs of a terminal: urwid's screen, and a little more that the channel's screen has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Alarms(Protocol):
    """The part of a session's loop that a screen needs."""

    def alarm(self, seconds: float, callback: Callable[[], Any]) -> Any: ...

    def remove_alarm(self, handle: Any) -> bool: ...


class SharedTerminal(Protocol):
    """One frame for many terminals that are alike."""

    on_resume: Callable[[], None] | None
    badge_end: int | None

    def join(self, member: Any) -> None: ...

    def leave(self, member: Any) -> None: ...

    def catch_up(self, member: Any) -> None:
        """Send what is missing to a member that has missed something, as soon as it takes bytes."""
        ...

    def end(self) -> None:
        """Release everything: the last member has left."""
        ...

    @property
    def painter(self) -> Any:
        """Return what was painted last, for another frame to begin with."""
        ...

    def begin_with(self, painter: Any, badge_end: int | None) -> None:
        """Begin with what another frame for terminals of this kind and size has painted last."""
        ...

    def skips(self) -> bool: ...

    def set_palette(self, entries: tuple[Any, ...]) -> None: ...

    def draw_screen(self, size: tuple[int, int], canvas: Any) -> None: ...


class Terminal(Protocol):
    """A screen over a channel (see server/terminal/screen.py), as far as the session touches it."""

    draws: bool  # else it says lines
    ticks: bool  # what only time changes is drawn; else the other side counts by itself, or is not told
    means: bool  # it shows what a frame means, too
    client: Any
    on_resume: Callable[[], None] | None
    is_stale: bool
    waits_for_frame: bool  # what is said to the terminal goes with the next frame, or the end

    @property
    def is_paused(self) -> bool:
        """Tell whether the client reads too slowly, so that drawing now would only queue bytes."""
        ...

    def skips(self) -> bool:
        """Tell whether to skip this drawing; `on_resume` is called when the client reads again."""
        ...

    def set_badge(self, badge: tuple[str, str, int] | None) -> None:
        """Put one's own words (style, text, columns) into a shared frame that leaves room for them."""
        ...

    def make_group(self) -> SharedTerminal:
        """Return a new frame for all terminals that are like this one and of its size."""
        ...

    def start(self) -> object: ...

    def stop(self) -> None: ...

    def hook_event_loop(self, event_loop: Alarms, callback: Callable[[list[Any], list[int]], None]) -> None:
        """Pass decoded keys to `callback`."""
        ...

    def unhook_event_loop(self, event_loop: Alarms) -> None: ...

    def get_cols_rows(self) -> tuple[int, int]: ...

    def draw_screen(self, size: tuple[int, int], canvas: Any) -> None: ...

    def set_palette(self, entries: tuple[Any, ...]) -> None: ...

    def set_mouse_tracking(self, enable: bool = True) -> None: ...

    def set_title(self, text: str) -> None: ...

    def probe(self, heard: Callable[[], None]) -> None:
        """Ask the terminal what it is; `heard` is called when `client` is known better."""
        ...

    def ring(self) -> None: ...

    def clear(self) -> None: ...

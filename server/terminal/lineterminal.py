"""A terminal without a cursor, or a program's pipe: lines that are typed, and lines that are said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from server.terminal import transcript
from server.terminal.lineeditor import LineEditor, Typed
from server.terminal.protocols import Alarms, SharedTerminal
from server.terminal.screen import ByteChannel
from server.terminal.term import ClientTerm


class LineTerminal:
    """Says sentences and prompts to a channel, and takes typed lines from it.

    To a session it is a terminal like a screen, on which nothing is drawn. `edits`: the other side is a terminal, which
    shows only what we send; `size`: how wide it is now. `hold` is called with whether so much waits that no more input
    should come.
    """

    draws, ticks, means = False, False, False

    def __init__(
        self,
        channel: ByteChannel,
        client: ClientTerm,
        size: Callable[[], tuple[int, int]],
        edits: bool,
        hold: Callable[[bool], None] = lambda is_full: None,
    ) -> None:
        self.client = client
        self.on_resume: Callable[[], None] | None = None
        self._heard: Callable[[], None] | None = None
        self.is_stale = self.waits_for_frame = self.started = False
        self.editor = LineEditor(edits)
        self._channel, self._edits, self._hold = channel, edits, hold
        self._size = size
        self._end = "\r\n" if edits else "\n"
        self._is_at_start = True  # of a line

    # What comes in

    def feed(self, data: bytes) -> None:
        """Take what was typed."""
        self.editor.feed(data)
        if self.editor.is_full:
            self._hold(True)
        self._hear()

    def end_input(self) -> None:
        """Take note that nothing more will be typed."""
        self.editor.end()
        self._hear()

    def _hear(self) -> None:
        if self._heard is not None:
            self._heard()

    def listen(self, heard: Callable[[], None] | None) -> None:
        """Call back when something was typed; None: no longer."""
        self._heard = heard

    def next_line(self) -> Typed | None:
        """Return the next line that was typed, if one is whole; show what there is of the next one."""
        was_full, typed = self.editor.is_full, self.editor.next_line()
        if was_full and not self.editor.is_full:
            self._hold(False)
        if echo := self.editor.echo():
            self._write(echo)
            self._is_at_start = False
        return typed

    # What goes out

    def say(self, texts: Iterable[str]) -> None:
        """Say sentences, on lines of their own."""
        cols = max(transcript.LEAST_COLS, min(transcript.MOST_COLS, self._size()[0]))
        if said := transcript.as_lines(texts, cols, self._end):
            self.end_line()
            self._write(said)
            self._is_at_start = True

    def ask(self, text: str) -> None:
        """Say a prompt, behind which one types."""
        self.end_line()
        self._write(transcript.prompt(text))
        self._is_at_start = False

    def show(self, text: str) -> None:
        """Show a line that was begun again, behind the prompt."""
        if self._edits and text:
            self._write(text)

    def complete(self, text: str) -> None:
        """Have more of the line typed than was."""
        self.editor.put(text)
        self.show(self.editor.echo())

    def end_line(self) -> None:
        """End the line that was begun: a prompt, or what was typed behind it."""
        if not self._is_at_start:
            self._write(self._end)
            self._is_at_start = True

    def _write(self, text: str) -> None:
        self._channel.write(text.encode())

    # A terminal, to its session

    @property
    def is_paused(self) -> bool:
        """Tell whether the client reads too slowly."""
        return self._channel.paused

    def skips(self) -> bool:
        """Tell whether to say nothing now; `on_resume` is called when the client reads again."""
        self.is_stale = self.is_stale or self._channel.paused
        return self._channel.paused

    def resume(self) -> None:
        """Say what was not said while the client did not read."""
        if self.is_stale and self.on_resume is not None:
            self.is_stale = False
            self.on_resume()

    def start(self) -> None:
        """Take typed lines from now on."""
        self.started = True

    def stop(self) -> None:
        """Leave the terminal at the start of a line."""
        self.end_line()
        self.started = False

    def hook_event_loop(self, event_loop: Alarms, callback: Callable[[list[Any], list[int]], None]) -> None:
        """Do nothing: there are no keys."""

    def unhook_event_loop(self, event_loop: Alarms) -> None:
        """Tell nobody any more what is typed."""
        self._heard = None

    def get_cols_rows(self) -> tuple[int, int]:
        """Return the window's size."""
        return self._size()

    def draw_screen(self, size: tuple[int, int], canvas: Any) -> None:
        """Draw nothing."""

    def set_badge(self, badge: tuple[str, str, int] | None) -> None:
        """Draw nothing."""

    def make_group(self) -> SharedTerminal:
        """Refuse: what is said is said to one person."""
        raise NotImplementedError

    def set_palette(self, entries: tuple[Any, ...]) -> None:
        """Have no colours."""

    def set_mouse_tracking(self, enable: bool = True) -> None:
        """Have no mouse."""

    def set_title(self, text: str) -> None:
        """Have no title."""

    def probe(self, heard: Callable[[], None]) -> None:
        """Ask nothing: an answer would be typed text."""

    def ring(self) -> None:
        """Ring no bell: it is no text."""

    def clear(self) -> None:
        """Repaint nothing."""

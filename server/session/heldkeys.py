"""Keys that are held back: one struck just after the screen changed by itself was meant for what showed before."""

from __future__ import annotations

from typing import Final

from server.clock import Clock
from server.session.display import Display
from server.session.prompts import Prompts

HOLD_S: Final = 0.5  # faster than anybody reads something new and answers it
AGAIN_S: Final = 0.7  # terminals repeat a key that is held down for the first time after up to 0.66 s
REPEAT_S: Final = 0.25  # and from then on faster than this; nobody means to answer by holding a key down
MOST_S: Final = 2.0  # for how long keys that are struck one by one make it last


class Hold:
    """A period in which keys are ignored; it begins when the screen changes by itself, and lasts `HOLD_S`.

    A key that is ignored makes it last `HOLD_S` longer, up to `MOST_S` in all. A key that is held down is ignored until
    it is let go, also when it was struck just before the change.
    """

    def __init__(self, clock: Clock, display: Display | None = None) -> None:
        """`display`: where it says lines, no key is ignored: a typed line knows what it answers (dialogue.py)."""
        self._clock, self._display = clock, display
        self._began = self._until = self._struck_at = float("-inf")  # monotonic
        self._struck = ""
        self._has_caught = False  # the key struck last

    @property
    def _is_told(self) -> bool:
        return self._display is not None and not self._display.screen.draws

    def begin(self) -> None:
        """Ignore keys from now on."""
        self._began = self._clock.monotonic()
        self._until = self._began + HOLD_S
        self._has_caught = False

    def record(self, key: str) -> None:
        """Record that a key was struck, whatever it did."""
        self._struck, self._struck_at = key, self._clock.monotonic()

    def catches(self, key: str) -> bool:
        """Tell whether a key that would answer is ignored; if so, it makes the period last longer."""
        if self._is_told:
            return False
        now = self._clock.monotonic()
        gap = now - self._struck_at if key == self._struck else float("inf")
        is_again = gap < AGAIN_S and now < self._began + (MOST_S if self._has_caught else AGAIN_S)
        is_held_down = self._has_caught and gap < REPEAT_S
        self._has_caught = now < self._until or is_again or is_held_down
        if self._has_caught:
            self._until = max(self._until, min(now + HOLD_S, self._began + MOST_S))
            self.record(key)
        return self._has_caught

    @property
    def is_on(self) -> bool:
        """Tell whether keys are ignored now."""
        return self._clock.monotonic() < self._until and not self._is_told


class HeldKeys:
    """The period of one session in which keys are ignored, because a page shows that no key asked for."""

    def __init__(self, display: Display, prompts: Prompts, clock: Clock) -> None:
        self._display, self._prompts = display, prompts
        self._hold = Hold(clock, display)

    def begin(self) -> None:
        """Ignore keys for a moment. A line being typed goes on."""
        self._hold.begin()
        self.draw_after()

    def draw_after(self) -> None:
        """Draw again when keys are no longer held back: until then the screen shows that they are."""
        self._display.later(HOLD_S, self._display.dirty)

    def say(self) -> None:
        """Say that a key was ignored, until keys are no longer held back."""
        self._prompts.notice("session.held")
        self.draw_after()

    @property
    def holds(self) -> bool:
        """Tell whether keys are held back, but for those of a line being typed."""
        return self._hold.is_on and not self._prompts.is_typing

    def catches(self, key: str) -> bool:
        """Tell whether a key that would answer is ignored; if so, it makes the period last longer."""
        return not self._prompts.is_typing and self._hold.catches(key)

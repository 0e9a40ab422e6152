"""When a built-in player's answer in a window is said: at moments that don't tell how long it has thought."""

from __future__ import annotations

from math import ceil

from server.matches.model import Timing


class WindowPace:
    """The pace of one match. Who holds nothing to answer with has thought at once, so that the time taken tells.

    An answer is said after the constant delay or, where thinking took longer, at the next multiple of a step. From then
    on all answers in windows of the match wait as long, so that only the first slow one stands out.
    """

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._slowest = 0.0

    def pause(self, least: float, thought: float) -> float:
        """Return how long after the question an answer is said, in seconds, `thought` seconds having passed."""
        step = self._timing.window_step
        if thought > least:
            said = ceil(round(thought / step, 6)) * step
            self._slowest = max(self._slowest, min(said, self._timing.slow_window_delay))
            return max(said, self._slowest)
        return max(least, self._slowest)

"""When Python looks for garbage that knows itself: seldom, and after as many have left as are there."""

from __future__ import annotations

import asyncio
import gc

OBJECTS, YOUNG, MIDDLE = 2_000, 200, 50  # objects made, rounds of the youngest, rounds of the middle generation
MANY, FEW = 250, 64  # who have gone; who stay, in a house where a round is short
SOON_S = 1.0  # who has just gone is still being taken apart
CALM_S = 20.0


def calm() -> None:
    """Let the garbage collector look less often, and never at what was built at the start.

    With its defaults it took an eighth of the CPU of a house with 300 sessions, and a full round stopped everybody for
    as long as it takes to look at every object there is. What sessions leave behind breaks its own circles. Young
    rounds come often, so that each is short: with 20,000 objects between two, each held up 1,000 sessions for 0.1 s.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, YOUNG, MIDDLE)


class Leavings:
    """Has a full round made once as many have left as are there: its cost stays a small share of what they cost.

    The library's objects know each other, and a connection that ends oddly may leave them in a circle; by the
    thresholds alone these would stay for as long as the house is quiet. Where few are there it comes after a while.
    """

    def __init__(self) -> None:
        self._gone = 0
        self._round: asyncio.TimerHandle | None = None

    def gone(self, staying: int) -> None:
        """Hear that somebody has left, and how many stay."""
        self._gone += 1
        if self._gone == max(MANY, staying):
            self._collect_in(SOON_S)
        elif self._round is None and (staying <= FEW or self._gone > max(MANY, staying)):
            self._collect_in(CALM_S if staying <= FEW else SOON_S)

    def _collect_in(self, seconds: float) -> None:
        if self._round is not None:
            self._round.cancel()
        self._round = asyncio.get_running_loop().call_later(seconds, self._collect)

    def _collect(self) -> None:
        self._gone, self._round = 0, None
        gc.collect()

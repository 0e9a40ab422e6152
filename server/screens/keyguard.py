"""The key guard: a key that was struck before the question changed, or an offer came, does not answer it."""

from __future__ import annotations

from enum import Enum
from typing import Any

from game.contract import Seat
from server.clock import Clock
from server.matches.model import AnyViewerState
from server.session.display import Display
from server.session.heldkeys import AGAIN_S, MOST_S, REPEAT_S, Hold


class Stroke(Enum):
    """What a key is that was refused, or has marked a row, and comes again."""

    STRUCK = "struck"
    UNCLEAR = "unclear"  # struck again, or held down: another one follows soon then
    HELD = "held"  # held down since


class KeyGuard:
    """Holds back answers for a moment after the question changed on this screen, unless one's own key changed it.

    Of each question it refuses one key at most: who strikes again means it.
    """

    def __init__(self, clock: Clock, display: Display | None = None) -> None:
        self._clock, self._display = clock, display
        self._hold, self._news, self._offers = (Hold(clock, display) for _ in range(3))
        self._asked_at = float("-inf")  # monotonic: when what is asked last changed, by whatever
        self.has_refused = False  # a key for what is asked now
        self._again = ""  # the key that was refused, or has marked a row instead of taking it
        self._again_at, self._has_come_again = float("-inf"), False  # monotonic: when it came last
        self._since = 0  # the entry that brought what is asked now
        self._is_startling = False  # keys rest before it, though one's own has brought it
        self._own = -1  # the newest entry that a key of this screen made
        self.before: tuple[AnyViewerState, Any] | None = None  # what keys were meant for until then

    def see(
        self, before: AnyViewerState, chosen: Any, now: AnyViewerState, startling: frozenset[str] = frozenset()
    ) -> bool:
        """Record a new state, the one before it and its selection; return whether the question changed.

        `startling`: prompts that keys are held back for, though one's own key brought them.
        """
        if now.is_over and not before.is_over:
            self._since = now.seq
        elif now.pending is not None and _asked(before) != _asked(now):
            self._since = now.turn_since
        else:
            return False
        self._is_startling = now.pending is not None and now.pending.prompt in startling
        self.before = before, chosen
        self.has_refused = False
        self._asked_at = self._clock.monotonic()
        self._hold.begin()
        return True

    def see_offers(self, before: AnyViewerState, now: AnyViewerState, own: Seat) -> bool:
        """Record the offers there are; return whether one of another seat is new."""
        is_new = bool({offer for offer in now.offers if offer[0] != own} - set(before.offers))
        if is_new:
            self._offers.begin()
        return is_new

    def record_own(self, seq: int) -> None:
        """Record that a key of this screen made entry `seq`: what that entry brought is not held back."""
        self._own = max(self._own, seq)

    def record(self, key: str) -> None:
        """Record that a key was struck, whatever it did."""
        self._hold.record(key)
        self._news.record(key)

    def record_news(self) -> None:
        """Record that something happened that is now told on the screen."""
        self._news.begin()

    def has_read(self, key: str) -> bool:
        """Tell whether a key counts as having read what is said: not one struck too soon after it appeared."""
        return not self._news.catches(key)

    def catches(self, key: str) -> bool:
        """Tell whether a key that would answer is ignored; an ignored key stays ignored while it is held down."""
        return self._may_startle and self._hold.catches(key)

    def may_be_unread(self, *, is_expected: bool) -> bool:
        """Tell whether what is asked changed so lately that it may not have been read.

        `is_expected`: another key than the one struck now has brought it, so its player looks for it.
        """
        waits = is_expected and self._since == self._own
        return self._clock.monotonic() < self._asked_at + (AGAIN_S if waits else MOST_S)

    def refuses(self, key: str) -> bool:
        """Tell whether a key that would answer is refused: the first one that comes too soon after the question."""
        if self.has_refused or not self.catches(key):
            return False
        self.record_refusal(key)
        return True

    def record_refusal(self, key: str) -> None:
        """Record that a key was refused for what is asked now: no other one is."""
        self.has_refused = True
        self.record_mark(key)

    def record_mark(self, key: str) -> None:
        """Record that a key was refused, or marked a row instead of taking it: struck again, it takes it."""
        self._again, self._again_at, self._has_come_again = key, self._clock.monotonic(), False

    def stroke(self, key: str) -> Stroke:
        """Tell whether a key that would act now was struck, or may come from one that was refused and is held down."""
        if key != self._again or (self._display is not None and not self._display.screen.draws):
            return Stroke.STRUCK
        now, first = self._clock.monotonic(), not self._has_come_again
        gap, self._again_at, self._has_come_again = now - self._again_at, now, True
        if first:
            return Stroke.UNCLEAR if gap < AGAIN_S else Stroke.STRUCK
        return Stroke.HELD if gap < REPEAT_S else Stroke.STRUCK

    @property
    def holds(self) -> bool:
        """Tell whether a key may have been meant for what was asked before."""
        return self._may_startle and self._hold.is_on

    @property
    def _may_startle(self) -> bool:
        """Tell whether what is asked came from others, or is such that one's own key does not matter."""
        return self._is_startling or self._since != self._own

    def catches_for_offer(self, key: str) -> bool:
        """Tell whether a key that would answer an offer is ignored."""
        return self._offers.catches(key)

    @property
    def holds_for_offer(self) -> bool:
        """Tell whether a key may have been meant for what showed before an offer came."""
        return self._offers.is_on


def _asked(shot: AnyViewerState) -> tuple[object, int]:
    return shot.pending, shot.turn_since

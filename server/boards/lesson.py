"""The tutorials: short lessons that are played. A lesson is data: a position and what to try.

The `lessons.py` of a game's folder exports `LESSONS`, or `PARTS` where each side learns something else.
The words are in the catalogue: `tutorial.GAME.LESSON.title`, `.text` (what to try and why), `.ask` (what to try, for
who has done something else; it names no key), `.done` (what has happened) and, where it can be spoilt, `.spoilt`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from game import registry
from game.choices import contains
from game.contract import Action, Json, OneOf, Pending, Result, Seat
from server.accounts.identity import Player, bot_player
from server.boards import games
from server.matches.agreement import Agreement
from server.matches.model import AnyViewerState, SeatInfo, SeenEvent, ViewerState

LEARNER = Seat(0)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to learn: `wanted` is a pattern of the action that counts.

    `players` says how many there are where the position leaves it open. `spoilt`: a pattern of actions that do what is
    asked and ruin who does it. `later`: one of actions that a later lesson teaches: they are not offered here.
    """

    name: str
    position: Json
    wanted: str
    seat: Seat = LEARNER
    players: int | None = None
    before: tuple[tuple[Seat, str], ...] = ()  # what others do first
    spoilt: str = ""
    later: str = ""

    def is_done_by(self, action: str) -> bool:
        """Tell whether this action is what the lesson is about."""
        return re.fullmatch(self.wanted, action) is not None

    def is_spoilt_by(self, action: str) -> bool:
        """Tell whether this action does what is asked and ruins who does it."""
        return re.fullmatch(self.spoilt, action) is not None

    def offered(self, owed: Pending | None) -> Pending | None:
        """Return a decision without the actions that are taught later."""
        if owed is None or not self.later or not isinstance(owed.choice, OneOf):
            return owed
        taught = (one for one in owed.choice.actions if re.fullmatch(self.later, one.text) is None)
        return replace(owed, choice=OneOf(tuple(taught)))


@cache
def parts(game: str) -> Mapping[str, tuple[Lesson, ...]]:
    """Return a game's lessons by part, '' where it has only one; none when it has no tutorial (yet)."""
    module = games.part(game, "lessons")
    if module is None:
        return {}
    found: Mapping[str, tuple[Lesson, ...]] = getattr(module, "PARTS", None) or {"": module.LESSONS}
    return found


def lessons(game: str, part: str = "") -> tuple[Lesson, ...]:
    """Return the lessons of a part in order; without a name those of the first."""
    found = parts(game)
    return found[part] if part in found else next(iter(found.values()), ())


NOON = datetime(2000, 1, 1, 12, tzinfo=UTC)  # a lesson has no clock


class Practice:
    """One lesson being played. `snapshot` and `events` are what the learner's seat may know."""

    def __init__(self, game: str, lesson: Lesson, learner: str) -> None:
        self.game = registry.get(game)
        self.lesson = lesson
        self.learner = learner
        self.state: Any = self.game.read_position(lesson.position, {}, lesson.players, bytes(32))
        for seat, text in lesson.before:
            self.state = self.game.apply(self.state, seat, Action(text)).state
        self.events: tuple[SeenEvent, ...] = ()
        self.played = 0

    def play(self, action: Action) -> bool:
        """Play an action when it is the one the lesson is about; raises GameError for one that is not legal."""
        step = self.game.apply(self.state, self.lesson.seat, action)
        if not self.lesson.is_done_by(action.text):
            if self.is_setting(action):
                self.state = step.state
            return False
        self.state, self.played = step.state, self.played + 1
        seen = ((event.kind, event.seen_by(self.lesson.seat)) for event in step.events)
        self.events += tuple(SeenEvent(self.played, kind, dict(params)) for kind, params in seen if params is not None)
        return True

    def is_setting(self, action: Action) -> bool:
        """Tell whether an action changes a setting, which is never wrong."""
        return any(contains(choice, action) for choice in self.game.settings(self.state, self.lesson.seat))

    @property
    def snapshot(self) -> AnyViewerState:
        """Return what a board draws."""
        pending = {owed.seat: owed for owed in self.game.pending(self.state)}
        result: Result | None = self.game.result(self.state)
        seat, size = self.lesson.seat, self.game.n_seats(self.state)
        return ViewerState(
            match="", agreement=Agreement(self.game.key, size, speed="slow", private=True), viewer=seat,
            seq=self.played, version=self.played, status="live" if result is None else "finished", room=None,
            seats=tuple(self._seat(Seat(i)) for i in range(size)),
            view=self.game.view(self.state, seat), pending=self.lesson.offered(pending.get(seat)), turn_seq=self.played,
            deciding=tuple((owed.seat, owed.window) for owed in pending.values()), deadline=None, clock_at=NOON,
            offers=(), claim_at=None, void_at=None, watchers=(), result=result, rating_changes={}, commitment="",
            seed=None, started_at=NOON, ended_at=None, chat=(), settings=self.game.settings(self.state, seat),
        )  # fmt: skip

    def _seat(self, seat: Seat) -> SeatInfo:
        mine = seat == self.lesson.seat
        player = Player("guest", self.learner) if mine else bot_player("easy")
        return SeatInfo(seat, player, None, False, True, None, None, False, None if mine else "easy")

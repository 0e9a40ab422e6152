"""The person's other running matches, and which of them wait for them: for a decision, or an answer to an offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final, Literal

from server.bus.bus import Subscription
from server.errors import Refused
from server.matches.lists import by_urgency
from server.matches.match import Match
from server.matches.model import RUNNING, OfferKind
from server.matches.speeds import UNHURRIED
from server.services import Services
from server.session.person import Person
from server.terminal.look import Look

MOST_HEARD: Final = 20  # matches of one person that a session hears of; there may be hundreds
Wanted = Literal["turn"] | OfferKind  # what a match waits for: a decision, or an answer to what others offer


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """A match that waits for the person, and for what."""

    match: Match
    wanted: Wanted
    due: datetime | None = None  # the decision

    @property
    def urgency(self) -> tuple[bool, float]:
        """Return where it stands among others: the decision that is due first before all, then what has no end."""
        return self.due is None, self.due.timestamp() if self.due is not None else 0.0

    def call(self, look: Look) -> str:
        """Say that it waits, and for what."""
        key = "match.call" if self.wanted == "turn" else f"match.call.{self.wanted}"
        return look.t(key, game=look.game(self.match.game))


@dataclass(frozen=True, slots=True)
class HeardMatch:
    """A running match that this session hears of."""

    match: Match
    subscription: Subscription


class OtherTurns:
    """Hears of the person's running matches, so that any page can say that another one waits for them."""

    def __init__(self, services: Services, person: Person, changed: Callable[[], None]) -> None:
        """`changed`: hears that one of the matches waits for the person, for something else, or no more."""
        self._services, self._person, self._changed = services, person, changed
        self._heard: dict[str, HeardMatch] = {}
        self._waiting: dict[str, WaitingMatch] = {}  # by id
        self._is_closed = False

    async def load(self) -> None:
        """Find out which matches the person plays now, and hear of them. Raises StoreUnavailable."""
        ids = (await self._services.matches.running_ids(self._person.identity.player))[:MOST_HEARD]
        for match_id in self._heard.keys() - set(ids):
            self._heard.pop(match_id).subscription.close()
        for match_id in ids:
            await self._hear(match_id)
        self._update()

    async def _hear(self, match_id: str) -> None:
        if match_id in self._heard:
            return
        try:
            match = await self._services.matches.find(match_id, self._person.identity)
        except Refused:
            return  # it is not to be read just now; the lobby says why to who opens it
        seat = match.seat_of(self._person.identity.player)
        if seat is not None and match_id not in self._heard and not self._is_closed:
            self._heard[match_id] = HeardMatch(match, match.subscribe(seat, self._update))

    def close(self) -> None:
        """Hear of nothing any more."""
        self._is_closed = True
        for heard in self._heard.values():
            heard.subscription.close()
        self._heard.clear()
        self._waiting = {}
        self._changed = lambda: None  # it knows the session, which is a reference cycle

    def _update(self) -> None:
        """Take note of which matches wait for the person."""
        found = [self._waits(heard.match) for heard in self._heard.values()]
        ordered = sorted((one for one in found if one is not None), key=lambda one: one.urgency)
        waiting = {one.match.id: one for one in ordered}
        if [*waiting.values()] != [*self._waiting.values()]:
            self._waiting = waiting
            self._changed()

    def _waits(self, match: Match) -> WaitingMatch | None:
        """Return a match with what it waits for from this person, an offer's answer before a decision; None: nothing.

        What a bot decides for them is not theirs.
        """
        seat = match.seat_of(self._person.identity.player)
        if seat is None:
            return None
        shot = match.snapshot(seat)
        if shot.status not in RUNNING or shot.seats[seat].bot is not None:
            return None
        if (asked := match.asked_of(seat)) is not None:
            return WaitingMatch(match, asked)
        is_asked = shot.status == "live" and shot.pending is not None
        return WaitingMatch(match, "turn", shot.deadline) if is_asked else None

    def elsewhere(self, shown: str) -> WaitingMatch | None:
        """Return the match, other than the one that is `shown`, that waits most urgently of those heard of."""
        for match_id, waiting in self._waiting.items():
            if match_id != shown:
                return waiting
        return None

    async def most_urgent(self, shown: str) -> str | None:
        """Return the id of the match, other than the one that is `shown`, that waits most urgently for the person.

        Where none waits, of one in which they are expected at the board: they have left it.
        """
        me = self._person.identity.player
        found = by_urgency(await self._services.matches.running_of(me), me)
        others = [one for one in found if one.id != shown]
        waiting = (one.id for one in others if one.waits_for(me) or one.id in self._waiting)
        hurried = (one.id for one in others if one.status == "live" and one.agreement.speed not in UNHURRIED)
        return next(chain(waiting, hurried), None)

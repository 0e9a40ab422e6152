"""The person's other running matches, and in which of them it is their turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from server.bus.bus import Subscription
from server.errors import Refused
from server.matches.lists import by_urgency
from server.matches.match import Match
from server.services import Services
from server.session.person import Person

MOST_HEARD = 20  # matches of one person that a session hears of; there may be hundreds


@dataclass(frozen=True, slots=True)
class HeardMatch:
    """A running match that this session hears of."""

    match: Match
    subscription: Subscription


class OtherTurns:
    """Hears of the person's running matches, so that any page can say that it is their turn in another one."""

    def __init__(self, services: Services, person: Person, changed: Callable[[], None]) -> None:
        """`changed`: hears that the person's turn has come or gone in one of the matches."""
        self._services, self._person, self._changed = services, person, changed
        self._heard: dict[str, HeardMatch] = {}
        self._waiting: tuple[str, ...] = ()  # ids of the matches that wait for the person
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
        self._changed = lambda: None  # it knows the session, which is a reference cycle

    def _update(self) -> None:
        """Take note of where it is the person's turn."""
        waiting = tuple(one for one, heard in self._heard.items() if self._waits(heard.match))
        if waiting != self._waiting:
            self._waiting = waiting
            self._changed()

    def _waits(self, match: Match) -> bool:
        """Tell whether a match waits for a decision that this person makes, not a bot for them."""
        seat = match.seat_of(self._person.identity.player)
        if seat is None:
            return False
        shot = match.snapshot(seat)
        return shot.status == "live" and shot.pending is not None and shot.seats[seat].bot is None

    def elsewhere(self, shown: str) -> Match | None:
        """Return a match, other than the one that is `shown`, in which it is the person's turn."""
        return next((self._heard[one].match for one in self._waiting if one != shown and one in self._heard), None)

    async def most_urgent(self, shown: str) -> str | None:
        """Return the id of the match, other than the one that is `shown`, that waits most urgently for the person."""
        me = self._person.identity.player
        found = by_urgency(await self._services.matches.running_of(me), me)
        return next((one.id for one in found if one.id != shown and one.waits_for(me)), None)

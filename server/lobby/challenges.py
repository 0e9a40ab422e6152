"""Who is challenged by whom: one look at the rooms serves everybody who asks within a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.lobby import seats
from server.lobby.context import LobbyContext
from server.lobby.model import Challenge
from server.store import lobby as store
from server.store.errors import StoreUnavailable
from server.store.lobby import StoredRoom

KEPT_S = 1.0
MOST_OF_ONE = 3  # challenges by one person that another is shown, the oldest first


@dataclass(frozen=True, slots=True)
class OpenChallenges:
    """The open challenges by who is challenged, and by who made those that stand without them, the oldest first."""

    by_name: Mapping[str, tuple[Challenge, ...]]
    by_maker: Mapping[str, tuple[Challenge, ...]]


class Challenges:
    """The open challenges as this process has read them last."""

    def __init__(self, context: LobbyContext) -> None:
        self._context = context
        self._known = OpenChallenges({}, {})
        self._read_at = float("-inf")  # monotonic
        self._reading: asyncio.Future[OpenChallenges] | None = None

    def forget(self) -> None:
        """Take note that a room has changed: who asks from now on is not told what was read before."""
        self._reading, self._read_at = None, float("-inf")

    async def of(self, player: Player) -> tuple[Challenge, ...]:
        """Return the open challenges to somebody. Raises StoreUnavailable."""
        return (await self._open()).by_name.get(player.name, ())

    async def standing(self, player: Player) -> tuple[Challenge, ...]:
        """Return the challenges of somebody that stand without them. Raises StoreUnavailable."""
        return (await self._open()).by_maker.get(player.person, ())

    async def _open(self) -> OpenChallenges:
        if self._context.clock.monotonic() < self._read_at + KEPT_S:
            return self._known
        reading = self._reading
        if reading is None:
            reading = self._reading = asyncio.get_running_loop().create_future()
            self._context.tasks.spawn(self._read(reading), "challenges")
        return await asyncio.shield(reading)

    async def _read(self, reading: asyncio.Future[OpenChallenges]) -> None:
        began = self._context.clock.monotonic()
        try:
            rooms = await self._context.database.read(store.all_rooms)
            found = sorted_out(rooms, self._context.machines, self._context.clock.now())
        except StoreUnavailable as error:
            reading.set_exception(error)
            reading.exception()  # whoever asked may be gone
        else:
            reading.set_result(found)
            if self._reading is reading:
                self._known, self._read_at = found, began
        finally:
            reading.cancel()  # nothing where it has an answer already
            if self._reading is reading:
                self._reading = None


def sorted_out(rooms: list[StoredRoom], machines: MarkedAccounts, now: datetime) -> OpenChallenges:
    """Sort the challenges out; of one challenger each is shown `MOST_OF_ONE` at most."""
    by_name: dict[str, tuple[Challenge, ...]] = {}
    by_maker: dict[str, tuple[Challenge, ...]] = {}
    for row in rooms:
        state = seats.marked(seats.from_json(row.data), machines)
        by = next((held.player for held in state.seats if held.person == state.host), None)
        has_lapsed = state.stands_until is not None and not state.stands(now)
        if state.playing or by is None or has_lapsed:
            continue
        for name in {held.held_for for held in state.seats if held.held_for}:
            made = Challenge(state.code, by, name, state.settings, row.since)
            if state.stands_until is not None:
                by_maker[by.person] = (*by_maker.get(by.person, ()), made)
            if sum(one.by.is_same_person(by) for one in by_name.get(name, ())) < MOST_OF_ONE:
                by_name[name] = (*by_name.get(name, ()), made)
    return OpenChallenges(by_name, by_maker)

"""The rooms that a program is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from server.lobby.room import Room
from server.lobby.stored_rooms import read_code
from server.matches.announcer import Subscriber


@dataclass(frozen=True, slots=True)
class Entered:
    """A room that is followed. `declined`: who has declined to come in, as far as the program was told."""

    room: Room
    declined: frozenset[str]
    subscriber: Subscriber


class EnteredRooms:
    """Follows the rooms of a program, and tells it who declines to come into its own, and when a host removes it."""

    def __init__(self, session: str, tell: Callable[..., None]) -> None:
        """`tell`: called with a kind of message and its fields."""
        self._session = session
        self._tell = tell
        self._entered: dict[str, Entered] = {}

    def room(self, code: str) -> Room | None:
        """Return the room of this code, None for one that the program has not entered."""
        entered = self._entered.get(read_code(code))
        return None if entered is None else entered.room

    def enter(self, room: Room) -> None:
        """Follow a room that the program has entered."""
        self.forget(room.code)
        subscriber = room.subscribe(partial(self._room_changed, room))
        self._entered[room.code] = Entered(room, frozenset(room.state.declined), subscriber)

    def _room_changed(self, room: Room) -> None:
        if not room.holds(self._session):
            if self.forget(room.code):
                self._tell("removed", code=room.code)
        elif (entered := self._entered.get(room.code)) is not None:
            now = frozenset(room.state.declined)
            self._entered[room.code] = replace(entered, declined=now)
            is_host = any(one.session == self._session for one in room.state.hosts)
            for name in sorted(now - entered.declined) if is_host else ():
                self._tell("declined", code=room.code, player=name)

    def forget(self, code: str) -> bool:
        """Stop following a room; return whether it was followed."""
        if (known := self._entered.pop(code, None)) is None:
            return False
        known.subscriber.close()
        return True

    def leave_idle(self) -> None:
        """Leave every room without a running match."""
        for code, entered in list(self._entered.items()):
            if not entered.room.state.playing:
                self.forget(code)
                entered.room.leave(self._session)

    def leave_played(self, kept: int) -> None:
        """Leave rooms whose match is over, except for the newest ones."""
        rooms = [entered.room for entered in self._entered.values()]
        played = [room for room in rooms if room.state.played and not room.state.playing]
        for room in played[: max(0, len(played) - kept)]:
            self.forget(room.code)
            room.leave(self._session)

    def close(self) -> None:
        """Stop following all rooms."""
        for code in list(self._entered):
            self.forget(code)

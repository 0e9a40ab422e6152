"""The rooms that a program is in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from server.lobby.room import Room
from server.matches.announcer import Subscriber


class EnteredRooms:
    """Follows the rooms of a program; calls `removed(code)` when a host removes it from one."""

    def __init__(self, session: str, removed: Callable[[str], None]) -> None:
        self._session = session
        self._removed = removed
        self._entered: dict[str, tuple[Room, Subscriber]] = {}

    def enter(self, room: Room) -> None:
        """Follow a room that the program has entered."""
        self.forget(room.code)
        self._entered[room.code] = room, room.subscribe(partial(self._room_changed, room))

    def _room_changed(self, room: Room) -> None:
        if not room.holds(self._session) and self.forget(room.code):
            self._removed(room.code)

    def forget(self, code: str) -> bool:
        """Stop following a room; return whether it was followed."""
        if (known := self._entered.pop(code, None)) is None:
            return False
        known[1].close()
        return True

    def leave_idle(self) -> None:
        """Leave every room without a running match."""
        for code, (room, _) in list(self._entered.items()):
            if not room.state.playing:
                self.forget(code)
                room.leave(self._session)

    def leave_played(self, kept: int) -> None:
        """Leave rooms whose match is over, except for the newest ones."""
        played = [room for room, _ in self._entered.values() if room.state.played and not room.state.playing]
        for room in played[: max(0, len(played) - kept)]:
            self.forget(room.code)
            room.leave(self._session)

    def close(self) -> None:
        """Stop following all rooms."""
        for code in list(self._entered):
            self.forget(code)

"""Who is in which room, as the rooms of this process were last read."""

from __future__ import annotations

from collections.abc import Iterable

from server.accounts.identity import Player


class RoomMembers:
    """The people in the rooms that somebody in this process looks at, from whatever process they came in."""

    def __init__(self) -> None:
        self._rooms: dict[str, frozenset[str]] = {}

    def note(self, code: str, members: Iterable[Player]) -> None:
        """Store who is in a room now."""
        self._rooms[code] = frozenset(member.person for member in members)

    def of(self, player: Player) -> frozenset[str]:
        """Return the codes of the rooms that somebody is in."""
        person = player.person
        return frozenset(code for code, members in self._rooms.items() if person in members)

    def forget(self, code: str) -> None:
        """Drop a room that has ended, or that nobody here looks at."""
        self._rooms.pop(code, None)

    def holds(self, code: str, player: Player) -> bool:
        """Tell whether somebody is in a room; False for a room that nobody here looks at."""
        return player.person in self._rooms.get(code, ())

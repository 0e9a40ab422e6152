"""Presence as one object, made once for each process: connections and members of rooms."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from server.accounts.identity import Player
from server.presence.connections import Connections


def new_process_id() -> str:
    """Return an id that no other process has."""
    return uuid.uuid4().hex


class RoomMembers:
    """The people in the rooms that somebody in this process looks at, from whatever process they came in."""

    def __init__(self) -> None:
        self._rooms: dict[str, frozenset[str]] = {}

    def store(self, code: str, members: Iterable[Player]) -> None:
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


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is connected to which process with which match before them, and who is in which room."""

    connections: Connections = field(default_factory=lambda: Connections(new_process_id()))
    rooms: RoomMembers = field(default_factory=RoomMembers)

    @property
    def process_id(self) -> str:
        """Return the id of this process, as the others know it."""
        return self.connections.process_id

    def rooms_of(self, player: Player) -> frozenset[str]:
        """Return the codes of the rooms that somebody is in, from whatever process they came in."""
        return self.rooms.of(player) | self.connections.rooms_elsewhere(player)

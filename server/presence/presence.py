"""Presence as one object, made once for each process: connections and members of rooms."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from server.accounts.identity import Player
from server.presence.connections import Connections
from server.presence.rooms import RoomMembers


def new_process_id() -> str:
    """Return an id that no other process has."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is connected to which process with which match before them, and who is in which room."""

    connections: Connections = field(default_factory=lambda: Connections(new_process_id()))
    rooms: RoomMembers = field(default_factory=RoomMembers)

    @property
    def process_id(self) -> str:
        """The id of this process, as the others know it."""
        return self.connections.process_id

    def rooms_of(self, player: Player) -> frozenset[str]:
        """Return the codes of the rooms that somebody is in, from whatever process they came in."""
        return self.rooms.of(player) | self.connections.rooms_elsewhere(player)

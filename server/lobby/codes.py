"""The codes by which rooms are found."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from server.lobby import seats
from server.lobby.seats import RoomState
from server.matches.house import House
from server.store import lobby as store

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another
LENGTH = 4


async def store_room(house: House, make: Callable[[str], RoomState]) -> str:
    """Store a new room under a code that no other one has; return the code. Raises NotSaved."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        state = make(code)
        listed, data = not state.settings.private, seats.to_json(state)
        if await house.database.write(store.add_room, code, listed, data, house.clock.now()):
            return code

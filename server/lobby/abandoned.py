"""Rooms that a server left behind when it ended: their people come back soon, or the rooms end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from server.lobby import seats
from server.lobby.context import LobbyContext
from server.lobby.room import Room
from server.lobby.seats import Member
from server.store import lobby as store
from server.store import processes
from server.store.lobby import NoSuchRoom

GRACE_S: Final = 60.0  # in which the people of a server that ended may be back in their room


async def bury(context: LobbyContext, room: Callable[[str], Awaitable[Room]]) -> None:
    """Take out of every room who went down with a server and did not come back; end the rooms that are empty then.

    Whoever should be connected to this process and is not goes too. A room stays while its match is played. Raises
    StoreUnavailable.
    """
    before = context.clock.now() - timedelta(seconds=GRACE_S)
    living = await context.database.read(processes.alive_since, before)

    def is_gone(member: Member) -> bool:
        is_ours = member.process == context.presence.process_id
        return not context.presence.connections.holds(member.session) if is_ours else member.process not in living

    for row in await context.database.read(store.all_rooms):
        members = seats.from_json(row.data).members
        if row.since < before and (not members or any(is_gone(member) for member in members)):
            try:
                await (await room(row.code)).bury(is_gone)
            except NoSuchRoom:
                continue

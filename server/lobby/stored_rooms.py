"""Stored rooms: made under a code that is free, and ended where nobody came or came back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from server.errors import Refused
from server.lobby import room_document, room_state
from server.lobby.context import LobbyContext
from server.lobby.room import Room
from server.lobby.room_state import Member, RoomState
from server.store import lobby as store
from server.store import processes
from server.store.appends import Effect
from server.store.errors import StoreUnavailable
from server.store.lobby import NoSuchRoom

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another
TRIES = 5  # to end a room: the transaction that stores it may not have ended yet
LENGTH = 8  # 40 bits, said in two groups of four; the rooms' column holds no more
GRACE_S: Final = 60.0  # in which who lost the connection, and the people of a server that ended, may be back


def read_code(text: str) -> str:
    """Return a code as it is kept; case, spaces and dashes don't matter when it is typed.

    >>> read_code(" k7qx-m2pt")
    'K7QXM2PT'
    """
    return "".join(char for char in text.upper() if char.isalnum())


async def store_room(
    context: LobbyContext,
    make: Callable[[str], RoomState],
    brings: Callable[[str], Sequence[Effect]] = lambda code: (),
) -> str:
    """Store a new room under a code that no other one has; return the code. Raises NotSaved.

    `brings`: what is stored with the room of a code.
    """
    while True:
        code = "".join(context.draw(LETTERS) for _ in range(LENGTH))
        state = make(code)
        listed, data = not state.agreement.private, room_document.to_json(state)
        try:
            now = context.clock.now()
            is_stored = await context.database.write(store.add_room, code, listed, data, now, brings(code))
        except (asyncio.CancelledError, StoreUnavailable):  # it may be stored all the same
            end_unused(context, code)
            raise
        if is_stored:
            return code


def end_unused(context: LobbyContext, code: str) -> None:
    """End a room that its maker never came into, soon: else it would be listed, empty, until it is swept away."""
    context.tasks.spawn(_end_unused(context, code), f"end {code}")


async def _end_unused(context: LobbyContext, code: str) -> None:
    for _ in range(TRIES):
        with suppress(Refused):
            if await context.database.write(store.drop_room, code, store.FIRST_VERSION):
                return
        await context.clock.sleep(1.0)


async def remove_gone(context: LobbyContext, room: Callable[[str], Awaitable[Room]]) -> None:
    """Remove from every room those whose process has ended and who did not come back; end the rooms left empty.

    Seats that were kept for somebody who has not come in time are free again.

    Whoever should be connected to this process and is not goes too. A room stays while its match is played. Raises
    StoreUnavailable.
    """
    before = context.clock.now() - timedelta(seconds=GRACE_S)
    living = await context.database.read(processes.alive_since, before)

    def is_gone(member: Member) -> bool:
        if member.lost_at is not None:
            return member.lost_at <= before
        is_ours = member.process == context.presence.process_id
        return not context.presence.connections.holds(member.session) if is_ours else member.process not in living

    for row in await context.database.read(store.all_rooms):
        state = room_document.from_json(row.data)
        is_empty = not state.members and not state.stands(context.clock.now())
        has_gone = row.since < before and (is_empty or any(is_gone(member) for member in state.members))
        if has_gone or room_state.lapsed(state, context.clock.now()) != state:
            with suppress(NoSuchRoom):
                await (await room(row.code)).remove_gone(is_gone)

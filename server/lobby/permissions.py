"""Who may come into a room, play there and name it: blocks, pauses and mutes, looked up at that moment; quotas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from server.accounts.identity import Player
from server.accounts.sources import Sources
from server.lobby.context import LobbyContext
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.lobby.room_state import RoomState, check_no_guest
from server.matches import rated
from server.matches.agreement import Agreement
from server.store.lobby import NoSuchRoom

NOBODY = 0  # the id of no account
# Quotas: how much one source may have open at once (`Sources`); a program must not fill the server for everybody.
MOST_TICKETS: Final = 100  # open searches
MOST_ROOMS: Final = 100  # rooms of which one is the host


async def check_not_blocked(context: LobbyContext, room: RoomState, player: Player) -> None:
    """Let somebody into a room unless a block stands between them and its host or the seated. Raises NoSuchRoom."""
    if await is_blocked(context, room, player):
        raise NoSuchRoom(room.code)


async def is_blocked(context: LobbyContext, room: RoomState | None, player: Player) -> bool:
    """Tell whether there is a block, either way, between somebody and a room's host or those who are seated there.

    Without a room the store is asked all the same: how long it takes tells nothing.
    """
    if player.account_id is None:
        return False
    others = () if room is None else (*room.seats.players, *room.hosting)
    ids = sorted({NOBODY, player.account_id, *(one.account_id for one in others if one.account_id is not None)})
    return any(player.account_id in pair for pair in await context.conduct.blocks_among(ids))


async def check_may_sit(context: LobbyContext, room: RoomState, player: Player) -> None:
    """Let somebody sit with those who do, as far as blocks go. Raises LobbyRefused."""
    if await _is_apart(context, player, room.seats.players):
        raise LobbyRefused("room.error.apart")


async def check_may_play(context: LobbyContext, players: Iterable[Player]) -> None:
    """Let these play with each other, as far as blocks go. Raises LobbyRefused."""
    if await blocks_between(context, players):
        raise LobbyRefused("room.error.apart")


async def _is_apart(context: LobbyContext, player: Player, others: Iterable[Player]) -> bool:
    if player.account_id is None:
        return False
    return any(player.account_id in pair for pair in await blocks_between(context, (player, *others)))


async def blocks_between(context: LobbyContext, players: Iterable[Player]) -> frozenset[tuple[int, int]]:
    """Return the pairs (who, whom) of accounts among these where one has blocked the other."""
    ids = sorted({one.account_id for one in players if one.account_id is not None})
    return await context.conduct.blocks_among(ids) if len(ids) > 1 else frozenset()


async def check_pauses(context: LobbyContext, agreement: Agreement, players: Iterable[Player], asking: Player) -> None:
    """Let these play, as far as pauses from rated matches go. Raises AccountError."""
    await rated.check_pauses(agreement.rated, context.conduct, context.clock, players, asking)


async def check_may_begin(context: LobbyContext, agreement: Agreement, player: Player) -> None:
    """Let somebody open a room, challenge or search for players, as far as being rated goes.

    Raises LobbyRefused, AccountError.
    """
    check_no_guest(agreement, player)
    await check_pauses(context, agreement, (player,), player)


def check_may_name(
    context: LobbyContext, settings: RoomSettings, player: Player, before: RoomSettings | None = None
) -> None:
    """Let somebody name a room, or name it anew: everybody reads it, so who is muted may not. Raises ChatRefused."""
    if settings.title and (before is None or settings.title != before.title):
        context.chat.check_may_speak(player)


def check_tickets(who: Sources, searches: Iterable[Sources]) -> None:
    """Let somebody search once more. `searches`: who searches now. Raises LobbyRefused."""
    if _is_full(who, MOST_TICKETS, searches):
        raise LobbyRefused("lobby.error.too-many-seeks")


def check_rooms(who: Sources, hosts: Iterable[Sources]) -> None:
    """Let somebody open another room. `hosts`: of the open ones. Raises LobbyRefused."""
    if _is_full(who, MOST_ROOMS, hosts):
        raise LobbyRefused("lobby.error.too-many-rooms")


def _is_full(who: Sources, own: int, held: Iterable[Sources]) -> bool:
    counts = Counter(name for one in held for name in one.names)
    return who.full(own, counts.__getitem__) is not None

"""Who may come into a room, play there and name it: blocks, pauses and mutes, looked up at that moment."""

from __future__ import annotations

from collections.abc import Iterable

from server.accounts.identity import Player
from server.accounts.pauses import check_not_paused
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.lobby.seats import RoomState
from server.matches.house import House
from server.store.lobby import NoSuchRoom


async def check_not_shunned(house: House, room: RoomState, player: Player) -> None:
    """Let somebody into a room unless they and its host, or somebody seated, are not to meet. Raises NoSuchRoom."""
    if await _is_apart(house, player, (*room.seated, *room.hosting)):
        raise NoSuchRoom(room.code)


async def check_may_sit(house: House, room: RoomState, player: Player) -> None:
    """Let somebody sit with those who do, as far as blocks go. Raises LobbyRefused."""
    if await _is_apart(house, player, room.seated):
        raise LobbyRefused("room.error.apart")


async def check_may_play(house: House, players: Iterable[Player]) -> None:
    """Let these play with each other, as far as blocks go. Raises LobbyRefused."""
    if await blocks_between(house, players):
        raise LobbyRefused("room.error.apart")


async def _is_apart(house: House, player: Player, others: Iterable[Player]) -> bool:
    if player.account_id is None:
        return False
    return any(player.account_id in pair for pair in await blocks_between(house, (player, *others)))


async def blocks_between(house: House, players: Iterable[Player]) -> frozenset[tuple[int, int]]:
    """Return the pairs (who, whom) of accounts among these where one has blocked the other."""
    ids = sorted({one.account_id for one in players if one.account_id is not None})
    return await house.manners.blocks_among(ids) if house.manners is not None and len(ids) > 1 else frozenset()


async def check_pauses(house: House, settings: RoomSettings, players: Iterable[Player], asking: Player) -> None:
    """Let these play here: a rated room is not for who has to pause. Raises AccountError."""
    if settings.rated and house.manners is not None:
        await check_not_paused(house.manners, house.clock, players, asking)


def check_may_name(house: House, settings: RoomSettings, player: Player, before: RoomSettings | None = None) -> None:
    """Let somebody name a room, or name it anew: everybody reads it, so who is muted may not. Raises ChatRefused."""
    if settings.title and (before is None or settings.title != before.title) and house.talk is not None:
        house.talk.check_may_speak(player)

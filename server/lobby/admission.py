"""Who may come into a room, play there and name it: blocks, pauses and mutes, looked up at that moment."""

from __future__ import annotations

from collections.abc import Iterable

from server.accounts.identity import Player
from server.accounts.pauses import check_not_paused
from server.lobby.model import RoomSettings
from server.lobby.seats import RoomState
from server.matches.house import House
from server.store.lobby import NoSuchRoom


async def check_not_shunned(house: House, room: RoomState, player: Player) -> None:
    """Let somebody into a room where nobody sits whom they have blocked, or by whom they are. Raises NoSuchRoom."""
    others = {one.account_id for one in room.seated if one.account_id not in (None, player.account_id)}
    if house.manners is None or player.account_id is None or not others:
        return
    blocks = await house.manners.blocks_among([player.account_id, *sorted(one for one in others if one is not None)])
    if any(player.account_id in pair for pair in blocks):
        raise NoSuchRoom(room.code)


async def check_pauses(house: House, settings: RoomSettings, players: Iterable[Player], asking: Player) -> None:
    """Let these play here: a rated room is not for who has to pause. Raises AccountError."""
    if settings.rated and house.manners is not None:
        await check_not_paused(house.manners, house.clock, players, asking)


def check_may_name(house: House, settings: RoomSettings, player: Player, before: RoomSettings | None = None) -> None:
    """Let somebody name a room, or name it anew: everybody reads it, so who is muted may not. Raises ChatRefused."""
    if settings.title and (before is None or settings.title != before.title) and house.talk is not None:
        house.talk.check_may_speak(player)

"""One person, many connections: what the lobby calls the same somebody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from server.accounts.identity import Player
from server.accounts.pauses import check_not_paused
from server.lobby.model import RoomSettings
from server.matches.house import House


def person_of(player: Player) -> str:
    """Return a key that is the same for all connections of one person.

    >>> person_of(Player("account", "mira", account_id=7))
    'a:7'
    """
    return f"g:{player.guest_id}" if player.account_id is None else f"a:{player.account_id}"


def player_to_json(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in Player.__slots__}


def player_from_json(data: Mapping[str, Any]) -> Player:
    return Player(**data)


async def check_pauses(house: House, settings: RoomSettings, players: Iterable[Player], asking: Player) -> None:
    """Let these play here: a rated room is not for who has to pause. Raises AccountError."""
    if settings.rated and house.manners is not None:
        await check_not_paused(house.manners, house.clock, players, asking)


def check_may_name(house: House, settings: RoomSettings, player: Player, before: RoomSettings | None = None) -> None:
    """Let somebody name a room, or name it anew: everybody reads it, so who is muted may not. Raises ChatRefused."""
    if settings.title and (before is None or settings.title != before.title) and house.talk is not None:
        house.talk.check_may_speak(player)

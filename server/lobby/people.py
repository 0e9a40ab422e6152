"""One person, many connections: what the lobby calls the same somebody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.accounts.identity import Player


def person_of(player: Player) -> str:
    """Return a key that is the same for all connections of one person.

    >>> person_of(Player("account", "mira", account_id=7))
    'a:7'
    """
    return player.person


def player_to_json(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in Player.__slots__}


def player_from_json(data: Mapping[str, Any]) -> Player:
    return Player(**data)

"""What guests may not do with others: play rated matches, which count for an account, or daily ones, and adjourn.

And for how long their seats are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from server.accounts.identity import Player
from server.matches.speeds import DAILY

SEAT_KEPT: Final = timedelta(minutes=1)  # of a guest whose connection is lost


def closed_because(player: Player, is_rated: bool, speed: str) -> str | None:
    """Return the message key that says why somebody may not play such a match with others; None: they may."""
    return closed_to_guests(is_rated, speed) if player.kind == "guest" else None


def closed_to_guests(is_rated: bool, speed: str) -> str | None:
    """Return the message key that says why guests may not play such a match with others; None: they may."""
    if is_rated:
        return "lobby.error.guests-play-casual"
    return "lobby.error.guests-not-daily" if speed == DAILY else None


def may_adjourn(players: Iterable[Player]) -> bool:
    """Tell whether a match of these players can wait for another day."""
    return all(player.kind != "guest" for player in players)

"""What guests may not play with others: rated matches, which count for an account, and daily ones, which last."""

from __future__ import annotations

from server.accounts.identity import Player
from server.matches.speeds import DAILY


def closed_because(player: Player, is_rated: bool, speed: str) -> str | None:
    """Return the message key that says why somebody may not play such a match with others; None: they may."""
    if player.kind != "guest":
        return None
    if is_rated:
        return "lobby.error.guests-play-casual"
    return "lobby.error.guests-not-daily" if speed == DAILY else None

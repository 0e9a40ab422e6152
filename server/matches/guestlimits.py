"""What guests may not play: rated matches, which count for an account, and daily ones, which outlast their visit."""

from __future__ import annotations

from server.accounts.identity import Player
from server.matches.speeds import DAILY


def closed_because(player: Player, is_rated: bool, speed: str) -> str | None:
    """Return the message key that says why somebody may not play such a match; None: they may."""
    if player.kind != "guest":
        return None
    if is_rated:
        return "lobby.error.guests-play-casual"
    return "lobby.error.guests-not-daily" if speed == DAILY else None

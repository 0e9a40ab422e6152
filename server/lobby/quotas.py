"""Quotas: how much one person may have open at once; a program must not fill the server for everybody."""

from __future__ import annotations

from typing import Final

from server.lobby.errors import LobbyRefused

MOST_TICKETS: Final = 100  # open searches
MOST_ROOMS: Final = 100  # rooms of which one is the host
MOST_MATCHES: Final = 200  # running matches, as far as one begins them oneself, against built-in players


def check_tickets(open_now: int) -> None:
    """Let somebody search once more. Raises LobbyRefused."""
    if open_now >= MOST_TICKETS:
        raise LobbyRefused("lobby.error.too-many-seeks")


def check_rooms(open_now: int) -> None:
    """Let somebody open another room. Raises LobbyRefused."""
    if open_now >= MOST_ROOMS:
        raise LobbyRefused("lobby.error.too-many-rooms")


def check_matches(running: int) -> None:
    """Let somebody begin another match against built-in players. Raises LobbyRefused."""
    if running >= MOST_MATCHES:
        raise LobbyRefused("lobby.error.too-many-matches")

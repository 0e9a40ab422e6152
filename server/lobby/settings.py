"""What a room plays: its settings in plain form, and the match they ask for."""

from __future__ import annotations

from dataclasses import replace

from game import registry
from game.options import deviating
from server.lobby.model import TITLE_CHARS, RoomSettings
from server.lobby.seats import RoomState
from server.matches.model import NewMatch
from server.matches.wanted import check_playable
from server.words import clean


def playable(settings: RoomSettings) -> RoomSettings:
    """Return settings with the options that differ from the rules, in plain form. Raises BadNotation for others."""
    check_playable(settings.game, settings.players, settings.speed)
    options = deviating([one for one in registry.get(settings.game).options() if not one.per_seat], settings.options)
    return replace(settings, options=options, title=clean(settings.title, TITLE_CHARS))


def new_match(room: RoomState) -> NewMatch:
    """Return the match of those who sit in a room."""
    settings = room.settings
    players = tuple(chair.player for chair in room.chairs if chair.player is not None)
    return NewMatch(
        game=settings.game,
        options=settings.options,
        players=players,
        speed=settings.speed,
        rated=settings.rated,
        private=settings.private,
        watchable=settings.watchable,
        seat_options=tuple(chair.brings for chair in room.chairs),
        room=room.code,
        bots_replace=settings.bots_replace,
    )

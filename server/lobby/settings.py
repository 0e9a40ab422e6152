"""What a room plays: its settings in plain form, and the match they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from game import registry
from game.options import deviating, has_open_hands
from game.rng import SEED_BYTES
from server.accounts.identity import Player
from server.lobby.model import TITLE_CHARS, RoomSettings
from server.lobby.seats import RoomState
from server.matches.model import NewMatch
from server.matches.speeds import UNTIMED
from server.matches.wanted import check_playable
from server.sanitize import clean


def playable(settings: RoomSettings) -> RoomSettings:
    """Return settings with the options that differ from the rules, in plain form; with open hands never rated.

    Raises BadNotation for others, and for options that contradict each other: no match could begin with them.
    """
    check_playable(settings.game, settings.players, settings.speed)
    rules = registry.get(settings.game)
    options = deviating([one for one in rules.options() if not one.per_seat], settings.options)
    rules.setup(options, settings.players, bytes(SEED_BYTES))
    is_rated = settings.rated and not has_open_hands(options)
    return replace(settings, options=options, rated=is_rated, title=clean(settings.title, TITLE_CHARS))


def speed_with(settings: RoomSettings, players: Sequence[Player | None]) -> str:
    """Return the speed of a match of these: untimed where only built-in players sit with one, and none was named."""
    is_alone = len(players) > 1 and all(players) and sum(one is not None and one.kind != "bot" for one in players) == 1
    return settings.speed if settings.is_speed_named or not is_alone else UNTIMED.name


def new_match(room: RoomState) -> NewMatch:
    """Return the match of those who sit in a room."""
    settings = room.settings
    players = tuple(held.player for held in room.seats if held.player is not None)
    speed = speed_with(settings, players)
    return NewMatch(
        game=settings.game,
        options=settings.options,
        players=players,
        speed=speed,
        rated=settings.rated,
        private=settings.private,
        watchable=settings.watchable,
        seat_options=tuple(held.brings for held in room.seats),
        room=room.code,
        bots_replace=settings.bots_replace,
    )

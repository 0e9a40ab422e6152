"""What a person has set: language, looks, and what they like to play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's settings; a new one has these. An empty text means: as the terminal says."""

    language: str = ""
    palette: str = ""
    glyphs: str = ""
    bell: bool = True
    title: bool = True
    mouse: bool = True
    calibrated: bool = False
    games: tuple[str, ...] = ()  # ticked for Play now; none: all
    speed: str = "normal"
    rated: bool = True
    smaller: str = "ask"  # whether a smaller table will do where nobody else comes: ask, yes, no
    bots: bool = False  # and with built-in players on the empty seats
    bot_game: str = ""  # the last match against a built-in player: its game and level
    bot_level: str = ""
    sides: tuple[str, ...] = ()  # "GAME=SIDE": the side one likes to play; none: either
    brings: tuple[str, ...] = ()  # "GAME/SEAT=DECK": the deck one likes to bring to a seat


def read_preferences(data: Mapping[str, Any]) -> Preferences:
    """Read stored settings; what is unknown or of the wrong type falls back to its default."""
    kept: dict[str, Any] = {}
    for field in fields(Preferences):
        value, default = data.get(field.name), field.default
        if isinstance(default, tuple):
            if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
                kept[field.name] = tuple(value)
        elif type(value) is type(default):
            kept[field.name] = value
    return Preferences(**kept)


def write_preferences(preferences: Preferences) -> dict[str, Any]:
    return asdict(preferences)

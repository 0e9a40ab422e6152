"""The games there are, found by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from game.contract import Bot, Game, Json
from game.errors import BadNotation

KEYS = ("netrunner", "passage", "rainet", "relati")
LEVELS = ("easy", "normal", "hard")


def get(key: str) -> Game[Any, Any]:
    """Return the rules object of a game. Raises BadNotation when there is none of that name."""
    if key not in KEYS:
        raise BadNotation("game.unknown", key)
    game: Game[Any, Any] = import_module(f"game.{key}.rules").GAME
    return game


def bots(key: str) -> Mapping[str, Bot[Any]]:
    """Return the built-in players of a game by level: at least easy, normal and hard."""
    get(key)
    found: Mapping[str, Bot[Any]] = import_module(f"game.{key}.bot").BOTS
    return found


def presets(key: str) -> Mapping[str, Mapping[str, Json]]:
    """Return a game's named sets of options, each as what differs from the defaults; the game's `PRESETS`, if any."""
    get(key)
    found: Mapping[str, Mapping[str, Json]] = getattr(import_module(f"game.{key}.rules"), "PRESETS", {})
    return found


def opening(key: str) -> Json:
    """Return the position that perft starts from: the game's `OPENING`, or `start` where it names none."""
    get(key)
    found: Json = getattr(import_module(f"game.{key}.rules"), "OPENING", "start")
    return found


def sides(key: str) -> tuple[str, ...]:
    """Return the names of the seats where each is a game of its own, and rated apart: the game's `SIDES`, if any."""
    get(key)
    found: tuple[str, ...] = getattr(import_module(f"game.{key}.rules"), "SIDES", ())
    return found


def pairings(key: str) -> Sequence[tuple[Mapping[str, Json], ...]]:
    """Return what two seats may bring, pair by pair: the game's `PAIRINGS`; where it names none, nothing once."""
    get(key)
    found: Sequence[tuple[Mapping[str, Json], ...]] = getattr(import_module(f"game.{key}.rules"), "PAIRINGS", ((),))
    return found

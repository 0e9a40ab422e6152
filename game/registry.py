"""The games there are, found by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from game.contract import Bot, Game
from game.errors import BadNotation
from game.features import Features, hashed

KEYS: tuple[str, ...] = ("netrunner", "passage", "rainet", "relati")
FIRST = "rainet"  # what a newcomer begins with


def get(key: str, version: int | None = None) -> Game[Any, Any]:
    """Return the rules object of a game, of its newest rules where no version is named.

    Raises BadNotation when there is no game of that name, or no such version of its rules.
    """
    if key not in KEYS:
        raise BadNotation("game.unknown", key)
    game: Game[Any, Any] = import_module(f"game.{key}.rules").GAME
    return game if version is None else game.under(version)


def bots(key: str) -> Mapping[str, Bot[Any]]:
    """Return the built-in players of a game by level. Raises BadNotation when there is no such game."""
    get(key)
    found: Mapping[str, Bot[Any]] = import_module(f"game.{key}.bot").BOTS
    return found


def features(key: str) -> Features:
    """Return how a game's views become numbers: by its module `features`, or else by hashing what they tell.

    The function takes a view and returns a list of numbers between -1 and 1, as many for every view of a match.
    """
    game = get(key)
    if find_spec(f"game.{key}.features") is None:
        return lambda view: hashed(game.view_json(view))
    found: Features = import_module(f"game.{key}.features").features
    return found


def levels(key: str) -> tuple[str, ...]:
    """Return the levels of a game's built-in players, weakest first."""
    return get(key).spec.levels


def in_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of games in the order of all lists: by the `order` of their specs, then by key."""
    return tuple(sorted(keys, key=lambda key: (get(key).spec.order, key)))

"""What a game answers, as the one type a test expects there; another one fails the test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from game.contract import Action, Event, Game, Json, OneOf, Pending, Result, View, Viewer, Watcher

S = TypeVar("S")
V = TypeVar("V", bound=View)


def offered(pending: Pending) -> tuple[Action, ...]:
    """Return the actions of a decision with one of several."""
    assert isinstance(pending.choice, OneOf)
    return pending.choice.actions


def ended(game: Game[S, V], state: S) -> Result:
    """Return how a match that is over ended."""
    result = game.result(state)
    assert result is not None
    return result


def told(event: Event, viewer: Viewer = Watcher.PUBLIC) -> Mapping[str, Json]:
    """Return what a viewer learns of an event that is theirs to see."""
    known = event.seen_by(viewer)
    assert known is not None
    return known


def as_text(value: Json) -> str:
    """Return a text that a game wrote."""
    assert isinstance(value, str)
    return value


def as_dict(value: Json) -> dict[str, Json]:
    """Return what a game wrote under names."""
    assert isinstance(value, dict)
    return value


def as_list(value: Json) -> list[Json]:
    """Return what a game wrote in order."""
    assert isinstance(value, list)
    return value

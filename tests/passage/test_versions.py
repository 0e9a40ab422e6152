"""What version 2 of the rules changed, in it and in the one before (`game/passage/changes.py`)."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.changes import Change
from game.contract import Action, Game, Json
from game.errors import BadNotation
from game.passage import changes
from game.passage.state import State
from tests.answers import as_dict

FIRST: Game[State, Any] = registry.get("passage", 1)
SECOND: Game[State, Any] = registry.get("passage", 2)
GONE: list[Json] = ["judge"] * 4
HELD: list[Json] = ["slip", "greed", "warden", "slip", "attack", "duel", "seal", "greed"]  # as they came into the hand


def after(game: Game[State, Any], position: dict[str, Any], *texts: str) -> State:
    """Return a position after these actions, each of whoever is asked first."""
    state = game.read_position({"players": 3, **position}, {})
    for text in texts:
        state = game.apply(state, game.pending(state)[0].seat, Action(text)).state
    return state


def keys(cards: tuple[str, ...]) -> list[str]:
    """Return cards by their keys."""
    return [str(card) for card in cards]


def test_the_discard_pile_told_which_of_the_discarded_cards_had_been_held_longer() -> None:
    full = {"hands": [HELD], "phase": "discard", "draws": 0, "pile": ["slip"]}
    assert keys(after(FIRST, full, "discard seal warden").discard) == ["seal", "warden"]
    assert keys(after(SECOND, full, "discard seal warden").discard) == ["warden", "seal"]
    again = {**full, "hands": [HELD[::-1]]}
    assert keys(after(FIRST, again, "discard seal warden").discard) == ["warden", "seal"]
    assert keys(after(SECOND, again, "discard seal warden").discard) == ["warden", "seal"]


def test_the_discard_pile_told_how_the_hand_of_the_fallen_lay_and_what_had_been_sealed() -> None:
    out = {"hands": [["slip", "duel"]], "sealed": [["greed", "attack"]], "pile": ["passage"]}
    assert keys(after(FIRST, out, "end").discard) == ["passage", "slip", "duel", "greed", "attack"]
    assert keys(after(SECOND, out, "end").discard) == ["passage", "duel", "attack", "greed", "slip"]


def test_a_trade_told_the_taker_which_card_the_giver_had_held_longer() -> None:
    ways: tuple[list[Json], ...] = (["seal", "greed"], ["greed", "seal"])
    for mine in ways:
        at: dict[str, Json] = {"hands": [["trade", *mine], ["slip", "duel"]], "discard": GONE, "pile": ["slip"]}
        texts = ("play trade 1", "trade seal greed", "trade slip duel")
        assert keys(after(SECOND, at, *texts).hands[1]) == ["seal", "greed"]
        assert keys(after(FIRST, at, *texts).hands[1]) == mine[::-1]


def test_a_state_goes_on_under_its_own_version_whoever_is_asked() -> None:
    old = FIRST.read_position({"players": 2, "hands": [HELD], "phase": "discard", "draws": 0, "pile": ["slip"]}, {})
    asked = SECOND.pending(old)[0].seat
    assert keys(SECOND.apply(old, asked, Action("discard seal warden")).state.discard) == ["seal", "warden"]


def test_a_dump_of_version_1_names_no_version_and_any_other_does() -> None:
    position: Json = {"players": 2, "hands": [["slip"]], "pile": ["slip"]}
    first, second = FIRST.read_position(position, {}), SECOND.read_position(position, {})
    assert "version" not in as_dict(FIRST.dump(first))
    told = as_dict(SECOND.dump(second))
    assert told["version"] == 2
    assert "version" not in as_dict(SECOND.write_position(second))
    with pytest.raises(BadNotation):
        SECOND.load({**told, "version": 99})


def test_every_version_that_came_after_the_first_changed_something() -> None:
    since = {one.since for one in vars(changes).values() if isinstance(one, Change)}
    assert since == set(range(2, changes.NEWEST + 1))

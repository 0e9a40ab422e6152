"""Positions and actions as text (Passage §5, §6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game.contract import Action, Seat
from game.errors import BadNotation, IllegalAction
from game.passage.rules import GAME
from game.rng import Rng
from tests.passage.build import VARIANTS, asked, at, discards, hand, offers, play, random_match


def test_what_is_left_out_has_its_default() -> None:
    state = GAME.read_position({"players": 3}, {})
    assert (state.turn, state.direction, state.phase, state.draws, state.bottom) == (0, 1, "play", 1, 0)
    assert (state.rng.seed, state.rng.used) == (bytes(32), 0)
    assert state.living() == (0, 1, 2)


def test_the_specs_example_can_be_read() -> None:
    text = """{"players":3,"options":{},"turn":0,"direction":1,"phase":"play","draws":1,"bottom":0,
    "hands":[["greed","judge"],["warden"],[]],"pile":["passage","slip"],"discard":[],"removed":[],
    "sealed":[[],[],[]],"eliminated":[],"known":[{},{},{}]}"""
    state = GAME.read_position(json.loads(text), {})
    assert offers(state) == ["end", "play greed"]


def test_a_new_match_as_a_position() -> None:
    seed = "ab" * 32
    given = {"start": True, "players": 4, "options": {"supplements": []}, "seed": seed}
    state = GAME.read_position(given, {})  # type: ignore[arg-type]
    assert state == GAME.setup({"supplements": []}, 4, bytes.fromhex(seed)).state


def test_seed_and_used_fix_what_chance_does() -> None:
    fields: dict[str, Any] = {"hands": [["reconnect"]], "pile": ["slip", "seal", "tithe", "duel", "trade", "beg"]}
    one = play(at(seed="11" * 32, **fields), "play reconnect")
    assert one == play(at(seed="11" * 32, **fields), "play reconnect")
    assert one.pile != play(at(seed="22" * 32, **fields), "play reconnect").pile
    assert one.pile != play(at(seed="11" * 32, used=7, **fields), "play reconnect").pile


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_can_be_written_and_read_again(variant: dict[str, Any]) -> None:
    kinds: set[str] = set()
    for seed in range(4):
        for _, state, _ in random_match(variant, 2 + seed, seed):
            kinds.update(type(frame).__name__ for frame in state.stack)
            text = json.dumps(GAME.write_position(state))
            assert GAME.read_position(json.loads(text), {}) == state, seed
            assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state, seed
    assert "Window" in kinds


def test_a_position_in_the_middle_of_an_effect() -> None:
    state = play(at(hands=[["tithe"], ["slip", "judge"]], pile=["slip"]), "play tithe 1")
    again = GAME.read_position(json.loads(json.dumps(GAME.write_position(state))), {})
    assert (asked(again), offers(again)) == ([1], ["judge", "pass"])
    assert hand(play(again, "pass", "give slip"), 0) == ["slip"]


def test_a_written_window() -> None:
    stack = [{"effect": "window", "card": "greed", "actor": 0, "waiting": [1]}]
    state = at(hands=[[], ["judge"]], discard=["greed"], stack=stack)
    assert discards(play(state, "judge")) == ["greed", "judge"]


def test_swapping_hidden_cards_in_a_written_position_changes_no_view() -> None:
    """Also where it makes untrue what is said to be known of a hand."""
    state = GAME.setup({}, 3, bytes(32)).state
    data: Any = GAME.write_position(state)
    there = next(at for at, card in enumerate(state.pile) if card not in ("passage", "warden"))
    data["hands"][1][0], data["pile"][there] = data["pile"][there], data["hands"][1][0]
    swapped = GAME.read_position(data, {})
    assert swapped != state
    for viewer in (Seat(0), Seat(2)):
        view = GAME.view(swapped, viewer)
        assert view == GAME.view(state, viewer)
        assert GAME.view(GAME.determinize(view, Rng(bytes(32))), viewer) == view


@pytest.mark.parametrize(
    "fields",
    [
        {"players": 1},
        {"players": 6},
        {"hands": [["gread"]]},
        {"hands": [["passage"]]},
        {"hands": [[], [], [], []]},
        {"pile": "slip"},
        {"pile": ["?"]},
        {"turn": 3},
        {"turn": True},
        {"direction": 0},
        {"phase": "play phase"},
        {"draws": -1},
        {"options": {"rebirth": "yes"}},
        {"options": {"house_rule": True}},
        {"eliminated": [0]},
        {"eliminated": [1, 1]},
        {"eliminated": [0, 1, 2]},
        {"hands": [[], ["slip"]], "eliminated": [1]},
        {"known": [{"0": "slip"}]},
        {"known": [{"0": "seal"}], "pile": ["slip"]},
        {"held": [{"1": ["slip"]}]},
        {"seed": "12"},
        {"receiver": 1},
        {"stack": [{"effect": "storm"}]},
        {"stack": [{"effect": "tithe", "actor": 0, "target": 1}]},
        {"stack": [{"effect": "tithe", "actor": 0, "target": None}], "hands": [[], ["slip"]]},
        {"stack": [{"effect": "kotodama", "actor": 0, "origin": 0}]},
        {"stack": [{"effect": "window", "card": "greed", "actor": 0, "waiting": []}]},
        {"stack": [{"effect": "window", "card": "slip", "actor": 0, "waiting": [1]}]},
        {"stack": [{"effect": "duel", "actor": 0, "target": 1, "mover": 0, "opening": 1}], "hands": [["slip"]]},
        {"whatever": 1},
    ],
)
def test_positions_that_can_not_be_read(fields: dict[str, Any]) -> None:
    with pytest.raises(BadNotation):
        at(**fields)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "draw",
            "play",
            "play gread",
            "play greed one",
            "play ?",
            "put",
            "put 01",
            "put -1",
            "give",
            "trade slip",
        ),
        *("discard", "auto", "auto always", "end now", "play  greed", "judge 1", "take slip", "pick warden", "PASS"),
    ],
)
def test_actions_that_can_not_be_read(text: str) -> None:
    state = at(hands=[["greed", "attack"]], pile=["slip"])
    with pytest.raises(BadNotation):
        GAME.apply(state, Seat(0), Action(text))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("play slip", "not-in-hand"),
        ("play attack", "bad-target"),
        ("play attack 0", "bad-target"),
        ("play attack 2", "bad-target"),
        ("play greed 1", "bad-target"),
        ("play warden", "not-playable"),
        ("judge", "not-now"),
        ("put 0", "not-now"),
        ("discard greed", "not-now"),
    ],
)
def test_actions_that_are_not_allowed(text: str, key: str) -> None:
    state = at(hands=[["greed", "attack", "warden"]], pile=["slip"], eliminated=[2])
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, Seat(0), Action(text))
    assert refused.value.key == f"passage.error.{key}"


def test_another_seats_turn() -> None:
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(at(hands=[["greed"]], pile=["slip"]), Seat(1), Action("end"))
    assert refused.value.key == "passage.error.not-awaited"


def test_a_discard_of_the_wrong_number() -> None:
    state = at(phase="discard", hands=[["slip"] * 8])
    for text in ("discard slip", "discard slip slip slip"):
        with pytest.raises(IllegalAction) as refused:
            GAME.apply(state, Seat(0), Action(text))
        assert refused.value.key == "passage.error.wrong-count"
    with pytest.raises(IllegalAction):
        GAME.apply(state, Seat(0), Action("discard slip seal"))


def test_what_a_written_discard_phase_still_counts_is_handed_over() -> None:
    three = [["slip"] * 7, ["slip"], ["slip"]]
    handed = at(phase="discard", players=3, hands=three, draws=2, bottom=1, direction=-1)
    state = GAME.apply(handed, Seat(0), Action("discard slip")).state
    assert (state.turn, state.draws, state.bottom) == (2, 2, 1)
    for counts in ({}, {"draws": 0, "bottom": 0}):
        fresh = GAME.apply(at(phase="discard", players=3, hands=three, **counts), Seat(0), Action("discard slip")).state
        assert (fresh.turn, fresh.draws, fresh.bottom) == (1, 1, 0)

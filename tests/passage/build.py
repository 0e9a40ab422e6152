"""Positions and moves of Passage in the game's own words, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.choices import draw, expand
from game.contract import Action, Event, Pending, Seat, Viewer
from game.passage.rules import GAME
from game.passage.state import State
from game.rng import Rng

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"supplements": []},
    {"supplements": ["beg", "nightmare"], "bottom_targets_others": True, "veto_chain": True},
    {"open_reinsertion": True, "no_spare_wardens": True, "no_hand_limit": True, "bottom_rule": "whole_phase"},
    {"zones": True, "reconnect_mixes_discards": True, "passage_returns": True, "rebirth": True},
    {"supplements": ["beg", "nightmare", "blank"], "rebirth": True, "judge_clears_draws": True},
    {"supplements": ["beg", "blank"], "blank": "kotodama", "bottom_rule": "printed", "deck": {"blank": 6, "bottom": 9}},
    {
        "supplements": ["nightmare", "blank"],
        "blank": "judge",
        "deck": {"blank": 4, "judge": 1, "greed": 0, "nightmare": 4},
        "veto_chain": True,
    },
    {"supplements": ["blank"], "blank": "reconnect", "reconnect_mixes_discards": True, "deck": {"blank": 8}},
)


def at(*, players: int = 3, **fields: Any) -> State:
    """Return a written position."""
    return GAME.read_position({"players": players, **fields}, {})


def play(state: State, *moves: str) -> State:
    """Return the state after moves like "0:play greed"; without a seat, whoever is asked first moves."""
    for move in moves:
        state, _ = step(state, move)
    return state


def step(state: State, move: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state after one move, and its events."""
    seat, colon, text = move.partition(":")
    who = Seat(int(seat)) if colon else GAME.pending(state)[0].seat
    after = GAME.apply(state, who, Action(text if colon else move))
    return after.state, after.events


def owed(state: State, seat: int | None = None) -> Pending:
    """Return the decision of a seat, or the only one there is."""
    found = [one for one in GAME.pending(state) if seat is None or one.seat == seat]
    assert len(found) == 1, found
    return found[0]


def asked(state: State) -> list[int]:
    """Return the seats that owe a decision."""
    return [int(one.seat) for one in GAME.pending(state)]


def offers(state: State, seat: int | None = None) -> list[str]:
    """Return every action a seat may take now."""
    return [action.text for action in expand(owed(state, seat).choice)]


def hand(state: State, seat: int) -> list[str]:
    """Return a hand, sorted by name."""
    return sorted(card.value for card in state.hands[seat])


def pile(state: State) -> list[str]:
    """Return the pile, top first."""
    return [card.value for card in state.pile]


def discards(state: State) -> list[str]:
    """Return the discard pile, oldest first."""
    return [card.value for card in state.discard]


def seen(events: tuple[Event, ...], kind: str, viewer: Viewer) -> list[dict[str, Any]]:
    """Return what a viewer is told by the events of one kind."""
    told = (event.seen_by(viewer) for event in events if event.kind == kind)
    return [dict(params) for params in told if params is not None]


def random_match(variant: dict[str, Any], players: int, seed: int) -> Iterator[tuple[State, State, tuple[Event, ...]]]:
    """Play a match at random; yield each state, the one after it and the events between."""
    rng = Rng(seed.to_bytes(32, "big"))
    state = GAME.setup(variant, players, seed.to_bytes(32, "big")).state
    for _ in range(5000):
        decisions = GAME.pending(state)
        if not decisions:
            return
        decision, rng = rng.choose(decisions)
        action, rng = draw(decision.choice, rng)
        after = GAME.apply(state, decision.seat, action)
        yield state, after.state, after.events
        state = after.state
    raise AssertionError(f"no end: {variant} {players} {seed}")

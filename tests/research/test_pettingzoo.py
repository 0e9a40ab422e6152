"""The PettingZoo environments: its own tests pass, and nothing comes from elsewhere than the agent's view."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Json, Seat
from game.errors import BadNotation, IllegalAction
from game.rng import Rng
from tests.conformance.play import seed_of

pytest.importorskip("pettingzoo", reason="the extra `research` is not installed: its environments are NOT checked")

import numpy as np
from pettingzoo.test import api_test, seed_test

from game.adapters.pettingzoo import MatchEnv, env

SMALL: Mapping[str, Mapping[str, Json]] = {"relati": {"board": 9}}  # the rest by their defaults
TABLES: list[tuple[str, int, Mapping[str, Json]]] = [
    *((key, registry.get(key).seats[0], SMALL.get(key, {})) for key in registry.KEYS),
    ("passage", 5, {"no_hand_limit": True}),
    ("relati", 6, {"board": 7}),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("key", "n_seats", "options"), TABLES)
def test_the_tests_of_pettingzoo_pass(key: str, n_seats: int, options: Mapping[str, Json]) -> None:
    api_test(env(key, n_seats, options), num_cycles=300)
    seed_test(lambda: env(key, n_seats, options), num_cycles=100)


@pytest.mark.parametrize("key", registry.KEYS)
def test_pettingzoo_warns_of_nothing_but_that_observations_have_two_parts(key: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(key), num_cycles=100)
    assert {str(one.message).split(" ")[0] for one in caught} == {"Observation"}


def steps(table: MatchEnv, seed: int, most: int = 2_000) -> Any:
    """Play at random, and yield the selected agent before each step."""
    dice = np.random.default_rng(seed)
    table.reset(seed=seed)
    for agent in table.agent_iter(most):
        if table.terminations[agent] or table.truncations[agent]:
            table.step(None)
            continue
        yield agent
        mask = table.observe(agent)["action_mask"]
        table.step(int(dice.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize(("key", "n_seats", "options"), TABLES)
def test_an_agent_is_given_what_its_view_alone_gives(
    key: str, n_seats: int, options: Mapping[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match in which all that the agent can't know is drawn anew shows it the same, with the same mask."""
    table, other = MatchEnv(key, n_seats, options), MatchEnv(key, n_seats, options)
    rng = Rng(seed_of(f"environment {key}"))
    looked = 0
    for number, agent in enumerate(steps(table, 1, 600)):
        if number % 7 or table.infos[agent]["picked"]:
            continue
        stream, rng = rng.split()
        game, seat = table.game, Seat(table.possible_agents.index(agent))
        guess = game.determinize(table.view(agent), stream)
        asked = tuple(one for one in game.pending(guess) if one.seat == seat)
        monkeypatch.setattr(other.game, "pending", lambda state, asked=asked: asked)
        other.reset(seed=2, options={"state": guess})
        monkeypatch.undo()
        for part, numbers in table.observe(agent).items():
            assert np.array_equal(other.observe(agent)[part], numbers), (number, part)
        assert other.infos[agent] == table.infos[agent]
        looked += 1
    assert looked > 5


@pytest.mark.parametrize(("key", "n_seats", "options"), TABLES)
def test_lines_lead_to_offered_actions_and_the_mask_has_one_for_each(
    key: str, n_seats: int, options: Mapping[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = MatchEnv(key, n_seats, options, actions=8)  # so that there are pages
    played: list[Action] = []
    apply = table.game.apply

    def watched(state: Any, seat: Seat, action: Action) -> Any:
        (asked,) = (one for one in table.game.pending(state) if one.seat == seat)
        assert contains(asked.choice, action)
        played.append(action)
        return apply(state, seat, action)

    monkeypatch.setattr(table.game, "apply", watched)
    seen_pages = 0
    for agent in steps(table, 3, 1_500):
        mask, lines = table.observe(agent)["action_mask"], table.infos[agent]["actions"]
        assert mask.sum() == len(lines) <= 8
        assert all(not table.observe(one)["action_mask"].any() for one in table.agents if one != agent)
        seen_pages += lines[-1] == "…"
    assert played
    assert seen_pages


def test_rewards_tell_the_placements() -> None:
    for seed in range(3):
        table = MatchEnv("passage", 4)
        for _ in steps(table, seed, 3_000):
            pass
        assert table.agents == []
        table.reset(seed=seed)
        total = dict.fromkeys(table.possible_agents, 0.0)
        dice = np.random.default_rng(seed)
        while not any(table.terminations.values()):
            mask = table.observe(table.agent_selection)["action_mask"]
            table.step(int(dice.choice(np.flatnonzero(mask))))
            for agent, reward in table.rewards.items():
                total[agent] += reward
        result = table.game.result(table.full_state)
        assert result is not None
        assert sum(total.values()) == pytest.approx(0)
        first, last = result.placements[0][0], result.placements[-1][0]
        assert total[f"player_{first}"] == 1.0
        assert total[f"player_{last}"] == -1.0


def test_a_match_is_truncated_after_so_many_steps() -> None:
    table = MatchEnv("rainet", max_steps=5)
    assert len(list(steps(table, 1))) == 5
    assert table.agents == []


def test_an_line_that_the_mask_does_not_have_is_refused() -> None:
    table = MatchEnv("rainet")
    table.reset(seed=1)
    for wrong in (70, 255, -1, None):
        with pytest.raises(IllegalAction):
            table.step(wrong)
    table.step(69)


def test_what_can_not_be_played_is_refused() -> None:
    for key, n_seats, options in [("chess", 2, {}), ("relati", 7, {}), ("relati", 2, {"board": 99})]:
        with pytest.raises(BadNotation):
            env(key, n_seats, options)


def test_the_seat_that_is_asked_first_in_a_window_is_drawn() -> None:
    """Else the lowest seat would close every window of Passage."""
    game = registry.get("passage")
    first = set()
    table = MatchEnv("passage", 5)
    for seed in range(12):
        for agent in steps(table, seed, 60):
            owed = game.pending(table.full_state)
            if len(owed) > 2:
                first.add(f"player_{owed[0].seat}" == agent)
    assert first == {True, False}


def test_render_shows_what_everybody_knows() -> None:
    table = MatchEnv("rainet", render_mode="ansi")
    table.reset(seed=1)
    assert '"viewer": "public"' in str(table.render())
    assert MatchEnv("rainet").render() is None

"""The games as PettingZoo environments (AEC): `env("rainet")`. Needs the extra `research`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from game import registry
from game.contract import Action, Game, Json, Pending, Result, Seat, Watcher
from game.menus import Menu
from game.rng import Rng

ACTIONS = 256  # lines of a menu; what does not fit stands on its next page
Observation = dict[str, NDArray[Any]]


def env(
    key: str,
    n_seats: int | None = None,
    options: Mapping[str, Json] | None = None,
    seat_options: Sequence[Mapping[str, Json]] = (),
    *,
    actions: int = ACTIONS,
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """Return an environment of a game, with PettingZoo's check of the order of calls around it.

    `n_seats`, `options` and `seat_options` are those of `Game.setup`; without them the fewest seats play by the
    defaults, and bring the game's first pairing. After `max_steps` steps a match is truncated.
    Raises BadNotation for an unknown game, option or number of players.
    """
    table = MatchEnv(key, n_seats, options, seat_options, actions=actions, max_steps=max_steps, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(table)


class MatchEnv(AECEnv):  # type: ignore[misc]
    """A match as an environment. Agents are `player_0`, `player_1`, …, by seat.

    Everything an agent is given comes from its own view. An observation has two arrays: `observation`, the view's
    numbers (`registry.features`), and `action_mask`, which has ones for the lines of the present menu
    (`game.menus`) and is all zeros for an agent that is not asked. `infos[agent]["actions"]` are those lines' texts,
    `["prompt"]` is the message key of the question. A step takes the number of a line; picking the items of a subset
    takes one step each. Where several seats owe a decision, one of them is drawn. `full_state` is not for agents.

    Rewards come at the end and sum up to 0: 1 for the first, -1 for the last, evenly spaced between, a tie shares.
    """

    metadata = {"render_modes": ["ansi"], "name": "patchbay", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        key: str,
        n_seats: int | None = None,
        options: Mapping[str, Json] | None = None,
        seat_options: Sequence[Mapping[str, Json]] = (),
        *,
        actions: int = ACTIONS,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; `reset` begins a match. Arguments and errors as in `env`."""
        super().__init__()
        self.game: Game[Any, Any] = registry.get(key)
        self.features = registry.features(key)
        self.n_seats = self.game.seats[0] if n_seats is None else n_seats
        self.options = options or {}
        is_paired = not seat_options and self.n_seats == 2
        self.seat_options = self.game.spec.pairings[0] if is_paired else tuple(seat_options)
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.n_seats)]
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._stream = Rng(hashlib.sha256(str(np.random.SeedSequence().entropy).encode()).digest())
        self.full_state = self._set_up(bytes(32))
        n_features = len(self.features(self.game.view(self.full_state, Seat(0))))
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (n_features,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._n_actions = actions
        self._menu: Menu | None = None
        self._asked: Seat | None = None
        self._seen: dict[str, Observation] = {}
        self._views: dict[str, Any] = {}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations; the same object each time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's answers: the numbers of a menu's lines."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match; equal seeds give equal matches. `options={"state": state}` begins at a state of the game.

        The options of the match itself are given to `env`.
        """
        if seed is not None:
            self._stream = Rng(hashlib.sha256(f"pettingzoo {seed}".encode()).digest())
        deal, self._stream = self._stream.split()
        self.full_state = (options or {}).get("state") or self._set_up(deal.seed)
        self._steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def step(self, action: int | None) -> None:
        """Take a line of the selected agent's menu. Raises IllegalAction for a number that the mask does not have."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._menu is not None
        assert self._asked is not None
        taken = self._menu.take(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._steps += 1
        if isinstance(taken, Menu):
            self._show(taken)
        else:
            self._play(self._asked, taken)
        if self.max_steps is not None and self._steps >= self.max_steps and self.game.result(self.full_state) is None:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, as numbers, with the mask of its menu."""
        if agent not in self._seen:
            mask = np.zeros(self._n_actions, np.int8)
            if self._menu is not None and self._seat(agent) == self._asked:
                mask[: len(self._menu.lines)] = 1
            numbers = np.asarray(self.features(self.view(agent)), np.float32)
            self._seen[agent] = {"observation": numbers, "action_mask": mask}
        return self._seen[agent]

    def view(self, agent: str) -> Any:
        """Return an agent's view, for bots and for features of one's own."""
        if agent not in self._views:
            self._views[agent] = self.game.view(self.full_state, self._seat(agent))
        return self._views[agent]

    def render(self) -> str | None:
        """Return the match as JSON, as everybody may know it; None without the render mode `ansi`."""
        if self.render_mode is None:
            return None
        return json.dumps(self.game.view_json(self.game.view(self.full_state, Watcher.PUBLIC)), ensure_ascii=False)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def __str__(self) -> str:
        return f"patchbay_{self.game.key}"

    def _set_up(self, seed: bytes) -> Any:
        return self.game.setup(self.options, self.n_seats, seed, self.seat_options).state

    def _seat(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(agent))

    def _play(self, seat: Seat, action: Action) -> None:
        """Play an action and ask for the next one, or end."""
        self.full_state = self.game.apply(self.full_state, seat, action).state
        result = self.game.result(self.full_state)
        if result is None:
            self._ask()
            return
        self._menu = self._asked = None
        self._seen, self._views = {}, {}
        self.infos = {agent: {} for agent in self.agents}
        self.rewards = rewards(result, self.possible_agents)
        self.terminations = dict.fromkeys(self.agents, True)

    def _ask(self) -> None:
        """Select one of the seats that owe a decision."""
        pending: Pending
        pending, self._stream = self._stream.choose(self.game.pending(self.full_state))
        self._asked = pending.seat
        self.agent_selection = self.possible_agents[pending.seat]
        self._views = {}
        self._prompt = pending.prompt
        self._show(Menu(pending.choice, self._n_actions))

    def _show(self, menu: Menu) -> None:
        """Put a menu before the selected agent."""
        self._menu = menu
        self._seen = {}
        self.infos = {agent: {} for agent in self.agents}
        picked = list(menu.picked)
        self.infos[self.agent_selection] = {"actions": [*menu.lines], "prompt": self._prompt, "picked": picked}


def rewards(result: Result, agents: Sequence[str]) -> dict[str, float]:
    """Return each agent's reward for a result: from 1 for the first to -1 for the last, ties share.

    >>> rewards(Result(((2,), (0, 1)), "over"), ("a", "b", "c"))
    {'a': -0.5, 'b': -0.5, 'c': 1.0}
    """
    found: dict[str, float] = {}
    before = 0
    for tier in result.placements:
        middle = before + (len(tier) - 1) / 2
        found |= {agents[seat]: 1.0 - 2.0 * middle / (len(agents) - 1) for seat in tier}
        before += len(tier)
    return {agent: found[agent] for agent in agents}

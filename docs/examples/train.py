"""Learn RaiNet by the cross-entropy method: `python train.py ROUNDS` prints the mean reward against random play."""

import sys

import numpy as np

from game.adapters.pettingzoo import env
from game.rainet.board import SQUARES

table, dice = env("rainet"), np.random.default_rng(1)


def traits(view, action):
    """Describe an action with a card: entering, steps towards the server, capturing; of a link, then of a virus."""
    found = np.zeros(6)
    if action[:2] in SQUARES:  # not a terminal card, nor the setup
        start, end = SQUARES[action[:2]], SQUARES.get(action[-2:])
        away = [abs(at % 8 - 3.5) + (at // 8 if view.viewer else 7 - at // 8) for at in (start, end or start)]
        said = [">" in action, away[0] - away[1], end is not None and view.card_at(end) is not None]
        found[3 * (view.card_at(start).kind == "virus") :][:3] = said
    return found


def play(weights, seed, me):
    """Play a match against random play; return the reward of the agent `me`, whose actions the weights choose."""
    table.reset(seed=seed)
    for agent in table.agent_iter():
        seen, _, is_over, _, info = table.last()
        if is_over:
            return table.unwrapped.rewards[me]
        choice = dice.choice(np.flatnonzero(seen["action_mask"]))
        if agent == me:
            view = table.unwrapped.view(agent)
            choice = np.argmax([weights @ traits(view, text) + dice.random() for text in info["actions"]])
        table.step(choice)


def mean_reward(weights, seeds):
    """Return the mean reward over some matches, the seats in turn."""
    return np.mean([play(weights, seed, f"player_{seed % 2}") for seed in seeds])


mean, spread = np.zeros(6), 3 * np.ones(6)
for n in range(int(sys.argv[1])):
    tried = dice.normal(mean, spread, (12, 6))
    best = sorted(tried, key=lambda one: -mean_reward(one, range(100 * n, 100 * n + 6)))[:3]
    mean, spread = np.mean(best, axis=0), np.std(best, axis=0) + 0.3
print(mean_reward(mean, range(10_000, 10_040)))  # noqa: T201

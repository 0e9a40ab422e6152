"""The weight that `python -m game tune passage` may change: by how much hard's search must beat the policy."""

from __future__ import annotations

from game.contract import Bot
from game.errors import BadNotation
from game.passage.bots.levels import PassageBot
from game.passage.bots.search import Search
from game.passage.view import PassageView
from game.training.passage.fitting import fit_evaluation, fit_policy
from game.training.passage.ppo import fit_last_network, fit_network

# What `--fit` may name.
FITS = {
    "policy": fit_policy,
    "evaluation": fit_evaluation,
    "network": fit_network,
    "last-network": fit_last_network,
}


def weights(level: str) -> dict[str, float]:
    """Return the weights of a level. Raises BadNotation for a level that has none."""
    if level != "hard":
        raise BadNotation("match.unknown-bot", level[:40])
    return {"margin": Search().margin}


def bot(level: str, changed: dict[str, float]) -> Bot[PassageView]:
    """Return the bot with another margin."""
    return PassageBot(Search(margin=changed["margin"]).choose)

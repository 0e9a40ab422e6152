"""The bots: easy is greedy, normal plans, hard evaluates its plans by play-outs, master by a tree of them."""

from __future__ import annotations

from typing import Final

from game.contract import Bot
from game.netrunner.bots.players import Greedy, Planner
from game.netrunner.bots.search import Searcher
from game.netrunner.bots.tree import TreeSearcher
from game.netrunner.view import NetrunnerView

BOTS: Final[dict[str, Bot[NetrunnerView]]] = {
    "easy": Greedy(),
    "normal": Planner(),
    "hard": Searcher(),
    "master": TreeSearcher(),
}

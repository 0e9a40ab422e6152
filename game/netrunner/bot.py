"""The bots: easy is greedy, normal plans, hard evaluates its plans by play-outs of determinized states."""

from __future__ import annotations

from typing import Final

from game.contract import Bot
from game.netrunner.bots.players import Greedy, Planner
from game.netrunner.bots.search import Searcher
from game.netrunner.view import NetrunnerView

BOTS: Final[dict[str, Bot[NetrunnerView]]] = {"easy": Greedy(), "normal": Planner(), "hard": Searcher()}

"""The built-in players: easy is greedy, normal plans, hard plays its plans on in positions that may be the real one."""

from __future__ import annotations

from typing import Final

from game.contract import Bot
from game.netrunner.bots.players import Greedy, Planner
from game.netrunner.bots.search import Searcher
from game.netrunner.view import NetrunnerView

BOTS: Final[dict[str, Bot[NetrunnerView]]] = {"easy": Greedy(), "normal": Planner(), "hard": Searcher()}

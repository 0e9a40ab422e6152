"""Imported by a bot process: the tiny game, with bots that misbehave in the ways bots can."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game import registry
from game.contract import Action, Pending
from game.rng import Rng
from tests.conformance import tiny
from tests.conformance.tiny import bot, rules


@dataclass(frozen=True)
class Odd:
    """Does one thing instead of answering."""

    how: str

    def decide(self, view: Any, pending: Pending, rng: Rng) -> Action:
        match self.how:
            case "dies":
                os._exit(1)
            case "dies once":
                mark = Path(os.environ["ODD_MARK"])
                if not mark.exists():
                    mark.touch()
                    os._exit(1)
                return bot.BOTS["easy"].decide(view, pending, rng)
            case "hangs":
                time.sleep(60)
            case "raises":
                raise RuntimeError("no idea")
            case "prints":
                print("thinking aloud")
                return bot.BOTS["easy"].decide(view, pending, rng)
        return Action("nonsense")


ODD: Mapping[str, Any] = {how: Odd(how) for how in ("dies", "dies once", "hangs", "raises", "prints", "lies")}


def register() -> None:
    registry.KEYS = (*registry.KEYS, "tiny")
    sys.modules.update({"game.tiny": tiny, "game.tiny.rules": rules, "game.tiny.bot": bot})
    bot.BOTS.update(ODD)


if "pytest" not in sys.modules:
    register()

"""The Passage tutorial: eight small positions for three players, about three minutes in all."""

from __future__ import annotations

from typing import Final

from game.contract import Json
from server.boards.lesson import Lesson

PILE: Final[list[Json]] = ["seal", "tithe", "duel", "slip", "trade", "greed", "warden", "passage", "judge"]
BAD_TOP: Final[list[Json]] = ["passage", *PILE]
WARDENS: Final[Json] = {"1": ["warden"], "2": ["warden"]}
KNOWS_TOP: Final[list[Json]] = [{"0": "passage"}]

LESSONS: Final = (
    Lesson(
        "draw",
        {"players": 3, "hands": [["warden", "attack"], ["warden", "slip"], ["warden", "seal"]], "pile": PILE},
        "end",
    ),
    Lesson(
        "look",
        {"players": 3, "hands": [["foresight", "slip"], ["warden", "slip"], ["warden", "seal"]], "pile": BAD_TOP},
        "play foresight",
    ),
    Lesson(
        "slip",
        {
            "players": 3,
            "hands": [["slip", "trade"], ["warden", "slip"], ["warden", "seal"]],
            "pile": BAD_TOP,
            "known": KNOWS_TOP,
            "held": [WARDENS],
        },
        "play slip",
    ),
    Lesson(
        "attack",
        {
            "players": 3,
            "hands": [["attack1", "trade"], ["warden", "slip"], ["seal", "duel"]],
            "pile": BAD_TOP,
            "known": KNOWS_TOP,
            "held": [{"1": ["warden"]}],
        },
        "play attack1 2",
    ),
    Lesson(
        "bottom",
        {
            "players": 3,
            "hands": [["bottom", "trade"], ["warden", "slip"], ["warden", "seal"]],
            "pile": BAD_TOP,
            "known": KNOWS_TOP,
            "held": [WARDENS],
        },
        "play bottom",
    ),
    Lesson(
        "warden",
        {
            "players": 3,
            "hands": [["slip"], ["seal", "slip"], ["warden", "seal"]],
            "pile": PILE,
            "discard": ["warden"],
            "phase": "draw",
            "draws": 0,
            "stack": [{"effect": "return", "seat": 0}],
        },
        r"put \d+",
    ),
    Lesson(
        "judge",
        {
            "players": 3,
            "turn": 1,
            "draws": 4,
            "hands": [["judge", "slip"], ["seal"], ["warden", "seal"]],
            "pile": BAD_TOP,
            "discard": ["greed", "attack2"],
            "stack": [{"effect": "window", "card": "attack2", "actor": 1, "waiting": [0], "target": 0}],
        },
        "judge",
    ),
    Lesson(
        "give",
        {
            "players": 3,
            "turn": 1,
            "hands": [["warden", "trade", "slip"], ["seal"], ["warden", "seal"]],
            "pile": PILE,
            "discard": ["tithe"],
            "stack": [{"effect": "tithe", "actor": 1, "target": 0}],
        },
        "give (trade|slip)",
    ),
)

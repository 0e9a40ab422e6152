"""The printed facts of cards: names, numbers, types (from data/card_facts.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, Literal

CORP, RUNNER = 0, 1
HIDDEN: Final = "?"  # stands in views for a card that the viewer does not know
SIDES: Final = ("corp", "runner")
# The types and subtypes that entries of cards name.
Kind = Literal[
    "agenda", "hardware", "ice", "program", "resource",
    "barrier", "code gate", "connection", "icebreaker", "sentry", "transaction", "virtual", "virus",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """One card's facts. Subtypes are lower case; a number that a card does not have, or that is X, is 0."""

    code: str
    title: str
    side: int
    faction: str
    type: str
    subtypes: frozenset[str]
    cost: int
    strength: int
    memory: int
    influence: int
    advancement: int
    points: int
    trash: int | None
    link: int
    min_deck: int
    max_influence: int
    unique: bool
    quantity: int
    deck_limit: int
    pack: str


def _read(raw: Mapping[str, Any]) -> Facts:
    number = {
        name: raw[name] if isinstance(raw[name], int) else 0
        for name in ("cost", "strength", "memory", "influence", "advancement", "points")
    }
    return Facts(
        code=raw["code"],
        title=raw["title"],
        side=SIDES.index(raw["side"]),
        faction=raw["faction"],
        type=raw["type"],
        subtypes=frozenset(name.lower() for name in raw["subtypes"]),
        trash=raw["trash"],
        link=raw["base_link"] or 0,
        min_deck=raw["min_deck"] or 0,
        max_influence=raw["max_influence"] or 0,
        unique=raw["unique"],
        quantity=raw["quantity"],
        deck_limit=raw["deck_limit"],
        pack=raw["pack"],
        **number,
    )


def _load() -> dict[str, Facts]:
    text = resources.files("game.netrunner.data").joinpath("card_facts.json").read_text(encoding="utf-8")
    return {raw["code"]: _read(raw) for raw in json.loads(text)}


BLANK: Final = Facts(
    HIDDEN, HIDDEN, RUNNER, "", "card", frozenset(), 0, 0, 0, 0, 0, 0, None, 0, 0, 0, False, 0, 0, ""
)  # the facts of a facedown card in the rig: none
FACTS: Final[Mapping[str, Facts]] = _load()


def plain_title(title: str) -> str:
    """Return a title as people type it: straight apostrophes."""
    return title.replace("\u2019", "'").strip()


CODES: Final[Mapping[str, str]] = {
    **{plain_title(facts.title.split(":")[0]): code for code, facts in FACTS.items() if facts.type == "identity"},
    **{plain_title(facts.title): code for code, facts in FACTS.items()},
}


def title(code: str) -> str:
    """Return a card's title, or "?" for one that is not known."""
    return HIDDEN if code == HIDDEN else FACTS[code].title

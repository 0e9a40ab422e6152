"""What every card does, by code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from game.netrunner.cards import (
    anarch,
    criminal,
    haas,
    jinteki,
    named,
    nbn,
    neutral,
    reverie_corp,
    reverie_runner,
    shaper,
    weyland,
)
from game.netrunner.facts import CODES
from game.netrunner.vocabulary import CardEntry

MODULES = (anarch, criminal, shaper, neutral, haas, jinteki, nbn, weyland, named, reverie_runner, reverie_corp)
ENTRIES: Final[Mapping[str, CardEntry]] = {
    CODES[title]: entry for module in MODULES for title, entry in module.CARDS.items()
}
WORTHS: Final[Mapping[str, float]] = {
    CODES[title]: worth for module in MODULES for title, worth in getattr(module, "WORTHS", {}).items()
}
"""What a card is worth to a built-in player, in credits: installed, or played for what it always gives.

Ice, icebreakers and agendas have none: what they do is reckoned from their entries.
"""

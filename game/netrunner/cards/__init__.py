"""What every card does, by code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from game.netrunner.cards import anarch, criminal, haas, jinteki, named, nbn, neutral, shaper, weyland
from game.netrunner.facts import CODES
from game.netrunner.vocabulary import Entry

MODULES = (anarch, criminal, shaper, neutral, haas, jinteki, nbn, weyland, named)
ENTRIES: Final[Mapping[str, Entry]] = {
    CODES[title]: entry for module in MODULES for title, entry in module.CARDS.items()
}

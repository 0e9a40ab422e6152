"""The text of one effect of a card, found by its place in the entry, for questions about it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import FACTS
from game.netrunner.text.effects import About, effect
from game.netrunner.text.phrase import Phrase, phrase


@cache
def effect_text(code: str, place: str) -> Phrase:
    """Return an effect in a phrase; its place is like 'on.0.do.1', as questions tell it.

    What the effect depended on is left out, since it has come to the question. Raises LookupError and AttributeError
    for a place that the entry does not have.
    """
    found: Any = ENTRIES[code]
    for part in place.split("."):
        found = found[int(part)] if part.isdigit() else getattr(found, part)
    asked = replace(found, only_if="") if isinstance(found, v.May) else found
    return effect(asked, About(FACTS[code].side, phrase("it")))

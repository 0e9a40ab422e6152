"""The text of one effect of a card, found by its place in the entry, for questions about it and their answers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import FACTS
from game.netrunner.text.effects import About, effect, effects
from game.netrunner.text.parts import cost
from game.netrunner.text.phrase import Phrase, phrase


@cache
def effect_text(code: str, place: str) -> Phrase:
    """Return an effect in a phrase; its place is like 'on.0.do.1', as questions tell it.

    What the effect depended on is left out, since it has come to the question. Raises LookupError and AttributeError
    for a place that the entry does not have.
    """
    found = _at(code, place)
    asked = replace(found, only_if=None) if isinstance(found, v.May) else found
    return effect(asked, About(FACTS[code].side, phrase("it")))


def answer_texts(code: str, place: str, credits: int, target: str) -> tuple[Phrase | None, Phrase | None]:
    """Return what yes and what no brings, where a card asks at a place of its entry; None: nothing is to be said.

    `credits`: what the cost is now; `target`: the name of what was chosen before, or "". Raises as `effect_text` does.
    """
    found = _at(code, place)
    if not isinstance(found, v.May):
        return None, None
    about = About(FACTS[code].side, phrase("target", card=target) if target else phrase("it"), doer=found.who)
    paid = replace(found.cost, credits=credits, per=None)
    then = {"then": effects(found.then, about)} if found.then else {}
    yes = no = None
    if paid != v.Cost():
        verb = "pay" if credits else "cost"
        yes = phrase(f"answer.{verb}-then" if then else f"answer.{verb}", cost=cost(paid), **then)
    elif then:
        yes = phrase("answer.yes", **then)
    if found.or_else:
        otherwise = effects(found.or_else, about)
        if all(isinstance(e, v.AccessTarget) for e in found.or_else):  # what the one who is asked does
            no = phrase("answer.yes", then=otherwise)
        else:
            no = phrase("answer.unpaid" if credits else "answer.no", otherwise=otherwise, card=FACTS[code].title)
    return yes, no


def bid_texts(code: str, place: str) -> tuple[tuple[Phrase, ...], tuple[Phrase, ...]]:
    """Return what secret bids bring where they differ, and where they are alike; nothing where it is no bid."""
    found = _at(code, place)
    if not isinstance(found, v.Psi):
        return (), ()
    about = About(FACTS[code].side, phrase("it"))
    return effects(found.then, about), effects(found.equal, about)


def _at(code: str, place: str) -> Any:
    """Return the part of a card's entry that stands at a place."""
    found: Any = ENTRIES[code]
    for part in place.split("."):
        found = found[int(part)] if part.isdigit() else getattr(found, part)
    return found

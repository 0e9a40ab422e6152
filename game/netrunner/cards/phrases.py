"""Parts of entries that many cards share."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.facts import Kind
from game.netrunner.filters import cards
from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    Break,
    Broken,
    Choose,
    Cost,
    Damage,
    Either,
    EndRun,
    GiveTags,
    Last,
    Moment,
    On,
    RunOn,
    Shuffle,
    Static,
    Take,
    Trash,
    Until,
)

END = (EndRun(),)
PROGRAM = cards("rig", "program")
ADVANCEABLE = cards("corp", "advanceable")
AGENDA = cards("hq+archives", "agenda")
TRASH_PROGRAM = (Choose(PROGRAM, (Trash(),)),)
BRAIN = (Damage("brain", 1),)
TAG = GiveTags(1)
PER_ADVANCEMENT = (Static("strength-per-advancement", 1),)


def breaks(credits: int, subtype: Broken, most: int = 1) -> Ability:
    """Return the ability 'N credits: break up to `most` subroutines of a subtype'."""
    return Ability(Cost(credits), (Break(subtype, most),), "break")


def pump(credits: int, n: int, until: Until = "encounter") -> Ability:
    """Return the ability 'N credits: n strength', until the end of the encounter or of the run."""
    return Ability(Cost(credits), (Last("strength", n, "self", until),), "run" if until == "run" else "encounter")


def fetch(*kinds: Kind) -> tuple[Choose, Shuffle]:
    """Return the effects 'search the stack for a card, show it, take it, shuffle'."""
    return (Choose(cards("stack", *kinds), (Take(reveal=True),)), Shuffle())


def loaded(event: Moment, n: int) -> On:
    """Return the trigger 'when it is installed (or rezzed), place n credits on it'."""
    return On(event, (AddCounters("credit", n),), c.Itself())


def run(servers: str, *mods: str) -> tuple[RunOn]:
    """Return the effect 'run one of these servers', with words that change the run."""
    return (RunOn(servers, mods),)


def gains_agenda_counter() -> On:
    """Return the trigger 'when it is scored, place an agenda counter on it'."""
    return On("score", (AddCounters("agenda"),), c.Itself())


ADVANCE_TARGET = (AddCounters("advancement", 1, "target"),)
UPKEEP = (Either(("counter", (AddCounters("virus", -1),)), ("trash", (Trash("self"),))),)

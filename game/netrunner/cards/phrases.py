"""Phrases that many cards share."""

from __future__ import annotations

from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    Break,
    Choose,
    Cost,
    Damage,
    Either,
    EndRun,
    GiveTags,
    Last,
    On,
    RunOn,
    Shuffle,
    Static,
    Take,
    Trash,
)

END = (EndRun(),)
TRASH_PROGRAM = (Choose("rig program", (Trash(),)),)
BRAIN = (Damage("brain", 1),)
TAG = GiveTags(1)
PER_ADVANCEMENT = (Static("strength-per-advancement", 1),)


def breaks(credits: int, subtype: str, most: int = 1) -> Ability:
    """Return 'N credits: break subroutines'."""
    return Ability(Cost(credits), (Break(subtype, most),), "break")


def pump(credits: int, n: int, until: str = "encounter") -> Ability:
    """Return 'N credits: strength'."""
    return Ability(Cost(credits), (Last("strength", n, "self", until),), "run" if until == "run" else "encounter")


def fetch(what: str) -> tuple[Choose, Shuffle]:
    """Return 'search your stack, show it, take it, shuffle'."""
    return (Choose(f"stack {what}", (Take(reveal=True),)), Shuffle())


def loaded(event: str, n: int) -> On:
    """Return 'when it comes into play, put credits on it'."""
    return On(event, (AddCounters("credit", n),), "self")


def run(servers: str, *mods: str) -> tuple[RunOn]:
    """Return 'run one of these servers'."""
    return (RunOn(servers, mods),)


def gains_agenda_counter() -> On:
    """Return 'when scored, put an agenda counter on it'."""
    return On("score", (AddCounters("agenda"),), "self")


ADVANCE_TARGET = (AddCounters("advancement", 1, "target"),)
UPKEEP = (Either(("counter", (AddCounters("virus", -1),)), ("trash", (Trash("self"),))),)

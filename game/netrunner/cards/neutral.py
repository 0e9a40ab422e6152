"""The neutral cards of the Core Set, of both sides."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import END, TAG, UPKEEP, breaks, loaded, pump
from game.netrunner.filters import cards
from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Either,
    Expose,
    Gain,
    If,
    LoseClick,
    On,
    Rez,
    Static,
    TakeHosted,
    Trace,
    Trash,
)

CARDS: dict[str, CardEntry] = {
    "Infiltration": CardEntry(
        play=(Either(("credits", (Gain(2),)), ("expose", (Choose(cards("corp", "unrezzed"), (Expose(),)),))),),
    ),
    "Sure Gamble": CardEntry(play=(Gain(9),)),
    "Crypsis": CardEntry(
        abilities=(breaks(1, "any"), pump(1, 1), Ability(Cost(clicks=1), (AddCounters("virus"),), "action")),
        on=(On("encounter-ends", (If(c.VirusAtLeast(1), UPKEEP, (Trash("self"),)),), c.Broke()),),
    ),
    "Access to Globalsec": CardEntry(static=(Static("link", 1),)),
    "Armitage Codebusting": CardEntry(
        on=(loaded("install", 12),),
        abilities=(Ability(Cost(clicks=1), (TakeHosted(2),), "action"),),
    ),
    "Priority Requisition": CardEntry(
        on=(On("score", (Choose(cards("ice", "unrezzed"), (Rez(),), optional=True),), c.Itself()),)
    ),
    "Private Security Force": CardEntry(
        abilities=(Ability(Cost(clicks=1), (Damage("meat", 1),), "action", c.Tagged()),)
    ),
    "Melange Mining Corp.": CardEntry(abilities=(Ability(Cost(clicks=3), (Gain(7),), "action"),)),
    "PAD Campaign": CardEntry(on=(On("turn-begins", (Gain(1),), c.MyTurn()),)),
    "Hedge Fund": CardEntry(play=(Gain(9),)),
    "Enigma": CardEntry(subs=((LoseClick(),), END)),
    "Hunter": CardEntry(subs=((Trace(3, (TAG,)),),)),
    "Wall of Static": CardEntry(subs=(END,)),
}

WORTHS: dict[str, float] = {
    "Infiltration": 2.0,
    "Sure Gamble": 4.0,
    "Access to Globalsec": 0.5,
    "Armitage Codebusting": 5.0,
    "Melange Mining Corp.": 3.0,
    "PAD Campaign": 4.0,
    "Hedge Fund": 4.2,
}

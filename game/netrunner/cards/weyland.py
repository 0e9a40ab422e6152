"""Weyland Consortium's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import ADVANCE_TARGET, ADVANCEABLE, END, PER_ADVANCEMENT, TAG, TRASH_PROGRAM
from game.netrunner.filters import cards
from game.netrunner.vocabulary import (
    Ability,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Forfeit,
    Gain,
    May,
    On,
    Shuffle,
    Static,
    Take,
    TakeBadPublicity,
    Trace,
)

CARDS: dict[str, CardEntry] = {
    "Weyland Consortium": CardEntry(on=(On("play", (Gain(1),), c.All((c.Is("transaction"), c.MyCard()))),)),
    "Hostile Takeover": CardEntry(on=(On("score", (Gain(7), TakeBadPublicity(1)), c.Itself()),)),
    "Posted Bounty": CardEntry(on=(On("score", (May((Forfeit(), TAG, TakeBadPublicity(1))),), c.Itself()),)),
    "Security Subcontract": CardEntry(
        abilities=(Ability(Cost(clicks=1, trash=cards("ice", "rezzed")), (Gain(4),), "action"),)
    ),
    "Aggressive Negotiation": CardEntry(play_if=c.ThisTurn("scored"), play=(Choose(cards("rd"), (Take(),)), Shuffle())),
    "Beanstalk Royalties": CardEntry(play=(Gain(3),)),
    "Scorched Earth": CardEntry(play_if=c.Tagged(), play=(Damage("meat", 4),)),
    "Shipment from Kaguya": CardEntry(play=(Choose(ADVANCEABLE, ADVANCE_TARGET, count=2, optional=True),)),
    "Archer": CardEntry(rez_forfeit=True, subs=((Gain(2),), TRASH_PROGRAM, TRASH_PROGRAM, END)),
    "Hadrian's Wall": CardEntry(advanceable=True, static=PER_ADVANCEMENT, subs=(END, END)),
    "Ice Wall": CardEntry(advanceable=True, static=PER_ADVANCEMENT, subs=(END,)),
    "Shadow": CardEntry(advanceable=True, static=PER_ADVANCEMENT, subs=((Gain(2),), (Trace(3, (TAG,)),))),
    "Research Station": CardEntry(only_in="hq", static=(Static("corp-hand", 2),)),
}

WORTHS: dict[str, float] = {
    "Security Subcontract": 0.2,
    "Aggressive Negotiation": 1.5,
    "Beanstalk Royalties": 3.2,
    "Shipment from Kaguya": 0.8,
    "Research Station": 0.8,
}

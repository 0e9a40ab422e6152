"""Haas-Bioroid's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import BRAIN, END, PROGRAM, TAG, TRASH_PROGRAM, loaded
from game.netrunner.filters import cards
from game.netrunner.measures import AdvancementCounters, X
from game.netrunner.vocabulary import (
    Ability,
    BetaTest,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Gain,
    GainClicks,
    InstallTarget,
    Last,
    May,
    On,
    Static,
    Take,
    TakeHosted,
    Trace,
    Trash,
)

CARDS: dict[str, CardEntry] = {
    "Haas-Bioroid": CardEntry(on=(On("install", (Gain(1),), c.All((c.MyCard(), c.FirstTime("installed")))),)),
    "Accelerated Beta Test": CardEntry(on=(On("score", (May((BetaTest(3),)),), c.Itself()),)),
    "Adonis Campaign": CardEntry(on=(loaded("rez", 12), On("turn-begins", (TakeHosted(3),), c.MyTurn()))),
    "Aggressive Secretary": CardEntry(
        advanceable=True,
        access=(May((Choose(PROGRAM, (Trash(),), count=AdvancementCounters()),), Cost(2), only_if=c.Advanced()),),
    ),
    "Archived Memories": CardEntry(play=(Choose(cards("archives"), (Take(),)),)),
    "Biotic Labor": CardEntry(play=(GainClicks(2),)),
    "Shipment from MirrorMorph": CardEntry(
        play=(Choose(cards("hq", "installable"), (InstallTarget(),), count=3, optional=True),)
    ),
    "Heimdall 1.0": CardEntry(bioroid=True, subs=(BRAIN, END, END)),
    "Ichi 1.0": CardEntry(bioroid=True, subs=(TRASH_PROGRAM, TRASH_PROGRAM, (Trace(1, (Damage("brain", 1), TAG)),))),
    "Viktor 1.0": CardEntry(bioroid=True, subs=(BRAIN, END)),
    "Rototurret": CardEntry(subs=(TRASH_PROGRAM, END)),
    "Corporate Troubleshooter": CardEntry(
        abilities=(
            Ability(
                Cost(x=True, trash_self=True),
                (Choose(cards("ice", "rezzed", "here"), (Last("strength", X(), "target", "turn"),)),),
            ),
        ),
    ),
    "Experiential Data": CardEntry(static=(Static("strength", 1, "here ice"),)),
}

WORTHS: dict[str, float] = {
    "Adonis Campaign": 5.5,
    "Aggressive Secretary": 0.8,
    "Archived Memories": 0.6,
    "Shipment from MirrorMorph": 2.0,
    "Corporate Troubleshooter": 0.5,
    "Experiential Data": 1.5,
}

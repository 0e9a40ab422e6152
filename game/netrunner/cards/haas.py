"""Haas-Bioroid's cards of the Core Set."""

from __future__ import annotations

from game.netrunner.cards.phrases import BRAIN, END, TAG, TRASH_PROGRAM, loaded
from game.netrunner.vocabulary import (
    Ability,
    BetaTest,
    Choose,
    Cost,
    Damage,
    Entry,
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

CARDS: dict[str, Entry] = {
    "Haas-Bioroid": Entry(on=(On("install", (Gain(1),), "my first:installed"),)),
    "Accelerated Beta Test": Entry(on=(On("score", (May((BetaTest(3),)),), "self"),)),
    "Adonis Campaign": Entry(on=(loaded("rez", 12), On("turn-begins", (TakeHosted(3),), "my-turn"))),
    "Aggressive Secretary": Entry(
        advanceable=True,
        access=(May((Choose("rig program", (Trash(),), count="advancement"),), Cost(2), only_if="advanced"),),
    ),
    "Archived Memories": Entry(play=(Choose("archives", (Take(),)),)),
    "Biotic Labor": Entry(play=(GainClicks(2),)),
    "Shipment from MirrorMorph": Entry(play=(Choose("hq installable", (InstallTarget(),), count=3, optional=True),)),
    "Heimdall 1.0": Entry(bioroid=True, subs=(BRAIN, END, END)),
    "Ichi 1.0": Entry(bioroid=True, subs=(TRASH_PROGRAM, TRASH_PROGRAM, (Trace(1, (Damage("brain", 1), TAG)),))),
    "Viktor 1.0": Entry(bioroid=True, subs=(BRAIN, END)),
    "Rototurret": Entry(subs=(TRASH_PROGRAM, END)),
    "Corporate Troubleshooter": Entry(
        abilities=(
            Ability(
                Cost(x=True, trash_self=True),
                (Choose("ice rezzed here", (Last("strength", "x", "target", "turn"),)),),
            ),
        ),
    ),
    "Experiential Data": Entry(static=(Static("strength", 1, "here ice"),)),
}

WORTHS: dict[str, float] = {
    "Adonis Campaign": 5.5,
    "Aggressive Secretary": 0.8,
    "Archived Memories": 0.6,
    "Shipment from MirrorMorph": 2.0,
    "Corporate Troubleshooter": 0.5,
    "Experiential Data": 1.5,
}

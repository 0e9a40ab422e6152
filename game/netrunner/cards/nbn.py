"""NBN's cards of the Core Set."""

from __future__ import annotations

from game.netrunner.cards.phrases import ADVANCE_TARGET, END, TAG, gains_agenda_counter
from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    CardEntry,
    Choose,
    Cost,
    Draw,
    Either,
    GiveTags,
    Lose,
    May,
    On,
    RemoveTags,
    Static,
    Toll,
    Trace,
)

CARDS: dict[str, CardEntry] = {
    "NBN": CardEntry(recurring=2, pays="trace"),
    "AstroScript Pilot Program": CardEntry(
        on=(gains_agenda_counter(),),
        abilities=(Ability(Cost(counter="agenda"), (Choose("corp advanceable", ADVANCE_TARGET),)),),
    ),
    "Breaking News": CardEntry(
        on=(
            On("score", (GiveTags(2),), "self"),
            On("discard-phase-ends", (RemoveTags(2),), "scored-this-turn"),
        ),
    ),
    "Anonymous Tip": CardEntry(play=(Draw(3),)),
    "Closed Accounts": CardEntry(play_if="tagged", play=(Lose("all", "runner"),)),
    "Psychographics": CardEntry(
        play_x="tags",
        play=(Choose("corp advanceable", (AddCounters("advancement", "x", "target"),)),),
    ),
    "SEA Source": CardEntry(play_if="success-last-turn", play=(Trace(3, (TAG,)),)),
    "Ghost Branch": CardEntry(advanceable=True, access=(May((GiveTags("advancement"),), only_if="advanced"),)),
    "Data Raven": CardEntry(
        on=(On("encounter", (Either(("tag", (TAG,)), ("end", END), who="runner"),), "self"),),
        abilities=(Ability(Cost(counter="power"), (TAG,)),),
        subs=((Trace(3, (AddCounters("power"),)),),),
    ),
    "Matrix Analyzer": CardEntry(
        on=(On("encounter", (May((Choose("corp advanceable", ADVANCE_TARGET),), Cost(1)),), "self"),),
        subs=((Trace(2, (TAG,)),),),
    ),
    "Tollbooth": CardEntry(on=(On("encounter", (Toll(3),), "self"),), subs=(END,)),
    "Red Herrings": CardEntry(static=(Static("steal-cost", 5),)),
    "SanSan City Grid": CardEntry(static=(Static("requirement", -1, "here agenda"),)),
}

WORTHS: dict[str, float] = {
    "Anonymous Tip": 2.4,
    "Ghost Branch": 0.7,
    "Red Herrings": 2.0,
    "SanSan City Grid": 5.0,
}

"""NBN's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import ADVANCE_TARGET, ADVANCEABLE, END, TAG, gains_agenda_counter
from game.netrunner.measures import AdvancementCounters, Everything, X
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
        abilities=(Ability(Cost(counter="agenda"), (Choose(ADVANCEABLE, ADVANCE_TARGET),)),),
    ),
    "Breaking News": CardEntry(
        on=(
            On("score", (GiveTags(2),), c.Itself()),
            On("discard-phase-ends", (RemoveTags(2),), c.ScoredThisTurn()),
        ),
    ),
    "Anonymous Tip": CardEntry(play=(Draw(3),)),
    "Closed Accounts": CardEntry(play_if=c.Tagged(), play=(Lose(Everything(), "runner"),)),
    "Psychographics": CardEntry(
        play_x="tags",
        play=(Choose(ADVANCEABLE, (AddCounters("advancement", X(), "target"),)),),
    ),
    "SEA Source": CardEntry(play_if=c.SuccessLastTurn(), play=(Trace(3, (TAG,)),)),
    "Ghost Branch": CardEntry(
        advanceable=True, access=(May((GiveTags(AdvancementCounters()),), only_if=c.Advanced()),)
    ),
    "Data Raven": CardEntry(
        on=(On("encounter", (Either(("tag", (TAG,)), ("end", END), who="runner"),), c.Itself()),),
        abilities=(Ability(Cost(counter="power"), (TAG,)),),
        subs=((Trace(3, (AddCounters("power"),)),),),
    ),
    "Matrix Analyzer": CardEntry(
        on=(On("encounter", (May((Choose(ADVANCEABLE, ADVANCE_TARGET),), Cost(1)),), c.Itself()),),
        subs=((Trace(2, (TAG,)),),),
    ),
    "Tollbooth": CardEntry(on=(On("encounter", (Toll(3),), c.Itself()),), subs=(END,)),
    "Red Herrings": CardEntry(static=(Static("steal-cost", 5),)),
    "SanSan City Grid": CardEntry(static=(Static("requirement", -1, "here agenda"),)),
}

WORTHS: dict[str, float] = {
    "Anonymous Tip": 2.4,
    "Ghost Branch": 0.7,
    "Red Herrings": 2.0,
    "SanSan City Grid": 5.0,
}

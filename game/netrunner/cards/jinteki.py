"""Jinteki's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import END, TAG, gains_agenda_counter
from game.netrunner.measures import AdvancementCounters
from game.netrunner.vocabulary import (
    Ability,
    Arrange,
    CardEntry,
    Cost,
    Damage,
    Derez,
    Either,
    May,
    MoveOutermost,
    NextIce,
    On,
    Prevent,
    Static,
    Trash,
)

CARDS: dict[str, CardEntry] = {
    "Jinteki": CardEntry(on=(On("score", (Damage("net", 1),)), On("steal", (Damage("net", 1),)))),
    "Nisei MK II": CardEntry(
        on=(gains_agenda_counter(),),
        abilities=(Ability(Cost(counter="agenda"), END, "run"),),
    ),
    "Project Junebug": CardEntry(
        advanceable=True,
        access=(May((Damage("net", AdvancementCounters(2)),), Cost(1), only_if=c.Advanced()),),
    ),
    "Snare!": CardEntry(
        access=(May((TAG, Damage("net", 3)), Cost(4)),),
        no_access_in="archives",
        reveal_in="rd",
    ),
    "Zaibatsu Loyalty": CardEntry(
        static=(Static("rez-and-prevent", 0),),
        abilities=(
            Ability(Cost(1), (Prevent(1),), "prevent:expose"),
            Ability(Cost(trash_self=True), (Prevent(1),), "prevent:expose"),
        ),
    ),
    "Neural EMP": CardEntry(play_if=c.LastTurn("made_run"), play=(Damage("net", 1),)),
    "Precognition": CardEntry(play=(Arrange(5),)),
    "Cell Portal": CardEntry(
        subs=((MoveOutermost(), Either(("continue", ()), ("jack-out", END), who="runner"), Derez()),),
    ),
    "Chum": CardEntry(subs=((NextIce(strength=2, damage=3),),)),
    "Data Mine": CardEntry(subs=((Damage("net", 1), Trash("self")),)),
    "Neural Katana": CardEntry(subs=((Damage("net", 3),),)),
    "Wall of Thorns": CardEntry(subs=((Damage("net", 2),), END)),
    "Akitaro Watanabe": CardEntry(static=(Static("rez-cost", -2, "here ice"),)),
}

WORTHS: dict[str, float] = {
    "Project Junebug": 1.0,
    "Snare!": 0.3,
    "Zaibatsu Loyalty": 0.3,
    "Neural EMP": 1.0,
    "Precognition": 0.5,
    "Akitaro Watanabe": 1.2,
}

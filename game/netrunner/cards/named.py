"""Cards of other sets that the rules name: costs to steal, secret bids, saved resources, a current, blanked text."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.filters import cards
from game.netrunner.measures import BadPublicity, X
from game.netrunner.vocabulary import (
    Ability,
    BecomeAgenda,
    CannotSteal,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Gain,
    May,
    On,
    Prevent,
    Psi,
    Remember,
    SpendAny,
    Static,
    Trace,
)

HURT = (Trace(3, (Damage("brain", 1),)),)

CARDS: dict[str, CardEntry] = {
    "Fall Guy": CardEntry(
        abilities=(
            Ability(Cost(trash_self=True), (Prevent(1),), "prevent:trash-resource", c.Other()),
            Ability(Cost(trash_self=True), (Gain(2),)),
        ),
    ),
    "NAPD Contract": CardEntry(static=(Static("own-requirement", BadPublicity()),), steal=Cost(credits=4)),
    "The Future Perfect": CardEntry(access=(Psi(2, (CannotSteal(),)),), no_access_in="-"),
    "Obokata Protocol": CardEntry(steal=Cost(net=4)),
    "Ikawah Project": CardEntry(steal=Cost(credits=2, clicks=1)),
    "Degree Mill": CardEntry(steal=Cost(shuffle=2)),
    "Malia Z0L0K4": CardEntry(
        on=(On("rez", (Choose(cards("rig", "resource", "non-virtual"), (Remember(),)),), c.Itself()),),
        static=(Static("blanks", 0),),
    ),
    "Shi.Kyū": CardEntry(
        access=(SpendAny((May((BecomeAgenda(-1),), who="runner", or_else=(Damage("net", X()),)),)),),
        no_access_in="rd",
    ),
    "Kill Switch": CardEntry(
        static=(Static("reveal-agendas", 0, "rd"),),
        on=(On("agenda-accessed", HURT), On("score", HURT)),
    ),
}

WORTHS: dict[str, float] = {
    "Malia Z0L0K4": 2.0,
    "Shi.Kyū": 1.0,
    "Kill Switch": 2.0,
}

"""Criminal's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import breaks, fetch, loaded, pump, run
from game.netrunner.filters import cards
from game.netrunner.vocabulary import (
    Ability,
    BypassFor,
    CardEntry,
    Choose,
    Cost,
    Expose,
    Gain,
    GiveTags,
    May,
    Modify,
    On,
    Prevent,
    Remember,
    RezOrTrash,
    Siphon,
    Static,
    TakeAny,
)

CARDS: dict[str, CardEntry] = {
    "Gabriel Santiago": CardEntry(on=(On("success", (Gain(2),), c.All((c.Server("hq"), c.FirstTime("success:hq")))),)),
    "Account Siphon": CardEntry(
        play=run("hq", "siphon"),
        on=(On("instead", (May((Siphon(5, 2), GiveTags(2), Modify("replaced"))),)),),
    ),
    "Easy Mark": CardEntry(play=(Gain(3),)),
    "Forged Activation Orders": CardEntry(play=(Choose(cards("ice", "unrezzed"), (RezOrTrash(),)),)),
    "Inside Job": CardEntry(play=run("any", "inside-job")),
    "Special Order": CardEntry(play=fetch("icebreaker")),
    "Lemuria Codecracker": CardEntry(
        abilities=(
            Ability(Cost(1, 1), (Choose(cards("corp", "unrezzed"), (Expose(),)),), "action", c.ThisTurn("success:hq")),
        ),
    ),
    "Desperado": CardEntry(static=(Static("memory", 1),), on=(On("success", (Gain(1),)),)),
    "Aurora": CardEntry(abilities=(breaks(2, "barrier"), pump(2, 3))),
    "Femme Fatale": CardEntry(
        abilities=(breaks(1, "sentry"), pump(2, 1)),
        on=(
            On("install", (Choose(cards("ice"), (Remember(),)),), c.Itself()),
            On("encounter", (BypassFor(1),), c.Noted()),
        ),
    ),
    "Ninja": CardEntry(abilities=(breaks(1, "sentry"), pump(3, 5))),
    "Sneakdoor Beta": CardEntry(abilities=(Ability(Cost(clicks=1), run("archives", "to-hq"), "action"),)),
    "Bank Job": CardEntry(
        on=(
            loaded("install", 8),
            On(
                "success",
                (May((TakeAny(), Modify("replaced")), only_if=c.Unreplaced()),),
                c.All((c.Remote(), c.HasCredits())),
            ),
        ),
    ),
    "Crash Space": CardEntry(
        recurring=2,
        pays="remove-tag",
        abilities=(Ability(Cost(trash_self=True), (Prevent(3),), "prevent:meat"),),
    ),
    "Data Dealer": CardEntry(abilities=(Ability(Cost(clicks=1, forfeit=True), (Gain(9),), "action"),)),
    "Decoy": CardEntry(abilities=(Ability(Cost(trash_self=True), (Prevent(1),), "prevent:tag"),)),
}

WORTHS: dict[str, float] = {
    "Easy Mark": 3.0,
    "Special Order": 2.0,
    "Lemuria Codecracker": 0.3,
    "Desperado": 5.0,
    "Sneakdoor Beta": 2.5,
    "Bank Job": 4.5,
    "Crash Space": 1.5,
    "Data Dealer": 0.2,
    "Decoy": 0.8,
}

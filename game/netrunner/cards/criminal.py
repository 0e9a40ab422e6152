"""Criminal's cards of the Core Set."""

from __future__ import annotations

from game.netrunner.cards.phrases import breaks, fetch, loaded, pump, run
from game.netrunner.vocabulary import (
    Ability,
    BypassFor,
    Choose,
    Cost,
    Entry,
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

CARDS: dict[str, Entry] = {
    "Gabriel Santiago": Entry(on=(On("success", (Gain(2),), "server:hq first:success/hq"),)),
    "Account Siphon": Entry(
        play=run("hq", "siphon"),
        on=(On("instead", (May((Siphon(5, 2), GiveTags(2), Modify("replaced"))),)),),
    ),
    "Easy Mark": Entry(play=(Gain(3),)),
    "Forged Activation Orders": Entry(play=(Choose("ice unrezzed", (RezOrTrash(),)),)),
    "Inside Job": Entry(play=run("any", "inside-job")),
    "Special Order": Entry(play=fetch("icebreaker")),
    "Lemuria Codecracker": Entry(
        abilities=(Ability(Cost(1, 1), (Choose("corp unrezzed", (Expose(),)),), "action", "this-turn:success/hq"),),
    ),
    "Desperado": Entry(static=(Static("memory", 1),), on=(On("success", (Gain(1),)),)),
    "Aurora": Entry(abilities=(breaks(2, "barrier"), pump(2, 3))),
    "Femme Fatale": Entry(
        abilities=(breaks(1, "sentry"), pump(2, 1)),
        on=(On("install", (Choose("ice", (Remember(),)),), "self"), On("encounter", (BypassFor(1),), "noted")),
    ),
    "Ninja": Entry(abilities=(breaks(1, "sentry"), pump(3, 5))),
    "Sneakdoor Beta": Entry(abilities=(Ability(Cost(clicks=1), run("archives", "to-hq"), "action"),)),
    "Bank Job": Entry(
        on=(
            loaded("install", 8),
            On("success", (May((TakeAny(), Modify("replaced")), only_if="unreplaced"),), "remote credit"),
        ),
    ),
    "Crash Space": Entry(
        recurring=2,
        pays="remove-tag",
        abilities=(Ability(Cost(trash_self=True), (Prevent(3),), "prevent:meat"),),
    ),
    "Data Dealer": Entry(abilities=(Ability(Cost(clicks=1, forfeit=True), (Gain(9),), "action"),)),
    "Decoy": Entry(abilities=(Ability(Cost(trash_self=True), (Prevent(1),), "prevent:tag"),)),
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

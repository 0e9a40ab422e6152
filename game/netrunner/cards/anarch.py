"""Anarch's cards of the Core Set."""

from __future__ import annotations

from game.netrunner.cards.phrases import breaks, fetch, pump, run
from game.netrunner.conditions import MeetsWeaker
from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    Break,
    Choose,
    Cost,
    Damage,
    Draw,
    Either,
    Entry,
    Last,
    LoseClick,
    Mill,
    MoreAccess,
    On,
    RunOn,
    Static,
    Take,
)

CARDS: dict[str, Entry] = {
    "Noise": Entry(on=(On("install", (Mill(1),), "is:virus is:program my"),)),
    "Déjà Vu": Entry(
        play=(
            Either(
                ("card", (Choose("heap", (Take(),)),)),
                ("viruses", (Choose("heap virus", (Take(),), count=2, optional=True),)),
            ),
        ),
        play_if="heap",
    ),
    "Demolition Run": Entry(play=run("hq rd", "demolition")),
    "Stimhack": Entry(
        play=(AddCounters("credit", 9), RunOn(), Damage("brain", 1, unpreventable=True)),
        pays="anything",
    ),
    "Cyberfeeder": Entry(recurring=1, pays="icebreaker virus-install"),
    "Grimoire": Entry(
        static=(Static("memory", 2),),
        on=(On("install", (AddCounters("virus", 1, "target"),), "is:virus is:program my"),),
    ),
    "Corroder": Entry(abilities=(breaks(1, "barrier"), pump(1, 1))),
    "Datasucker": Entry(
        on=(On("success", (AddCounters("virus"),), "central"),),
        abilities=(Ability(Cost(counter="virus"), (Last("strength", -1, "ice"),), "encounter"),),
    ),
    "Djinn": Entry(hosts=3, abilities=(Ability(Cost(1, 1), fetch("virus program"), "action"),)),
    "Medium": Entry(
        on=(On("success", (AddCounters("virus"),), "server:rd"), On("breach", (MoreAccess(),), "server:rd")),
    ),
    "Mimic": Entry(abilities=(breaks(1, "sentry"),)),
    "Parasite": Entry(
        host="ice rezzed",
        on=(On("turn-begins", (AddCounters("virus"),), "my-turn"),),
        static=(Static("strength", "-virus", "host"), Static("kills-host", 0)),
    ),
    "Wyrm": Entry(
        abilities=(
            Ability(Cost(3), (Break("any"),), "break", "ice-at-zero"),
            Ability(Cost(1), (Last("strength", -1, "ice"),), "encounter", MeetsWeaker()),
            pump(1, 1),
        ),
    ),
    "Yog.0": Entry(abilities=(breaks(0, "code gate"),)),
    "Ice Carver": Entry(static=(Static("strength", -1, "encountered"),)),
    "Wyldside": Entry(on=(On("turn-begins", (Draw(2), LoseClick()), "my-turn"),)),
}

WORTHS: dict[str, float] = {
    "Cyberfeeder": 2.5,
    "Grimoire": 3.0,
    "Datasucker": 3.0,
    "Djinn": 1.2,
    "Medium": 4.5,
    "Parasite": 3.5,
    "Ice Carver": 3.0,
    "Wyldside": 2.5,
}

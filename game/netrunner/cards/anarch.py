"""Anarch's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import breaks, fetch, pump, run
from game.netrunner.filters import cards
from game.netrunner.measures import VirusCounters
from game.netrunner.vocabulary import (
    Ability,
    AddCounters,
    Break,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Draw,
    Either,
    Last,
    LoseClick,
    Mill,
    MoreAccess,
    On,
    RunOn,
    Static,
    Take,
)

CARDS: dict[str, CardEntry] = {
    "Noise": CardEntry(on=(On("install", (Mill(1),), c.All((c.Is("virus"), c.Is("program"), c.MyCard()))),)),
    "Déjà Vu": CardEntry(
        play=(
            Either(
                ("card", (Choose(cards("heap"), (Take(),)),)),
                ("viruses", (Choose(cards("heap", "virus"), (Take(),), count=2, optional=True),)),
            ),
        ),
        play_if=c.HeapHasCards(),
    ),
    "Demolition Run": CardEntry(play=run("hq rd", "demolition")),
    "Stimhack": CardEntry(
        play=(AddCounters("credit", 9), RunOn(), Damage("brain", 1, unpreventable=True)),
        pays="anything",
    ),
    "Cyberfeeder": CardEntry(recurring=1, pays="icebreaker virus-install"),
    "Grimoire": CardEntry(
        static=(Static("memory", 2),),
        on=(On("install", (AddCounters("virus", 1, "target"),), c.All((c.Is("virus"), c.Is("program"), c.MyCard()))),),
    ),
    "Corroder": CardEntry(abilities=(breaks(1, "barrier"), pump(1, 1))),
    "Datasucker": CardEntry(
        on=(On("success", (AddCounters("virus"),), c.Central()),),
        abilities=(Ability(Cost(counter="virus"), (Last("strength", -1, "ice"),), "encounter"),),
    ),
    "Djinn": CardEntry(hosts=3, abilities=(Ability(Cost(1, 1), fetch("virus", "program"), "action"),)),
    "Medium": CardEntry(
        on=(On("success", (AddCounters("virus"),), c.Server("rd")), On("breach", (MoreAccess(),), c.Server("rd"))),
    ),
    "Mimic": CardEntry(abilities=(breaks(1, "sentry"),)),
    "Parasite": CardEntry(
        host=cards("ice", "rezzed"),
        on=(On("turn-begins", (AddCounters("virus"),), c.MyTurn()),),
        static=(Static("strength", VirusCounters(-1), "host"), Static("kills-host", 0)),
    ),
    "Wyrm": CardEntry(
        abilities=(
            Ability(Cost(3), (Break("any"),), "break", c.IceAtZero()),
            Ability(Cost(1), (Last("strength", -1, "ice"),), "encounter", c.MeetsWeaker()),
            pump(1, 1),
        ),
    ),
    "Yog.0": CardEntry(abilities=(breaks(0, "code gate"),)),
    "Ice Carver": CardEntry(static=(Static("strength", -1, "encountered"),)),
    "Wyldside": CardEntry(on=(On("turn-begins", (Draw(2), LoseClick()), c.MyTurn()),)),
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

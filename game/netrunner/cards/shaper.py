"""Shaper's cards of the Core Set."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import breaks, pump, run
from game.netrunner.filters import cards
from game.netrunner.vocabulary import (
    Ability,
    CardEntry,
    Choose,
    Cost,
    Draw,
    Gain,
    If,
    InstallTarget,
    Last,
    May,
    On,
    Prevent,
    Shuffle,
    Static,
    Trash,
)

CARDS: dict[str, CardEntry] = {
    'Kate "Mac" McCaffrey': CardEntry(static=(Static("first-install-discount", 1),)),
    "Diesel": CardEntry(play=(Draw(3),)),
    "Modded": CardEntry(play=(Choose(cards("grip", "hardware-or-program"), (InstallTarget(discount=3),)),)),
    "The Maker's Eye": CardEntry(play=run("rd", "more", "more")),
    "Tinkering": CardEntry(play=(Choose(cards("ice"), (Last("subtypes", 1, "target", "turn"),)),)),
    "Akamatsu Mem Chip": CardEntry(static=(Static("memory", 1),)),
    "Rabbit Hole": CardEntry(
        static=(Static("link", 1),),
        on=(On("install", (May((Choose(cards("stack", "same"), (InstallTarget(),)), Shuffle())),), c.Itself()),),
    ),
    "The Personal Touch": CardEntry(host=cards("rig", "icebreaker"), static=(Static("strength", 1, "host"),)),
    "The Toolbox": CardEntry(static=(Static("memory", 2), Static("link", 2)), recurring=2, pays="icebreaker"),
    "Battering Ram": CardEntry(abilities=(breaks(2, "barrier", 2), pump(1, 1, "run"))),
    "Gordian Blade": CardEntry(abilities=(breaks(1, "code gate"), pump(1, 1, "run"))),
    "Magnum Opus": CardEntry(abilities=(Ability(Cost(clicks=1), (Gain(2),), "action"),)),
    "Net Shield": CardEntry(
        abilities=(Ability(Cost(1), (Prevent(1),), "prevent:net", c.All((c.NoneYet("damage:net"), c.Unused()))),),
    ),
    "Pipeline": CardEntry(abilities=(breaks(1, "sentry"), pump(2, 1, "run"))),
    "Aesop's Pawnshop": CardEntry(
        on=(
            On(
                "turn-begins",
                (Choose(cards("rig", "other"), (Trash(), If(c.Gone(), (Gain(3),))), optional=True),),
                c.MyTurn(),
            ),
        ),
    ),
    "Sacrificial Construct": CardEntry(
        abilities=(Ability(Cost(trash_self=True), (Prevent(1),), "prevent:trash-program,trash-hardware"),),
    ),
}

WORTHS: dict[str, float] = {
    "Diesel": 3.2,
    "Akamatsu Mem Chip": 0.8,
    "Rabbit Hole": 1.2,
    "The Personal Touch": 1.0,
    "The Toolbox": 7.0,
    "Magnum Opus": 8.0,
    "Net Shield": 1.2,
    "Aesop's Pawnshop": 0.5,
    "Sacrificial Construct": 0.6,
}

"""Shaper's cards of the Core Set."""

from __future__ import annotations

from game.netrunner.cards.phrases import breaks, pump, run
from game.netrunner.vocabulary import (
    Ability,
    Choose,
    Cost,
    Draw,
    Entry,
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

CARDS: dict[str, Entry] = {
    'Kate "Mac" McCaffrey': Entry(static=(Static("first-install-discount", 1),)),
    "Diesel": Entry(play=(Draw(3),)),
    "Modded": Entry(play=(Choose("grip hardware-or-program", (InstallTarget(discount=3),)),)),
    "The Maker's Eye": Entry(play=run("rd", "more", "more")),
    "Tinkering": Entry(play=(Choose("ice", (Last("subtypes", 1, "target", "turn"),)),)),
    "Akamatsu Mem Chip": Entry(static=(Static("memory", 1),)),
    "Rabbit Hole": Entry(
        static=(Static("link", 1),),
        on=(On("install", (May((Choose("stack same", (InstallTarget(),)), Shuffle())),), "self"),),
    ),
    "The Personal Touch": Entry(host="rig icebreaker", static=(Static("strength", 1, "host"),)),
    "The Toolbox": Entry(static=(Static("memory", 2), Static("link", 2)), recurring=2, pays="icebreaker"),
    "Battering Ram": Entry(abilities=(breaks(2, "barrier", 2), pump(1, 1, "run"))),
    "Gordian Blade": Entry(abilities=(breaks(1, "code gate"), pump(1, 1, "run"))),
    "Magnum Opus": Entry(abilities=(Ability(Cost(clicks=1), (Gain(2),), "action"),)),
    "Net Shield": Entry(
        abilities=(Ability(Cost(1), (Prevent(1),), "prevent:net", "none-yet:damage/net unused"),),
    ),
    "Pipeline": Entry(abilities=(breaks(1, "sentry"), pump(2, 1, "run"))),
    "Aesop's Pawnshop": Entry(
        on=(On("turn-begins", (Choose("rig other", (Trash(), If("gone", (Gain(3),))), optional=True),), "my-turn"),),
    ),
    "Sacrificial Construct": Entry(
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

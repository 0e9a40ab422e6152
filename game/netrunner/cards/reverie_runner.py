"""The Runner's cards of Reign and Reverie."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import breaks, loaded, pump, run
from game.netrunner.filters import cards
from game.netrunner.measures import EventNumber, GripCards, LinkStrength, RdAccesses
from game.netrunner.vocabulary import (
    Ability,
    AccessFrom,
    AddCounters,
    Arrange,
    Break,
    CardEntry,
    Choose,
    Cost,
    Draw,
    Either,
    Gain,
    GainClicks,
    GiveTags,
    HostIdentity,
    HostSelf,
    InstallFacedown,
    InstallTarget,
    Lose,
    MarkUsed,
    May,
    Modify,
    On,
    PeekBottom,
    Psi,
    RemoveSelf,
    RevealTop,
    Static,
    Take,
    TakeAll,
    Trash,
    TrashGrip,
)

CARDS: dict[str, CardEntry] = {
    # Anarch.
    'Nathaniel "Gnat" Hall': CardEntry(on=(On("turn-begins", (Gain(1),), c.All((c.MyTurn(), c.GripAtMost(2)))),)),
    "Divide and Conquer": CardEntry(
        play=run("archives"),
        on=(On("breached", (AccessFrom("hq"), AccessFrom("rd")), c.All((c.Server("archives"), c.OwnRun()))),),
    ),
    "Guinea Pig": CardEntry(play=(TrashGrip(), Gain(10))),
    "Patchwork": CardEntry(static=(Static("memory", 1), Static("trash-to-pay-less", 2))),
    "Hijacked Router": CardEntry(
        on=(
            On("server-made", (Lose(1, "corp"),)),
            On("success", (May((Lose(3, "corp"),), Cost(trash_self=True)),), c.Server("archives")),
        ),
    ),
    "Cradle": CardEntry(
        static=(Static("strength", GripCards(-1), "self"),),
        abilities=(Ability(Cost(2), (Break("code gate", None),), "break"),),
    ),
    "District 99": CardEntry(
        on=(On("trashed", (May((AddCounters("power"),)),), c.FirstTime("trashed:program-or-hardware")),),
        abilities=(
            Ability(
                Cost(clicks=1, counter="power", counters=3),
                (Choose(cards("heap", "own-faction"), (Take(),)),),
                "action",
            ),
        ),
    ),
    # Criminal.
    "Liza Talking Thunder": CardEntry(on=(On("success", (Draw(2), GiveTags(1)), c.FirstCentral()),)),
    "Hot Pursuit": CardEntry(
        play=run("hq"), on=(On("success", (Gain(9), GiveTags(1)), c.All((c.Server("hq"), c.OwnRun()))),)
    ),
    "Paragon": CardEntry(
        static=(Static("memory", 1),),
        on=(On("success", (May((Gain(1), PeekBottom())),), c.FirstTime("successful_run")),),
    ),
    "Bankroll": CardEntry(
        on=(On("success", (May((AddCounters("credit"),)),)),),
        abilities=(Ability(Cost(trash_self=True), (TakeAll(),)),),
    ),
    "Tycoon": CardEntry(
        abilities=(breaks(1, "barrier", 2), pump(2, 3)),
        on=(On("encounter-ends", (Gain(2, "corp"),), c.Broke()),),
    ),
    "Thunder Art Gallery": CardEntry(
        on=(
            On(
                "tag-gone",
                (Choose(cards("grip", "runner-installable"), (InstallTarget(discount=1),), optional=True),),
                c.FirstTime("tag-gone"),
            ),
        ),
    ),
    "Miss Bones": CardEntry(
        pays="trash-installed",
        on=(loaded("install", 12), On("emptied", (Trash("self"),))),
    ),
    # Shaper.
    "Akiko Nisei": CardEntry(on=(On("breach", (Psi(2, (), (Modify("more"),)),), c.Server("rd")),)),
    "Insight": CardEntry(play_cost=Cost(clicks=1), play=(May((Arrange(4),), who="corp"), RevealTop(4))),
    "Mind's Eye": CardEntry(
        static=(Static("memory", 1),),
        on=(On("success", (May((AddCounters("power"),)),), c.Server("rd")),),
        abilities=(Ability(Cost(clicks=1, counter="power", counters=3), (AccessFrom("rd"),), "action"),),
    ),
    "Mâché": CardEntry(
        on=(On("accessed-trashed", (May((AddCounters("power", EventNumber()),)),), c.FirstTime("accessed-trashed")),),
        abilities=(Ability(Cost(counter="power", counters=3), (Draw(1),)),),
    ),
    "Ika": CardEntry(
        abilities=(
            Ability(Cost(2), (Choose(cards("ice"), (HostSelf(),)),)),
            Ability(Cost(1), (Break("sentry", 2),), "break", c.MeetsHost()),
            pump(2, 3),
        ),
    ),
    "Kyuban": CardEntry(host=cards("ice"), on=(On("passed-ice", (Gain(2),), c.Hosting()),)),
    "Psych Mike": CardEntry(
        on=(
            On(
                "run-ends",
                (May((Gain(RdAccesses()),)),),
                c.All((c.Server("rd"), c.Succeeded(), c.FirstTime("success:rd"))),
            ),
        ),
    ),
    # Adam, Apex, Sunny, neutral.
    "Algernon": CardEntry(
        on=(
            On("turn-begins", (May((GainClicks(1), MarkUsed()), Cost(2)),), c.MyTurn()),
            On("turn-ends", (Trash("self"),), c.All((c.Marked(), c.NoSuccess()))),
        ),
    ),
    "Reboot": CardEntry(
        play=(*run("archives", "instead"), RemoveSelf()),
        on=(On("instead", (Choose(cards("heap"), (InstallFacedown(),), count=5, optional=True), Modify("replaced"))),),
    ),
    "Office Supplies": CardEntry(
        static=(Static("play-cost", LinkStrength(-1)),),
        play=(Either(("credits", (Gain(4),)), ("cards", (Draw(4),))),),
    ),
    "DJ Fenris": CardEntry(on=(On("install", (HostIdentity("g-mod"),), c.Itself()),)),
}

WORTHS: dict[str, float] = {
    "Guinea Pig": 2.0,
    "Patchwork": 4.5,
    "Hijacked Router": 3.5,
    "District 99": 2.0,
    "Paragon": 4.5,
    "Bankroll": 3.5,
    "Thunder Art Gallery": 1.0,
    "Miss Bones": 4.0,
    "Insight": 0.2,
    "Mind's Eye": 4.0,
    "Mâché": 2.0,
    "Kyuban": 3.0,
    "Psych Mike": 3.5,
    "Algernon": 3.0,
    "Reboot": 0.2,
    "Office Supplies": 3.0,
    "DJ Fenris": 3.5,
}

"""The Runner's cards of Reign and Reverie."""

from __future__ import annotations

from game.netrunner.cards.phrases import breaks, loaded, pump, run
from game.netrunner.conditions import (
    All,
    FirstCentral,
    FirstTime,
    GripAtMost,
    Marked,
    MeetsHost,
    NoSuccess,
    OwnRun,
    Succeeded,
)
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
    'Nathaniel "Gnat" Hall': CardEntry(on=(On("turn-begins", (Gain(1),), All(("my-turn", GripAtMost(2)))),)),
    "Divide and Conquer": CardEntry(
        play=run("archives"),
        on=(On("breached", (AccessFrom("hq"), AccessFrom("rd")), All(("server:archives", OwnRun()))),),
    ),
    "Guinea Pig": CardEntry(play=(TrashGrip(), Gain(10))),
    "Patchwork": CardEntry(static=(Static("memory", 1), Static("trash-to-pay-less", 2))),
    "Hijacked Router": CardEntry(
        on=(
            On("server-made", (Lose(1, "corp"),)),
            On("success", (May((Lose(3, "corp"),), Cost(trash_self=True)),), "server:archives"),
        ),
    ),
    "Cradle": CardEntry(
        static=(Static("strength", GripCards(-1), "self"),),
        abilities=(Ability(Cost(2), (Break("code gate", None),), "break"),),
    ),
    "District 99": CardEntry(
        on=(On("trashed", (May((AddCounters("power"),)),), FirstTime("trashed:program-or-hardware")),),
        abilities=(
            Ability(Cost(clicks=1, counter="power", counters=3), (Choose("heap own-faction", (Take(),)),), "action"),
        ),
    ),
    # Criminal.
    "Liza Talking Thunder": CardEntry(on=(On("success", (Draw(2), GiveTags(1)), FirstCentral()),)),
    "Hot Pursuit": CardEntry(play=run("hq"), on=(On("success", (Gain(9), GiveTags(1)), All(("server:hq", OwnRun()))),)),
    "Paragon": CardEntry(
        static=(Static("memory", 1),),
        on=(On("success", (May((Gain(1), PeekBottom())),), FirstTime("successful_run")),),
    ),
    "Bankroll": CardEntry(
        on=(On("success", (May((AddCounters("credit"),)),)),),
        abilities=(Ability(Cost(trash_self=True), (TakeAll(),)),),
    ),
    "Tycoon": CardEntry(
        abilities=(breaks(1, "barrier", 2), pump(2, 3)),
        on=(On("encounter-ends", (Gain(2, "corp"),), "broke"),),
    ),
    "Thunder Art Gallery": CardEntry(
        on=(
            On(
                "tag-gone",
                (Choose("grip runner-installable", (InstallTarget(discount=1),), optional=True),),
                FirstTime("tag-gone"),
            ),
        ),
    ),
    "Miss Bones": CardEntry(
        pays="trash-installed",
        on=(loaded("install", 12), On("emptied", (Trash("self"),))),
    ),
    # Shaper.
    "Akiko Nisei": CardEntry(on=(On("breach", (Psi(2, (), (Modify("more"),)),), "server:rd"),)),
    "Insight": CardEntry(play_cost=Cost(clicks=1), play=(May((Arrange(4),), who="corp"), RevealTop(4))),
    "Mind's Eye": CardEntry(
        static=(Static("memory", 1),),
        on=(On("success", (May((AddCounters("power"),)),), "server:rd"),),
        abilities=(Ability(Cost(clicks=1, counter="power", counters=3), (AccessFrom("rd"),), "action"),),
    ),
    "Mâché": CardEntry(
        on=(On("accessed-trashed", (May((AddCounters("power", EventNumber()),)),), FirstTime("accessed-trashed")),),
        abilities=(Ability(Cost(counter="power", counters=3), (Draw(1),)),),
    ),
    "Ika": CardEntry(
        abilities=(
            Ability(Cost(2), (Choose("ice", (HostSelf(),)),)),
            Ability(Cost(1), (Break("sentry", 2),), "break", MeetsHost()),
            pump(2, 3),
        ),
    ),
    "Kyuban": CardEntry(host="ice", on=(On("passed-ice", (Gain(2),), "hosting"),)),
    "Psych Mike": CardEntry(
        on=(
            On(
                "run-ends",
                (May((Gain(RdAccesses()),)),),
                All(("server:rd", Succeeded(), FirstTime("success:rd"))),
            ),
        ),
    ),
    # Adam, Apex, Sunny, neutral.
    "Algernon": CardEntry(
        on=(
            On("turn-begins", (May((GainClicks(1), MarkUsed()), Cost(2)),), "my-turn"),
            On("turn-ends", (Trash("self"),), All((Marked(), NoSuccess()))),
        ),
    ),
    "Reboot": CardEntry(
        play=(*run("archives", "instead"), RemoveSelf()),
        on=(On("instead", (Choose("heap", (InstallFacedown(),), count=5, optional=True), Modify("replaced"))),),
    ),
    "Office Supplies": CardEntry(
        static=(Static("play-cost", LinkStrength(-1)),),
        play=(Either(("credits", (Gain(4),)), ("cards", (Draw(4),))),),
    ),
    "DJ Fenris": CardEntry(on=(On("install", (HostIdentity("g-mod"),), "self"),)),
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

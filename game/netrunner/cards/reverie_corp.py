"""The Corp's cards of Reign and Reverie."""

from __future__ import annotations

from game.netrunner import conditions as c
from game.netrunner.cards.phrases import ADVANCE_TARGET, AGENDA, END, TAG
from game.netrunner.filters import cards
from game.netrunner.measures import (
    AdvancementCounters,
    BadPublicity,
    Chosen,
    Named,
    ReturnedPoints,
    StolenAgendas,
    TransactionPairs,
)
from game.netrunner.vocabulary import (
    Ability,
    AccessTarget,
    AddCounters,
    AddToScore,
    Bar,
    BecomeAgenda,
    CardEntry,
    Choose,
    Cost,
    Damage,
    Derez,
    Draw,
    DrawUpTo,
    Either,
    Gain,
    GainClicks,
    Gained,
    HostSelf,
    If,
    InstallInOneRemote,
    InstallTarget,
    Lose,
    May,
    MoveAndMeet,
    NameType,
    On,
    PlaceUpTo,
    RemoveSelf,
    Return,
    RezCheaper,
    RezSelf,
    Shuffle,
    ShuffleIn,
    Static,
    SwapAttacked,
    SwapIce,
    TakeBadPublicity,
    Trace,
    Trash,
)

TWO_OF_EITHER = (Either(("credits", (Gain(2),)), ("cards", (Draw(2),))),)
PAID = (Gain(1), Lose(1, "runner"))
HELD_BACK = InstallTarget(within="remote", then=(*ADVANCE_TARGET, Bar()))
FOR_NOTHING = InstallTarget(free=True, rezzed=False, then=ADVANCE_TARGET)
SWAP_ICE = (Choose(cards("ice", "other"), (SwapIce(),), optional=True),)

CARDS: dict[str, CardEntry] = {
    # Haas-Bioroid.
    "Sportsmetal": CardEntry(on=(On("score", TWO_OF_EITHER), On("steal", TWO_OF_EITHER))),
    "Hyperloop Extension": CardEntry(on=(On("score", (Gain(3),), c.Itself()), On("stolen", (Gain(3),)))),
    "Meridian": CardEntry(subs=((May((BecomeAgenda(-1),), who="runner", or_else=(Gain(4), *END)),),)),
    "Gatekeeper": CardEntry(
        static=(Static("strength", 6, "self", c.RezzedThisTurn()),),
        subs=(
            (DrawUpTo(3), Choose(AGENDA, (Return(),), count=3, optional=True, after=(Shuffle(),))),
            END,
        ),
    ),
    "Divert Power": CardEntry(
        play=(
            Choose(cards("corp", "rezzed"), (Derez("target"),), count=None, optional=True),
            RezCheaper(Chosen(3)),
        ),
    ),
    "Fast Break": CardEntry(
        play=(Gain(StolenAgendas()), DrawUpTo(StolenAgendas()), InstallInOneRemote(StolenAgendas())),
    ),
    "Game Changer": CardEntry(play=(GainClicks(StolenAgendas()), RemoveSelf())),
    "Giordano Memorial Field": CardEntry(
        on=(
            On(
                "success",
                (May((), Cost(2, per=StolenAgendas()), who="runner", or_else=END),),
                c.OnThisServer(),
            ),
        ),
    ),
    # Jinteki.
    "Saraswati Mnemonics": CardEntry(
        abilities=(Ability(Cost(1, 1), (Choose(cards("hq", "rootable"), (HELD_BACK,)),), "action"),),
    ),
    "Jumon": CardEntry(
        on=(On("turn-ends", (Choose(cards("root"), (AddCounters("advancement", 2, "target"),)),), c.MyTurn()),),
    ),
    "API-S Keeper Isobel": CardEntry(
        on=(
            On(
                "turn-begins",
                (
                    Choose(
                        cards("corp", "advanced"), (AddCounters("advancement", -1, "target"), Gain(3)), optional=True
                    ),
                ),
                c.MyTurn(),
            ),
        ),
    ),
    "Neurostasis": CardEntry(
        advanceable=True,
        access=(
            May(
                (Choose(cards("rig"), (), count=AdvancementCounters(), after=(ShuffleIn(),)),),
                Cost(3),
                only_if=c.Advanced(),
            ),
        ),
    ),
    "Otoroshi": CardEntry(
        subs=(
            (
                Choose(
                    cards("root"),
                    (PlaceUpTo(3), May((), Cost(3), who="runner", or_else=(AccessTarget(),))),
                    optional=True,
                ),
            ),
        ),
    ),
    "Thimblerig": CardEntry(
        on=(On("turn-begins", SWAP_ICE, c.MyTurn()), On("passed-ice", SWAP_ICE, c.Itself())),
        subs=(END,),
    ),
    "Hangeki": CardEntry(
        play_if=c.LastTurn("trashed_corp_card"),
        play=(
            Choose(
                cards("corp"),
                (May((AccessTarget(), RemoveSelf()), who="runner", or_else=(BecomeAgenda(-1),)),),
            ),
        ),
    ),
    "Daruma": CardEntry(
        on=(On("approach-server", (May((SwapAttacked(),), Cost(trash_self=True)),), c.OnThisServer()),),
    ),
    # NBN.
    "Acme Consulting": CardEntry(static=(Static("tag-at-outermost", 1),)),
    "Fly on the Wall": CardEntry(on=(On("score", (TAG,), c.Itself()),)),
    "SIU": CardEntry(on=(On("turn-begins", (May((Trace(3, (TAG,)),), Cost(trash_self=True)),), c.MyTurn()),)),
    "Peeping Tom": CardEntry(
        on=(On("encounter", (NameType(),), c.Itself()),),
        gained=Gained((May((), Cost(tags=1), who="runner", or_else=END),), Named()),
    ),
    "Hydra": CardEntry(
        subs=(
            (If(c.Tagged(), (Damage("net", 3),), (TAG,)),),
            (If(c.Tagged(), (Gain(5),), (TAG,)),),
            (If(c.Tagged(), END, (TAG,)),),
        ),
    ),
    "Eavesdrop": CardEntry(
        play=(Choose(cards("ice"), (HostSelf(),)),),
        on=(On("encounter", (Trace(3, (TAG,)),), c.Hosting()),),
    ),
    "Attitude Adjustment": CardEntry(
        play=(Draw(2), Choose(AGENDA, (Return(),), count=2, optional=True, after=(Gain(Chosen(2)), Shuffle()))),
    ),
    "Arella Salvatore": CardEntry(
        on=(On("score", (Choose(cards("hq", "installable"), (FOR_NOTHING,), optional=True),), c.FromThisServer()),),
    ),
    # Weyland Consortium, neutral.
    "The Outfit": CardEntry(on=(On("bad-publicity", (Gain(3),)),)),
    "Broad Daylight": CardEntry(
        on=(On("score", (May((TakeBadPublicity(1),)), AddCounters("agenda", BadPublicity())), c.Itself()),),
        abilities=(Ability(Cost(clicks=1, counter="agenda"), (Damage("meat", 2),), "action", c.Unused()),),
    ),
    "Drudge Work": CardEntry(
        on=(On("rez", (AddCounters("power", 3),), c.Itself()), On("emptied", (Trash("self"),))),
        abilities=(
            Ability(
                Cost(clicks=1, counter="power"),
                (Choose(AGENDA, (Return(), Gain(ReturnedPoints())), after=(Shuffle(),)),),
                "action",
            ),
        ),
    ),
    "Blockchain": CardEntry(gained=Gained(PAID, TransactionPairs(), first=True), subs=(PAID, END)),
    "Formicary": CardEntry(
        abilities=(Ability(Cost(), (RezSelf(), MoveAndMeet()), "approach"),),
        subs=((May((), Cost(net=2), who="runner", or_else=END),),),
    ),
    "Building Blocks": CardEntry(play=(Choose(cards("hq", "barrier"), (InstallTarget(free=True),)),)),
    "Too Big to Fail": CardEntry(play_if=c.CreditsBelow(10), play=(Gain(7), TakeBadPublicity(1))),
    "Under the Bus": CardEntry(
        play_if=c.LastTurn("accessed"),
        play=(Choose(cards("rig", "connection"), (Trash(),)), TakeBadPublicity(1)),
    ),
    "Lady Liberty": CardEntry(
        on=(On("turn-begins", (AddCounters("power"),), c.MyTurn()),),
        abilities=(
            Ability(Cost(clicks=3), (Choose(cards("hq", "agenda", "worth-power"), (AddToScore(),)),), "action"),
        ),
    ),
}

WORTHS: dict[str, float] = {
    "Divert Power": 0.2,
    "Fast Break": 1.0,
    "Game Changer": 1.0,
    "Giordano Memorial Field": 3.0,
    "API-S Keeper Isobel": 2.5,
    "Neurostasis": 1.0,
    "Hangeki": 1.5,
    "Daruma": 1.5,
    "SIU": 1.0,
    "Eavesdrop": 1.5,
    "Attitude Adjustment": 2.5,
    "Arella Salvatore": 3.0,
    "Drudge Work": 2.5,
    "Building Blocks": 3.0,
    "Too Big to Fail": 5.0,
    "Under the Bus": 1.0,
    "Lady Liberty": 2.5,
}

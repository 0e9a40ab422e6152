"""What the bots think of single cards: rough worths in credits, made once from the entries where that is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, FACTS
from game.netrunner.vocabulary import Ability, Break, Effects

DECK_POINTS: Final = 20  # agenda points of a Corp deck of 45 to 49 cards, or one more
POINT: Final = 6.0  # what an agenda point is worth
WIN: Final = 1000.0
NEVER: Final = -100.0
TRACED: Final = 0.6  # how often a trace succeeds, where nothing more is known
NET, BRAIN, TAG, PROGRAM, CLICK = 1.7, 6.0, 3.0, 5.0, 1.5


@dataclass(frozen=True, slots=True)
class Sub:
    """What one subroutine does when it is not broken; `chance` is below one where a trace decides."""

    ends: bool = False
    net: int = 0
    brain: int = 0
    tags: int = 0
    programs: int = 0
    clicks: int = 0
    gain: int = 0
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Breaker:
    """How an icebreaker works: what it breaks at which price, and how it grows (step 0: it can't)."""

    subtype: str
    price: int
    most: int
    step: int
    lift: int
    weakens: bool  # it breaks only ice that it has weakened to nothing
    counts: bool  # it is trashed unless it has a counter to remove


def sub_of(effects: Effects) -> Sub:
    """Return what a subroutine does, all in all."""
    ends, net, brain, tags, programs, clicks, gain, chance = False, 0, 0, 0, 0, 0, 0, 1.0
    for e in effects:
        match e:
            case v.EndRun() | v.MoveOutermost():
                ends = True
            case v.Damage(kind, int(n)):
                net, brain = (net, brain + n) if kind == "brain" else (net + n, brain)
            case v.GiveTags(int(n)):
                tags += n
            case v.Choose("rig program"):
                programs += 1
            case v.LoseClick():
                clicks += 1
            case v.Gain(int(n)):
                gain += n
            case v.NextIce():
                net += 1
            case v.Trace(_, then):
                inner = sub_of(then)
                brain, tags, chance = brain + inner.brain, tags + inner.tags, TRACED
                gain += 0 if inner.tags or inner.brain else 1
    return Sub(ends, net, brain, tags, programs, clicks, gain, chance)


def breaker_of(code: str) -> Breaker | None:
    """Return how a card breaks subroutines, None if it doesn't."""
    abilities = ENTRIES[code].abilities
    breaks = [a for a in abilities if isinstance(a.do[0], Break)]
    if not breaks or "icebreaker" not in FACTS[code].subtypes:
        return None
    effect = breaks[0].do[0]
    assert isinstance(effect, Break)
    pump = next((a for a in abilities if grows(a)), None)
    step = int(getattr(pump.do[0], "n", 0)) if pump else 0
    weakens, counts = bool(breaks[0].only_if), any(on.when == "broke" for on in ENTRIES[code].on)
    lift = pump.cost.credits if pump else 0
    return Breaker(effect.subtype, breaks[0].cost.credits, effect.most, step, lift, weakens, counts)


def grows(ability: Ability) -> bool:
    """Tell whether an ability makes its own card stronger."""
    return isinstance(ability.do[0], v.Last) and ability.do[0].on == "self"


SUBS: Final[Mapping[str, tuple[Sub, ...]]] = {
    code: tuple(sub_of(sub) for sub in entry.subs) for code, entry in ENTRIES.items() if FACTS[code].type == "ice"
}
BREAKERS: Final[Mapping[str, Breaker]] = {
    code: found for code in ENTRIES if (found := breaker_of(code)) is not None and FACTS[code].type == "program"
}


def by_code(worths: Mapping[str, float]) -> Mapping[str, float]:
    """Return worths by code."""
    return {CODES[title]: worth for title, worth in worths.items()}


INSTALLED: Final = by_code(
    {
        "Cyberfeeder": 2.5,
        "Grimoire": 3.0,
        "Datasucker": 3.0,
        "Djinn": 1.2,
        "Medium": 4.5,
        "Ice Carver": 3.0,
        "Wyldside": 2.5,
        "Lemuria Codecracker": 0.3,
        "Desperado": 5.0,
        "Sneakdoor Beta": 2.5,
        "Bank Job": 4.5,
        "Crash Space": 1.5,
        "Data Dealer": 0.2,
        "Decoy": 0.8,
        "Akamatsu Mem Chip": 0.8,
        "Rabbit Hole": 1.2,
        "The Personal Touch": 1.0,
        "The Toolbox": 7.0,
        "Magnum Opus": 8.0,
        "Net Shield": 1.2,
        "Aesop's Pawnshop": 0.5,
        "Sacrificial Construct": 0.6,
        "Access to Globalsec": 0.5,
        "Armitage Codebusting": 5.0,
        "Parasite": 3.5,
        "PAD Campaign": 4.0,
        "Adonis Campaign": 5.5,
        "Melange Mining Corp.": 3.0,
        "Security Subcontract": 0.2,
        "Zaibatsu Loyalty": 0.3,
        "SanSan City Grid": 5.0,
        "Red Herrings": 2.0,
        "Experiential Data": 1.5,
        "Corporate Troubleshooter": 0.5,
        "Akitaro Watanabe": 1.2,
        "Research Station": 0.8,
        "Project Junebug": 1.0,
        "Aggressive Secretary": 0.8,
        "Ghost Branch": 0.7,
        "Snare!": 0.3,
    }
)
"""What a card is worth once it is installed, in credits."""

PLAYED: Final = by_code(
    {
        "Sure Gamble": 4.0,
        "Easy Mark": 3.0,
        "Infiltration": 2.0,
        "Diesel": 3.2,
        "Special Order": 2.0,
        "Hedge Fund": 4.2,
        "Beanstalk Royalties": 3.2,
        "Anonymous Tip": 2.4,
        "Precognition": 0.5,
        "Shipment from MirrorMorph": 2.0,
        "Neural EMP": 1.0,
        "Archived Memories": 0.6,
        "Aggressive Negotiation": 1.5,
        "Shipment from Kaguya": 0.8,
    }
)
"""What it is worth to play a card that gives the same whenever it is played."""

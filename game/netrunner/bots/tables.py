"""What the bots think of single cards: rough worths in credits, made once from the entries where that is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from game.netrunner import conditions as c
from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES, WORTHS
from game.netrunner.facts import FACTS
from game.netrunner.filters import OnTable
from game.netrunner.vocabulary import Ability, Break, Effects

DECK_POINTS: Final = 20  # agenda points of a Corp deck of 45 to 49 cards, or one more
POINT: Final = 6.0  # what an agenda point is worth, in credits
WIN: Final = 1000.0  # the worth of what wins at once
NEVER: Final = -100.0  # the worth of what is not to be done
TRACED: Final = 0.6  # how often a trace succeeds, where nothing more is known
NET, BRAIN, TAG, PROGRAM, CLICK = 1.7, 6.0, 3.0, 5.0, 1.5  # what each costs the Runner, in credits


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
    weakens: bool  # it breaks only ice whose strength it has reduced to zero
    counts: bool  # it is trashed unless it has a counter to remove
    moves: int | None = None  # it breaks only the ice that hosts it; what it costs to move it there
    pays: int = 0  # what the Corp gains when it was used


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
            case v.Choose(OnTable("rig", ("program",))):
                programs += 1
            case v.LoseClick():
                clicks += 1
            case v.May(or_else=price) if price:
                inner = sub_of(price)
                ends, gain = ends or inner.ends, gain + inner.gain
            case v.If(_, then, other):
                inner = sub_of(other or then)
                ends, net, tags = ends or inner.ends, net + inner.net, tags + inner.tags
            case v.Gain(int(n)) | v.Lose(int(n), "runner"):
                gain += n
            case v.DrawUpTo(int(n)) | v.Draw(int(n)):
                gain += n - 1
            case v.Choose(OnTable("root"), (v.PlaceUpTo(), v.May(or_else=(v.AccessTarget(),)))):
                gain += 2
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
    weakens = breaks[0].only_if == c.IceAtZero()
    hosted = breaks[0].only_if == c.MeetsHost()
    moves = next((a.cost.credits for a in abilities if moves_itself(a)), None) if hosted else None
    given = [one.n for on in ENTRIES[code].on if on.when == c.Broke() for one in on.do if isinstance(one, v.Gain)]
    pays = sum(n for n in given if isinstance(n, int))
    counts = any(on.when == c.Broke() and isinstance(on.do[0], v.If) for on in ENTRIES[code].on)
    lift = pump.cost.credits if pump else 0
    return Breaker(
        effect.subtype,
        breaks[0].cost.credits,
        ANY if effect.most is None else effect.most,
        step,
        lift,
        weakens,
        counts,
        moves,
        pays,
    )


def moves_itself(ability: Ability) -> bool:
    """Tell whether an ability hosts its own card on ice."""
    first = ability.do[0]
    return isinstance(first, v.Choose) and any(isinstance(one, v.HostSelf) for one in first.do)


def grows(ability: Ability) -> bool:
    """Tell whether an ability makes its own card stronger."""
    return isinstance(ability.do[0], v.Last) and ability.do[0].on == "self"


ANY: Final = 99  # subroutines at once, where a card sets no limit
SUBS: Final[Mapping[str, tuple[Sub, ...]]] = {
    code: tuple(sub_of(sub) for sub in entry.subs) for code, entry in ENTRIES.items() if FACTS[code].type == "ice"
}
GAINED: Final[Mapping[str, Sub]] = {
    code: sub_of(entry.gained.sub) for code, entry in ENTRIES.items() if entry.gained is not None
}
BREAKERS: Final[Mapping[str, Breaker]] = {
    code: how for code in ENTRIES if (how := breaker_of(code)) is not None and FACTS[code].type == "program"
}


@dataclass(frozen=True, slots=True)
class RunCard:
    """An event that begins a run: where, and what its success brings: credits, tags, accesses of other servers."""

    servers: tuple[str, ...]
    credits: int
    tags: int
    accesses: tuple[str, ...]


def run_card(code: str) -> RunCard | None:
    """Return what an event that begins a plain run brings; None for other cards, and for runs that are changed."""
    first = next(iter(ENTRIES[code].play), None)
    if not isinstance(first, v.RunOn) or first.mods or first.servers == "any":
        return None
    done = [one for on in ENTRIES[code].on if on.event in ("success", "breached") for one in on.do]
    credits = sum(one.n for one in done if isinstance(one, v.Gain) and isinstance(one.n, int))
    tags = sum(one.n for one in done if isinstance(one, v.GiveTags) and isinstance(one.n, int))
    accesses = tuple(one.server for one in done if isinstance(one, v.AccessFrom))
    return RunCard(tuple(first.servers.split()), credits, tags, accesses)


RUN_CARDS: Final[Mapping[str, RunCard]] = {code: found for code in ENTRIES if (found := run_card(code)) is not None}
"""What each event brings whose run is not changed by `RunOn.mods`."""


def rezzed_for(code: str) -> str:
    """Return when an asset or upgrade is worth rezzing: 'turn', 'run', 'score', 'rig' or, for none of these, ''."""
    for on in ENTRIES[code].on:
        if on.event == "turn-begins":
            return "turn"
        if on.when == c.OnThisServer():
            return "run"
        if on.when == c.FromThisServer():
            return "score"
        if on.event == "rez" and isinstance(on.do[0], v.Choose) and on.do[0].what.pool == "rig":
            return "rig"
    uses = any(ability.when == "action" for ability in ENTRIES[code].abilities)
    return "turn" if uses and FACTS[code].type == "asset" else ""


REZZED_FOR: Final[Mapping[str, str]] = {
    code: rezzed_for(code) for code in ENTRIES if FACTS[code].type in ("asset", "upgrade")
}

BURNS: Final[Mapping[str, int]] = {
    code: n
    for code, entry in ENTRIES.items()
    if entry.play_if == c.Tagged()
    for n in (one.n for one in entry.play if isinstance(one, v.Damage))
    if isinstance(n, int)
}
"""The damage of what may be played against a tagged Runner."""

SHOTS: Final[Mapping[str, int]] = {
    code: n
    for code, entry in ENTRIES.items()
    for ability in entry.abilities
    if ability.when == "action" and ability.only_if == c.Tagged()
    for n in (one.n for one in ability.do if isinstance(one, v.Damage))
    if isinstance(n, int)
}
"""The damage for a click to a tagged Runner, by the card that does it."""

PLAYED: Final[Mapping[str, float]] = {
    code: worth for code, worth in WORTHS.items() if FACTS[code].type in ("event", "operation")
}
"""What it is worth to play a card that gives the same whenever it is played."""

INSTALLED: Final[Mapping[str, float]] = {code: worth for code, worth in WORTHS.items() if code not in PLAYED}
"""What a card is worth once it is installed, in credits."""

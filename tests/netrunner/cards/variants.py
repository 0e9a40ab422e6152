"""Changed entries of cards, which the tests of those cards must notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from game.netrunner import vocabulary as v
from game.netrunner.conditions import All, Condition
from game.netrunner.filters import Filter, InZone, OnTable

EVERY_PREVENTION = "prevent:net,meat,brain,tag,expose,trash-program,trash-hardware,trash-resource"
ONCE = (
    *(v.EndRun, v.Shuffle, v.Derez, v.Trash, v.CannotSteal, v.BecomeAgenda, v.RemoveSelf, v.Bar, v.MarkUsed, v.RezSelf),
    *(v.MoveAndMeet, v.TrashGrip, v.ShuffleIn, v.RevealTop, v.HostSelf, v.AddToScore, v.Remember),
)  # doing it twice is doing it once
LONGER = {"encounter": "run", "run": "turn", "turn": "match"}


def eager(part: Any) -> Iterator[Any]:
    """Yield copies of an entry, or of a part of one, that do more, more often, to more cards, or for less.

    The copies differ in one place each. Nothing is taken away but limits and costs.
    """
    for field in fields(part):
        value = getattr(part, field.name)
        for other in _eager_values(part, field.name, value):
            yield replace(part, **{field.name: other})


def _eager_values(part: Any, name: str, value: Any) -> Iterator[Any]:
    """Yield what a field of a part would be in a card that does more."""
    match value:
        case All(parts):
            yield None
            yield from (All((*parts[:i], *parts[i + 1 :])) for i in range(len(parts)))
            yield from eager(value)
        case Condition():
            yield None
            yield from eager(value)
        case OnTable() | InZone():
            yield from ((None,) if isinstance(part, v.Cost) else wider(value))
        case _ if is_dataclass(value):
            yield from eager(value)
        case bool():
            yield not value
        case int():
            yield from (0,) if isinstance(part, v.Cost) else (value + 1,)
        case str():
            yield from _eager_words(part, name, value)
        case tuple():
            yield from _eager_rows(value)


def wider(what: Filter) -> Iterator[Filter]:
    """Yield filters that ask for one trait less."""
    for i in range(len(what.traits)):
        yield replace(what, traits=(*what.traits[:i], *what.traits[i + 1 :]))  # type: ignore[arg-type]


def _eager_rows(row: tuple[Any, ...]) -> Iterator[Any]:
    """Yield a row with one member doubled, or one member that does more."""
    for i, one in enumerate(row):
        if isinstance(one, v.Effect | v.Static | str) or (isinstance(one, tuple) and one):
            yield (*row[: i + 1], one, *row[i + 1 :])
        found = eager(one) if is_dataclass(one) else _eager_rows(one) if isinstance(one, tuple) else iter(())
        for other in found:
            yield (*row[:i], other, *row[i + 1 :])


def _eager_words(part: Any, name: str, value: str) -> Iterator[str]:
    """Yield other words for a condition, filter, purpose or duration, so that it holds more often or for more cards."""
    match part, name:
        case v.Ability(), "when" if value.startswith("prevent"):
            yield EVERY_PREVENTION
        case v.Ability(), "when":
            yield from ("paid",) if value in ("action", "run") else ()
        case v.Break(), "subtype":
            yield "any"
        case v.RunOn(), "servers":
            yield "any"
        case v.Last(), "until":
            yield LONGER[value]
        case v.Cost(), _:
            yield ""
        case v.CardEntry(), "pays" if value:
            yield "icebreaker install virus-install trace remove-tag trash use play steal rez"
        case v.CardEntry(), "no_access_in" | "only_in":
            yield ""
        case v.Static(), "what":
            yield "everything"
        case _ if name == "who" and value in ("corp", "runner"):
            yield {"corp": "runner", "runner": "corp"}[value]


# Changes that make no difference: the doubled part happens only once, or no card of the sets shows the difference.
ALIKE = {
    "Noise": ("on[0].when.parts[1] left out", "on[0].when.parts[2] left out"),  # all viruses are the Runner's programs
    "Grimoire": ("on[0].when.parts[1] left out", "on[0].when.parts[2] left out"),
    "Djinn": ("abilities[0].do[0].what",),
    "Stimhack": ("play[2].unpreventable",),  # no card prevents brain damage
    "Parasite": ("static[1] twice",),
    "Account Siphon": ("on[0].do[0].then[2] twice",),
    "Bank Job": ("on[1].do[0].then[1] twice",),
    "Tinkering": ("play[0].do[0] twice",),
    "Sacrificial Construct": ("abilities[0].do[0] twice", "abilities[0].do[0].n + 1"),  # one card at a time
    "Fall Guy": ("abilities[0].do[0] twice", "abilities[0].do[0].n + 1"),
    "Shipment from MirrorMorph": ("play[0].optional",),  # nobody knows what HQ holds
    "Zaibatsu Loyalty": (
        "static[0] twice",
        *(f"abilities[{i}].{part}" for i in (0, 1) for part in ("do[0] twice", "do[0].n + 1", "when")),
    ),
    "Cell Portal": ("subs[0][0] twice",),
    "Thunder Art Gallery": ("on[0].do[0].optional",),  # nobody knows what the grip holds
    "Gatekeeper": ("subs[0][1].optional",),
    "Attitude Adjustment": ("play[1].optional",),
    "Arella Salvatore": ("on[0].do[0].optional",),
    "Reboot": ("on[0].do[1] twice",),
    "Patchwork": ("static[1] twice",),
    "Malia Z0L0K4": ("static[0] twice",),
    "Kill Switch": ("static[0] twice",),
    "Closed Accounts": ("play[0] twice",),
    "Weyland Consortium": ("on[0].when.parts[1] left out",),  # the Runner has no transactions
    "Posted Bounty": ("on[0].do[0].then[0] twice",),
    "Priority Requisition": ("on[0].do[0].do[0] twice",),
}


def changed(title: str, entry: v.CardEntry) -> Iterator[tuple[str, v.CardEntry]]:
    """Yield the entry with one number, flag, word or part changed, removed or doubled, and the place of the change."""
    for place, other in _changed(entry, ""):
        if place.lstrip(".") not in ALIKE.get(title, ()):
            yield place, other


def _changed(part: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the changes of a part of an entry; what it leaves out stays left out."""
    for field in fields(part):
        value = getattr(part, field.name)
        if value == field.default or is_idle(part, field.name):
            continue
        for place, other in _changed_values(part, field.name, value, f"{path}.{field.name}"):
            yield place, replace(part, **{field.name: other})


def _changed_values(part: Any, name: str, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield what a field could be instead."""
    match value:
        case Condition():
            yield f"{path} left out", None
            yield from _changed(value, path)
        case OnTable() | InZone():
            yield from ((path, other) for other in _eager_values(part, name, value))
        case _ if is_dataclass(value):
            yield from _changed(value, path)
        case bool():
            yield path, not value
        case int():
            yield from ((f"{path} - 1", value - 1), (f"{path} + 1", value + 1))
        case str():
            yield from ((path, other) for other in _eager_words(part, name, value) if other != value)
        case tuple():
            yield from _changed_rows(value, path)


def _changed_rows(row: tuple[Any, ...], path: str) -> Iterator[tuple[str, Any]]:
    """Yield a row without one of its members, with one of them twice, or with another one."""
    for i, one in enumerate(row):
        place = f"{path}[{i}]"
        if is_dataclass(one) or isinstance(one, tuple):
            yield f"{place} left out", (*row[:i], *row[i + 1 :])
        if isinstance(one, v.Effect | v.Static) and not isinstance(one, ONCE):
            yield f"{place} twice", (*row[: i + 1], one, *row[i + 1 :])
        inner = _changed if is_dataclass(one) else _changed_rows if isinstance(one, tuple) else None
        for inside, other in inner(one, place) if inner else ():
            yield inside, (*row[:i], other, *row[i + 1 :])


def is_idle(part: Any, name: str) -> bool:
    """Tell whether a field means nothing in this part of an entry."""
    match part:
        case v.Static(kind):
            return name == "n" and kind in ("kills-host", "rez-and-prevent", "blanks", "reveal-agendas")
        case v.Cost(counter=""):
            return name == "counters"
        case v.InstallTarget(free=False):
            return name == "rezzed"
        case v.InstallTarget():
            return name == "discount"
        case v.Choose(count=None):
            return name == "optional"
        case v.Last(kind):
            return name == "n" and kind == "subtypes"
        case v.Choose(what, do):
            return what.pool not in ("stack", "rd") and name == "do" and bool(do) and isinstance(do[0], v.Take)
    return False

"""A card's text, made from its entry and printed facts, so that text and behaviour can't differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce

from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.conditions import HeapHasCards
from game.netrunner.facts import CORP, FACTS, Facts
from game.netrunner.measures import Measure
from game.netrunner.text import card_effects  # noqa: F401
from game.netrunner.text.effects import About, effects
from game.netrunner.text.parts import cost, kebab, signed, slug
from game.netrunner.text.phrase import Phrase, counted, keys_of, phrase

UNSAID = (HeapHasCards(),)  # conditions without words: they only keep a card from being played without effect
REMINDERS = ("console", "region", "current")  # subtypes that come with a rule


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a card's text. `kind`: 'play', 'sub', 'ability', 'trigger', 'static', 'access' or 'limit'."""

    kind: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class CardText:
    """A card in words: its line of types, its numbers, and its rules, in the order in which they are read.

    `rules` has its subroutines and abilities in the entry's order: the n-th 'sub' is subroutine n, the n-th 'ability'
    is what `use REF n` uses.
    """

    code: str
    title: str
    kind: Phrase
    facts: tuple[Phrase, ...]
    rules: tuple[Rule, ...]

    def phrases(self) -> tuple[Phrase, ...]:
        """Return everything that is said about the card."""
        return (self.kind, *self.facts, *(rule.phrase for rule in self.rules))


@cache
def card_text(code: str) -> CardText:
    """Return what a card says, as message keys with parameters; `sentence(phrase, look.t)` puts a phrase into words.

    Raises KeyError for a code without an entry, and for an effect that has no words yet.
    """
    facts = FACTS[code]
    return CardText(code, facts.title, kind_of(facts), tuple(numbers(facts)), tuple(rules(code, ENTRIES[code])))


def all_keys() -> frozenset[str]:
    """Return every message key that the text of some card needs."""
    return frozenset(key for code in ENTRIES for said in card_text(code).phrases() for key in keys_of(said))


def kind_of(facts: Facts) -> Phrase:
    """Return the line of types: side, faction, type, subtypes."""
    faction, type_ = phrase(f"faction.{facts.faction}"), phrase(f"type.{facts.type}")
    names = [phrase(f"subtype.{name.replace(' ', '-')}") for name in sorted(facts.subtypes)]
    text = phrase("kind", faction=faction, type=type_)
    if names:
        listed = reduce(lambda first, second: phrase("item", first=first, second=second), names)
        text = phrase("kind.subtypes", kind=text, subtypes=listed)
    return phrase("kind.unique", kind=text) if facts.unique else text


def numbers(facts: Facts) -> Iterator[Phrase]:
    """Yield the printed numbers that a card of this type has."""
    entered = ENTRIES[facts.code]
    if facts.type == "identity":
        yield phrase("fact.deck", count=facts.min_deck)
        yield phrase("fact.influence-limit", count=facts.max_influence)
        if facts.side != CORP:
            yield phrase("fact.link", count=facts.link)
        return
    if facts.type == "agenda":
        yield phrase("fact.requirement", count=facts.advancement)
        yield phrase("fact.points", count=facts.points)
    else:
        verb = {"event": "play", "operation": "play"}.get(facts.type, "rez" if facts.side == CORP else "install")
        yield phrase(f"fact.cost.{verb}", count="X" if entered.play_x else facts.cost)
    if facts.type == "ice" or "icebreaker" in facts.subtypes:
        yield phrase("fact.strength", count=facts.strength)
    if facts.type == "program":
        yield phrase("fact.memory", count=facts.memory)
    if facts.trash is not None:
        yield phrase("fact.trash", count=facts.trash)
    if facts.influence or (not facts.faction.startswith("neutral") and facts.type != "agenda"):
        yield phrase("fact.influence", count=facts.influence)


def rules(code: str, entered: v.CardEntry) -> Iterator[Rule]:
    """Yield the lines of a card's text."""
    facts = FACTS[code]
    about = About(facts.side, phrase("it"))
    yield from (Rule("limit", said) for said in limits(entered))
    if entered.play:
        yield Rule("play", phrase("line", text=effects(entered.play, about)))
    yield from (Rule("static", static(one)) for one in entered.static)
    if entered.recurring:
        yield Rule("static", counted("recurring", entered.recurring, use=purposes(entered.pays)))
    elif entered.pays:
        yield Rule("static", phrase("hosted-pays", use=purposes(entered.pays)))
    for on in entered.on:
        name = f"on.{on.event}.{slug(on.when)}" if on.when else f"on.{on.event}"
        yield Rule("trigger", phrase(name, do=effects(on.do, about)))
    if entered.access:
        but = {"": "", "-": ".not-installed"}.get(entered.no_access_in, f".not-{entered.no_access_in}")
        yield Rule("access", phrase(f"access{but}", do=effects(entered.access, about)))
    if entered.bioroid:
        yield Rule("static", phrase("bioroid"))
    yield from (Rule("ability", ability(one, facts)) for one in entered.abilities)
    if entered.gained:
        yield Rule("static", gained(entered.gained, about))
    yield from (Rule("sub", phrase("line", text=effects(sub, about))) for sub in entered.subs)
    yield from (Rule("limit", phrase(f"reminder.{name}")) for name in REMINDERS if name in facts.subtypes)


def limits(entered: v.CardEntry) -> Iterator[Phrase]:
    """Yield what must hold before a card can be played, installed or rezzed, and what may be done with it."""
    if entered.play_if and entered.play_if not in UNSAID:
        yield phrase(f"play-if.{slug(entered.play_if)}")
    if entered.play_cost != v.Cost():
        yield phrase("play-cost", cost=cost(entered.play_cost))
    if entered.play_x:
        yield phrase(f"play-x.{entered.play_x}")
    if entered.host:
        yield phrase(f"host.{slug(entered.host)}")
    if entered.only_in:
        yield phrase(f"only-in.{entered.only_in}")
    if entered.hosts:
        yield counted("hosts", entered.hosts)
    if entered.rez_forfeit:
        yield phrase("rez-forfeit")
    if entered.steal != v.Cost():
        yield phrase("steal", cost=cost(entered.steal))
    if entered.advanceable:
        yield phrase("advanceable")
    if entered.reveal_in:
        yield phrase(f"reveal-in.{entered.reveal_in}")


def static(one: v.Static) -> Phrase:
    """Return what holds while the card is active."""
    name = f"static.{one.kind}.{slug(one.what)}" if one.what else f"static.{one.kind}"
    if one.kind == "own-requirement":
        each = f"{kebab(one.n)}-{one.n.times}" if isinstance(one.n, Measure) else ""
        return phrase("line", text=phrase(f"{name}.{each}"))
    text = signed(name, one.n)
    return phrase("line", text=phrase(f"if.{slug(one.when)}", then=text) if one.when else text)


def gained(one: v.Gained, about: About) -> Phrase:
    """Return which subroutines ice has besides its own."""
    text = counted("gained-first" if one.first else "gained", one.each.times, sub=effects(one.sub, about))
    return phrase("line", text=phrase(f"each.{kebab(one.each)}", text=text))


def gained_sub(code: str) -> Phrase | None:
    """Return what a subroutine does that ice gains besides its own, or None."""
    one, facts = ENTRIES[code].gained, FACTS[code]
    return phrase("line", text=effects(one.sub, About(facts.side, phrase("it")))) if one else None


def purposes(pays: str) -> Phrase:
    """Return what credits may pay for."""
    named = [phrase(f"pays.{purpose}") for purpose in pays.split()]
    return reduce(lambda first, second: phrase("or", first=first, second=second), named)


def ability(one: v.Ability, facts: Facts) -> Phrase:
    """Return a paid ability: '2 credits: break 1 barrier subroutine.'"""
    when, _, against = one.when.partition(":")
    do = effects(one.do, About(facts.side, phrase("it"), against=against))
    text = phrase("ability", cost=cost(one.cost), do=do)
    if when == "approach":
        return phrase("ability.approach", text=text if one.cost != v.Cost() else phrase("line", text=do))
    if when == "run" and not any(isinstance(e, v.Last) and e.until == "run" for e in one.do):
        text = phrase("ability.run", text=text)
    return phrase(f"ability.if.{slug(one.only_if)}", text=text) if one.only_if else text

"""Picking a card: which one is trashed, fetched, advanced, hosted on or given up."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache

from game.netrunner import vocabulary as v
from game.netrunner.bots.corp import CorpPlans, is_agenda
from game.netrunner.bots.crossing import ice_strength
from game.netrunner.bots.prizes import BAIT_CODES, hidden_worth, prize
from game.netrunner.bots.routes import covered
from game.netrunner.bots.runner import RunnerPlans, code_of
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.bots.tables import BREAKERS, INSTALLED, PLAYED
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from game.netrunner.places import find
from game.netrunner.queries import server_of
from game.netrunner.state import Card


def choose(s: Sight, q: Question, words: list[str]) -> float:
    """Return what choosing this is worth; choosing nothing is worth nothing."""
    if words[0] == "no":
        return 0.0
    if len(words) < 2:
        return 0.5  # a plain yes
    word = words[1]
    if word.startswith('"'):
        return titled(s, q, code_of(word))
    zone, _, index = word.partition(":")
    if zone in ("heap", "archives") and index.isdigit():
        row = s.t.heap if zone == "heap" else [code for code, _ in s.t.archives]
        return titled(s, q, row[int(index)])
    card = find(s.t, word, s.seat)
    if card is None:
        return 0.0 if word != "rig" else 0.5
    return on_corp(s, q, card) if s.seat == CORP else on_runner(s, q, card)


def titled(s: Sight, q: Question, code: str) -> float:
    """Return what having this card in hand, or installing it, is worth."""
    if code not in FACTS:
        return 0.1
    if s.seat == CORP:
        return 0.5 + keep(s, code)
    plans = RunnerPlans(s)
    worth = plans.install(code) if FACTS[code].type in ("program", "hardware", "resource") else PLAYED.get(code, 1.0)
    if plain_title(str(q.about.get("card", ""))) == "Modded":
        worth += min(3, FACTS[code].cost)
    return max(0.1, 1.0 + worth)


def on_corp(s: Sight, q: Question, card: Card) -> float:
    """Return what the Corp thinks of picking a card on the table."""
    if card.side == RUNNER:
        return program_worth(s, card)
    if q.prompt == "forfeit":
        return 10.0 - 3.0 * FACTS[card.code].points - card.agenda
    if q.prompt == "trash-cost":
        return -float(FACTS[card.code].cost)
    if card.place.startswith("ice:") and not card.rezzed:
        return 1.0 + FACTS[card.code].cost
    does = effects_of(q)
    if any(isinstance(one, v.AccessTarget) for one in does):  # the Runner will steal what can be stolen
        return -2.0 if FACTS[card.code].type == "agenda" else 1.0 + 2.0 * (card.code in BAIT_CODES)
    if any(isinstance(one, v.SwapIce) for one in does):
        return -0.5
    if any(isinstance(one, v.AddCounters) and isinstance(one.n, int) and one.n < 0 for one in does):
        return -2.0 if is_agenda(card) else 2.0
    plans = CorpPlans(s)
    if is_agenda(card):
        left = plans.left(card)
        return 20.0 - left if left else 0.1
    return 1.0 if card.place.startswith("root:") else 0.5


def effects_of(q: Question) -> tuple[v.Effect, ...]:
    """Return all that the card which asks may do, from its entry."""
    code = CODES.get(plain_title(str(q.about.get("card", ""))), "")
    return every_effect(code) if code in ENTRIES else ()


@cache
def every_effect(code: str) -> tuple[v.Effect, ...]:
    """Return the effects of an entry, with those inside others."""
    found: list[v.Effect] = []

    def walk(part: object) -> None:
        if isinstance(part, v.Effect):
            found.append(part)
        if isinstance(part, tuple):
            for one in part:
                walk(one)
        elif is_dataclass(part) and not isinstance(part, type):
            for each in fields(part):
                walk(getattr(part, each.name))

    walk(ENTRIES[code])
    return tuple(found)


def program_worth(s: Sight, card: Card) -> float:
    """Return what the Runner would miss of a card of the rig."""
    how = BREAKERS.get(card.code)
    if how is None:
        return 1.0 + INSTALLED.get(card.code, 0.5)
    alone = sum(1 for one in s.breakers if BREAKERS[one.code].subtype == how.subtype) == 1
    return 4.0 + 0.5 * FACTS[card.code].cost + 3.0 * alone


def on_runner(s: Sight, q: Question, card: Card) -> float:
    """Return what the Runner thinks of picking a card on the table."""
    if q.prompt in ("memory", "trash-cost"):
        return -program_worth(s, card)
    if q.prompt == "forfeit":
        return -float(FACTS[card.code].points)
    name = plain_title(str(q.about.get("card", "")))
    run = s.t.run
    if run is not None and run.encountering and any(isinstance(one, v.HostSelf) for one in effects_of(q)):
        return 20.0 if card.iid == run.ice else 0.5
    if card.side == CORP and s.code(card) == HIDDEN:
        guarded = prize(s, server_of(card))
        return 1.0 + (guarded if card.place.startswith("ice:") else hidden_worth(s, card))
    if name == "Parasite":
        return (FACTS[card.code].cost + 2.5) / (1 + 0.25 * max(1, ice_strength(s, card)))
    if name == "Aesop's Pawnshop":
        spent = card.credit and card.credit <= 2
        return 1.0 if spent else -1.0
    if card.side == CORP:
        return 1.0 + FACTS[card.code].cost + 0.3 * prize(s, server_of(card))
    return program_worth(s, card)


def keep(s: Sight, code: str) -> float:
    """Return what a card in hand is worth keeping."""
    printed = FACTS[code]
    held = s.hand.count(code)
    if s.seat == CORP:
        worth = {"agenda": 5.0 + printed.points, "ice": 3.5, "operation": 2.0, "asset": 2.0}.get(printed.type, 1.0)
        return worth + PLAYED.get(code, 0.0) - 0.5 * (held > 1)
    if code in BREAKERS:
        missing = BREAKERS[code].subtype not in covered(s)
        return 6.0 if missing and held == 1 else 1.5
    return PLAYED.get(code, INSTALLED.get(code, 1.0)) - 1.0 * (held > 1)

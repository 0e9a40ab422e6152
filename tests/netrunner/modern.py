"""Decks with later cards for tests: every one of Reign and Reverie and every named card is in one of them."""

from __future__ import annotations

from itertools import combinations_with_replacement

from game.netrunner.cards import ENTRIES
from game.netrunner.decks import Deck, problems
from game.netrunner.facts import CODES, CORP, FACTS, Facts, title

IDENTITIES = {
    "sportsmetal": "Sportsmetal",
    "saraswati": "Saraswati Mnemonics",
    "acme": "Acme Consulting",
    "outfit": "The Outfit",
    "gnat": 'Nathaniel "Gnat" Hall',
    "liza": "Liza Talking Thunder",
    "akiko": "Akiko Nisei",
}
GUESTS = {
    "gnat": {"Reboot": 2, "Algernon": 1},
    "liza": {"Algernon": 2, "DJ Fenris": 1},
    "akiko": {"Office Supplies": 3, "DJ Fenris": 1},
}
CORPS, RUNNERS = tuple(IDENTITIES)[:4], tuple(IDENTITIES)[4:]


def modern(name: str) -> Deck:
    """Return a legal deck: what the faction has of the later sets, then of the Core Set until it is large enough."""
    identity = FACTS[CODES[IDENTITIES[name]]]
    own = (identity.faction, ("neutral-corp", "neutral-runner")[identity.side])
    found = [FACTS[code] for code in ENTRIES if FACTS[code].faction in own and FACTS[code].type != "identity"]
    cards = {CODES[guest]: n for guest, n in GUESTS.get(name, {}).items()}
    plain = [one for one in found if one.type != "agenda" and (one.faction == own[0] or not one.influence)]
    for facts in sorted(plain, key=lambda facts: (facts.pack == "core", facts.code)):
        if facts.pack != "core" or sum(cards.values()) < identity.min_deck - 10 * (identity.side == CORP):
            cards[facts.code] = min(3, facts.deck_limit)
    if identity.side == CORP:
        agendas = [facts for facts in found if facts.type == "agenda"]
        cards |= agendas_for(sum(cards.values()), sorted(agendas, key=lambda facts: facts.pack == "core"))
    deck = Deck(identity.code, tuple(sorted(cards.items())))
    assert problems(deck, identity.side) == [], problems(deck, identity.side)
    return deck


def agendas_for(size: int, agendas: list[Facts]) -> dict[str, int]:
    """Return agendas that make a deck of so many other cards legal, those of later sets first."""
    codes = [one.code for one in agendas]
    later = [code for code in codes if FACTS[code].pack != "core"]
    for more in range(4, 12):
        for some in combinations_with_replacement(codes, more):
            chosen = [*later, *some]
            total, low = sum(FACTS[code].points for code in chosen), 2 * ((size + len(chosen)) // 5) + 2
            if size + len(chosen) >= 45 and total in (low, low + 1) and all(chosen.count(code) <= 3 for code in chosen):
                return {code: chosen.count(code) for code in chosen}
    raise AssertionError("no agendas fit")


def listed(name: str) -> str:
    """Return a deck as a list in text."""
    deck = modern(name)
    return "\n".join([title(deck.identity), *(f"{n} {title(code)}" for code, n in deck.cards)])


__all__ = ["CORPS", "IDENTITIES", "RUNNERS", "listed", "modern"]

"""Decks: the seven starters, the ready decks, reading of lists, and legality (Netrunner §1.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game.contract import Json
from game.errors import BadNotation
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title
from game.netrunner.ready import LISTS
from game.options import plain

FACTIONS: Final[Mapping[str, str]] = {
    "haas-bioroid": "01054",
    "jinteki": "01067",
    "nbn": "01080",
    "weyland": "01093",
    "anarch": "01001",
    "criminal": "01017",
    "shaper": "01033",
}
DEFAULT: Final = ("jinteki", "shaper")
FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "reverie": (),  # the Core Set, Reign and Reverie, and the cards of other sets that the rules name
    "core": ("core",),
}
Pairing = tuple[Mapping[str, Json], Mapping[str, Json]]
LINE: Final = re.compile(r"(\d{1,2})x? +(.+)")


@dataclass(frozen=True, slots=True)
class Deck:
    """An identity and how often each card is in the deck, in order of their codes."""

    identity: str
    cards: tuple[tuple[str, int], ...]

    def codes(self) -> tuple[str, ...]:
        """Return every card of the deck."""
        return tuple(code for code, n in self.cards for _ in range(n))


def starter(name: str) -> Deck:
    """Return a starter deck: a faction's cards of the Core Set and all neutral ones of its side."""
    identity = FACTS[FACTIONS[name]]
    neutral = ("neutral-corp", "neutral-runner")[identity.side]
    own = (identity.faction, neutral)
    cards = [f for f in FACTS.values() if f.pack == "core" and f.faction in own and f.type != "identity"]
    return Deck(identity.code, tuple((f.code, f.quantity) for f in cards))


STARTERS: Final[Mapping[str, Deck]] = {name: starter(name) for name in FACTIONS}


def read(said: Json, side: int, form: str = "reverie") -> Deck:
    """Read a deck: the name of a starter or a ready deck, a list as text, or {"identity":…,"cards":{TITLE:N}}.

    A list has '3 Sure Gamble' a line, and the identity.

    Raises BadNotation where it can't be read or is not legal in the format (`FORMATS`).
    """
    if said is None or said == "":
        return STARTERS[DEFAULT[side]]
    ready = {**STARTERS, **READY}
    deck = ready[said] if isinstance(said, str) and said in ready else _own(said)
    wrong = problems(deck, side, form)
    if wrong:
        raise BadNotation("netrunner.error.deck", "; ".join(wrong)[:300])
    return deck


def plain_deck(said: Json) -> Json:
    """Return a deck as a match stores it: a name of the game's own, else {"identity":…,"cards":{TITLE:N}} and no more.

    Raises BadNotation where it can't be read; whether it is legal is not asked.
    """
    if said is None or said == "":
        return ""
    if isinstance(said, str) and (said in STARTERS or said in READY):
        return said
    deck = _own(said)
    cards: dict[str, Json] = {FACTS[code].title: n for code, n in deck.cards}
    return {"identity": FACTS[deck.identity].title, "cards": cards}


def _own(said: Json) -> Deck:
    """Read a deck that is not one of the game's; fields that no deck has are skipped. Raises BadNotation."""
    if isinstance(said, str):
        return _from_text(said)
    if not isinstance(said, dict) or not isinstance(said.get("cards"), dict):
        raise BadNotation("netrunner.error.deck", "a deck has an identity and cards")
    cards = said["cards"]
    numbers = cards.items() if isinstance(cards, dict) else ()
    counted = Counter[str]()
    for name, n in numbers:
        if not isinstance(n, int) or isinstance(n, bool) or not 0 < n < 100:
            raise BadNotation("netrunner.error.deck", f"{name[:40]}: {plain(n)[:20]}")
        counted[code_of(name)] += n
    return Deck(code_of(str(said.get("identity"))), tuple(sorted(counted.items())))


def _from_text(text: str) -> Deck:
    """Read a list: one line names the identity, the others a number and a title. Raises BadNotation."""
    identity, counted = "", Counter[str]()
    for line in filter(None, map(str.strip, text.splitlines())):
        match = LINE.fullmatch(line)
        code = code_of(match.group(2) if match else line)
        if FACTS[code].type == "identity":
            identity = code
        else:
            counted[code] += int(match.group(1)) if match else 1
    if not identity:
        raise BadNotation("netrunner.error.deck", "no identity")
    return Deck(identity, tuple(sorted(counted.items())))


def code_of(name: str) -> str:
    """Return the code of a title. Raises BadNotation for a card that is not in the game."""
    code = CODES.get(plain_title(name))
    if code is None or code not in ENTRIES:
        raise BadNotation("netrunner.error.card", name[:60])
    return code


def problems(deck: Deck, side: int, form: str = "reverie") -> list[str]:
    """Return the problems of a deck in a format: 'size 44/45', 'format Paragon', …"""
    identity = FACTS[deck.identity]
    if identity.type != "identity" or identity.side != side:
        return [f"identity {identity.title}"]
    size = sum(n for _, n in deck.cards)
    found = [f"size {size}/{identity.min_deck}"] if size < identity.min_deck else []
    found += [f"side {FACTS[code].title}" for code, _ in deck.cards if FACTS[code].side != side]
    found += [f"identity {FACTS[code].title}" for code, _ in deck.cards if FACTS[code].type == "identity"]
    packs, codes = FORMATS[form], (deck.identity, *(code for code, _ in deck.cards))
    found += [f"format {FACTS[code].title}" for code in codes if packs and FACTS[code].pack not in packs]
    found += [f"copies {FACTS[code].title} {n}" for code, n in deck.cards if n > FACTS[code].deck_limit]
    foreign = [(FACTS[code], n) for code, n in deck.cards if FACTS[code].faction != identity.faction]
    influence = sum(facts.influence * n for facts, n in foreign)
    if influence > identity.max_influence:
        found.append(f"influence {influence}/{identity.max_influence}")
    if side == CORP:
        agendas = [facts for facts, _ in foreign if facts.type == "agenda" and facts.faction != "neutral-corp"]
        found += [f"agenda {facts.title}" for facts in agendas]
        least = max(size, identity.min_deck)  # what is missing has to come, and counts towards the points wanted
        points, low = sum(FACTS[code].points * n for code, n in deck.cards), 2 * (least // 5) + 2
        found += [f"points {points}/{low}-{low + 1}"] if points not in (low, low + 1) else []
    return found


READY: Final[Mapping[str, Deck]] = {name: _from_text(text) for name, text in LISTS.items()}


def names_of(side: int, decks: Mapping[str, Deck]) -> tuple[str, ...]:
    """Return the names of those decks that are a side's."""
    return tuple(name for name, deck in decks.items() if FACTS[deck.identity].side == side)


def paired(corps: Sequence[str], runners: Sequence[str]) -> tuple[Pairing, ...]:
    """Return a pairing for each of the Corp's decks with each of the Runner's."""
    return tuple(({"deck": corp}, {"deck": runner}) for corp in corps for runner in runners)


SIDES_OF: Final = (names_of(CORP, STARTERS), names_of(RUNNER, STARTERS))
READY_OF: Final = (names_of(CORP, READY), names_of(RUNNER, READY))
OFFERED: Final = ((*SIDES_OF[CORP], *READY_OF[CORP]), (*SIDES_OF[RUNNER], *READY_OF[RUNNER]))
PAIRINGS: Final = paired(*SIDES_OF)
OTHER_PAIRINGS: Final[Mapping[str, tuple[Pairing, ...]]] = {
    "ready": paired(*READY_OF),
    "ready-starters": (*paired(READY_OF[CORP], SIDES_OF[RUNNER]), *paired(SIDES_OF[CORP], READY_OF[RUNNER])),
    "all": paired(*OFFERED),
}

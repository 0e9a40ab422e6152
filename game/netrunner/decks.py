"""Decks: the seven starters, the ready decks, what of a deck is stored, and legality (Netrunner §1.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game.contract import Json, Steps
from game.errors import BadNotation
from game.netrunner.cards import ENTRIES
from game.netrunner.decklist import DeckList, read_list, reading
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title
from game.netrunner.ready_decks import LISTS

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
EARLIER_LINE: Final = re.compile(r"(\d{1,2})x? +(.+)")
EARLIER_CHARS: Final = 4_000


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
    """Return a deck: the name of a starter or a ready deck, or a list in any form that `read_list` takes.

    Raises BadNotation where it can't be read or is not legal in the format (`FORMATS`).
    """
    if said is None or said == "":
        return STARTERS[DEFAULT[side]]
    ready = {**STARTERS, **READY}
    deck = ready[said] if isinstance(said, str) and said in ready else _earlier(said) or _own(said)
    wrong = problems(deck, side, form)
    if wrong:
        raise BadNotation("netrunner.error.deck", "; ".join(wrong)[:300])
    return deck


def reading_deck(said: Json) -> Steps:
    """Return a deck as a match stores it: a name of the game's own, else {"identity":…,"cards":{TITLE:N}} and no more.

    Raises BadNotation where it can't be read, with every line that was not; whether it is legal is not asked.
    """
    if said is None or said == "":
        return ""
    if isinstance(said, str) and (said in STARTERS or said in READY):
        return said
    deck = _deck((yield from reading(said)), said)
    cards: dict[str, Json] = {FACTS[code].title: n for code, n in deck.cards}
    return {"identity": FACTS[deck.identity].title, "cards": cards}


def _own(said: Json) -> Deck:
    """Read a deck that is not one of the game's. Raises BadNotation."""
    return _deck(read_list(said), said)


def _deck(given: DeckList, said: Json) -> Deck:
    """Return a list as a deck. Raises BadNotation, with every line that was not read."""
    if given.faults:
        raise BadNotation(f"netrunner.error.list-{given.faults[0].kind}", "; ".join(map(str, given.faults))[:300])
    if not given.identity:
        raise BadNotation("netrunner.error.list-no-identity", said.strip()[:60] if isinstance(said, str) else "")
    return Deck(given.identity, given.cards)


def _earlier(said: Json) -> Deck | None:
    """Read a list that an earlier release stored with a match as it was written: 'Diesel' alone was one copy."""
    if not isinstance(said, str) or len(said) > EARLIER_CHARS:
        return None
    identity, counted = "", Counter[str]()
    for line in filter(None, map(str.strip, said.splitlines())):
        match = EARLIER_LINE.fullmatch(line)
        code = CODES.get(plain_title(match.group(2) if match else line))
        if code is None or code not in ENTRIES:
            return None
        if FACTS[code].type == "identity":
            identity = code
        else:
            counted[code] += int(match.group(1)) if match else 1
    return Deck(identity, tuple(sorted(counted.items()))) if identity else None


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


READY: Final[Mapping[str, Deck]] = {name: _own(text) for name, text in LISTS.items()}


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

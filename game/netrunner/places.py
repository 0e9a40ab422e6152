"""References and filters: naming the cards that may be chosen, and finding them again (Netrunner §5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, assert_never

from game.netrunner.facts import FACTS, RUNNER, Kind, plain_title, title
from game.netrunner.filters import Filter, InZone, OnTable, TablePool, TableTrait, ZoneTrait
from game.netrunner.queries import can_be_advanced, is_a, server_of
from game.netrunner.state import Card
from game.netrunner.table import Table, facts, is_facedown

REFERENCE = re.compile(
    r'(ice:\w+|root:\w+|rig|score|their-score|play|current|archives|heap|hand|hosted:.+):(\d+|"[^"]*")'
)


@dataclass(frozen=True, slots=True)
class Choosable:
    """Something that may be chosen: its text, and where it is: an id, or a zone and an index."""

    text: str
    iid: int = 0
    zone: str = ""
    index: int = 0

    @property
    def target(self) -> tuple[int, str, int]:
        """Return where it is, as frames keep it."""
        return (self.iid, self.zone, self.index)


def quoted(code: str) -> str:
    """Return a card's title in quotes, as actions say it."""
    return f'"{title(code)}"'


def ref(t: Table, card: Card, seat: int) -> str:
    """Return the reference by which a seat names a card on the table; rig cards by title where there is one only."""
    place = place_of(t, card, seat)
    if place == "identity":
        return "identity"
    row = t.hosted(card.host) if card.place == "hosted" else t.at(card.place)
    if place == "rig" and card.rezzed and [one.code for one in row if one.rezzed].count(card.code) == 1:
        return f"rig:{quoted(card.code)}"
    return f"{place}:{[one.iid for one in row].index(card.iid)}"


def place_of(t: Table, card: Card, seat: int) -> str:
    """Return the place of a card as a seat names it."""
    if card.place == "hosted":
        return f"hosted:{ref(t, t.cards[card.host], seat)}"
    if card.place.startswith("score:"):
        return "score" if card.place == ("score:corp", "score:runner")[seat] else "their-score"
    return card.place


def find(t: Table, text: str, seat: int) -> Card | None:
    """Return the card on the table that a seat's reference names, by index or by title, or None."""
    if text == "identity":
        return next((c for c in t.at("identity") if c.side == seat), None)
    match = REFERENCE.fullmatch(text)
    if match is None:
        return None
    place, which = match.groups()
    if place.startswith("hosted:"):
        host = find(t, place[7:], seat)
        row = t.hosted(host.iid) if host else []
    elif place in ("score", "their-score"):
        row = t.at(("score:corp", "score:runner")[seat if place == "score" else 1 - seat])
    else:
        row = t.at(place)
    if which.startswith('"'):
        name = plain_title(which[1:-1])
        row = [card for card in row if plain_title(facts(card).title) == name and may_know(card, seat)]
        return row[0] if len(row) == 1 else None
    return row[int(which)] if int(which) < len(row) else None


def may_know(card: Card, seat: int) -> bool:
    """Tell whether a seat may know what a card on the table is."""
    if is_facedown(card):
        return False  # its owner names it by its place, too
    return card.side == seat or card.rezzed or card.seen or not card.place.startswith(("ice:", "root:"))


def canonical(t: Table, word: str, seat: int) -> str:
    """Return a reference as choices list it; any other word as it is."""
    if REFERENCE.fullmatch(word) is None:
        return word
    zone, _, which = word.partition(":")
    if zone == "hand":
        hand = t.hand(seat)
        return which if which.startswith('"') else (quoted(hand[int(which)]) if int(which) < len(hand) else word)
    if zone in ("archives", "heap") and which.startswith('"'):
        codes = [code for code, _ in t.archives] if zone == "archives" else t.heap
        places = [i for i, code in enumerate(codes) if plain_title(title(code)) == plain_title(which[1:-1])]
        return f"{zone}:{places[0]}" if places else word
    card = find(t, word, seat)
    return ref(t, card, seat) if card else word


OPEN_TRAITS: Final = ("rezzed", "unrezzed", "other", "here", "advanced")  # of a facedown card, too


def candidates(t: Table, what: Filter, seat: int, source: int = 0) -> list[Choosable]:
    """Return what a filter lets a seat choose from, in order."""
    mine = t.cards.get(source)
    if isinstance(what, InZone):
        zones = ("hq", "archives") if what.pool == "hq+archives" else (what.pool,)
        return [item for zone in zones for item in _in_zone(t, zone, what, mine)]
    cards = [card for card in _pool(t, what.pool) if all(has_trait(t, card, trait, mine) for trait in what.traits)]
    return [Choosable(ref(t, card, seat), card.iid) for card in cards]


def may_hide(t: Table, what: OnTable, mine: Card | None) -> bool:
    """Tell whether one of the facedown cards may be what a filter wants, as far as the other side can know."""
    hidden = [card for card in _pool(t, what.pool) if not card.rezzed and card.place.startswith(("ice:", "root:"))]
    seen = [trait for trait in what.traits if trait in OPEN_TRAITS]
    return any(all(has_trait(t, card, trait, mine) for trait in seen) for card in hidden)


def _pool(t: Table, pool: TablePool) -> list[Card]:
    cards = sorted(t.cards.values(), key=lambda card: (card.place, card.host))
    match pool:
        case "ice":
            return [card for card in cards if card.place.startswith("ice:")]
        case "root":
            return [card for card in cards if card.place.startswith("root:")]
        case "corp":
            return [card for card in cards if card.place.startswith(("ice:", "root:"))]
        case "rig":
            return [card for card in cards if card.side == RUNNER and card.place in ("rig", "hosted")]
        case "score":
            return [card for card in cards if card.place == "score:corp"]
        case "stolen":
            return [card for card in cards if card.place == "score:runner"]
        case _:
            assert_never(pool)


def has_trait(t: Table, card: Card, trait: TableTrait | Kind, mine: Card | None) -> bool:
    """Tell whether a card on the table has a trait."""
    match trait:
        case "rezzed":
            return card.rezzed
        case "unrezzed":
            return not card.rezzed
        case "advanceable":
            return can_be_advanced(card)
        case "other":
            return mine is None or card.iid != mine.iid
        case "here":
            return mine is not None and server_of(card) == server_of(mine)
        case "advanced":
            return card.advancement > 0
        case "non-virtual":
            return not is_a(t, card, "virtual")
        case _:
            return is_a(t, card, trait)


def _in_zone(t: Table, zone: str, what: InZone, mine: Card | None) -> list[Choosable]:
    """Return the cards of a hand, deck or heap; hands and decks by title, each title once."""
    codes = [code for code, _ in t.archives] if zone == "archives" else getattr(t, zone)
    found: dict[str, Choosable] = {}
    for i, code in enumerate(codes[: what.size] if what.size else codes):
        if code not in FACTS or not all(_is(t, code, trait, mine) for trait in what.traits):
            continue
        text = f"{zone}:{i}" if zone in ("archives", "heap") else quoted(code)
        found.setdefault(text, Choosable(text, 0, zone, i))
    return list(found.values())


def _is(t: Table, code: str, trait: ZoneTrait | Kind, mine: Card | None) -> bool:
    """Tell whether a card that is not on the table has a trait."""
    kind = FACTS[code].type
    match trait:
        case "hardware-or-program":
            return kind in ("hardware", "program")
        case "installable":
            return kind in ("agenda", "asset", "upgrade", "ice")
        case "rootable":
            return kind in ("agenda", "asset", "upgrade")
        case "runner-installable":
            return kind in ("program", "hardware", "resource")
        case "own-faction":
            return FACTS[code].faction == FACTS[t.identities[RUNNER]].faction
        case "worth-power":
            return mine is not None and FACTS[code].points == mine.power
        case "same":
            return mine is not None and mine.code == code
        case _:
            return trait in FACTS[code].subtypes or trait == kind

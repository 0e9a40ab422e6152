"""What one seat knows of a table: the same answers whether the table is a view's scene or a sampled full state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from game.contract import Choice
from game.netrunner.bots.tables import DECK_POINTS
from game.netrunner.facts import CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.queries import amount, link, points, statics
from game.netrunner.state import Card
from game.netrunner.table import Table, is_facedown
from game.netrunner.vocabulary import Reach
from game.netrunner.zones import CORP_KNOWS, RUNNER_KNOWS


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat owes. `about` holds the prompt's parameters."""

    seat: int
    prompt: str
    choice: Choice
    about: Mapping[str, Any]


class Sight:
    """One seat's look at a table. It never reads what that seat may not know, even where the table holds it."""

    def __init__(self, t: Table, seat: int) -> None:
        self.t = t
        self.seat = seat
        self.noted: dict[str, int] = {}  # cached numbers, by name
        self.ways: dict[tuple[int, str, str], Any] = {}  # cached ways past ice, by its id, code and place

    def code(self, card: Card) -> str:
        """Return what a card is, "?" if this seat does not know it."""
        if self.seat == RUNNER and not card.rezzed and not card.seen and card.place.startswith(("ice:", "root:")):
            return HIDDEN
        return card.code

    @cached_property
    def by_place(self) -> dict[str, list[Card]]:
        """Return the cards on the table by place."""
        found: dict[str, list[Card]] = {}
        for card in self.t.cards.values():
            found.setdefault(card.place, []).append(card)
        return found

    def ice(self, server: str) -> list[Card]:
        """Return the ice protecting a server, innermost first."""
        return self.by_place.get(f"ice:{server}", [])

    def root(self, server: str) -> list[Card]:
        """Return what lies in the root of a server."""
        return self.by_place.get(f"root:{server}", [])

    @cached_property
    def servers(self) -> list[str]:
        """Return the servers there are."""
        return self.t.servers()

    @cached_property
    def remotes(self) -> list[str]:
        """Return the remote servers there are."""
        return self.servers[3:]

    @cached_property
    def rig(self) -> list[Card]:
        """Return the Runner's installed cards without those that lie facedown, which do nothing."""
        return [card for card in self.t.rig() if not is_facedown(card)]

    @cached_property
    def breakers(self) -> list[Card]:
        """Return the Runner's installed icebreakers."""
        return [card for card in self.rig if "icebreaker" in FACTS[card.code].subtypes]

    @cached_property
    def modifiers(self) -> list[tuple[Card, int, Reach]]:
        """Return what active cards add to strengths: source, amount, what it reaches."""
        found = []
        for card, static in statics(self.t):
            if static.kind == "strength":
                found.append(
                    (
                        card,
                        amount(self.t, {"iid": card.iid}, static.n),
                        static.what,
                    )
                )
        return found

    @cached_property
    def link(self) -> int:
        """Return the Runner's link strength."""
        return link(self.t)

    @cached_property
    def has_programs(self) -> bool:
        """Tell whether the Runner has a program to lose."""
        return any(FACTS[card.code].type == "program" for card in self.rig)

    @cached_property
    def scores(self) -> tuple[int, int]:
        """Return the agenda points of both sides."""
        return points(self.t, CORP), points(self.t, RUNNER)

    @cached_property
    def hand(self) -> list[str]:
        """Return this seat's own hand."""
        return self.t.hand(self.seat)

    @cached_property
    def undrawn(self) -> Counter[str] | None:
        """Return what this seat's own deck still holds, None where its list is not known."""
        return left_in_deck(self.t, self.seat)

    def needs(self, side: int) -> int:
        """Return how many points a side still needs to win."""
        return 7 - self.scores[side]

    def seen_in(self, zone: str) -> list[str]:
        """Return the cards of a hidden zone of the Corp as this seat knows them, "?" for the others."""
        row: list[str] = getattr(self.t, zone)
        if self.seat == CORP and zone == "hq":
            return row
        bit = CORP_KNOWS if self.seat == CORP else RUNNER_KNOWS
        marks = self.t.known.get(zone, [])
        marks = [*marks, *[0] * (len(row) - len(marks))]
        return [code if mark & bit else HIDDEN for code, mark in zip(row, marks, strict=True)]

    @cached_property
    def density(self) -> float:
        """Return how many agenda points a card that is hidden from the Runner holds on average.

        For the Corp, which knows its own list, it is the average of the cards of R&D that it has not seen.
        """
        t = self.t
        if self.seat == CORP:
            own = density_of_rd(t, [code for code in self.seen_in("rd") if code != HIDDEN])
            if own is not None:
                return own
        known = sum(self.scores) + sum(FACTS[code].points for code, up in t.archives if up)
        known += sum(FACTS[code].points for code in t.removed if FACTS[code].side == CORP)
        hidden = sum(1 for _, up in t.archives if not up)
        for zone in ("hq", "rd") if self.seat == RUNNER else ():
            seen = [code for code in self.seen_in(zone) if code != HIDDEN]
            known += sum(FACTS[code].points for code in seen)
            hidden += len(getattr(t, zone)) - len(seen)
        if self.seat == CORP:
            hidden += len(t.hq) + len(t.rd)
        for card in t.cards.values():
            if card.place.startswith("root:") and not card.rezzed:
                if card.seen:
                    known += FACTS[card.code].points if card.code != HIDDEN else 0
                else:
                    hidden += 1
        return max(0.0, DECK_POINTS - known) / max(1, hidden)


@lru_cache(maxsize=64)
def points_of(deck: tuple[str, ...]) -> int:
    """Return the agenda points of a list."""
    return sum(FACTS[code].points for code in deck)


def elsewhere(t: Table, side: int) -> list[str]:
    """Return the cards of a side that have left its deck, as that side knows them; its deck itself is not read."""
    found = [card.code for card in t.cards.values() if card.side == side]
    found += [code for code in t.removed if code in FACTS and FACTS[code].side == side]
    if side == CORP:
        return [*found, *t.hq, *(code for code, _ in t.archives)]
    return [*found, *t.grip, *t.heap]


def left_in_deck(t: Table, side: int) -> Counter[str] | None:
    """Return how often each card is still in a side's own deck, None where its list is not known."""
    deck = t.decks[side]
    return Counter(deck) - Counter(elsewhere(t, side)) if deck else None


def density_of_rd(t: Table, seen: list[str]) -> float | None:
    """Return the points of a card of R&D that its owner hasn't seen, on average; None where the list is not known.

    `seen` are the cards of R&D that the Corp has seen there.
    """
    deck = t.decks[CORP]
    if not deck:
        return None
    left = points_of(deck) - sum(FACTS[code].points for code in elsewhere(t, CORP))
    left -= sum(FACTS[code].points for code in seen)
    return max(0, left) / max(1, len(t.rd) - len(seen))

"""Checks on written positions: one that no match can reach is refused (Netrunner §1.5)."""

from __future__ import annotations

import re
from typing import Final

from game.netrunner.action_text import SERVER
from game.netrunner.facts import FACTS
from game.netrunner.fields import bad
from game.netrunner.filters import OnTable
from game.netrunner.places import has_trait
from game.netrunner.queries import is_a, shelf_room
from game.netrunner.state import Card
from game.netrunner.table import Table, entry, facts, is_facedown
from game.netrunner.vocabulary import CardEntry, Choose, HostIdentity, HostSelf

# The facts of a turn that a position may hold; `success` without a server is read, too.
FACT: Final = re.compile(
    "made_run|successful_run|unsuccessful_run|run_ended|success|installed|scored|stole|accessed|trashed_corp_card|"
    "accessed-trashed|tag-gone|trashed:program-or-hardware|damage:(net|meat|brain)|(used|scored-id|rezzed-id):[0-9]+|"
    f"installed:(program|hardware|resource)|(run|success):({SERVER})"
)


def check(t: Table) -> None:
    """Refuse a position that no match can reach. Raises BadNotation."""
    for fact in (*t.this_turn, *t.last_turn):
        if FACT.fullmatch(fact) is None:
            bad(f"unknown fact {fact}")
    for server in t.servers():
        check_root(server, t.root(server))
    for card in t.cards.values():
        if card.place == "hosted" and not may_host(t, t.cards[card.host], card):
            bad(f"{FACTS[card.code].title} can't be hosted on {FACTS[t.cards[card.host].code].title}")
    currents = t.at("current")
    if len(currents) > 1 or any("current" not in facts(card).subtypes for card in currents):
        bad("current")


def check_root(server: str, cards: list[Card]) -> None:
    """Refuse what can't lie in the root of a server, or not together."""
    if sum(facts(card).type in ("agenda", "asset") for card in cards) > 1:
        bad(f"two agendas or assets in {server}")
    if sum("region" in facts(card).subtypes for card in cards) > 1:
        bad(f"two regions in {server}")
    for card in cards:
        if entry(card.code).only_in not in ("", server):
            bad(f"{facts(card).title} can't be in {server}")
        if facts(card).type == "agenda" and card.rezzed:
            bad(f"{facts(card).title} can't be rezzed")


def may_host(t: Table, host: Card, guest: Card) -> bool:
    """Tell whether a card can have come to be hosted on another one; ice may have been derezzed since."""
    if is_facedown(host) or is_facedown(guest):
        return False
    shelf, kind = entry(host.code), facts(guest).type
    if shelf.hosts:
        return kind == "program" and not is_a(t, guest, "icebreaker") and shelf_room(t, host) >= 0
    if kind == "identity":
        return any(isinstance(effect, HostIdentity) for on in shelf.on for effect in on.do)
    return any(fits(t, host, what) for what in hosts_of(entry(guest.code)))


def hosts_of(entered: CardEntry) -> list[OnTable]:
    """Return the filters of what a card is installed on, or hosts itself on."""
    done = [*entered.play, *(effect for ability in entered.abilities for effect in ability.do)]
    chosen = [one for one in done if isinstance(one, Choose) and any(isinstance(do, HostSelf) for do in one.do)]
    return [what for what in (entered.host, *(one.what for one in chosen)) if isinstance(what, OnTable)]


def fits(t: Table, host: Card, what: OnTable) -> bool:
    """Tell whether a card fits a filter of hosts, rezzed or not."""
    places = ("ice:",) if what.pool == "ice" else ("rig", "hosted")
    return host.place.startswith(places) and all(
        trait == "rezzed" or has_trait(t, host, trait, None) for trait in what.traits
    )

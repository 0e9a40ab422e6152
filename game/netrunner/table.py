"""The mutable copy of a state during one action, with its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, Unpack

from game.contract import Event, Json, Seat
from game.netrunner import changes
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import BLANK, CORP, FACTS, HIDDEN, RUNNER, Facts, title
from game.netrunner.frames import Pending, Variables, Vars, frozen, thawed
from game.netrunner.state import Card, Lasting, Run, State
from game.netrunner.vocabulary import CardEntry

T = TypeVar("T")
UNKNOWN = CardEntry()
CENTRALS = ("hq", "rd", "archives")
HANDS, DECKS = ("hq", "grip"), ("rd", "stack")
# Frames that an effect puts above its own: what happens in them comes from its card.
PART_OF_EFFECT = ("ask", "cheapen", "harm", "install-corp", "install-runner", "memory", "pay", "rez")
ALL_KNOW: Final = 7  # the sum of the bits of those who may know a card of a hidden zone


class Table:
    """A mutable match. Read attributes directly; write through the methods that record events, where there is one."""

    def __init__(self, state: State) -> None:
        self.version = state.version
        self.rng = state.rng
        self.identities = state.identities
        self.turn, self.step = state.turn, state.step
        self.credits, self.clicks = [*state.credits], [*state.clicks]
        self.tags, self.brain, self.bad_publicity = state.tags, state.brain, state.bad_publicity
        self.hq, self.rd, self.archives = [*state.hq], [*state.rd], [*state.archives]
        self.grip, self.stack, self.heap, self.removed = [*state.grip], [*state.stack], [*state.heap], [*state.removed]
        self.cards = {card.iid: card for card in state.cards}
        self.run: Run | None = state.run
        self.this_turn, self.last_turn = [*state.this_turn], [*state.last_turn]
        self.lasting: list[Lasting] = [*state.lasting]
        self.queue: list[Pending] = []  # triggers met since the last checkpoint
        self.frames: list[Vars] = [thawed(frame) for frame in state.frames]
        self.next_iid = state.next_iid
        self.auto = [*state.auto]
        self.outcome = state.outcome
        self.known = {zone: [*marks] for zone, marks in state.known}
        self.decks, self.hands = state.decks, state.hands
        self.events: list[Event] = []
        self._noted: dict[str, Any] = {}  # values cached until a card on the table changes

    def freeze(self) -> State:
        """Return the state; cards in the order in which positions are written."""
        return State(
            version=self.version,
            rng=self.rng,
            identities=self.identities,
            turn=self.turn,
            step=self.step,
            credits=(self.credits[0], self.credits[1]),
            clicks=(self.clicks[0], self.clicks[1]),
            tags=self.tags,
            brain=self.brain,
            bad_publicity=self.bad_publicity,
            hq=tuple(self.hq),
            rd=tuple(self.rd),
            archives=tuple(self.archives),
            grip=tuple(self.grip),
            stack=tuple(self.stack),
            heap=tuple(self.heap),
            removed=tuple(self.removed),
            cards=tuple(sorted(self.cards.values(), key=lambda card: (card.place, card.host))),
            run=self.run,
            this_turn=tuple(self.this_turn),
            last_turn=tuple(self.last_turn),
            lasting=tuple(self.lasting),
            frames=tuple(frozen(frame) for frame in self.frames),
            next_iid=self.next_iid,
            auto=tuple(self.auto),
            outcome=self.outcome,
            known=tuple((zone, trimmed(marks)) for zone, marks in sorted(self.known.items()) if any(marks)),
            decks=self.decks,
            hands=self.hands,
        )

    # Cards on the table.

    def put(self, code: str, side: int, place: str, **more: Any) -> Card:
        """Put a card on the table with a new id; it is the outermost or last of its place."""
        card = Card(self.next_iid, code, side, place, **more)
        self.next_iid += 1
        self.cards[card.iid] = card
        self._noted.clear()
        return card

    def change(self, iid: int, **more: Any) -> Card:
        """Change a card on the table."""
        card = replace(self.cards[iid], **more)
        self.cards[iid] = card
        self._noted.clear()
        return card

    def remove(self, iid: int) -> Card:
        """Take a card off the table."""
        self._noted.clear()
        return self.cards.pop(iid)

    def noted(self, name: str, work_out: Callable[[Table], T]) -> T:
        """Return a value that depends on the cards on the table alone, cached until one of them changes."""
        if name not in self._noted:
            self._noted[name] = work_out(self)
        found: T = self._noted[name]
        return found

    def at(self, place: str) -> list[Card]:
        """Return the cards of a place in order (ice: innermost first)."""
        return [card for card in self.cards.values() if card.place == place]

    def ice(self, server: str) -> list[Card]:
        """Return the ice protecting a server, innermost first."""
        return self.at(f"ice:{server}")

    def root(self, server: str) -> list[Card]:
        """Return what lies in the root of a server."""
        return self.at(f"root:{server}")

    def order(self, iids: list[int]) -> None:
        """Reorder the cards: those named come first, in this order (within a place the first is the innermost)."""
        cards = {iid: self.cards[iid] for iid in iids}
        self.cards = {**cards, **self.cards}
        self._noted.clear()

    def servers(self) -> list[str]:
        """Return the servers there are: the centrals, then the remotes by number."""
        remotes = {card.place.split(":")[1] for card in self.cards.values() if ":remote" in card.place}
        return [*CENTRALS, *sorted(remotes, key=lambda name: int(name[6:]))]

    def hosted(self, iid: int) -> list[Card]:
        """Return what is hosted on a card."""
        return [card for card in self.cards.values() if card.host == iid and card.place == "hosted"]

    def rig(self) -> list[Card]:
        """Return the Runner's installed cards, hosted ones too."""
        cards = [card for card in self.cards.values() if card.side == RUNNER and card.place in ("rig", "hosted")]
        return [card for card in cards if facts(card).type != "identity"]

    def active(self) -> list[Card]:
        """Return the cards whose abilities hold: identities, scored agendas, what is rezzed, the rig, what is played.

        In the order in which they came onto the table.
        """
        return self.noted("active", active_cards)

    # Events.

    def tell(
        self, kind: str, public: Mapping[str, Json] | None, private: Mapping[int, Mapping[str, Json]] = {}
    ) -> None:
        """Add an event: its public parameters, and further ones for some seats.

        What a card's effect does names the card as its `source`, where everybody may know which card that is and the
        event is not about that card itself.
        """
        source = source_of(self) if public is not None and changes.effects_name_their_source(self.version) else ""
        if public is not None and source and source not in (public.get("card"), public.get("with")):
            public = {**public, "source": source}
        self.events.append(Event(kind, public, {Seat(seat): {**(public or {}), **k} for seat, k in private.items()}))

    def fact(self, name: str) -> None:
        """Record that something happened this turn."""
        self.this_turn.append(name)

    def moment(self, name: str) -> None:
        """Record a fact that only cards of later sets need; version 1 does not record it."""
        if changes.later_sets_are_told(self.version):
            self.fact(name)

    # Frames.

    def push(self, op: str, **data: Unpack[Variables]) -> Vars:
        """Put a frame on the stack."""
        frame: Vars = {"op": op, **data}
        self.frames.append(frame)
        return frame

    def pop(self) -> Vars:
        """Take the top frame off the stack."""
        return self.frames.pop()

    def is_over(self) -> bool:
        """Tell whether the match has ended."""
        return self.outcome is not None

    def finish(self, winner: int, reason: str) -> None:
        """End the match, unless it is over already."""
        if self.outcome is None:
            self.outcome = (winner, reason)
            self.frames.clear()
            self.queue.clear()
            self.tell("won", {"side": winner, "reason": reason})

    def deck(self, side: int) -> list[str]:
        """Return a side's deck, top first."""
        return self.rd if side == CORP else self.stack

    def hand(self, side: int) -> list[str]:
        """Return a side's hand."""
        return self.hq if side == CORP else self.grip

    def marks(self, zone: str) -> list[int]:
        """Return who knows each card of a hidden zone, one sum of bits a card; to be changed in place."""
        marks = self.known.setdefault(zone, [])
        marks.extend([0] * (len(getattr(self, zone)) - len(marks)))
        return marks

    def shuffle(self, side: int) -> None:
        """Shuffle a deck; nobody knows its order any more."""
        shuffled, self.rng = self.rng.shuffle(self.deck(side))
        self.deck(side)[:] = shuffled
        self.known.pop(DECKS[side], None)
        self.tell("shuffled", {"side": side})

    def draw(self, side: int, n: int) -> None:
        """Draw cards; the Corp loses when it must draw from an empty R&D (Netrunner §1.2)."""
        deck, marks = self.deck(side), self.marks(DECKS[side])
        drawn, known = deck[:n], marks[:n]
        self.marks(HANDS[side]).extend(known)
        del deck[:n], marks[:n]
        self.hand(side).extend(drawn)
        self.tell("drew", {"side": side, "count": len(drawn)}, {side: {"cards": [title(code) for code in drawn]}})
        if side == CORP and len(drawn) < n:
            self.finish(RUNNER, "decked")

    def gain(self, side: int, n: int) -> None:
        """Gain credits."""
        if n > 0:
            self.credits[side] += n
            self.tell("gained", self.credits_told(side, n))

    def lose(self, side: int, n: int) -> int:
        """Lose credits, as many as there are; return how many."""
        lost = min(n, self.credits[side])
        if lost > 0:
            self.credits[side] -= lost
            self.tell("lost", self.credits_told(side, lost))
        return lost

    def credits_told(self, side: int, n: int) -> dict[str, Json]:
        """Return what is told of credits that came or went: how many, and how many there are now."""
        told: dict[str, Json] = {"side": side, "credits": n}
        return told | {"total": self.credits[side]} if changes.effects_name_their_source(self.version) else told


def source_of(t: Table) -> str:
    """Return the title of the card whose effect is being carried out; empty: none is, or not everybody may know it."""
    for frame in reversed(t.frames):
        if frame["op"] == "do":
            return title(frame["code"]) if is_open(t, frame) else ""
        if frame["op"] == "access" and frame.get("said") == "steal":
            return title(accessed_code(t, frame))  # who pays to steal it shows it
        if frame["op"] not in PART_OF_EFFECT:
            return ""
    return ""


def accessed_code(t: Table, f: Vars) -> str:
    """Return the code of the card that is being accessed; '' for one that has left the table."""
    if f["iid"]:
        return t.cards[f["iid"]].code if f["iid"] in t.cards else ""
    if f["zone"] == "archives":
        return t.archives[f["index"]][0]
    row = t.hq if f["zone"] == "hq" else t.rd
    return row[f["index"]]


def is_open(t: Table, f: Vars) -> bool:
    """Tell whether everybody may know whose effect this is; one that happens at an access only if the card is shown."""
    if f["path"][0] != "access":
        return True  # what is active lies face up, and what triggers as it leaves did
    if f["iid"]:
        card = t.cards.get(f["iid"])
        return card is not None and (card.rezzed or card.shown)
    access = next((frame for frame in reversed(t.frames) if frame["op"] == "access"), None)
    if access is None or access.get("gone"):
        return False
    zone, index = access["zone"], access["index"]
    return bool(t.archives[index][1]) if zone == "archives" else t.marks(zone)[index] == ALL_KNOW


def trimmed(marks: list[int]) -> tuple[int, ...]:
    """Return marks without the zeros at the end."""
    return tuple(marks[: max((i + 1 for i, mark in enumerate(marks) if mark), default=0)])


def active_cards(t: Table) -> list[Card]:
    """Return the cards whose abilities hold: the active ones but those that another one has blanked."""
    cards = [card for card in t.cards.values() if is_active(card)]
    blank = {
        iid for card in cards for static in entry(card.code).static if static.kind == "blanks" for iid in card.note
    }
    if not blank:
        return cards
    blank |= {card.iid for card in cards if card.host in blank and facts(card).type == "identity"}
    return [card for card in cards if card.iid not in blank]


def is_able(t: Table, card: Card) -> bool:
    """Tell whether a card's abilities hold: it is active and not blanked."""
    return card.iid in t.noted("able", lambda t: {one.iid for one in t.active()})


def is_active(card: Card) -> bool:
    """Tell whether a card is active: faceup, and not in the Runner's score area."""
    if card.place.startswith(("ice:", "root:", "rig", "hosted")):
        return card.rezzed
    return card.place != "score:runner"


def is_facedown(card: Card) -> bool:
    """Tell whether this is one of the Runner's cards that lies facedown: it is nothing but an installed card."""
    return not card.rezzed and card.place in ("rig", "hosted")


def facts(card: Card) -> Facts:
    """Return what is printed on a card; nothing on one that the Runner has installed facedown."""
    return BLANK if is_facedown(card) else FACTS[card.code]


def entry(code: str) -> CardEntry:
    """Return what a card does; of one that the viewer does not know, nothing."""
    return UNKNOWN if code == HIDDEN else ENTRIES[code]

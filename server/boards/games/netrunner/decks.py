"""Netrunner's decks for the screens that paste, build and choose them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from game.netrunner.cards import ENTRIES
from game.netrunner.deckline import entry_of
from game.netrunner.decklist import FAULTS, TYPES, DeckList, Fault, read_list, reading, written
from game.netrunner.decks import DEFAULT, FORMATS, READY, STARTERS, Deck, problems
from game.netrunner.facts import CORP, FACTS, Facts
from game.netrunner.titles import code_of_title
from server.boards.decks import DeckBook, DeckMeasure, Options, PastedDeck, PoolCard
from server.boards.games.netrunner import details
from server.boards.saying import sentence
from server.terminal.lines import Line, joined, wrapped
from server.terminal.look import Look

OWN = {**STARTERS, **READY}
SETS = ("core", "reverie", "others")
PACKS = {"core": "core", "rar": "reverie"}  # all other packs are "others"
UNREAD_CARDS = ("card", "number")  # faults that stand for copies of a card
OF_A_CARD = ("side", "format", "copies", "agenda")  # problems that a single card has


@lru_cache(maxsize=128)
def understood(text: str) -> DeckList:
    """Read a list as it is kept with an account."""
    return read_list(text)


def influence_of(facts: Facts, identity: str) -> int:
    """Return what a copy costs a deck of this identity."""
    own = identity in FACTS and FACTS[identity].faction == facts.faction
    return 0 if own else facts.influence


class NetrunnerDecks:
    """What the screens ask; keeps no state."""

    formats = tuple(FORMATS)
    sets = SETS

    def format_of(self, options: Options) -> str:
        form = str(options.get("format", ""))
        return form if form in FORMATS else self.formats[0]

    def format_word(self, form: str, look: Look) -> str:
        return look.t(f"netrunner.option.format.{form or self.formats[0]}")

    def set_word(self, name: str, look: Look) -> str:
        return look.t(f"netrunner.deck.set.{name}")

    def reading(self, text: str) -> Generator[None, None, PastedDeck]:
        read = yield from reading(text)
        return PastedDeck(written(read), read.name)

    def exported(self, text: str, name: str) -> str:
        return written(understood(text), name, is_marked=False)

    def kept(self, text: str) -> str:
        return written(without_totals(understood(text)))

    def seat_of(self, text: str) -> int | None:
        read = understood(text)
        codes = [read.identity] if read.identity else [code for code, _ in read.cards[:1]]
        return FACTS[codes[0]].side if codes else None

    def problems(self, text: str, seat: int, look: Look, form: str = "") -> list[str]:
        read = understood(text)
        told = [fault_words(fault, look) for fault in read.faults]
        if not read.identity:
            return [*told, look.t("netrunner.deck.problem.no-identity")]
        found = problems(Deck(read.identity, read.cards), seat, form or self.formats[0])
        missing = sum(unread_count(fault) or 1 for fault in read.faults if fault.kind in UNREAD_CARDS)
        return [*told, *(problem_words(one, look) for one in found if not (missing and may_pass(one, missing)))]

    def summary(self, text: str, look: Look) -> str:
        read = understood(text)
        unread = sum(fault.kind in UNREAD_CARDS for fault in read.faults)
        more = look.t("netrunner.deck.unread", n=unread) if unread else ""
        return f"{self._numbers(read, look)}{more}"

    def _numbers(self, read: DeckList, look: Look) -> str:
        """Return the numbers of the cards that were read."""
        if not read.identity:
            return look.t("netrunner.deck.size", n=sum(n for _, n in read.cards))
        facts = FACTS[read.identity]
        size, influence, *points = measures_of(read, look)
        values = {"identity": facts.title.partition(":")[0], "size": size.have, "least": size.least}
        values |= {"spent": influence.have, "most": facts.max_influence}
        if not points:
            return look.t("netrunner.deck.summary", **values)
        (agendas,) = points
        return look.t("netrunner.deck.summary.corp", **values, points=agendas.have, wanted=agendas.wanted)

    def measures(self, text: str, look: Look) -> Sequence[DeckMeasure]:
        read = understood(text)
        return measures_of(read, look) if read.identity else ()

    def starter(self, value: str, seat: int) -> str:
        deck = OWN.get(value, STARTERS[DEFAULT[seat]])
        return written(DeckList(deck.identity, deck.cards))

    def allows(self, value: str, seat: int, form: str) -> bool:
        return is_allowed(value, seat, form or self.formats[0])

    def pool(self, text: str, seat: int, look: Look, form: str = "") -> Sequence[PoolCard]:
        read = understood(text)
        counted = dict(read.cards)
        packs = FORMATS[form or self.formats[0]]
        found = [FACTS[code] for code in ENTRIES if FACTS[code].side == seat and FACTS[code].type != "identity"]
        found += [FACTS[code] for code in counted if FACTS[code].side != seat]
        wrong = self._wrong(read, seat, form, look)
        cards = [
            PoolCard(
                facts.title,
                counted.get(facts.code, 0),
                max(3, facts.deck_limit),
                look.t(f"netrunner.card.type.{facts.type}"),
                influence_of(facts, read.identity),
                PACKS.get(facts.pack, SETS[-1]),
                not packs or facts.pack in packs,
                wrong.get(facts.title, "") if facts.code in counted else "",
                facts.advancement if facts.type == "agenda" else facts.cost,
                points=facts.points,
            )
            for facts in sorted(found, key=lambda facts: (facts.side != seat, TYPES.index(facts.type), facts.title))
        ]
        return [*cards, *(unread_line(fault, look) for fault in without_totals(read).faults)]

    def _wrong(self, read: DeckList, seat: int, form: str, look: Look) -> dict[str, str]:
        """Return what is wrong with single cards of a deck, by title."""
        told = problems(Deck(read.identity, read.cards), seat, form or self.formats[0]) if read.identity else []
        told = [*told, *(f"side {FACTS[code].title}" for code, _ in read.cards if FACTS[code].side != seat)]
        found: dict[str, str] = {}
        for one in told:
            kind, _, rest = one.partition(" ")
            if kind in OF_A_CARD:
                found.setdefault(rest.rpartition(" ")[0] if kind == "copies" else rest, problem_words(one, look))
        return found

    def changed(self, text: str, title: str, by: int) -> str:
        read, code = without_totals(understood(text)), code_of_title(title)
        if code is None:
            kept = [fault for fault in read.faults if row_title(fault) != title]
            again = re_read(title) if by > 0 and len(kept) == len(read.faults) else None
            return written(replace(read, faults=(*kept, *([again] if again is not None else []))))
        counted = dict(read.cards)
        counted[code] = max(0, min(max(3, FACTS[code].deck_limit), counted.get(code, 0) + by))
        return written(replace(read, cards=tuple(sorted(counted.items()))))

    def next_identity(self, text: str, seat: int, step: int) -> str:
        read = understood(text)
        own = [code for code in ENTRIES if FACTS[code].type == "identity" and FACTS[code].side == seat]
        at = own.index(read.identity) + step if read.identity in own else 0
        return written(replace(read, identity=own[at % len(own)]))

    def identity(self, text: str) -> str:
        read = understood(text)
        return FACTS[read.identity].title if read.identity else ""

    def card_lines(self, title: str, look: Look, cols: int) -> list[Line]:
        code = code_of_title(title)
        if code is None:
            return wrapped(title, cols, "bad")
        return details.card_lines(code, look, cols)


def measures_of(read: DeckList, look: Look) -> list[DeckMeasure]:
    """Return the numbers of a deck with an identity: size, influence, of a Corp's the agenda points."""
    facts, t = FACTS[read.identity], look.t
    size = sum(n for _, n in read.cards)
    spent = sum(influence_of(FACTS[code], read.identity) * n for code, n in read.cards)
    found = [DeckMeasure(t("netrunner.deck.measure.size"), size, facts.min_deck)]
    found.append(DeckMeasure(t("netrunner.deck.measure.influence"), spent, most=facts.max_influence))
    if facts.side == CORP:
        points, low = sum(FACTS[code].points * n for code, n in read.cards), 2 * (max(size, facts.min_deck) // 5) + 2
        found.append(DeckMeasure(t("netrunner.deck.measure.points"), points, low, low + 1))
    return found


def without_totals(read: DeckList) -> DeckList:
    """Return a list without what disagreed when it was pasted: its numbers are others now, or are accepted."""
    return replace(read, faults=tuple(fault for fault in read.faults if fault.kind != "total"))


def unread_count(fault: Fault) -> int:
    """Return how many copies a line that was not read speaks of, 0 where that is not clear."""
    return entry_of(fault.text).n if fault.kind == "card" else 0


def may_pass(found: str, missing: int) -> bool:
    """Tell whether a finding of the rules may be gone once so many cards that are not read yet are."""
    kind, _, rest = found.partition(" ")
    have, _, wanted = rest.partition("/")
    return kind == "points" or (kind == "size" and int(have) + missing >= int(wanted))


def unread_line(fault: Fault, look: Look) -> PoolCard:
    """Return a line that was not read as a row: it can be seen, and taken away."""
    said, count = look.t("netrunner.deck.unknown"), unread_count(fault)
    return PoolCard(row_title(fault), count, 1, said, 0, problem=fault_words(fault, look), is_unread=True)


def row_title(fault: Fault) -> str:
    """Return what a row of a line that was not read begins with: its number and what it says."""
    return f"{fault.line}: {fault.text}"


def re_read(title: str) -> Fault | None:
    """Return the line that such a row is of, None for another text."""
    line, colon, text = title.partition(": ")
    kind = FAULTS.get(entry_of(text).kind, "total")
    return Fault(kind, int(line), text) if colon and line.isdecimal() else None


def fault_words(fault: Fault, look: Look) -> str:
    """Return why a line was not read, and which card it may mean."""
    said = look.t(f"netrunner.deck.fault.{fault.kind}", line=fault.line, text=fault.text)
    return joined((sentence(said, look), look.t("netrunner.deck.near", card=fault.near))) if fault.near else said


@cache
def is_allowed(value: str, seat: int, form: str) -> bool:
    """Tell whether a deck of the game's own is legal in a format; the side's usual one is in each."""
    return value not in OWN or not problems(OWN[value], seat, form)


def problem_words(found: str, look: Look) -> str:
    """Return a finding of the rules in words: 'size 44/45', 'copies Diesel 4', …"""
    kind, _, rest = found.partition(" ")
    if kind in ("size", "influence", "points"):
        have, _, wanted = rest.partition("/")
        return look.t(f"netrunner.deck.problem.{kind}", have=have, wanted=wanted)
    return look.t(f"netrunner.deck.problem.{kind}", card=rest)


BOOK: DeckBook = NetrunnerDecks()

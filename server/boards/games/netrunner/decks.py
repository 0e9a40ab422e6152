"""Netrunner's decks for the screens that paste, build and choose them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from game.netrunner.cards import ENTRIES
from game.netrunner.decks import DEFAULT, FORMATS, READY, STARTERS, Deck, problems
from game.netrunner.facts import CORP, FACTS, Facts, plain_title
from server.boards.decks import DeckBook, Options, PoolCard
from server.boards.games.netrunner import details
from server.terminal.lines import Line, wrapped
from server.terminal.look import Look

MOST_UNKNOWN = 40  # unknown lines that are told of
OWN = {**STARTERS, **READY}
SETS = ("core", "reverie", "others")
PACKS = {"core": "core", "rar": "reverie"}  # all other packs are "others"
OF_A_CARD = ("side", "format", "copies", "agenda")  # problems that a single card has
TYPES = ("event", "hardware", "program", "resource", "agenda", "asset", "ice", "operation", "upgrade")


@dataclass(frozen=True, slots=True)
class Read:
    """A list as it was understood. `identity` "": none was named; `unknown`: what looks like cards and is none."""

    identity: str
    cards: tuple[tuple[str, int], ...]
    unknown: tuple[str, ...]


@cache
def titles() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds a card of the game in a text, with how many of it, and the codes by plain title."""
    codes: dict[str, str] = {}
    for code in ENTRIES:
        title = plain_title(FACTS[code].title)
        codes[title.lower()] = code
        if FACTS[code].type == "identity":
            codes.setdefault(title.partition(":")[0].lower(), code)
    longest_first = sorted(codes, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest_first)
    before, behind = r"(?:(?<!\S)(\d{1,2})\s*x?\s+)?(?<![\w.])", r"(?![\w])(?:[ ]+x[ ]?(\d{1,2})(?!\w))?"
    return re.compile(f"{before}({names}){behind}", re.IGNORECASE), codes


# A number and a name that is no card's, to the end of its line or the next number before a name; or such a name and a
# number behind it ("Diesel x3"). Totals of deck builders ("45 cards", "15 influence spent") are none.
UNKNOWN = re.compile(
    r"(?<!\S)\d{1,2}x?[ ]+(?!(?:cards?|influence|agenda|points?|min|max|of)\b)[^\W\d_](?:(?![ ]\d{1,2}x?[ ])[^\n])*"
    r"|^[ ]*[^\W\d_][^\n]*?[ ]x[ ]?\d{1,2}(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
PIPS = " \u2022\u25cf"  # dots of influence behind a name


@lru_cache(maxsize=128)
def understood(text: str) -> Read:
    """Read a list: lines, or all in one line as a browser copies it; headings, set names and dots are no matter.

    Gaps are made small first: thousands of blanks after a number would take the pattern minutes.
    """
    pattern, codes = titles()
    plain = "\n".join(" ".join(line.split()) for line in plain_title(text).splitlines() if line.strip())
    identity, named, counted = "", 0, dict[str, int]()
    for found in pattern.finditer(plain):
        code = codes[found.group(2).lower()]
        if FACTS[code].type == "identity":
            if len(found.group(2)) > named:  # a full title says more than a faction's name in some heading
                identity, named = code, len(found.group(2))
        else:
            counted[code] = counted.get(code, 0) + int(found.group(1) or found.group(3) or 1)
    rest = re.sub(r"\([^)]{0,80}\)", " ", pattern.sub("\n", plain))
    unknown = tuple(" ".join(line.split()).rstrip(PIPS) for line in UNKNOWN.findall(rest))
    return Read(identity, tuple(sorted(counted.items())), unknown)


def written(read: Read) -> str:
    """Write a list: the identity, then the cards by type and title, then what was not understood."""
    cards = sorted(read.cards, key=lambda card: (TYPES.index(FACTS[card[0]].type), FACTS[card[0]].title))
    head = [FACTS[read.identity].title] if read.identity else []
    return "\n".join([*head, *(f"{n} {FACTS[code].title}" for code, n in cards if n > 0), *read.unknown])


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

    def read(self, text: str) -> str:
        return written(understood(text))

    def seat_of(self, text: str) -> int | None:
        read = understood(text)
        codes = [read.identity] if read.identity else [code for code, _ in read.cards[:1]]
        return FACTS[codes[0]].side if codes else None

    def problems(self, text: str, seat: int, look: Look, form: str = "") -> list[str]:
        read = understood(text)
        told = [look.t("netrunner.deck.problem.unknown", card=line) for line in read.unknown[:MOST_UNKNOWN]]
        if not read.identity:
            return [*told, look.t("netrunner.deck.problem.no-identity")]
        found = problems(Deck(read.identity, read.cards), seat, form or self.formats[0])
        return [*told, *(problem_words(one, look) for one in found)]

    def summary(self, text: str, look: Look) -> str:
        read = understood(text)
        size = sum(n for _, n in read.cards)
        if not read.identity:
            return look.t("netrunner.deck.size", size=size)
        facts = FACTS[read.identity]
        spent = sum(influence_of(FACTS[code], read.identity) * n for code, n in read.cards)
        points, low = sum(FACTS[code].points * n for code, n in read.cards), 2 * (max(size, facts.min_deck) // 5) + 2
        key = "netrunner.deck.summary.corp" if facts.side == CORP else "netrunner.deck.summary"
        name = facts.title.partition(":")[0]
        most = facts.max_influence
        wanted = f"{low}-{low + 1}"
        least = facts.min_deck
        return look.t(key, identity=name, size=size, least=least, spent=spent, most=most, points=points, wanted=wanted)

    def starter(self, value: str, seat: int) -> str:
        deck = OWN.get(value, STARTERS[DEFAULT[seat]])
        return written(Read(deck.identity, deck.cards, ()))

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
                kind_word(facts, look),
                influence_of(facts, read.identity),
                PACKS.get(facts.pack, SETS[-1]),
                not packs or facts.pack in packs,
                wrong.get(facts.title, "") if facts.code in counted else "",
            )
            for facts in sorted(found, key=lambda facts: (facts.side != seat, TYPES.index(facts.type), facts.title))
        ]
        return [*cards, *(unknown_card(line, look) for line in read.unknown[:MOST_UNKNOWN])]

    def _wrong(self, read: Read, seat: int, form: str, look: Look) -> dict[str, str]:
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
        read = understood(text)
        code = titles()[1].get(plain_title(title).lower())
        if code is None:
            kept = tuple(line for line in read.unknown if line != title)
            return written(replace(read, unknown=kept if by < 0 else (*kept, title)))
        counted = dict(read.cards)
        counted[code] = max(0, min(max(3, FACTS[code].deck_limit), counted.get(code, 0) + by))
        return written(Read(read.identity, tuple(sorted(counted.items())), read.unknown))

    def next_identity(self, text: str, seat: int, step: int) -> str:
        read = understood(text)
        own = [code for code in ENTRIES if FACTS[code].type == "identity" and FACTS[code].side == seat]
        at = own.index(read.identity) + step if read.identity in own else 0
        return written(Read(own[at % len(own)], read.cards, read.unknown))

    def card_lines(self, title: str, look: Look, cols: int) -> list[Line]:
        code = titles()[1].get(plain_title(title).lower())
        if code is None:
            return wrapped(look.t("netrunner.deck.problem.unknown", card=title), cols, "bad")
        return details.card_lines(code, look, cols)


def unknown_card(line: str, look: Look) -> PoolCard:
    """Return a line that names no card as a row: it can be seen, and taken away."""
    why = look.t("netrunner.deck.problem.unknown", card=line)
    return PoolCard(line, 1, 1, look.t("netrunner.deck.unknown"), 0, problem=why)


@cache
def is_allowed(value: str, seat: int, form: str) -> bool:
    """Tell whether a deck of the game's own is legal in a format; the side's usual one is in each."""
    return value not in OWN or not problems(OWN[value], seat, form)


def kind_word(facts: Facts, look: Look) -> str:
    """Return what kind of card it is; of an agenda with its points."""
    word = look.t(f"netrunner.card.type.{facts.type}")
    return f"{word} {facts.points}" if facts.type == "agenda" else word


def problem_words(found: str, look: Look) -> str:
    """Return a finding of the rules in words: 'size 44/45', 'copies Diesel 4', …"""
    kind, _, rest = found.partition(" ")
    if kind in ("size", "influence", "points"):
        have, _, wanted = rest.partition("/")
        return look.t(f"netrunner.deck.problem.{kind}", have=have, wanted=wanted)
    return look.t(f"netrunner.deck.problem.{kind}", card=rest)


BOOK: DeckBook = NetrunnerDecks()

"""Deck lists as people have them: one reader for every form, which names each line that it does not read.

Text as deck builders export it (with Markdown or BBCode too), OCTGN's XML, JSON by code or title, CSV, and the form
that `written` makes. A title names a card from its first letter to its last or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from game.contract import Json
from game.netrunner.deckforms import LIKE_JSON, delimiter_of, of_csv, of_json, of_json_text, of_xml
from game.netrunner.deckline import ANY, LOOSE_NUMBER, Kind, ListLine, entry_of, named_in
from game.netrunner.facts import FACTS
from game.netrunner.titles import BY_TITLE, code_of_title, near_title

MOST_CHARS: Final = 65_536  # of a text that is read
MOST_FAULTS: Final = 30  # after which nothing more is read
FAULT_CHARS: Final = 55  # of a line that is told
MOST_ENTRIES: Final = 2_000  # lines that may be of a deck
MOST_PROSE: Final = 200  # other lines that are kept
MOST_ROWS: Final = 200  # lines that are looked at for whether they are a table
MOST_ONE_LINE: Final = 8_000  # characters of a list in one line
MOST_HEADINGS: Final = 40  # whose numbers are compared
MOST_TITLE: Final = 100  # characters of a title and the notes behind it
STEP: Final = 10  # lines that are read between two chances for others
TYPES: Final = ("event", "hardware", "program", "resource", "agenda", "asset", "ice", "operation", "upgrade")
MARK: Final = re.compile(r"\?(\d{1,5}) (card|number|total|identity|form|long) ?(.*)")
FAULTS: Final = {Kind.UNKNOWN: "card", Kind.UNNUMBERED: "number", Kind.BROKEN: "form", Kind.LONG: "long"}
AS_IT_STOOD: Final = ("card", "number", "identity")  # lines of an exported list
COUNTED: Final = (Kind.CARD, Kind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that is not read, from 1 (0: it has no line), what it says, and the title that it may mean.

    `kind`: 'card' (there is no such card), 'number' (of a card, which can't be read), 'total' (disagrees with the
    cards), 'identity' (a second one), 'form' (broken XML, JSON or CSV), 'long' (from here on nothing is read).
    """

    kind: str
    line: int
    text: str
    near: str = ""

    def __str__(self) -> str:
        """Return the fault as a command line tells it."""
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.text}{f' (did you mean {self.near}?)' if self.near else ''}"


@dataclass(frozen=True, slots=True)
class DeckList:
    """A list as it was read: the identity ("": none was named), the number of each card by code, what is not read.

    `name`: what the text calls the deck ("": nothing).
    """

    identity: str
    cards: tuple[tuple[str, int], ...]
    faults: tuple[Fault, ...] = ()
    name: str = ""


def read_list(said: Json) -> DeckList:
    """Read a list in any form, as text or as an object; never raises."""
    steps = reading(said)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: DeckList = end.value
            return found


def reading(said: Json) -> Generator[None, None, DeckList]:
    """Read a list as `read_list` does, in steps of a few milliseconds: a server works for others between them."""
    found, wrong, prose = list[ListLine](), 0, 0
    text = said if isinstance(said, str) else None
    for at, entry in enumerate(of_json(said, "") if text is None else _entries(text)):
        if entry is None or at % STEP == 0:
            yield
        if entry is None:
            continue
        is_prose = entry.kind is Kind.PROSE
        prose += is_prose
        wrong += entry.kind in FAULTS
        if not is_prose or prose <= MOST_PROSE:
            found.append(entry)
        if wrong >= MOST_FAULTS or len(found) >= MOST_ENTRIES:
            found.append(replace(entry, kind=Kind.LONG))
            break
    yield
    name, entries = _named(found)
    yield
    wrongs = list[Fault]()
    for one in _faults(entries):
        yield
        wrongs += [one] if one is not None else []
    faults = list[Fault]()
    for fault in sorted(wrongs, key=lambda fault: fault.line)[:MOST_FAULTS]:
        yield
        faults.append(replace(fault, near=near_title(named_in(fault.text)) if fault.kind == "card" else ""))
    yield
    counted = Counter[str]()
    for entry in entries:
        if entry.kind is Kind.CARD:
            counted[entry.code] += entry.n
    identity = next((entry.code for entry in entries if entry.kind is Kind.IDENTITY), "")
    return DeckList(identity, tuple(sorted(counted.items())), tuple(faults), name)


def written(read: DeckList, name: str = "", is_marked: bool = True) -> str:
    """Write a list as the reader takes it: name, identity, cards by type and title, then what is not read.

    `is_marked`: with the line and the reason, for the reader to know them again; else what may be a card, as it stood.
    """
    cards = sorted(read.cards, key=lambda card: (TYPES.index(FACTS[card[0]].type), FACTS[card[0]].title))
    head = [f"# {name}"] if name else []
    head += [FACTS[read.identity].title] if read.identity else []
    marked = (f"?{fault.line} {fault.kind} {fault.text}".rstrip() for fault in read.faults)
    told = marked if is_marked else (fault.text for fault in read.faults if fault.kind in AS_IT_STOOD)
    return "\n".join([*head, *(f"{n} {FACTS[code].title}" for code, n in cards if n > 0), *told])


# Which form it is.


def _entries(text: str) -> Iterator[ListLine | None]:
    """Yield what the lines of a text say; None: a good moment to let others work."""
    kept, rest = text[:MOST_CHARS], text[MOST_CHARS:]
    begun = kept.lstrip("\ufeff \t\r\n")
    if begun.startswith("<"):
        yield from of_xml(kept.lstrip("\ufeff"))
    elif begun.startswith("{") or LIKE_JSON.match(begun):
        entries = of_json_text(kept.lstrip("\ufeff"))
        first = None
        for first in entries:
            if first is not None:
                break
            yield None
        is_text = not begun.startswith("{") and first is not None and first.kind is Kind.BROKEN
        yield from _of_text(kept) if is_text else chain((first,), entries)
    else:
        yield from _of_text(kept)
    if rest.strip():
        yield ListLine(Kind.LONG, rest.strip()[:FAULT_CHARS], line=kept.count("\n") + 1)


def _of_text(text: str) -> Iterator[ListLine | None]:
    lines = text.replace("\ufeff", "").splitlines()
    yield None
    filled = list(islice((line for line in lines if line and not line.isspace()), MOST_ROWS))
    if (delimiter := delimiter_of(filled)) is not None:
        yield from of_csv(lines, delimiter)
    elif len(filled) == 1:
        only, rest = filled[0].strip()[:MOST_ONE_LINE], filled[0].strip()[MOST_ONE_LINE:]
        yield from (replace(entry_of(part), line=1) for part in _parted(only) if part)
        if rest:
            yield ListLine(Kind.LONG, rest[:FAULT_CHARS], line=1)
    else:
        yield from (_of_line(number, line) for number, line in enumerate(lines, 1) if line and not line.isspace())


def _of_line(number: int, line: str) -> ListLine:
    line = line.strip()
    if (told := MARK.fullmatch(line)) is not None:
        return ListLine(Kind.TOLD, told[3], code=told[2], line=int(told[1]))
    return replace(entry_of(line), line=number)


# A list that has become one line, as a terminal or a browser may make it: it is parted before what begins an entry.
_ENDS: Final = "|".join(re.escape(end) for said in BY_TITLE if (end := said.rpartition(" ")[2]).isdecimal())
_BEGIN: Final = re.compile(
    rf" (?={LOOSE_NUMBER}(?!(?<= )(?:{_ENDS}) ))|"
    r" (?=(?:events?|hardware|resources?|programs?|icebreakers?|agendas?|assets?|upgrades?|operations?|ice|barriers?|"
    r"code gates?|sentry|other) ?\(\d)",
    re.IGNORECASE,
)
_IDENTITIES: Final = [FACTS[code].title for code in BY_TITLE.values() if FACTS[code].type == "identity"]


def _parted(line: str) -> list[str]:
    parts = _BEGIN.split(" ".join(line.split()))
    named = [(at, title) for title in _IDENTITIES if (at := parts[0].find(f"{title}")) > 0]
    if len(parts) > 1 and named:
        at, _ = max(named)
        parts[:1] = [parts[0][:at], parts[0][at:]]
    return parts


# What the lines are together.


def _named(entries: list[ListLine]) -> tuple[str, list[ListLine]]:
    """Return the deck's name, and the other entries: it stands first, and the identity comes before any card."""
    if not entries:
        return "", entries
    first, later = entries[0], [entry for entry in entries[1:] if entry.kind is not Kind.PROSE]
    if first.kind is Kind.NAME:
        return first.text, entries[1:]
    if not later or later[0].kind is not Kind.IDENTITY:
        return first.text if first.kind is Kind.TITLE else "", entries
    is_name = first.kind is Kind.UNNUMBERED or (first.kind is Kind.UNKNOWN and first.is_plain)
    is_name = is_name or (first.kind is Kind.IDENTITY and entries[1].kind is Kind.IDENTITY)
    is_above = first.kind in (Kind.TITLE, Kind.PROSE) and entries[1].kind is Kind.IDENTITY
    return first.text if is_name or is_above else "", entries[1:] if is_name else entries


def _faults(entries: Sequence[ListLine]) -> Iterator[Fault | None]:
    """Yield what is not read; of totals only where each number could be read. None: a good moment for others."""
    yield from (_fault(FAULTS[entry.kind], entry) for entry in entries if entry.kind in FAULTS)
    yield from (Fault(entry.code, entry.line, entry.text) for entry in entries if entry.kind is Kind.TOLD)
    yield None
    identities = [entry for entry in entries if entry.kind is Kind.IDENTITY]
    yield from (_fault("identity", entry) for entry in identities if entry.code != identities[0].code)
    yield None
    for near in () if identities else _meant_as_identity(entries):
        yield _fault("card", near) if near is not None else None
    yield None
    if not any(entry.kind is Kind.UNNUMBERED for entry in entries):
        yield from (_fault("total", entry) if entry is not None else None for entry in _disagreeing(entries))


def _fault(kind: str, entry: ListLine) -> Fault:
    return Fault(kind, entry.line, " ".join(entry.text.split())[:FAULT_CHARS])


def _meant_as_identity(entries: Sequence[ListLine]) -> Iterator[ListLine | None]:
    """Yield the lines of a list without an identity that are near one; else what stands above the cards like one."""
    prose = [entry for entry in entries if entry.kind in (Kind.PROSE, Kind.TITLE) and len(entry.text) < MOST_TITLE]
    has_near = False
    for entry in prose[:MOST_FAULTS]:
        yield None
        if _is_near_identity(entry.text):
            has_near = True
            yield entry
    if has_near:
        return
    first = next((at for at, entry in enumerate(entries) if entry.kind in (*COUNTED, Kind.HEADING)), len(entries))
    above = [entry for entry in prose if entry.line < entries[first - 1].line + 1] if first else []
    yield from [entry for entry in above if ":" in entry.text or entry.text.endswith(")")][-1:]


def _is_near_identity(text: str) -> bool:
    code = code_of_title(near_title(named_in(text)))
    return code is not None and FACTS[code].type == "identity"


def _disagreeing(entries: Sequence[ListLine]) -> Iterator[ListLine | None]:
    """Yield the headings and totals that say another number than the cards that they are about."""
    heads = [at for at, entry in enumerate(entries) if entry.kind is Kind.HEADING][:MOST_HEADINGS]
    sums = [_count(entries[at:end]) for at, end in zip(heads, [*heads, len(entries)][1:], strict=False)]
    yield None
    for place, at in enumerate(heads):
        said, inner = entries[at].n, sums[place]
        groups = [sum(sums[place + 1 : to]) for to in range(place + 2, len(sums) + 1)] if not inner else []
        yield entries[at] if said not in (ANY, inner, *groups) else None
    size = sum(entry.n for entry in entries if entry.kind in COUNTED)
    points = sum(FACTS[entry.code].points * entry.n for entry in entries if entry.kind is Kind.CARD)
    is_known = all(entry.kind is not Kind.UNKNOWN for entry in entries)
    yield None
    for entry in entries:
        if (entry.kind is Kind.TOTAL and entry.n != size) or (
            entry.kind is Kind.POINTS and is_known and entry.n != points
        ):
            yield entry


def _count(section: Sequence[ListLine]) -> int:
    """Return how many cards stand below a heading; below that of the identity it is the one."""
    cards = sum(entry.n for entry in section if entry.kind in COUNTED)
    return cards or sum(entry.kind is Kind.IDENTITY for entry in section)

"""Deck lists that are not plain text: OCTGN's XML, JSON by code or title, CSV."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from xml.parsers import expat

from game.contract import Json
from game.netrunner.cards import ENTRIES
from game.netrunner.deckline import LINE_CHARS, Kind, ListLine, counted, entry_of
from game.netrunner.titles import code_of_title

XML_STEP: Final = 2_048  # characters that are parsed at once
DEEPEST: Final = 4  # elements within each other
ELEMENTS: Final = frozenset(("deck", "section", "card", "notes", "tags", "tag"))
OCTGN_ID: Final = re.compile(r"[0-9a-fA-F-]{10,40}?(\d{5})")
LIKE_JSON: Final = re.compile(r"\{|\[\s*[\[{\"\d\]]")
TITLES: Final = ("title", "card_title", "card name", "card", "name")
CODES: Final = ("code", "card_code", "id", "card_id")
NUMBERS: Final = ("qty", "quantity", "count", "copies", "number", "amount", "n", "#")
DELIMITERS: Final = (",", ";", "\t")
NUMBER: Final = re.compile(r"[xX\u00d7]? ?(\d{1,3}) ?[xX\u00d7]?")


def card_named(name: str) -> str | None:
    """Return the card that a code or a title names, None where there is none."""
    return name if name in ENTRIES else code_of_title(name[:LINE_CHARS])


def named(name: str, said: str | None, line: int) -> ListLine:
    """Return a card by code or title, of which a text says so many."""
    code = card_named(name)
    text = f"{said} {name}" if said is not None else name
    if code is not None:
        entry = counted(code, said, text)
        return replace(entry, line=line)
    return ListLine(
        Kind.UNKNOWN, text, int(said) if said is not None and said.isdecimal() and len(said) < 4 else 0, "", line
    )


# XML.


class _Octgn:
    """The cards of an OCTGN file as they are parsed."""

    def __init__(self, text: str) -> None:
        self.found: list[ListLine] = []
        self._whole = text
        self._open: list[str] = []
        self._card: Mapping[str, str] = {}
        self._title: list[str] = []
        self._at = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data

    def broken(self) -> None:
        """Note a line that is not what such a file has, and read no further."""
        line = self.parser.CurrentLineNumber
        text = self._whole.split("\n", line)[line - 1 :][:1] or [""]
        self.found.append(ListLine(Kind.BROKEN, text[0].strip() or self._whole.rstrip()[-40:], line=line))

    def _doctype(self, *_: object) -> None:
        raise expat.ExpatError("a DOCTYPE")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name not in ELEMENTS or (name == "deck") is bool(self._open) or len(self._open) == DEEPEST:
            raise expat.ExpatError(name)
        self._open.append(name)
        if name == "card":
            self._card, self._title, self._at = attributes, [], self.parser.CurrentLineNumber

    def _data(self, text: str) -> None:
        if self._open[-1:] == ["card"]:
            self._title.append(text)
        elif text.strip() and self._open[-1:] not in (["notes"], ["tag"], ["tags"]):
            raise expat.ExpatError(text)

    def _end(self, name: str) -> None:
        self._open.pop()
        if name == "card":
            self.found.append(self._entry(" ".join("".join(self._title)[:LINE_CHARS].split())))

    def _entry(self, title: str) -> ListLine:
        """Return a card: its title counts, or the code that its id ends with; where they disagree it is none."""
        has_code = OCTGN_ID.fullmatch(self._card.get("id", ""))
        code = has_code[1] if has_code is not None and has_code[1] in ENTRIES else None
        said = self._card.get("qty", "")
        entry = named(title or code or "", said, self._at)
        if entry.code and code is not None and entry.code != code:
            return ListLine(Kind.UNKNOWN, f"{said} {title} ({self._card['id']})", entry.n, "", self._at)
        return entry


def of_xml(text: str) -> Iterator[ListLine | None]:
    """Yield the cards of an OCTGN file, and None after each piece.

    Entities are the predefined and numeric ones; a DOCTYPE is refused. What is not such a file is read no further.
    """
    octgn, told = _Octgn(text), 0
    for start in range(0, len(text), XML_STEP):
        is_last = start + XML_STEP >= len(text)
        try:
            octgn.parser.Parse(text[start : start + XML_STEP], is_last)
        except expat.ExpatError:
            octgn.broken()
            is_last = True
        yield from octgn.found[told:]
        told = len(octgn.found)
        if is_last:
            return
        yield None


# JSON.

DEEPEST_JSON = 12  # objects and lists within each other that a deck may lie in
LOOKED_AT = 50  # texts between two good moments to let others work: each may be a long line


class _Twice(ValueError):
    """A name that stands twice in one object."""


def of_json_text(text: str) -> Iterator[ListLine | None]:
    """Yield the cards of a JSON text, or of the first line of a record, and None after each piece of work."""
    decoder = json.JSONDecoder(object_pairs_hook=tuple)  # as it is read, in one step: made into objects piece by piece
    try:
        read, end = decoder.raw_decode(text, len(text) - len(text.lstrip()))
        yield None
        value = yield from _objects(read, DEEPEST_JSON)
    except json.JSONDecodeError as error:
        lines = text.splitlines()
        yield ListLine(Kind.BROKEN, lines[error.lineno - 1].strip() if lines else "", line=error.lineno)
        return
    except _Twice as error:
        yield ListLine(Kind.BROKEN, str(error), line=line_of(text, str(error)))
        return
    except (ValueError, RecursionError):
        yield ListLine(Kind.BROKEN, text[:80], line=1)
        return
    rest = text[end:].strip()
    if rest and not rest.startswith("{"):
        at = text.count("\n", 0, text.find(rest, end)) + 1
        yield ListLine(Kind.BROKEN, rest.splitlines()[0], line=at)
        return
    yield from of_json(value, text)


def _objects(read: Any, depth: int) -> Generator[None, None, Json]:
    """Return a JSON value whose objects were read as tuples of names and values; below `depth` they are left out.

    Raises ValueError with the first name that stands twice in an object.
    """
    if not isinstance(read, (tuple, list)):
        return _writable(read)
    if not depth:
        return None
    values: list[Json] = []
    names: dict[str, int] = {}
    for at, one in enumerate(read):
        if at % LOOKED_AT == 0:
            yield
        if isinstance(read, tuple) and names.setdefault(name := str(_writable(one[0])), at) != at:
            raise _Twice(name)
        inner = one[1] if isinstance(read, tuple) else one
        values.append((yield from _objects(inner, depth - 1)) if isinstance(inner, (tuple, list)) else _writable(inner))
    return dict(zip(names, values, strict=True)) if isinstance(read, tuple) else values


def _writable(value: Json) -> Json:
    """Return a value without half a character, which JSON can name and nobody can write."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def line_of(text: str, name: str) -> int:
    """Return the line on which a name stands first, 0 where it stands on none."""
    at = text.find(json.dumps(name, ensure_ascii=False))
    at = text.find(json.dumps(name)) if at < 0 else at
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def of_json(value: Json, text: str) -> Iterator[ListLine | None]:
    """Yield the cards of a deck as JSON, wherever in it the deck is, and None while looking for it.

    `text` is what it was read from.
    """
    has_decks = False
    for deck in _decks(value, 4):
        if deck is None:
            yield None
        else:
            has_decks = True
            yield from _of_deck(deck, text)
    if not has_decks:
        yield ListLine(Kind.BROKEN, text[:80].strip() or "no deck", line=1 if text else 0)


def _decks(value: Json, depth: int) -> Iterator[dict[str, Json] | None]:
    """Yield what is a deck in a JSON value: an object with cards, cards by name with their numbers, a list of cards.

    None: a good moment to let others work.
    """
    if isinstance(value, dict):
        if isinstance(value.get("cards"), (dict, list)):
            yield value
            return
        if value and all(isinstance(n, int) for n in value.values()):
            for at, name in enumerate(value):
                if at % LOOKED_AT == 0:
                    yield None
                if card_named(name):
                    yield {"cards": value}
                    return
        yield from _inner_decks(list(value.values()), depth)
    elif isinstance(value, list):
        for at, one in enumerate(value):
            if at % LOOKED_AT == 0:
                yield None
            if _is_card(one):
                yield {"cards": value}
                return
        yield from _inner_decks(value, depth)


def _inner_decks(values: Sequence[Json], depth: int) -> Iterator[dict[str, Json] | None]:
    """Yield the decks in some values, `depth` levels down."""
    for at, inner in enumerate(values if depth else ()):
        if at % LOOKED_AT == 0:
            yield None
        if isinstance(inner, (dict, list)):
            yield from _decks(inner, depth - 1)


def _is_card(value: Json) -> bool:
    if isinstance(value, str):
        return entry_of(value).kind in (Kind.CARD, Kind.IDENTITY)
    return isinstance(value, dict) and _field(value, NUMBERS) is not None and "cards" not in value


def _field(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _of_deck(deck: Any, text: str) -> Iterator[ListLine]:
    if isinstance(name := deck.get("name"), str):
        yield ListLine(Kind.NAME, name[:LINE_CHARS])
    if (identity := deck.get("identity")) is not None:
        yield _numbered(_name(identity), 1, text)
    cards = deck["cards"]
    if isinstance(cards, dict):
        for name, n in cards.items():
            yield _numbered(name, n, text)
        return
    for row in cards:
        if isinstance(row, dict):
            yield _numbered(_name(row), _field(row, NUMBERS), text)
        else:
            entry, line = entry_of(_plain(row)), line_of(text, row) if text and isinstance(row, str) else 0
            yield (
                replace(entry, line=line)
                if entry.kind is not Kind.PROSE
                else ListLine(Kind.BROKEN, entry.text, line=line)
            )


def _name(value: Any) -> str:
    """Return the title, else the code, of a card that is a text or an object."""
    if isinstance(value, dict):
        inner = _field(value, TITLES)
        inner = _field(value, CODES) if inner is None else inner
        return _name(inner) if isinstance(inner, (str, dict)) else _plain(value)
    return value if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:80] if not isinstance(value, str) else value


def _numbered(name: str, n: Any, text: str) -> ListLine:
    line = line_of(text, name) if text else 0
    if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1_000:
        return named(name, str(n), line)
    code = card_named(name)
    return ListLine(Kind.UNKNOWN if code is None else Kind.UNNUMBERED, f"{name}: {_plain(n)}", 0, code or "", line)


# CSV.


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Return what separates the fields of a text's rows, None where it has no rows of fields."""
    for delimiter in DELIMITERS:
        rows = sum(1 for line in lines if _has_number(line, delimiter))
        if rows >= 2 and rows * 2 >= len(lines):
            return delimiter
    return None


def _has_number(line: str, delimiter: str) -> bool:
    fields = line.split(delimiter)
    return len(fields) > 1 and any(NUMBER.fullmatch(field.strip(' "')) for field in fields)


def of_csv(lines: Sequence[str], delimiter: str) -> Iterator[ListLine]:
    """Yield the rows of a table, with names of columns in its first row or without."""
    reader = csv.reader(lines, delimiter=delimiter)
    columns: list[str] = []
    end = 0
    try:
        for row in reader:
            line, end = end + 1, reader.line_num
            fields = [" ".join(field[:LINE_CHARS].split()) for field in row]
            if line == 1 and _is_head(fields):
                columns = [field.casefold() for field in fields]
            elif len(fields) > 1:
                yield _of_row(fields, columns, line, delimiter)
            elif any(fields):
                yield replace(entry_of(fields[0]), line=line)
    except csv.Error:
        yield ListLine(Kind.BROKEN, lines[end][:LINE_CHARS], line=end + 1)


def _is_head(fields: Sequence[str]) -> bool:
    names = {field.casefold() for field in fields}
    return bool(names & {*TITLES, *CODES} and names & {*NUMBERS})


def _of_row(fields: Sequence[str], columns: Sequence[str], line: int, delimiter: str) -> ListLine:
    text = delimiter.join(fields)[:LINE_CHARS].replace("\t", " ")
    if not any(fields):
        return ListLine(Kind.PROSE, text, line=line)
    if columns:
        row = dict(zip(columns, fields, strict=False))
        said, name = _field(row, NUMBERS), _field(row, TITLES) or _field(row, CODES)
        if len(fields) != len(columns) or name is None:
            return ListLine(Kind.BROKEN, text, line=line)
        return _counted_field(name, said or "", text, line)
    numbers = [field for field in fields if NUMBER.fullmatch(field)]
    names = [field for field in fields if card_named(field)] or [
        field for field in fields if not NUMBER.fullmatch(field)
    ]
    if not names:
        return ListLine(Kind.BROKEN, text, line=line)
    return _counted_field(names[0], numbers[0] if len(numbers) == 1 else "", text, line)


def _counted_field(name: str, said: str, text: str, line: int) -> ListLine:
    code, number = card_named(name), NUMBER.fullmatch(said)
    if code is None:
        return ListLine(Kind.UNKNOWN if said else Kind.PROSE, text, int(number[1]) if number else 0, "", line)
    return replace(counted(code, number[1] if number else None, text), line=line)

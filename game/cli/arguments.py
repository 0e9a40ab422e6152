"""Reading a command line whose words may themselves begin with a dash."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from game import registry
from game.contract import Game, Json, Seat, View, Viewer, Watcher
from game.errors import BadNotation
from game.options import from_text
from game.rng import SEED_BYTES

COUNT = re.compile(r"[0-9]{1,9}")
SEATED = re.compile(r"([^\s:]+):(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Arguments:
    """A command's words in order, its options by name (all that were given), and its flags."""

    words: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    def one(self, name: str) -> str | None:
        """Return an option's value, or None. Raises BadNotation when it was given twice."""
        given = self.options.get(name, ())
        if len(given) > 1:
            raise BadNotation("usage.twice", f"--{name}")
        return given[0] if given else None

    def number(self, name: str, default: int | None, low: int = 0) -> int:
        """Return an option's whole number. Raises BadNotation for another text, or when it has to be given."""
        text = self.one(name)
        if text is None:
            if default is None:
                raise BadNotation("usage.missing", f"--{name}")
            return default
        if not COUNT.fullmatch(text) or int(text) < low:
            raise BadNotation("usage.number", f"--{name} {text}"[:80])
        return int(text)


def parse(argv: Sequence[str], valued: frozenset[str], flags: frozenset[str]) -> Arguments:
    """Sort a command line. Only what begins with two dashes is an option; after a bare `--` nothing is.

    So the action `-c2` needs no quoting. Raises BadNotation for an unknown option or a missing value.
    """
    words: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    said: set[str] = set()
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += rest
            break
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if name in flags and not equals:
            said.add(name)
        elif name in valued and (equals or rest):
            options[name] = (*options.get(name, ()), value if equals else rest.pop(0))
        else:
            raise BadNotation("usage.option", word[:80])
    return Arguments(tuple(words), options, frozenset(said))


def read_seat(text: str, names: Sequence[str]) -> Seat:
    """Read a seat: its 0-based number or its name. Raises BadNotation when there is none of that name."""
    if COUNT.fullmatch(text) and int(text) < len(names):
        return Seat(int(text))
    folded = [name.casefold() for name in names]
    if text.casefold() in folded:
        return Seat(folded.index(text.casefold()))
    raise BadNotation("usage.seat", text[:40])


def read_viewer(text: str, names: Sequence[str]) -> Viewer:
    """Read a seat or `public`."""
    return Watcher.PUBLIC if text == Watcher.PUBLIC.value else read_seat(text, names)


def split_seat(word: str, names: Sequence[str]) -> tuple[Seat | None, str]:
    """Split `SEAT:ACTION`; an action may hold colons of its own. Raises BadNotation for a number with no seat.

    >>> split_seat("N:c7c6", ("S", "N"))
    (1, 'c7c6')
    >>> split_seat("rez ice:hq:0", ("corp", "runner"))
    (None, 'rez ice:hq:0')
    """
    found = SEATED.fullmatch(word)
    if found and (COUNT.fullmatch(found[1]) or found[1].casefold() in map(str.casefold, names)):
        return read_seat(found[1], names), found[2]
    return None, word


def read_seed(text: str | None) -> bytes | None:
    """Read 32 bytes as hex, or None."""
    if text is not None and not re.fullmatch(rf"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", text):
        raise BadNotation("usage.seed", text[:80])
    return None if text is None else bytes.fromhex(text)


def read_options(game: Game[object, View], given: Sequence[str]) -> tuple[dict[str, Json], dict[str, dict[str, Json]]]:
    """Read `NAME=VALUE …` for the room and `SEAT:NAME=VALUE …` for what a seat brings (by the seat's text)."""
    known = {option.name: option for option in game.options()}
    room: dict[str, Json] = {}
    brought: dict[str, dict[str, Json]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        seat, colon, bare = name.rpartition(":")
        option = known.get(bare)
        if not equals or option is None or option.per_seat is not bool(colon):
            raise BadNotation("option.unknown", text[:80])
        (brought.setdefault(seat, {}) if colon else room)[bare] = from_text(option, value)
    return room, brought


def game_named(arguments: Arguments, words: int | None = 1) -> Game[object, View]:
    """Return the game that the first word names. Raises BadNotation for another number of words than `words`."""
    if not arguments.words or words not in (None, len(arguments.words)):
        raise BadNotation("usage.words", " ".join(arguments.words)[:80])
    return registry.get(arguments.words[0])

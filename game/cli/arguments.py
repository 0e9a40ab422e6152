"""What the words of `python -m game` mean: games, seats, viewers, seeds, options of a match."""

from __future__ import annotations

import re
from collections.abc import Sequence

from game import registry
from game.cli.commandline import CommandLine
from game.cli.output import taken
from game.contract import Game, Json, Option, Seat, View, Viewer, Watcher
from game.errors import BadNotation
from game.options import from_text
from game.rng import SEED_BYTES

VALUE = "option.value"
COUNT = re.compile(r"[0-9]{1,9}")
SEATED = re.compile(r"([^\s:]+):(.+)", re.DOTALL)


def read_seat(text: str, names: Sequence[str]) -> Seat:
    """Read a seat: its 0-based number or its name. Raises BadNotation when there is none of that name."""
    if COUNT.fullmatch(text) and int(text) < len(names):
        return Seat(int(text))
    folded = [name.casefold() for name in names]
    if text.casefold() in folded:
        return Seat(folded.index(text.casefold()))
    raise BadNotation("usage.seat", f"{text[:40]} ({', '.join(names)})")


def read_viewer(text: str, names: Sequence[str]) -> Viewer:
    """Read a seat or `public`. Raises BadNotation when there is no such seat."""
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
    """Read 32 bytes as hex; None stays None. Raises BadNotation for another text."""
    if text is not None and not re.fullmatch(rf"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", text):
        raise BadNotation("usage.seed", text[:80])
    return None if text is None else bytes.fromhex(text)


def read_options(game: Game[object, View], given: Sequence[str]) -> tuple[dict[str, Json], dict[str, dict[str, Json]]]:
    """Read `NAME=VALUE …` for the room and `SEAT:NAME=VALUE …` for what a seat brings.

    Returns the room's options, and those of seats by the seat as it was written. Raises BadNotation for an unknown
    option or a value it does not take; it says which there are.
    """
    known = {option.name: option for option in game.options()}
    room: dict[str, Json] = {}
    brought: dict[str, dict[str, Json]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        seat, colon, bare = name.rpartition(":")
        option = known.get(bare)
        if not equals or option is None or option.per_seat is not bool(colon):
            there_are = (one.name for one in known.values() if one.is_offered and one.per_seat is bool(colon))
            raise BadNotation("option.unknown", f"{text[:80]} ({', '.join(there_are)})")
        (brought.setdefault(seat, {}) if colon else room)[bare] = _value(option, value)
    return room, brought


def _value(option: Option, text: str) -> Json:
    """Read an option's value. Raises BadNotation for one that it does not take, with those that it does."""
    try:
        return from_text(option, text)
    except BadNotation as error:
        if error.key != VALUE:
            raise
        raise BadNotation(VALUE, f"{option.name}={text[:80]} ({taken(option)})") from None


def rules_version(arguments: CommandLine, newest: int) -> int | None:
    """Return the version of the rules that is asked for, or None. Raises BadNotation where there is no such version."""
    return None if arguments.one("rules-version") is None else arguments.number("rules-version", None, 1, newest)


def game_named(arguments: CommandLine) -> Game[object, View]:
    """Return the game that the first word names, under the rules that are asked for.

    Raises BadNotation for a game or version that there is not.
    """
    game = registry.get(arguments.words[0])
    return registry.get(game.key, rules_version(arguments, game.version))

"""The options of a match: checking what was given, filling in defaults, reading and writing their text form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.contract import Json, Option
from game.errors import BadNotation

BOTH_SIDES = "both_sides"  # a flag that a game may declare: the house then plays the match once more, sides changed


def turned(options: Sequence[Option], brought: Mapping[str, Json]) -> dict[str, Json]:
    """Return what somebody brings to the game with sides changed: what was for now and what was for then, exchanged.

    >>> turned([Option("deck", "deck", ""), Option("back", "deck", "", returns="deck")], {"back": "nbn"})
    {'deck': 'nbn'}
    """
    pairs = [(option.name, option.returns) for option in options if option.returns]
    new = {other: name for pair in pairs for name, other in (pair, pair[::-1])}
    return {new.get(name, name): value for name, value in brought.items()}


def brings_now(options: Sequence[Option], brought: Mapping[str, Json]) -> bool:
    """Tell whether anything that is brought is for this game, not only for one with sides changed.

    >>> brings_now([Option("deck", "deck", ""), Option("back", "deck", "", returns="deck")], {"back": "nbn"})
    False
    """
    later = {option.name for option in options if option.returns}
    return any(name not in later for name in brought)


def complete(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return a value for every room-wide option, in the order of `options`: the one given, else its default.

    Raises BadNotation for an unknown name, a value of the wrong shape, or one out of range. A 'set' comes out in the
    order of its values. A 'deck' passes as it is: what a deck may hold is the game's to check.
    """
    return _complete([option for option in options if not option.per_seat], given)


def complete_seat(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return a value for every option that each seat brings, as `complete` does for those of the room."""
    return _complete([option for option in options if option.per_seat], given)


def deviating(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return those of the room-wide options that differ from their defaults, in plain form.

    Equal for all ways to write the same. Raises BadNotation as `complete` does.

    >>> deviating([Option("board", "number", 15, low=5, high=23), Option("rim", "flag", True)], {"board": "17"})
    {'board': 17}
    """
    defaults = {option.name: option.default for option in options}
    return {name: value for name, value in complete(options, given).items() if value != defaults[name]}


def _complete(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    unknown = given.keys() - {option.name for option in options}
    if unknown:
        raise BadNotation("option.unknown", ", ".join(sorted(unknown))[:80])
    return {option.name: checked(option, given.get(option.name, option.default)) for option in options}


def checked(option: Option, value: Json) -> Json:
    """Return the value in its plain form; a text form is read. Raises BadNotation when the option can't take it."""
    match option.kind, value:
        case "flag" | "set" | "number", str():
            return from_text(option, value)
        case "flag", bool():
            return value
        case "choice", str() if value in option.values:
            return value
        case "set", list() if all(item in option.values for item in value) and len(set(map(str, value))) == len(value):
            return [item for item in option.values if item in value]
        case "number", int() if not isinstance(value, bool) and option.low <= value <= option.high:
            return value
        case "deck", _:
            return value
    raise BadNotation("option.value", f"{option.name}={value!r}"[:80])


def from_text(option: Option, text: str) -> Json:
    """Read the text form: on/off, one of the values, a comma list (empty: nothing), a number; a deck as its name.

    Raises BadNotation when it can't be read or is out of range.

    >>> from_text(Option("bomb", "choice", "literal", ("literal", "everything")), "everything")
    'everything'
    """
    match option.kind:
        case "flag" if text in ("on", "off"):
            return text == "on"
        case "choice" | "deck":
            return checked(option, text)
        case "set":
            return checked(option, [*text.split(",")] if text else [])
        case "number" if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10:
            return checked(option, int(text))
    raise BadNotation("option.value", f"{option.name}={text}"[:80])


def to_text(option: Option, value: Json) -> str:
    """Write a value in its text form, for people and command lines; `from_text` reads it back."""
    match value:
        case bool():
            return "on" if value else "off"
        case list():
            return ",".join(map(str, value))
    return str(value)

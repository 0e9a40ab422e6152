"""The options of a match: checking what was given, filling in defaults, reading and writing their text form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from game.contract import Json, Option, Steps
from game.errors import BadNotation

OPEN_HANDS = "open_hands"  # a flag that a game may declare: watchers see hands, and the match is never rated
DECK_CHARS = 65_536  # the most that a deck which somebody brings is written with; what is stored is shorter
BOTH_SIDES = "both_sides"  # a flag that a game may declare: a second game with sides changed follows


def has_open_hands(options: Mapping[str, Json]) -> bool:
    """Tell whether watchers see hands, from options in plain form or as text.

    >>> has_open_hands({"open_hands": True}), has_open_hands({"open_hands": "off"}), has_open_hands({})
    (True, False, False)
    """
    return options.get(OPEN_HANDS) in (True, "on")


def turned(options: Sequence[Option], brought: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a seat brings to the second game: the options for both games, exchanged.

    >>> turned([Option("deck", "deck", ""), Option("back", "deck", "", returns="deck")], {"back": "nbn"})
    {'deck': 'nbn'}
    """
    pairs = [(option.name, option.returns) for option in options if option.returns]
    new = {other: name for pair in pairs for name, other in (pair, pair[::-1])}
    return {new.get(name, name): value for name, value in brought.items()}


def brings_now(options: Sequence[Option], brought: Mapping[str, Json]) -> bool:
    """Tell whether anything that is brought is for this game, not only for the second one.

    >>> brings_now([Option("deck", "deck", ""), Option("back", "deck", "", returns="deck")], {"back": "nbn"})
    False
    """
    return bool(brought_now(options, brought))


def brought_now(options: Sequence[Option], brought: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a seat brings to this game, without what is for the second one.

    >>> brought_now([Option("deck", "deck", ""), Option("back", "deck", "", returns="deck")], {"back": "nbn"})
    {}
    """
    later = {option.name for option in options if option.returns}
    return {name: value for name, value in brought.items() if name not in later}


def complete(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return a value for every room-wide option, in the order of `options`: the one given, else its default.

    Raises BadNotation for an unknown name, a value of the wrong shape, or one out of range. A 'set' comes out in the
    order of its values. A 'deck' comes out as its option keeps it: whether it is legal is the game's to check.
    """
    return _complete([option for option in options if not option.per_seat], given)


def complete_seat(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return a value for every option that each seat brings, as `complete` does for those of the room."""
    return _complete([option for option in options if option.per_seat], given)


def given_seat(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return what somebody brings to a seat in plain form, without what is left out; raises as `complete` does.

    >>> deck, hat = Option("deck", "deck", "", per_seat=True), Option("hat", "flag", False, per_seat=True)
    >>> given_seat([deck, hat], {"hat": "on"})
    {'hat': True}
    """
    return {name: value for name, value in complete_seat(options, given).items() if name in given}


def stored_seat(options: Sequence[Option], brought: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a seat brings as it is stored.

    A deck from a match or room that an earlier release has stored may have fields that none has now: they are dropped,
    where `given_seat` refuses them. Raises BadNotation for what is no deck at all, and for an unknown name.
    """
    reading = {option.name: option.reading for option in options if option.per_seat and option.kind == "deck"}
    decks = {name: finished(reading[name](value)) for name, value in brought.items() if name in reading}
    rest = {name: value for name, value in brought.items() if name not in reading}
    kept = decks | given_seat(options, rest)
    return {name: kept[name] for name in brought}


def deviating(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    """Return those of the room-wide options that differ from their defaults, in plain form.

    Equal for all ways to write the same. Raises BadNotation as `complete` does.

    >>> deviating([Option("board", "number", 15, low=5, high=23), Option("rim", "flag", True)], {"board": "17"})
    {'board': 17}
    """
    defaults = {option.name: option.default for option in options}
    return {name: value for name, value in complete(options, given).items() if value != defaults[name]}


def as_first_stored(values: Mapping[str, Json], later: Mapping[str, Json]) -> dict[str, Json]:
    """Return options as a state stores them: those in `later` (name and default) only where they differ.

    States of matches from before those options keep their hashes. A missing option has its default.

    >>> as_first_stored({"board": 15, "forbid": "source"}, {"forbid": "source"})
    {'board': 15}
    """
    return {name: value for name, value in values.items() if name not in later or value != later[name]}


def _complete(options: Sequence[Option], given: Mapping[str, Json]) -> dict[str, Json]:
    unknown = given.keys() - {option.name for option in options}
    if unknown:
        raise BadNotation("option.unknown", ", ".join(sorted(unknown))[:80])
    return {option.name: checked(option, given.get(option.name, option.default)) for option in options}


def checked(option: Option, value: Json) -> Json:
    """Return the value in its plain form; a text form is read. Raises BadNotation when the option can't take it."""
    match option.kind, value:
        case "flag" | "set" | "number" | "counts", str():
            return from_text(option, value)
        case "flag", bool():
            return value
        case "choice", str() if value in option.values:
            return value
        case "set", list() if all(item in option.values for item in value) and len(set(map(str, value))) == len(value):
            return [item for item in option.values if item in value]
        case "number", int() if not isinstance(value, bool) and option.low <= value <= option.high:
            return value
        case "counts", dict() if all(_counts(option, name, count) for name, count in value.items()):
            usual = option.default if isinstance(option.default, dict) else {}
            return {name: value.get(name, usual.get(name, 0)) for name in option.values}
        case "deck", _:
            return finished(reading_deck(option, value))
    raise BadNotation("option.value", f"{option.name}={plain(value)}"[:80])


def finished(steps: Steps) -> Json:
    """Take all steps at once; return what comes of them."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Json = end.value
            return found


def reading_deck(option: Option, deck: Json) -> Steps:
    """Return a deck as it is stored. Raises BadNotation for no deck, too long a one, and fields that no deck has."""
    if _chars(deck) > DECK_CHARS:
        raise BadNotation("option.deck-size", str(DECK_CHARS))
    kept = yield from option.reading(deck)
    if isinstance(deck, dict) and "cards" in deck and isinstance(kept, dict) and (unknown := deck.keys() - kept.keys()):
        raise BadNotation("option.deck-field", ", ".join(sorted(unknown))[:80])
    return kept


def _chars(value: Json) -> int:
    """Return how many characters a value is written with; one nested too deep to be written has more than any."""
    try:
        return len(plain(value))
    except RecursionError:
        return DECK_CHARS + 1


def plain(value: Json) -> str:
    """Return a value for a person: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _counts(option: Option, name: str, count: Json) -> bool:
    """Tell whether a 'counts' option takes this number for a value."""
    is_number = isinstance(count, int) and not isinstance(count, bool)
    return name in option.values and is_number and option.low <= count <= option.high  # type: ignore[operator]


def from_text(option: Option, text: str) -> Json:
    """Read the text form: on/off, one of the values, a comma list (empty: nothing), a number; a deck as its name.

    'counts' is a comma list like `slip:4,greed:5`; what it does not name has its usual number.

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
        case "counts":
            pairs = [one.partition(":") for one in text.split(",")] if text else []
            if all(_is_number(count) for _, _, count in pairs) and len({name for name, *_ in pairs}) == len(pairs):
                return checked(option, {name: int(count) for name, _, count in pairs})
        case "number" if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10:
            return checked(option, int(text))
    raise BadNotation("option.value", f"{option.name}={text}"[:80])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def to_text(option: Option, value: Json) -> str:
    """Write a value in its text form, for people and command lines; `from_text` reads it back."""
    match value:
        case bool():
            return "on" if value else "off"
        case list():
            return ",".join(map(str, value))
        case dict():
            return ",".join(f"{name}:{count}" for name, count in unusual(option, value).items())
    return str(value)


def unusual(option: Option, counts: Mapping[str, Json]) -> dict[str, Json]:
    """Return the numbers of a 'counts' option that are not the usual ones."""
    usual = option.default if isinstance(option.default, dict) else {}
    return {name: count for name, count in counts.items() if usual.get(name) != count}

"""Half-resolved effects as JSON: each frame of the stack is an object whose "effect" names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from game.contract import Json
from game.errors import BadNotation
from game.passage.cards import Card
from game.passage.state import Aim, Alms, Bout, Frame, Gift, Peek, Rescue, Return, Seizure, Swap, Window

NAMES: Final[Mapping[type[Frame], str]] = {
    Window: "window",
    Aim: "aim",
    Peek: "kotodama",
    Return: "return",
    Rescue: "rescue",
    Gift: "tithe",
    Swap: "trade",
    Alms: "beg",
    Seizure: "take",
    Bout: "duel",
}
TYPES: Final = {name: kind for kind, name in NAMES.items()}


def write_frame(frame: Frame) -> dict[str, Json]:
    """Return a frame as JSON; `read_frame` takes it back."""
    kind = type(frame)
    return {"effect": NAMES[kind], **{name: plain(getattr(frame, name)) for name in kind.__dataclass_fields__}}


def plain(value: object) -> Json:
    """Return a frame's field as JSON."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Card):
        return value.value
    assert value is None or isinstance(value, int)
    return value


def read_frame(data: Json) -> Frame:
    """Read a frame. Raises BadNotation for an unknown effect or a field that is missing, unknown or of another kind."""
    if not isinstance(data, dict) or str(data.get("effect")) not in TYPES:
        raise BadNotation("passage.error.position", "unknown effect")
    kind = TYPES[str(data["effect"])]
    given = {name: with_tuples(value) for name, value in data.items() if name != "effect"}
    if given.keys() - kind.__dataclass_fields__.keys():
        raise BadNotation("passage.error.position", f"unknown field in {data['effect']}")
    try:
        if "card" in given:
            given["card"] = Card(str(given["card"]))
        frame: Frame = kind(**given)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise BadNotation("passage.error.position", str(error)[:80]) from error
    if not is_well_typed(frame):
        raise BadNotation("passage.error.position", f"bad field in {data['effect']}")
    return frame


def with_tuples(value: Json) -> object:
    """Return a JSON value with tuples for lists, at every depth."""
    return tuple(with_tuples(item) for item in value) if isinstance(value, list) else value


def is_well_typed(frame: Frame) -> bool:
    """Tell whether each field holds what its type says; JSON may have put anything there."""
    values = {name: getattr(frame, name) for name in type(frame).__dataclass_fields__}
    may_lack = ("target", "origin", "place", "by") if isinstance(frame, Window) else ()
    return all((value is None and name in may_lack) or is_of(name, value) for name, value in values.items())


def is_of(name: str, value: object) -> bool:
    """Tell whether a frame's field of that name may have this value."""
    match name:
        case "card":
            return isinstance(value, Card)
        case "opening":
            return isinstance(value, bool)
        case "waiting":
            return isinstance(value, tuple) and all(map(is_index, value))
        case "picked":
            return isinstance(value, tuple) and len(value) == 2 and all(map(is_pick, value))
        case "answers":
            return isinstance(value, tuple) and all(map(is_answer, value))
        case _:
            return is_index(value)


def is_whole(value: object) -> bool:
    """Tell whether this is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_index(value: object) -> bool:
    """Tell whether this is a whole number that can name a seat or a place."""
    return is_whole(value) and isinstance(value, int) and value >= 0


def is_pick(value: object) -> bool:
    """Tell whether this is a choice of two hand places, or None for one not made yet."""
    return value is None or (isinstance(value, tuple) and len(value) == 2 and all(map(is_index, value)))


def is_answer(value: object) -> bool:
    """Tell whether this is a pair of a seat and its answer to a beggar."""
    return isinstance(value, tuple) and len(value) == 2 and is_index(value[0]) and is_whole(value[1])

"""The output of the command line: JSON lines for programs, short lines for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from game.contract import Choice, Event, Game, Json, Number, OneOf, Option, Pending, Result, Subset, View, result_json
from game.options import plain, to_text
from game.printable import escaped

Names = Sequence[str]


def line(kind: str, **fields: object) -> str:
    """Return a JSON object on one line: the format version `v`, the `type`, and these fields."""
    return escaped(json.dumps({"v": 1, "type": kind, **fields}, ensure_ascii=False, separators=(",", ":")))


def event_json(event: Event) -> Json:
    """Return an event with its public and private parameters."""
    told: dict[str, Json] = {"kind": event.kind, "public": None if event.public is None else dict(event.public)}
    if event.private:
        told["private"] = {str(seat): dict(known) for seat, known in event.private.items()}
    return told


def event_line(event: Event) -> str:
    """Return an event for a person: its key, and what the first seat that knows more learns, else the public."""
    params = next(iter((event.private or {}).values()), event.public or {})
    return f"  {event.kind} {' '.join(f'{name}={plain(value)}' for name, value in params.items())}".rstrip()


def to_act_json(pending: Sequence[Pending]) -> list[Json]:
    """Return who owes a decision, and what is asked."""
    return [{"seat": p.seat, "prompt": p.prompt, "window": p.window} for p in pending]


def position_lines(
    game: Game[object, View], state: object, events: Sequence[Event], *, as_json: bool, **more: Json
) -> Iterator[str]:
    """Yield a position, the events before it, and who is to act or the result."""
    pending, result, position = game.pending(state), game.result(state), game.write_position(state)
    if as_json:
        fields: dict[str, Json] = {"position": position, "to_act": to_act_json(pending)}
        told: list[Json] = [event_json(event) for event in events]
        yield line("position", **more, **fields, events=told, result=result_json(result))
        return
    names = game.seat_names(game.n_seats(state))
    yield plain(position)
    yield from map(event_line, events)
    for owed in pending:
        yield f"to act: {names[owed.seat]} {owed.prompt}{f' [{owed.window}]' if owed.window else ''}"
    if result is not None:
        yield f"result: {result_line(result, names)}"


def result_line(result: Result, names: Names) -> str:
    """Return a result for a person.

    >>> result_line(Result(((1,), (0, 2)), "links"), "SNE")
    'N > S = E (links)'
    """
    return f"{' > '.join(' = '.join(names[seat] for seat in tier) for tier in result.placements)} ({result.reason})"


def choice_lines(choice: Choice, name: str) -> Iterator[str]:
    """Yield what a seat may do: a list as `SEAT:ACTION` lines, another choice by its shape."""
    match choice:
        case OneOf(actions):
            yield from (f"{name}:{action.text}" for action in actions)
        case Number(verb, low, high):
            yield f"{name}:{verb} N (N from {low} to {high})"
        case Subset(verb, items, low, high):
            yield f"{name}:{verb} ITEM … ({low} to {high} of: {' '.join(items)})"


def view_lines(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield a view for a person: the position first, then each other part on its line."""
    if "position" in view:
        yield plain(view["position"])
    yield from (f"  {name}: {plain(value)}" for name, value in view.items() if name != "position")


def option_json(option: Option) -> Json:
    """Return one line of the new-match form."""
    told: dict[str, Json] = {"name": option.name, "kind": option.kind, "default": option.default}
    if option.values:
        told["values"] = list(option.values)
    if option.seat_values:
        told["seat_values"] = [list(values) for values in option.seat_values]
    if option.kind in ("number", "counts"):
        told |= {"low": option.low, "high": option.high}
    return told | ({"per_seat": True} if option.per_seat else {})


def taken(option: Option) -> str:
    """Return which values an option takes, as they are written."""
    match option.kind:
        case "flag":
            return "on|off"
        case "number":
            return f"{option.low}..{option.high}"
        case "counts":
            return f"some of {','.join(f'{value}:N' for value in option.values)}, N {option.low}..{option.high}"
        case "set":
            return f"some of {','.join(option.values)}"
    return " or ".join("|".join(values) for values in option.seat_values or (option.values,)) or option.kind


def option_line(option: Option) -> str:
    """Return an option for a person: how it is written, and its default."""
    name = f"SEAT:{option.name}" if option.per_seat else option.name
    return f"  {name}={taken(option)} (default {to_text(option, option.default)})"

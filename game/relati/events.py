"""The events of an action, and the set of cells it changed."""

from __future__ import annotations

from game.contract import Event, Json, Seat
from game.relati.effects import Outcome
from game.relati.geometry import king
from game.relati.notation import Spoken
from game.relati.state import Board

ACTION_EVENTS = {
    "L": "locate",
    "R": "connect",
    "E": "escape",
    "N": "contact",
    "F": "shot",
    "B": "bomb",
    "D": "defend",
}


def changed_cells(before: Board, after: Board) -> int:
    """Return the cells whose mark or status has changed; becoming forbid, or linked again, counts."""
    found = (before.broken ^ after.broken) | (before.weapon ^ after.weapon) | (before.bomber ^ after.bomber)
    for old, new in zip(before.sides, after.sides, strict=True):
        found |= old.mark ^ new.mark | old.source ^ new.source | old.linked ^ new.linked
        found |= old.cut ^ new.cut | old.shield ^ new.shield
    return found


def events_of(before: Board, seat: Seat, spoken: Spoken, outcome: Outcome) -> tuple[Event, ...]:
    """Return the events of an action and its consequences."""
    events = [Event(ACTION_EVENTS[spoken.verb], {"seat": seat, **_details(before, seat, spoken, outcome.board)})]
    for capture in outcome.captures:
        cells: list[Json] = [*before.grid.names_of(capture.cells)]
        events.append(Event("captured", {"seat": capture.by, "cells": cells}))
    for other, (old, new) in enumerate(zip(before.sides, outcome.board.sides, strict=True)):
        if old.source and not new.source:
            events.append(Event("source-lost", {"seat": other}))
        if cut := (new.cut & ~old.cut).bit_count():
            events.append(Event("cut", {"seat": other, "count": cut}))
        if freed := (old.cut & new.linked).bit_count():
            events.append(Event("freed", {"seat": other, "count": freed}))
    return tuple(events)


def _details(before: Board, seat: Seat, spoken: Spoken, after: Board) -> dict[str, Json]:
    """Return the parameters of an action's own event, but for its seat."""
    measures = before.grid
    cell = measures.names[spoken.cell]
    match spoken.verb, spoken.medium:
        case "E", _:
            side = before.sides[seat]
            return {"cell": cell, "lost": (side.live & ~side.shield).bit_count()}
        case "B", _:
            bit = 1 << spoken.cell
            killed = king(bit, measures.stride) & ~bit & ~before.empty & after.dead & ~before.dead
            return {"cell": cell, "killed": [*measures.names_of(killed)]}
        case _, int(medium):
            spent = medium + measures.step(spoken.cell, medium)
            ends: dict[str, Json] = {"medium": measures.names[medium], "spent": measures.names[spent]}
            return {"target": cell, "owner": before.owner(spoken.cell), **ends}
    return {"cell": cell}

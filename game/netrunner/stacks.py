"""Half-resolved effects in positions: reading the frames of `stack`, and its seal.

A stack refers to cards of its position. The seal, a digest, shows that neither was edited; an edited position is read
without its stack, from the beginning of its step.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from game.contract import Json
from game.netrunner.fields import array, bad, mapping
from game.netrunner.ops import CHOICES, OPS
from game.netrunner.state import Frame, State, Value

LOOSE: Final = ("pending", "seal", "seed", "used", "auto")  # what may be changed beside a stack


def seal(position: Mapping[str, Json], version: int) -> str:
    """Return the seal of a position with its stack: 16 hex digits of a SHA-256 over it and the rules version."""
    sealed = {name: value for name, value in position.items() if name not in LOOSE}
    sealed |= {"version": version} if version > 1 else {}
    text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_stack(state: State, data: dict[str, Json]) -> State:
    """Return the state with its frames; without a `stack` it begins its step anew. Raises BadNotation."""
    if "stack" in data:
        frames = tuple(read_frame(item) for item in array(data["stack"], "stack"))
    elif state.outcome is not None:
        frames = ()
    elif state.run is not None:
        turn = Frame("turn", (("stage", 1),))
        frames = (turn, Frame("run", (("mods", ()), ("server", state.run.server), ("source", 0), ("stage", 0))))
    else:
        frames = (Frame("turn", (("stage", 0),)),)
    return replace(state, frames=frames)


def read_frame(item: Json) -> Frame:
    """Read a frame of the stack. Raises BadNotation."""
    data = mapping(item, "stack")
    name = data.get("op")
    if (name not in OPS and name != "ask") or (name == "ask" and data.get("kind") not in CHOICES):
        bad("stack")
    return Frame(str(name), tuple(sorted((k, deep(v)) for k, v in data.items() if k != "op")))


def deep(value: Json) -> Value:
    """Return JSON with tuples for lists. Raises BadNotation for an object."""
    if isinstance(value, list):
        return tuple(deep(item) for item in value)
    if isinstance(value, dict):
        bad("stack")
    return value

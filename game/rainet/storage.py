"""The whole state as JSON and back."""

from __future__ import annotations

from typing import Any

from game.contract import Json, Result, Seat, result_json
from game.options import as_first_stored
from game.rainet.position import read_grid, read_setup, write_grid, write_setup
from game.rainet.state import LATER, Options, State
from game.rng import Rng


def write_position(state: State) -> str:
    """Return the full position, in play or in the setup."""
    if not state.board:
        return write_setup(state.setups)
    return write_grid(state.board, state.turn, state.hands, state.firewalls, state.stacks, state.clock)


def options_json(options: Options) -> dict[str, Json]:
    """Return the options under their names."""
    return {
        "boost_into_server": options.boost_into_server,
        "own_exit": options.own_exit,
        "first": options.first,
        "firewall_anywhere": options.firewall_anywhere,
    }


def dump(state: State) -> Json:
    """Return everything that `load` needs to make an equal state."""
    return {
        "options": as_first_stored(options_json(state.options), LATER),
        "rng": None if state.rng is None else [state.rng.seed.hex(), state.rng.used],
        "position": write_position(state),
        "first": state.first,
        "origin": state.origin.hex(),
        "log": list(state.log),
        "seen": [key.hex() for key in state.seen],
        "result": result_json(state.result),
    }


def load(data: Any) -> State:
    """Return the state that was dumped; made for our own dumps, so it does not check that they make sense."""
    options = Options(**data["options"])
    rng = None if data["rng"] is None else Rng(bytes.fromhex(data["rng"][0]), data["rng"][1])
    result = _load_result(data["result"])
    if data["position"].startswith("setup"):
        return State(options, rng, read_setup(data["position"]), result=result)
    grid = read_grid(data["position"], options)
    return State(
        options,
        rng,
        (None, None),
        grid.board,
        grid.turn,
        grid.hands,
        grid.firewalls,
        grid.stacks,
        grid.clock,
        data["first"],
        bytes.fromhex(data["origin"]),
        tuple(data["log"]),
        tuple(bytes.fromhex(key) for key in data["seen"]),
        result,
    )


def _load_result(data: Any) -> Result | None:
    if data is None:
        return None
    return Result(tuple(tuple(Seat(seat) for seat in tier) for tier in data["placements"]), data["reason"])

"""Reading `--position`: the game's own text or JSON, `@FILE`, or `start`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from game.cli.arguments import read_options, read_seat, read_seed
from game.cli.commandline import CommandLine
from game.contract import Game, Json, View
from game.errors import BadNotation
from game.rng import SEED_BYTES

START = "start"
STARTED = {"start", "players", "options", "seats", "seed"}  # the fields of a file that begins a match
MAX_BYTES = 4 << 20


def read_position(game: Game[object, View], arguments: CommandLine, default: Json = None) -> object:
    """Return the state that `--position` names. Raises BadNotation where it can't be read."""
    said = arguments.one("position")
    if said is None and default is None:
        raise BadNotation("usage.missing", "--position")
    position = default if said is None else _read_text(said)
    players = None if arguments.one("players") is None else arguments.number("players", None)
    if players is not None and players not in game.seats:
        raise BadNotation("usage.players", str(players))
    if position == START:
        position = {"start": True}
    if isinstance(position, dict) and "start" in position:
        return _start(game, arguments, position, players)
    room, brought = read_options(game, arguments.options.get("option", ()))
    if brought:
        raise BadNotation("usage.option", "what a seat brings belongs to a start")
    return game.read_position(position, room, players, read_seed(arguments.one("seed")))


def _read_text(said: str) -> Json:
    """Return what the text or file holds: JSON where it looks like it, else the text itself."""
    text = (_read_file(said[1:]) if said.startswith("@") else said).strip()
    if not text.startswith(("{", "[", '"')):
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadNotation("usage.position", "not JSON") from error
    if isinstance(value, dict) and value.get("type") == "position" and "position" in value:
        return value["position"]  # what `apply --json` printed
    return value


def _read_file(name: str) -> str:
    try:
        with Path(name).open(encoding="utf-8-sig") as file:
            return file.read(MAX_BYTES)
    except (OSError, ValueError) as error:
        raise BadNotation("usage.file", name[:200]) from error


def _start(game: Game[object, View], arguments: CommandLine, said: Mapping[str, Json], players: int | None) -> object:
    """Begin a match from a `{"start":true,…}` object; options of the command line override it."""
    if said.get("start") is not True or said.keys() - STARTED:
        raise BadNotation("usage.position", "a start has start, players, options, seats, seed")
    options, seats = said.get("options", {}), said.get("seats", [])
    n_seats = said.get("players", game.seats[0]) if players is None else players
    seed = said.get("seed")
    if not isinstance(options, dict) or not isinstance(seats, list) or not isinstance(seed, str | None):
        raise BadNotation("usage.position", "options, seats or seed")
    if not isinstance(n_seats, int) or n_seats not in game.seats:
        raise BadNotation("usage.players", str(n_seats)[:20])
    room, brought = read_options(game, arguments.options.get("option", ()))
    seat_options = [_object(seat) for seat in seats]
    seat_options += [{} for _ in range(n_seats - len(seats) if seats or brought else 0)]
    for name, values in brought.items():
        seat_options[read_seat(name, game.seat_names(n_seats))] |= values
    given = read_seed(arguments.one("seed")) or read_seed(seed) or bytes(SEED_BYTES)
    return game.setup({**options, **room}, n_seats, given, _checked(seat_options, n_seats)).state


def _object(seat: Json) -> dict[str, Json]:
    if not isinstance(seat, dict):
        raise BadNotation("usage.position", "seats")
    return dict(seat)


def _checked(seat_options: list[dict[str, Json]], n_seats: int) -> list[dict[str, Json]]:
    if len(seat_options) not in (0, n_seats):
        raise BadNotation("usage.position", "seats")
    return seat_options

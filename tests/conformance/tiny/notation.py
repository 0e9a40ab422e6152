"""Tiny's positions: JSON, partial when written by hand, complete when written by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.contract import Json, Seat
from game.errors import BadNotation
from game.options import complete
from game.rng import SEED_BYTES, Rng
from tests.conformance.tiny.state import CHARMS, NUMBERS, OPS, OPTIONS, PRIZES, VETO, Frame, Player, Rules, State

FIELDS = frozenset(
    [
        "players",
        "options",
        "round",
        "prize",
        "hands",
        "lives",
        "coins",
        "bids",
        "auto",
        "charms",
        "deck",
        "discard",
        "out",
        "stack",
        "seed",
        "used",
    ]
)


def read_rules(options: Mapping[str, Json]) -> Rules:
    """Return the rules that complete, checked options stand for."""
    match options:
        case {"lives": int(lives), "rounds": int(rounds), "prizes": list(prizes), "ties": str(ties)} if prizes:
            return Rules(lives, rounds, tuple(map(str, prizes)), ties, options["open_hands"] is True)
    raise BadNotation("tiny.error.options")


def write_rules(rules: Rules) -> dict[str, Json]:
    """Write the options of a match."""
    return {
        "lives": rules.lives,
        "rounds": rules.rounds,
        "prizes": list(rules.prizes),
        "ties": rules.ties,
        "open_hands": rules.open_hands,
    }


def write(state: State) -> Json:
    """Write the whole position."""
    players = state.players
    return {
        "players": len(players),
        "options": write_rules(state.rules),
        "round": state.round,
        "prize": state.prize,
        "hands": [list(p.hand) for p in players],
        "lives": [p.lives for p in players],
        "coins": [p.coins for p in players],
        "bids": [p.bid for p in players],
        "auto": [p.auto for p in players],
        "charms": [p.charm for p in players],
        "deck": list(state.deck),
        "discard": list(state.discard),
        "out": list(state.out),
        "stack": [write_frame(frame) for frame in state.stack],
        "seed": state.rng.seed.hex(),
        "used": state.rng.used,
    }


def write_frame(frame: Frame) -> Json:
    """Write one half-resolved thing."""
    return {"op": frame.op, "seat": frame.seat, "waiting": list(frame.waiting)}


def read(position: Json, options: Mapping[str, Json], n_seats: int | None, seed: bytes | None) -> State:
    """Read a position; what it does not say comes from the arguments, else has its default."""
    if not isinstance(position, dict) or position.keys() - FIELDS:
        raise BadNotation("tiny.error.position", "not an object, or an unknown field")
    said = position.get("options", {})
    if not isinstance(said, dict):
        raise BadNotation("tiny.error.position", "options")
    rules = read_rules(complete(OPTIONS, {**options, **said}))
    n = _number(position.get("players", n_seats or 2), 2, 6)
    living = tuple(map(Seat, range(n)))
    out = _seats(position.get("out", []), n)
    players = tuple(_read_player(position, rules, i, n) for i in range(n))
    asked = [seat for seat in living if seat not in out and players[seat].hand]
    first: Json = [{"op": "bid", "seat": None, "waiting": list(asked)}]
    return State(
        rules,
        _read_rng(position, seed),
        players,
        _cards(position.get("deck", [])),
        _number(position.get("round", 1), 1, 10),
        _word(position.get("prize", "coins"), PRIZES),
        _cards(position.get("discard", [])),
        out,
        tuple(_read_frame(frame, n) for frame in _list(position.get("stack", first))),
    )


def _read_player(position: Mapping[str, Json], rules: Rules, i: int, n: int) -> Player:
    def field(name: str, default: Json) -> Json:
        values = _list(position.get(name, [default] * n))
        if len(values) != n:
            raise BadNotation("tiny.error.position", name)
        return values[i]

    bid = field("bids", None)
    return Player(
        tuple(sorted(_cards(field("hands", [])))),
        _number(field("lives", rules.lives), 0, 3),
        _number(field("coins", 0), 0, 99),
        None if bid is None else _word(bid, (*NUMBERS, VETO)),
        field("auto", False) is True,
        _word(field("charms", "none"), CHARMS),
    )


def _read_rng(position: Mapping[str, Json], seed: bytes | None) -> Rng:
    text = position.get("seed", (seed or bytes(SEED_BYTES)).hex())
    try:
        return Rng(bytes.fromhex(str(text)), _number(position.get("used", 0), 0, 1 << 40))
    except ValueError as error:
        raise BadNotation("tiny.error.position", "seed") from error


def _read_frame(frame: Json, n: int) -> Frame:
    match frame:
        case {"op": str(op), "seat": int() | None as seat, "waiting": list(waiting)} if op in OPS:
            return Frame(op, None if seat is None else Seat(_number(seat, 0, n - 1)), _seats(waiting, n))
    raise BadNotation("tiny.error.position", "stack")


def _seats(value: Json, n: int) -> tuple[Seat, ...]:
    return tuple(Seat(_number(seat, 0, n - 1)) for seat in _list(value))


def _cards(value: Json) -> tuple[str, ...]:
    return tuple(_word(card, (*NUMBERS, VETO)) for card in _list(value))


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise BadNotation("tiny.error.position", "not a list")
    return value


def _number(value: Json, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadNotation("tiny.error.position", f"not a number from {low} to {high}")
    return value


def _word(value: Json, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise BadNotation("tiny.error.position", f"not one of {', '.join(words)}")
    return value

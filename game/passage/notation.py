"""Positions of Passage as JSON: reading and writing (Passage §5, §6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from game.contract import Json, Watcher
from game.passage import fields
from game.passage.cards import Card
from game.passage.decisions import AUTO
from game.passage.fields import bad, cards, number, per_seat
from game.passage.frames import read_frame, write_frame
from game.passage.soundness import check_frames, check_seats
from game.passage.state import Auto, Cards, Frame, Held, Known, Phase, State
from game.passage.switches import Switches, read_switches, write_switches
from game.passage.view import PassageView
from game.rng import SEED_BYTES, Rng

PHASES: Final = ("play", "draw", "discard")
NO_SEED: Final = "00" * SEED_BYTES
ZONES: Final = ("hands", "pile", "discard", "removed", "sealed", "blind", "eliminated", "forfeited")
COUNTERS: Final = ("players", "options", "turn", "direction", "phase", "draws", "bottom", "owed", "receiver")
KNOWLEDGE: Final = ("known", "known_public", "held", "held_public")
FIELDS: Final = frozenset((*COUNTERS, *ZONES, *KNOWLEDGE, "stack", "auto", "seed", "used"))


def read(
    version: int,
    data: Mapping[str, Json],
    options: Mapping[str, Json],
    n_seats: int | None,
    given_seed: bytes | None,
) -> State:
    """Read a position under a version of the rules. Its own fields override the arguments.

    Raises BadNotation where it can't be read or contradicts itself. The invariant of §1.2 is not checked.
    """
    unknown = data.keys() - FIELDS
    if unknown:
        bad(f"unknown field {min(unknown)}")
    n = players(data, n_seats)
    switches = read_switches(own_options(data, options), version)
    hands, sealed = zones(data, "hands", n), zones(data, "sealed", n)
    pile = cards(data.get("pile", []), "pile")
    sides = tuple(hand + face_down for hand, face_down in zip(hands, sealed, strict=True))
    receiver = data.get("receiver")
    state = State(
        version=version,
        switches=switches,
        rng=Rng(
            fields.seed(data.get("seed", given_seed.hex() if given_seed else NO_SEED)),
            number(data, "used", 0, 0, 1 << 62),
        ),
        turn=number(data, "turn", 0, 0, n - 1),
        direction=number(data, "direction", 1, -1, 1),
        phase=cast(Phase, fields.word(data, "phase", "play", PHASES)),
        draws=number(data, "draws", 1),
        bottom=number(data, "bottom", 0),
        hands=hands,
        pile=pile,
        discard=cards(data.get("discard", []), "discard"),
        removed=cards(data.get("removed", []), "removed"),
        sealed=sealed,
        blind=tuple(sorted(fields.seats(data, "blind", n))),
        eliminated=fields.seats(data, "eliminated", n),
        forfeited=fields.seats(data, "forfeited", n),
        owed=tuple(number({"owed": one}, "owed", 0) for one in per_seat(data, "owed", n, 0)),
        receiver=None if receiver is None else number(data, "receiver", 0, 0, n - 1),
        stack=frames(data),
        known=read_known(data, n, pile),
        held=read_held(data, n, sides),
        auto=autos(data, n),
    )
    if "receiver" not in data:
        state = with_receiver(state, data)
    check_seats(state)
    check_frames(state)
    return state


def with_receiver(state: State, data: Mapping[str, Json]) -> State:
    """Return a state with the receiver that its position does not name, where it counts what will be handed over.

    What is still counted in a discard phase will be; to whom, only a position says under the printed bottom rule.
    """
    is_left_over = state.switches.bottom_rule == "printed" and not data.get("draws")
    is_counted = (data.get("draws") or data.get("bottom")) and not is_left_over
    if state.phase != "discard" or not is_counted:
        return state
    return replace(state, receiver=state.after(state.turn, state.direction))


def players(data: Mapping[str, Json], n_seats: int | None) -> int:
    """Return the number of players: the position's own, else the one given, else one for each hand."""
    hands = data.get("hands")
    listed = len(hands) if isinstance(hands, list) else 0
    return number(data, "players", n_seats if n_seats is not None else listed, 2, 5)


def own_options(data: Mapping[str, Json], options: Mapping[str, Json]) -> dict[str, Json]:
    """Return the position's options over those given beside it."""
    own = data.get("options", {})
    if not isinstance(own, dict):
        bad("options: not an object")
    return {**options, **own}


def zones(data: Mapping[str, Json], name: str, n: int) -> tuple[Cards, ...]:
    """Read one list of cards a seat; a Passage is never among them (§1.4)."""
    found = tuple(cards(one, name) for one in per_seat(data, name, n, []))
    if any(Card.PASSAGE in zone for zone in found):
        bad(f"{name}: a Passage can't be held")
    return found


def frames(data: Mapping[str, Json]) -> tuple[Frame, ...]:
    """Read the stack, the effect on top last."""
    value = data.get("stack", [])
    if not isinstance(value, list):
        bad("stack: not a list")
    return tuple(map(read_frame, value))


def read_known(data: Mapping[str, Json], n: int, pile: Cards) -> tuple[Known, ...]:
    """Read what each seat and the public know of the pile; what is public is known to all."""
    public = fields.known(data.get("known_public", {}), pile, "known_public")
    own = [fields.known(one, pile, "known") for one in per_seat(data, "known", n, {})]
    return (*(tuple(sorted({*one, *public})) for one in own), public)


def read_held(data: Mapping[str, Json], n: int, sides: tuple[Cards, ...]) -> tuple[Held, ...]:
    """Read what each seat and the public know of others' hands."""
    own = [fields.held(one, sides, "held") for one in per_seat(data, "held", n, {})]
    return (*own, fields.held(data.get("held_public", {}), sides, "held_public"))


def autos(data: Mapping[str, Json], n: int) -> tuple[Auto, ...]:
    """Read everybody's personal setting."""
    listed = per_seat(data, "auto", n, "off")
    return tuple(cast(Auto, fields.word({"auto": one}, "auto", "off", AUTO)) for one in listed)


# Writing.


def write(state: State) -> dict[str, Json]:
    """Return the whole position; `read` takes it back."""
    n = state.n_seats
    return {
        **shared(state, state.switches),
        "pile": keys(state.pile),
        "stack": [write_frame(frame) for frame in state.stack],
        "known": [write_known(one) for one in state.known[:n]],
        "known_public": write_known(state.known[n]),
        "held": [write_held(one) for one in state.held[:n]],
        "held_public": write_held(state.held[n]),
        "auto": list(state.auto),
        "seed": state.rng.seed.hex(),
        "used": state.rng.used,
    }


def write_view(view: PassageView) -> dict[str, Json]:
    """Return the position as a viewer knows it: "?" for a card it does not know, and only its own knowledge."""
    n, seat = view.n_seats, view.seat
    is_own = [one == seat for one in range(n)]
    return {
        **shared(view, view.switches),
        "pile": keys(view.pile),
        "stack": [write_frame(frame) for frame in view.stack],
        "known": [write_known(view.known) if own else {} for own in is_own],
        "known_public": write_known(view.known_public),
        "held": [write_held(view.held) if own else {} for own in is_own],
        "held_public": write_held(view.held_public),
    }


def view_json(view: PassageView) -> dict[str, Json]:
    """Return a view as the outside reads it: the masked position, and what lies about it."""
    ended = view.result
    return {
        "viewer": view.viewer.value if isinstance(view.viewer, Watcher) else int(view.viewer),
        "position": write_view(view),
        "known": write_known(view.known),
        "held": write_held(view.held),
        "auto": view.auto,
        "awaited": [{"seat": seat, "window": window} for seat, window in view.awaited],
        "result": None
        if ended is None
        else {"placements": [[int(seat) for seat in tier] for tier in ended.placements], "reason": ended.reason},
    }


def shared(it: State | PassageView, switches: Switches) -> dict[str, Json]:
    """Return the fields that a state and a view write in the same way."""
    return {
        "players": it.n_seats,
        "options": write_switches(switches),
        "turn": it.turn,
        "direction": it.direction,
        "phase": it.phase,
        "draws": it.draws,
        "bottom": it.bottom,
        "hands": [keys(hand) for hand in it.hands],
        "discard": keys(it.discard),
        "removed": keys(it.removed),
        "sealed": [keys(zone) for zone in it.sealed],
        "blind": list(it.blind),
        "eliminated": list(it.eliminated),
        "forfeited": list(it.forfeited),
        "owed": list(it.owed),
        "receiver": it.receiver,
    }


def keys(zone: Iterable[Card]) -> list[Json]:
    """Return cards by their keys."""
    return [card.value for card in zone]


def write_known(known: Known) -> dict[str, Json]:
    """Return known positions as JSON."""
    return {str(at): card.value for at, card in known}


def write_held(held: Held) -> dict[str, Json]:
    """Return known hand cards as JSON; seats of which nothing is known are left out."""
    return {str(seat): keys(zone) for seat, zone in enumerate(held) if zone}

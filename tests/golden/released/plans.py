"""Which matches are written down of a version: the seats, the options, and what happens in them besides actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from game import registry
from game.choices import draw
from game.contract import Game, Json, Seat
from game.replay import NEEDS_SEAT, Entry, Fold, Header, begin
from game.replay import advance as advanced
from game.rng import Rng
from tests.conformance.play import seed_of

LONGEST = 420  # entries; whoever is still in then gives up, the seats in order


@dataclass(frozen=True, slots=True)
class Plan:
    """One match. Of 100 decisions `random` are drawn, the others a bot's; `late` are timeouts, `settings` settings.

    `notes` are entries that are no action, by their number; where they name no seat, one that owes a decision.
    """

    name: str
    n_seats: int
    options: Mapping[str, Json] = field(default_factory=dict)
    seat_options: tuple[Mapping[str, Json], ...] = ()
    random: int = 30
    late: int = 0
    settings: int = 0
    notes: Mapping[int, tuple[str, int | None, Mapping[str, Json]]] = field(default_factory=dict)


def decks(corp: str, runner: str) -> tuple[Mapping[str, Json], ...]:
    """Return what the two seats of Netrunner bring."""
    return ({"deck": corp}, {"deck": runner})


LIST = """Weyland Consortium: Building a Better World
3 Hostile Takeover
3 Posted Bounty
3 Priority Requisition
3 Private Security Force
3 Hedge Fund
3 Scorched Earth
3 Shipment from Kaguya
3 PAD Campaign
2 Melange Mining Corp.
3 Ice Wall
3 Archer
3 Shadow
3 Wall of Static
3 Enigma
3 Hunter
2 SanSan City Grid"""

PLANS: Mapping[str, tuple[Plan, ...]] = {
    "rainet": (
        Plan("bots", 2, random=10),
        Plan("options", 2, {"own_exit": True, "boost_into_server": True, "first": "N"}, random=60),
        Plan("late", 2, random=100, notes={60: ("timeout", None, {})}),
        Plan("resigned", 2, {"first": "S"}, random=50, notes={41: ("resign", 1, {})}),
    ),
    "relati": (
        Plan("bots", 2, {"board": 11}, random=20),
        Plan("options", 2, {"board": 11, "bomb": "everything", "contact_line": "live-too", "attack_shields": True}),
        Plan("three", 3, {"board": 11}, random=60, notes={40: ("resign", None, {})}),
        Plan("late", 4, {"board": 11}, random=100, late=3, notes={20: ("left", None, {"forfeit": True})}),
        Plan(
            "six",
            6,
            {"board": 15, "rim_is_safe": False, "capture_shields": True},
            random=100,
            notes={30: ("adjourned", None, {}), 31: ("resumed", None, {}), 60: ("resign", None, {})},
        ),
        Plan("draw", 2, {"board": 9}, random=50, notes={15: ("draw_agreed", None, {})}),
    ),
    "passage": (
        Plan("two", 2, random=20),
        Plan(
            "three", 3, {"supplements": ["beg", "nightmare", "blank"], "blank": "greed", "veto_chain": True}, settings=5
        ),
        Plan("five", 5, {"zones": True, "bottom_rule": "whole_phase"}, random=60, notes={40: ("resign", 2, {})}),
        Plan("late", 4, {"rebirth": True, "passage_returns": True}, random=60, late=15, settings=5),
        Plan(
            "left",
            3,
            {"open_reinsertion": True, "judge_clears_draws": True, "bottom_targets_others": True},
            notes={
                12: ("left", 0, {"forfeit": False}),
                20: ("bot_seated", 0, {"level": "easy"}),
                30: ("returned", 0, {}),
                36: ("timeout", None, {"forfeit": True}),
            },
        ),
    ),
    "netrunner": (
        Plan("starters", 2, random=15),
        Plan("jinteki-criminal", 2, {"open_hands": True}, decks("jinteki", "criminal"), random=15),
        Plan("nbn-shaper", 2, {}, decks("nbn", "shaper"), random=25, late=5, settings=4),
        Plan("list-anarch", 2, {}, decks(LIST, "anarch"), random=20),
        Plan("haas-criminal", 2, {}, decks("haas-bioroid", "criminal"), random=60, notes={300: ("resign", 0, {})}),
        Plan("random", 2, {}, decks("weyland", "shaper"), random=100, late=3),
    ),
}


def play(key: str, version: int, plan: Plan) -> Iterator[tuple[Header, Fold[Any], Entry | None]]:
    """Play a planned match and yield it before the first entry (None) and after each."""
    game = registry.get(key)
    seed = seed_of(f"released {key} {version} {plan.name}")
    header = Header(key, version, plan.options, plan.n_seats, seed, plan.seat_options)
    fold, _ = begin(game, header)
    yield header, fold, None
    rng = Rng(seed_of(f"players {key} {version} {plan.name}"))
    while not fold.is_over:
        entry, rng = _next(game, plan, fold, rng)
        fold, _ = advanced(game, fold, entry)
        yield header, fold, entry


def _next(game: Game[Any, Any], plan: Plan, fold: Fold[Any], rng: Rng) -> tuple[Entry, Rng]:
    """Return what happens next."""
    seq = fold.seq + 1
    owed, rng = rng.choose(game.pending(fold.state))
    if seq in plan.notes:
        kind, seat, data = plan.notes[seq]
        who = Seat(seat) if seat is not None else owed.seat if kind in NEEDS_SEAT else None
        return Entry(seq, kind, who, data=data), rng
    if seq > LONGEST:
        return Entry(seq, "resign", owed.seat), rng
    roll, rng = rng.below(100)
    if roll < plan.late:
        return Entry(seq, "timeout", owed.seat), rng
    if roll < plan.late + plan.settings and (settings := game.settings(fold.state, owed.seat)):
        choice, rng = rng.choose(settings)
        action, rng = draw(choice, rng)
        return Entry(seq, "setting", owed.seat, action.text), rng
    is_drawn, rng = rng.below(100)
    own, rng = rng.split()
    if is_drawn < plan.random:
        action, _ = draw(owed.choice, own)
    else:
        action = registry.bots(game.key)["easy"].decide(game.view(fold.state, owed.seat), owed, own)
    return Entry(seq, "action", owed.seat, action.text), rng

"""RaiNet: leaf counts, those of the first written rules and those of an independent slow generator."""

from __future__ import annotations

import pytest

from game.contract import Seat
from game.rainet.position import OPENING
from game.rainet.rules import GAME
from game.rainet.state import State
from tests.answers import offered
from tests.rainet import slow
from tests.rainet.table import at, legal

POSITIONS = {
    "boosts on both sides, one card beside the other": (
        "lv4vl/3lv3/2L*5/3l*4/4V3/8/3V4/VLV3LL S CF4/cf4 -/- -/- 3",
        "",
    ),
    "a boosted card on an enemy exit and one before it": (
        "lv1L*2v1/2l1V3/3v4/8/8/3l*4/3V4/VL2v1L1 S CF4/cf4 -/- l+/V+ 0",
        "",
    ),
    "the same with the server open to the second step": (
        "lv4v1/2lL*V3/3v4/8/8/3l*4/2vV4/VL4L1 S CF4/cf4 -/- l+/V+ 0",
        "boost_into_server",
    ),
    "firewalls in the way of boosted cards": (
        "lv4vl/3lv3/8/2L*5/3V4/2v*5/3V4/VLL3V1 N C4/c4 c5/c4 l+/L+ 7",
        "",
    ),
    "face-up and hidden cards before the server": (
        "l+v1VL+2v/8/8/8/8/8/8/L1Vlv+2V N BF4/b4 -/c7 l+,v+,L?v/V+,l?l 0",
        "",
    ),
    "captures all round": (
        "8/8/8/2lv4/2LVl3/3vL3/3V4/8 N BCF4/bcf4 -/- l+,v+/L+,V+ 0",
        "",
    ),
    "own exits are squares": (
        "3l*4/2lv4/8/8/8/8/2LV4/3L4 S BCF4/cf4 -/- -/- 0",
        "own_exit",
    ),
    "firewalls under enemy cards, one of them boosted": (
        "8/8/3l*4/3L4/2Vv4/8/8/8 S B4/cf4 d6/- -/- 0",
        "firewall_anywhere",
    ),
    "both firewalls on one square": (
        "8/8/3l*4/8/3L4/8/8/8 S B4/c4 d5/d5 -/- 0",
        "firewall_anywhere",
    ),
    "one card against none, all terminals used": (
        "8/8/8/8/3L4/8/8/8 S BF/bf -/- -/- 0",
        "",
    ),
    "three links each": (
        "3L2v1/8/8/8/8/8/8/1V1l4 S B4/b4 h5/h4 l+,L?v,l+,V?l/L+,L+,l?l,V+ 0",
        "",
    ),
}


def perft(state: State, depth: int, moves_only: bool = False) -> int:
    total = 0
    for pending in GAME.pending(state):
        actions = [action for action in offered(pending) if not moves_only or GAME.is_move(action)]
        if depth == 1:
            return len(actions)
        total += sum(perft(GAME.apply(state, pending.seat, action).state, depth - 1, moves_only) for action in actions)
    return total


def loaded(position: str, options: str) -> State:
    return at(position, **dict.fromkeys(options.split(), True))


def test_the_opening_has_10_100_1280_moves() -> None:
    assert [perft(at(OPENING), depth, moves_only=True) for depth in (1, 2, 3)] == [10, 100, 1280]


def test_the_opening_has_134_and_17902_actions() -> None:
    assert [perft(at(OPENING), depth) for depth in (1, 2)] == [134, 17902]


def test_the_opening_actions_are_10_moves_8_boosts_8_checks_52_firewalls_and_56_of_404() -> None:
    texts = legal(at(OPENING))
    kinds = {sign: sum(1 for text in texts if text[0] == sign) for sign in "+-?#~@"}
    assert kinds == {"+": 8, "-": 0, "?": 8, "#": 52, "~": 0, "@": 56}
    assert sum(1 for text in texts if text[0] in "abcdefgh") == 10


@pytest.mark.parametrize("name", POSITIONS)
def test_both_generators_list_the_same_actions(name: str) -> None:
    position, options = POSITIONS[name]
    assert sorted(legal(loaded(position, options))) == sorted(slow.actions(slow.read(position, *options.split())))


@pytest.mark.parametrize("name", POSITIONS)
def test_both_generators_count_the_same_leaves(name: str) -> None:
    position, options = POSITIONS[name]
    state, table = loaded(position, options), slow.read(position, *options.split())
    assert perft(state, 2) == slow.perft(table, 2)
    assert perft(state, 3, moves_only=True) == slow.perft(table, 3, moves_only=True)


def test_a_side_with_no_card_on_the_grid_has_its_terminals() -> None:
    state = at("8/8/8/8/3L4/8/8/8 N BF/bf -/- -/- 0")
    assert legal(state) == {text for text in legal(state) if text[0] == "#"}
    assert GAME.pending(state)[0].seat == Seat(1)

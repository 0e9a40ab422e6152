"""Positions and actions as text: what is read, what comes back, what can't be read."""

from __future__ import annotations

import json

import pytest

from game.contract import Action, Json
from game.errors import BadNotation, IllegalAction
from game.rainet.notation import read_action
from game.rainet.position import OPENING
from game.rainet.rules import GAME
from tests.rainet.table import NORTH, PUBLIC, SOUTH, after, at, position, view

POSITIONS = [
    OPENING,
    "lvl+2v2/3lv+*3/8/8/8/2L+*5/3V4/V1V2L1L N C/- c3/h8 l+,v+/V+ 17",
    "8/8/8/8/8/8/8/8 N BF/bf -/- l+,V+,L?v,V?l/l?v,v+ 0",
    "setup - -",
    "setup LLVVLVLV -",
    "setup - VVVVLLLL",
]


@pytest.mark.parametrize("text", POSITIONS)
def test_a_position_comes_back_as_it_was_written(text: str) -> None:
    assert position(at(text)) == text


def test_a_match_begins_before_both_setups() -> None:
    assert GAME.setup({}, 2, bytes(32)).state == at("setup - -")


def test_a_masked_position_hides_types_and_hidden_stacks() -> None:
    state = at("lvl+2vlv/4v*3/8/8/8/2L+*5/3V4/V1V2L2 N C/c4 c3/h8 V+,L?v/l?l 17")
    assert view(state, PUBLIC).position == "ool+2ooo/4o*3/8/8/8/2L+*5/3O4/O1O2O2 N C/c4 c3/h8 V+,O?v/o?l 17"
    assert view(state, SOUTH).position == "ool+2ooo/4o*3/8/8/8/2L+*5/3V4/V1V2L2 N C/c4 c3/h8 V+,L?v/o?l 17"
    assert view(state, NORTH).position == "lvl+2vlv/4v*3/8/8/8/2L+*5/3O4/O1O2O2 N C/c4 c3/h8 V+,O?v/l?l 17"


def test_a_masked_setup_tells_only_who_is_ready() -> None:
    state = at("setup LLVVLVLV -")
    assert view(state, NORTH).position == view(state, PUBLIC).position == "setup ready -"
    assert view(state, SOUTH).position == "setup LLVVLVLV -"


BAD = {
    "masked": "ool2ooo/3oo3/8/8/8/8/3OO3/OOO2OOO S BCF4/bcf4 -/- -/- 0",
    "a rank too long": "lvl3vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0",
    "a rank too short": "lvl2vl/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0",
    "seven ranks": "lvl2vlv/3lv3/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0",
    "two gaps in a row": "lvl2vlv/3lv3/44/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0",
    "boost before face up": "8/8/8/3L*+4/8/8/8/8 S CF4/bcf4 -/- -/- 0",
    "no such side": "8/8/8/3L4/8/8/8/8 W BCF4/bcf4 -/- -/- 0",
    "no such terminal": "8/8/8/3L4/8/8/8/8 S BX/bcf4 -/- -/- 0",
    "a terminal twice": "8/8/8/3L4/8/8/8/8 S BB/bcf4 -/- -/- 0",
    "the other side's case": "8/8/8/3L4/8/8/8/8 S bcf4/BCF4 -/- -/- 0",
    "no such square": "8/8/8/3L4/8/8/8/8 S BC4/bcf4 i3/- -/- 0",
    "no such stacked card": "8/8/8/3L4/8/8/8/8 S BC4/bcf4 -/- X+/- 0",
    "a stacked card neither up nor down": "8/8/8/3L4/8/8/8/8 S BC4/bcf4 -/- L/- 0",
    "a clock that is no number": "8/8/8/3L4/8/8/8/8 S BCF4/bcf4 -/- -/- x",
    "five fields": "8/8/8/3L4/8/8/8/8 S BCF4/bcf4 -/- -/-",
    "two spaces": "8/8/8/3L4/8/8/8/8 S BCF4/bcf4 -/- -/-  0",
    "boost in hand and on a card": "8/8/8/3L*4/8/8/8/8 S BCF4/bcf4 -/- -/- 0",
    "two boosts of one side": "8/8/8/3L*V*3/8/8/8/8 S CF4/bcf4 -/- -/- 0",
    "a card on its own exit": "8/8/8/8/8/8/8/3L4 S BCF4/bcf4 -/- -/- 0",
    "a northern card on its own exit": "4l3/8/8/8/8/8/8/8 S BCF4/bcf4 -/- -/- 0",
    "a firewall in hand and on the grid": "8/8/8/3L4/8/8/8/8 S BCF4/bcf4 c3/- -/- 0",
    "two firewalls of one side": "8/8/8/3L4/8/8/8/8 S BC4/bcf4 c3,c4/- -/- 0",
    "a firewall on an exit": "8/8/8/3L4/8/8/8/8 S BC4/bcf4 d8/- -/- 0",
    "a firewall under an enemy card": "8/8/8/3L4/8/8/8/8 S BCF4/bc4 -/d5 -/- 0",
    "two firewalls on one square": "8/8/8/3L4/8/8/8/8 S BC4/bc4 c3/c3 -/- 0",
    "five links of one side": "8/8/8/LLLLL3/8/8/8/8 S BCF4/bcf4 -/- -/- 0",
    "five viruses, stacks counted": "8/8/8/VVV5/8/8/8/8 S BCF4/bcf4 -/- V+/V+ 0",
    "a captured card face down": "8/8/8/3L4/8/8/8/8 S BCF4/bcf4 -/- l?v/- 0",
    "both stacks full": "8/8/8/8/8/8/8/8 S BCF4/bcf4 -/- l+,l+,l+,l+/L+,L+,L+,L+ 0",
    "nothing": "",
    "what stands for the start": "start",
    "a setup of five and three": "setup LLLLLVVV -",
    "a setup of seven": "setup LLLLVVV -",
    "a masked setup": "setup ready -",
    "a setup in small letters": "setup - llvvlvlv",
}


@pytest.mark.parametrize("what", BAD)
def test_what_can_not_be_read_or_contradicts_itself_is_bad_notation(what: str) -> None:
    with pytest.raises(BadNotation):
        GAME.read_position(BAD[what], {})


@pytest.mark.parametrize("value", [None, 5, ["8/8"], {}])
def test_a_position_is_text(value: Json) -> None:
    with pytest.raises(BadNotation):
        GAME.read_position(value, {})


UNREADABLE = [
    "",
    " ",
    "c2",
    "c2c9",
    "i2i3",
    "c2c3c4c5",
    "C2C3",
    "c2-c3",
    "c2c3 ",
    "d8>x",
    "d8>+l",
    ">",
    "+",
    "+c9",
    "!c2",
]
UNREADABLE += ["@a1b1", "@a1b1?", "@a1=", "setup", "setup LLVV", "setup LLVVLVLVL", "setup llvvlvlv", "setup  LLVVLVLV"]
UNREADABLE += ["pass", "c2c3\n", "ｃ2c3", "c2c³", "a1b1c1>", "d7d8>++"]


@pytest.mark.parametrize("text", UNREADABLE)
def test_an_unknown_form_can_not_be_read(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.apply(at(), SOUTH, Action(text))


WELL_FORMED = ["d2d4", "@a1a1=", "@b1a1x", "a1a1", "a1b2c3", "d8>+", "d8>", "d7d8>l", "?a1", "#d8", "~a1", "-c1", "+c8"]


@pytest.mark.parametrize("text", [*WELL_FORMED, "setup LLLLLVVV"])
def test_well_formed_but_impossible_is_illegal(text: str) -> None:
    with pytest.raises(IllegalAction):
        GAME.apply(at(), SOUTH, Action(text))
    with pytest.raises(IllegalAction):
        GAME.apply(at("setup - -"), SOUTH, Action(text))


def test_each_form_of_action_is_understood() -> None:
    forms = ["c2c3", "c2c3c4", "d8>", "d8>+", "d8>l", "d8>v", "+c2", "-c2", "?c7", "#c3", "~c3", "@a1b1=", "@a1b1x"]
    forms += ["setup LLVVLVLV", "d7d8>", "d7d8>+", "d7d8>l", "d7d8>v"]
    assert len({read_action(text) for text in forms}) == len(forms)


@pytest.mark.parametrize(
    "options",
    [
        {"nope": True},
        {"own_exit": "yes"},
        {"own_exit": None},
        {"first": "X"},
        {"first": ["S"]},
        {"firewall_anywhere": 1},
    ],
)
def test_unknown_options_and_values_are_bad_notation(options: dict[str, Json]) -> None:
    with pytest.raises(BadNotation):
        GAME.setup(options, 2, bytes(32))


@pytest.mark.parametrize("text", POSITIONS)
def test_a_state_survives_storage(text: str) -> None:
    state = at(text, own_exit="off", first="N")
    assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state


def test_moves_two_steps_and_entries_count_as_moves_for_perft() -> None:
    moves = [text for text in ["c2c3", "c2c3c4", "d8>", "d8>l", "d7d8>+"] if GAME.is_move(Action(text))]
    others = [
        text for text in ["+c2", "-c2", "?c7", "#c3", "~c3", "@a1b1=", "setup LLVVLVLV"] if GAME.is_move(Action(text))
    ]
    assert (len(moves), others) == (5, [])


def test_the_log_says_what_was_shown() -> None:
    state = after(at("3L4/8/2l5/2V5/8/8/8/7v S BCF4/bcf4 -/- -/- 0"), "?h1", "h1h2", "c5c6", "h2h3", "d8>+")
    assert state.log == ("?h1:v", "h1h2", "c5c6:l", "h2h3", "d8>+:L")

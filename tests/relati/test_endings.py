"""Who outlasts the other where a source is gone: the same as exhaustive search finds."""

from __future__ import annotations

import random

import pytest

from game.contract import Seat
from game.relati.bots.endings import MOST_BESIDE, OUTLASTING, SETTLED, outlasts, settled
from game.relati.bots.levels import BOTS
from game.relati.bots.search import node_of
from game.relati.geometry import king
from game.relati.rules import GAME
from game.relati.ruleset import Ruleset
from game.relati.state import State
from game.rng import Rng
from game.solver import Solver
from tests.relati.positions import board


def drawn(rng: random.Random, pieces: dict[str, int]) -> State:
    """Return a position of 5x5 cells with so many of each piece, O to move."""
    cells = [piece for piece, n in pieces.items() for _ in range(n)]
    cells += ["."] * (25 - len(cells))
    rng.shuffle(cells)
    return board("\n".join(" ".join(cells[at : at + 5]) for at in range(0, 25, 5)))


def test_where_both_sources_are_gone_the_shields_decide_as_exhaustive_search_says() -> None:
    rng, won = random.Random(1), 0
    for _ in range(60):
        state = drawn(rng, {"Od": rng.randint(1, 4), "Xd": rng.randint(1, 4), "O": 2, "X": 2, "Ox": 2})
        is_won = Solver(GAME, 100_000).forces(state, Seat(0), 9)
        won += is_won
        node = node_of(state)
        assert settled(node, 0, state.ruleset) == (SETTLED if is_won else -SETTLED)
        assert settled(node, 1, state.ruleset) == (-SETTLED if is_won else SETTLED)
    assert 15 < won < 45


def test_a_bomb_that_takes_the_last_source_is_settled_as_exhaustive_search_says() -> None:
    rng, won = random.Random(2), 0
    for _ in range(60):
        state = drawn(rng, {"Od": rng.randint(1, 3), "Xd": rng.randint(0, 3), "Xs": 1, "O": 2, "Xx": 14})
        node = node_of(state)
        if settled(node, 0, state.ruleset) != SETTLED:
            continue
        won += 1
        assert Solver(GAME, 200_000).forces(state, Seat(0), 8)
    assert won > 5


def test_a_seat_without_a_source_does_not_win_where_its_shields_do_not_reach_the_other() -> None:
    rng, seen = random.Random(3), 0
    for _ in range(60):
        state = drawn(rng, {"Od": rng.randint(1, 2), "Xd": rng.randint(0, 1), "Xs": 1, "X": 1, "O": 2, "Xx": 12})
        node = node_of(state)
        if king(node.board.sides[1].source, 6) & node.board.sides[0].shield:
            continue
        seen += 1
        assert settled(node, 0, state.ruleset) == -OUTLASTING
        assert not Solver(GAME, 200_000).forces(state, Seat(0), 5)
    assert seen > 10


@pytest.mark.parametrize(
    "picture",
    [
        "Os . . . .\n. . . . .\n. . Od . .\n. . . . .\n. . . . Xs",  # both sources stand
        "Os Xd . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . X",  # the owner can still answer the shield
        "Os . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .",  # the other has not begun
    ],
)
def test_what_shields_do_not_decide_is_open(picture: str) -> None:
    state = board(picture)
    assert settled(node_of(state), 0, state.ruleset) is None


def test_nothing_is_settled_where_pieces_stay_linked_without_a_source() -> None:
    state = board("Od . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xd")
    assert settled(node_of(state), 0, Ruleset(board=5, forbid="local")) is None
    assert settled(node_of(state), 0, Ruleset(board=5)) == -SETTLED


def test_too_many_shields_beside_one_another_are_left_unsettled() -> None:
    row = (1 << 11) - 1
    assert outlasts(row, row << 12, 12) is None
    assert 2 * row.bit_count() > MOST_BESIDE


def test_master_does_not_choose_what_a_proof_refutes() -> None:
    """Its shield at d3 threatened the other source, but the answer Df5 wins by force."""
    state = GAME.read_position("7/2OsXsX2/2OxO1Ox1/2XdX3/4OxX1/1X4Ox/2Ox4 O OX", {})
    (pending,) = GAME.pending(state)
    assert BOTS["master"].decide(GAME.view(state, pending.seat), pending, Rng(bytes(32))).text == "Eg3"

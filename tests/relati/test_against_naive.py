"""The bitboard rules against the naive ones: links, action lists, effects, elimination, perft."""

from __future__ import annotations

import random

import pytest

from game.contract import Action, OneOf, Seat
from game.relati.geometry import bits
from game.relati.links import neighbourhood
from game.relati.notation import read_position
from game.relati.rules import GAME
from game.relati.ruleset import DEFAULT
from game.relati.state import State
from tests.answers import ended, offered
from tests.relati.naive import Naive
from tests.seeds import chosen

OPTION_VALUES = {
    "escape_anywhere": (False, True),
    "contact_line": ("own-or-dead", "live-too", "strict"),
    "attack_shields": (False, True),
    "spend_source": (True, False),
    "defend_source": (False, True),
    "bomb": ("literal", "everything"),
    "pincer_first": (True, False),
    "rim_is_safe": (True, False),
    "capture_shields": (False, True),
    "forbid": ("source", "local"),
    "attack_dead": (False, True),
    "far_runs": (False, True),
}
SEEDS = range(chosen(), chosen() + 8)


def random_position(rng: random.Random, size: int, n_seats: int, density: float) -> str:
    """Draw a board of any statuses at all, likely or not."""
    marks = "OXDUAH"[:n_seats]
    sources: set[str] = set()
    rows = []
    for _ in range(size):
        row = ""
        for _ in range(size):
            if rng.random() > density:
                row += "."
                continue
            mark, status = rng.choice(marks), rng.choice(("", "", "", "f", "d", "d", "s", "x", "w", "b"))
            row += mark + ("" if status == "s" and mark in sources else status)
            sources |= {mark} if status == "s" else set()
        for gap in range(size, 0, -1):
            row = row.replace("." * gap, str(gap))
        rows.append(row)
    return f"{'/'.join(rows)} {rng.choice(marks)} {marks}"


def one_cell_links(state: State, seat: Seat) -> dict[int, set[int]]:
    """Return for every cell of the board which cells the fast relation links to it."""
    board = state.board
    blank = board.blank(seat)
    return {
        cell: set(bits(neighbourhood(1 << cell, blank, board.size + 1) & board.grid.full & ~(1 << cell)))
        for cell in bits(board.grid.full)
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_links_equal_the_table_of_1_4_on_random_boards(seed: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    for _ in range(3):
        text = random_position(rng, rng.choice((5, 7, 9)), 2, rng.choice((0.2, 0.5, 0.8)))
        state, naive = read_position(text, DEFAULT), Naive.read(text)
        for seat, mark in ((Seat(0), "O"), (Seat(1), "X")):
            for cell, linked in one_cell_links(state, seat).items():
                here = state.board.grid.xy(cell)
                around = [state.board.grid.xy(other) for other in bits(state.board.grid.full) if other != cell]
                assert {c for c in around if naive.linked(mark, here, c)} == {state.board.grid.xy(c) for c in linked}


def random_options(rng: random.Random) -> dict[str, bool | str]:
    return {name: rng.choice(values) for name, values in OPTION_VALUES.items() if rng.random() < 0.5}


@pytest.mark.parametrize("seed", SEEDS)
def test_actions_and_effects_equal_on_random_boards_and_options(seed: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    for _ in range(25):
        options, n_seats = random_options(rng), rng.randint(2, 4)
        text = random_position(rng, rng.choice((5, 6, 7)), n_seats, rng.choice((0.3, 0.6, 0.9)))
        naive = Naive.read(text, **options)
        if not naive.legal():
            continue
        state = GAME.read_position(text, options)
        assert GAME.write_position(state) == naive.write()
        legal = legal_texts(state)
        assert len(legal) == len(set(legal))
        assert set(legal) == naive.legal(), (text, options)
        for action in rng.sample(legal, min(6, len(legal))):
            after = GAME.apply(state, state.turn, Action(action)).state
            assert GAME.write_position(after) == naive.apply(action).write(), (text, options, action)


def legal_texts(state: State) -> list[str]:
    pending = GAME.pending(state)
    return [action.text for action in offered(pending[0])] if pending else []


@pytest.mark.parametrize(("seed", "size", "n_seats"), [(7, 5, 2), (8, 6, 3), (9, 7, 4), (10, 9, 6), (11, 8, 2)])
def test_whole_matches_equal_the_naive_rules(seed: int, size: int, n_seats: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    options = random_options(rng)
    naive = Naive(size, "OXDUAH"[:n_seats], 0, (), **options)
    state = GAME.setup({**options, "board": size}, n_seats, bytes(32)).state
    while not naive.over:
        legal = legal_texts(state)
        assert set(legal) == naive.legal()
        action = rng.choice([a for a in legal if a[0] in "NFBDE"] or legal) if rng.random() < 0.5 else rng.choice(legal)
        naive, state = naive.apply(action), GAME.apply(state, state.turn, Action(action)).state
        assert GAME.write_position(state) == naive.write()
    tiers = ended(GAME, state).placements
    assert ["OXDUAH"[seat] for (seat,) in tiers] == [naive.players[naive.turn], *reversed(naive.out)]


def perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(GAME.apply(state, state.turn, Action(a)).state, depth - 1) for a in legal_texts(state))


PERFT = [
    ("5/1OsO2/5/3X1/4Xs O OX", 2),
    ("5/5/2Os2/5/5 O OX", 2),
    ("OsO3/1Od3/2D2/2DdX1/3Xs1 O OXD", 2),
    ("1OdOd2/OsO3/2X2/1XdXs2/5 X OX", 2),
    ("Od3Od/1OsOX1/1O1Xs1/2X2/Od3Od X OX", 2),
    ("6/1OsOO2/2Xx1Xd1/2X3/1Xs1X2/6 O OX", 2),
]


@pytest.mark.parametrize(("position", "depth"), PERFT)
def test_perft_equals_the_naive_generator(position: str, depth: int) -> None:
    state, naive = GAME.read_position(position, {}), Naive.read(position)
    assert [perft(state, d) for d in range(1, depth + 1)] == [naive.perft(d) for d in range(1, depth + 1)]


COUNTED = [
    ("5/5/5/5/5 O OX", [25, 600, 9288]),
    ("5/1OsO2/5/3X1/4Xs O OX", [20, 336, 6068]),
    ("Od3Od/1OsOX1/1O1Xs1/2X2/Od3Od X OX", [16, 297, 4366]),
]


@pytest.mark.parametrize(("position", "counts"), COUNTED)
def test_perft_counts_of_small_boards(position: str, counts: list[int]) -> None:
    """The counts were made with the naive generator."""
    assert [perft(GAME.read_position(position, {}), d) for d in (1, 2, 3)] == counts


def test_the_opening_has_225_locates_and_each_leaves_224() -> None:
    state = GAME.setup({}, 2, bytes(32)).state
    assert [perft(state, d) for d in (1, 2)] == [225, 225 * 224]


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_the_rules_as_written_play_to_an_end(seed: int) -> None:
    """Of the original's letter, dead targets and unlimited runs from two steps could not be chosen."""
    print("seed", seed)
    rng, preset = random.Random(seed), GAME.spec.presets["as_written"]
    chosen_options = {name: value for name, value in preset.items() if isinstance(value, bool | str)}
    naive = Naive(7, "OXD", 0, (), **chosen_options)
    state = GAME.setup({**preset, "board": 7}, 3, bytes(32)).state
    while pending := GAME.pending(state):
        [owed] = pending
        assert isinstance(owed.choice, OneOf)
        texts = sorted(action.text for action in owed.choice.actions)
        assert set(texts) == naive.legal()
        text = rng.choice(texts)
        state, naive = GAME.apply(state, owed.seat, Action(text)).state, naive.apply(text)
    result = GAME.result(state)
    assert result is not None
    assert len(result.placements) == 3

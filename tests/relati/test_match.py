"""The course of a match: forfeits, timeouts, placements, stored states, views, explanations."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.contract import Action, Json, Result, Seat, Watcher
from game.errors import IllegalAction
from game.relati import explain
from game.relati.messages import EVENTS, PROMPTS, REASONS
from game.relati.rules import GAME
from game.relati.state import State
from game.replay import DRAW_AGREED, Entry, Fold, Status, advance
from game.rng import Rng
from tests.answers import ended, offered, told
from tests.relati.positions import board, cell, play, texts


def started(n_seats: int, **options: Json) -> State:
    return GAME.setup(options, n_seats, bytes(32)).state


def test_a_seat_that_leaves_is_out_and_the_others_go_on() -> None:
    state = play(started(3), "Lh8", "Lb2")
    after = GAME.forfeit(state, Seat(0)).state
    assert after.turn == 2
    assert cell(after, "h8") == "Os"
    assert GAME.result(after) is None
    last = GAME.forfeit(after, Seat(2))
    assert ended(GAME, last.state).placements == ((1,), (2,), (0,))
    assert ended(GAME, last.state).reason == "left"
    assert [event.kind for event in last.events] == ["out-left", "won"]


def test_the_turn_passes_on_when_the_mover_leaves() -> None:
    state = play(started(3), "Lh8", "Lb2", "Lo15")
    assert GAME.forfeit(state, Seat(0)).state.turn == 1


def test_a_timeout_takes_the_mover_out_and_nobody_else_can_be_late() -> None:
    state = play(started(2), "Lh8")
    with pytest.raises(IllegalAction):
        GAME.timeout(state, Seat(0))
    over = GAME.timeout(state, Seat(1)).state
    assert (ended(GAME, over).placements, ended(GAME, over).reason) == (((0,), (1,)), "late")
    for late in (GAME.timeout, GAME.forfeit):
        with pytest.raises(IllegalAction):
            late(over, Seat(0))


def test_nobody_leaves_twice() -> None:
    after = GAME.forfeit(started(3), Seat(1)).state
    with pytest.raises(IllegalAction):
        GAME.forfeit(after, Seat(1))


def test_a_draw_is_agreed_on_where_one_who_leaves_brings_others_down() -> None:
    """The fold took out everybody who still played by trying: the next had fallen already (`relati.error.out`)."""
    state = GAME.read_position("Os8/9/9/4Xw4/9/9/9/Ds8/Us8 O OXDU", {})
    assert GAME.playing(state) == (0, 1, 2, 3)
    assert GAME.playing(GAME.forfeit(state, Seat(0)).state) == (2, 3), "it is X's turn, who can't act"
    fold = Fold(state, 7, None, Status.LIVE, (None,) * 4)
    ended, _ = advance(GAME, fold, Entry(8, "draw_agreed"))
    assert ended.result == Result((tuple(map(Seat, range(4))),), DRAW_AGREED)


def random_match(seed: int, n_seats: int, size: int) -> Iterator[State]:
    """Yield every state of a random match, some seats leaving on the way."""
    rng = random.Random(seed)
    state = started(n_seats, board=size)
    yield state
    while pending := GAME.pending(state):
        assert len(pending) == 1
        if rng.random() < 0.01:
            state = GAME.forfeit(state, Seat(rng.choice(sorted(set(range(n_seats)) - state.out)))).state
        else:
            state = GAME.apply(state, pending[0].seat, rng.choice(offered(pending[0]))).state
        yield state


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(5, 9))
def test_every_match_ends_with_one_winner_and_every_state_survives_storage(seed: int, n_seats: int, size: int) -> None:
    plies = -1
    for state in random_match(seed, n_seats, size):
        plies += 1
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
        for viewer in (Seat(0), Seat(n_seats - 1), Watcher.PUBLIC):
            view = GAME.view(state, viewer)
            assert GAME.determinize(view, Rng(bytes(32))) == state
            assert GAME.view_json(view)["position"] == GAME.write_position(state)
        assert (GAME.result(state) is None) == bool(GAME.pending(state))
        sides = state.board.sides
        statuses = [side.source | side.linked | side.cut | side.shield for side in sides]
        assert sum(side.mark.bit_count() for side in sides) == state.board.occupied.bit_count()
        assert sum(s.bit_count() for s in statuses) + state.board.dead.bit_count() == state.board.occupied.bit_count()
    tiers = ended(GAME, state).placements
    assert sorted(seat for tier in tiers for seat in tier) == list(range(n_seats))
    assert all(len(t) == 1 for t in tiers)
    assert plies <= 3 * size * size + n_seats


def test_every_event_and_prompt_has_its_message() -> None:
    kinds: dict[str, tuple[str, ...]] = {}
    prompts: set[str] = set()
    reasons: set[str] = set()
    for seed in range(12):
        for state in random_match(seed, 3, 6):
            for pending in GAME.pending(state):
                prompts.add(f"relati.prompt.{pending.prompt}")
            if result := GAME.result(state):
                reasons.add(f"relati.reason.{result.reason}")
            for text in list(texts(state))[:3]:
                for event in GAME.apply(state, state.turn, Action(text)).events:
                    kinds[f"relati.event.{event.kind}"] = tuple(told(event))
    assert len(kinds) > 10
    assert prompts <= PROMPTS.keys()
    assert reasons <= REASONS.keys()
    assert {kind: EVENTS[kind] for kind in kinds} == kinds


def names(state: State, cells: Iterable[int]) -> list[str]:
    return [state.board.grid.names[c] for c in cells]


def at(state: State, name: str) -> int:
    found = state.board.grid.named(name)
    assert found is not None
    return found


LINES = """
    .  .  .  .  .  .  .
    .  Os O  .  .  .  .
    .  .  .  .  .  .  .
    .  .  .  .  Xs .  .
    .  .  .  .  .  .  .
    .  .  .  .  .  .  .
    .  .  .  .  .  .  .
"""


def test_a_connection_is_explained_by_its_shortest_path() -> None:
    state = board(LINES)
    for target, kind, origin, crossed in (
        ("d2", explain.ADJACENT, "c2", []),
        ("e2", explain.STRAIGHT, "c2", ["d2"]),
        ("e3", explain.BENT, "c2", ["d2", "d3"]),
    ):
        path = explain.connection(state.board, 0, at(state, target))
        assert path is not None
        assert (path.kind, names(state, [path.origin])) == (kind, [origin])
        assert names(state, path.crossed) == crossed
    assert explain.connection(state.board, 0, at(state, "g7")) is None
    assert explain.connection(state.board, 0, at(state, "b2")) is None


def test_explanations_agree_with_the_rules_on_every_cell_of_random_boards() -> None:
    for state in list(random_match(5, 3, 8))[3::7]:
        can_do = texts(state, "R", "E")
        for name in filter(None, state.board.grid.names):
            c = at(state, name)
            path = explain.connection(state.board, state.turn, c)
            assert (path is not None) == ("R" + name in can_do)
            if path is None:
                assert (explain.escape(state.board, state.turn, c) is not None) == ("E" + name in can_do)


def test_an_escape_is_explained_by_its_line() -> None:
    state = board(LINES)
    path = explain.escape(state.board, 0, at(state, "b7"))
    assert path is not None
    assert names(state, [path.origin, *path.crossed]) == ["b2", "b3", "b4", "b5", "b6"]


def test_a_source_under_attack_is_reported_with_its_line_and_what_blocks_it() -> None:
    state = board(
        LINES.replace(".  Os O  .  .", ".  Os .  .  .").replace(".  .  .  .  .  .  .", ".  .  .  .  .  .  .", 1)
    )
    assert explain.source_threats(state.board, 1, frozenset(), state.ruleset) == ()
    state = board("O . . . . .\n. Os . . . .\n. . . . . .\n. . . . . .\n. . . . Xs .\n. . . . . .", turn="X")
    (threat,) = explain.source_threats(state.board, 1, state.out, state.ruleset)
    assert (threat.seat, threat.line.kind) == (0, "F")
    assert names(state, [threat.line.target, threat.line.medium, threat.line.spent]) == ["e5", "b2", "a1"]
    assert names(state, threat.crossed) == ["d4", "c3"]
    assert names(state, explain.blocks(state.board, 1, threat)) == ["d4", "c3"]
    assert explain.source_threats(state.board, 1, frozenset({0}), state.ruleset) == ()


def test_attacks_on_a_cell_are_listed_for_the_second_step() -> None:
    state = board("Os O O Xs .\n. . . . .\n. . . . .\n. . . . .\n. . . . .")
    found = explain.attacks_on(state.board, 0, at(state, "d1"), state.ruleset)
    assert [(line.kind, *names(state, [line.medium, line.spent])) for line in found] == [
        ("N", "c1", "b1"),
        ("N", "b1", "a1"),
        ("F", "c1", "b1"),
        ("F", "b1", "a1"),
    ]
    assert explain.attacks_on(state.board, 0, at(state, "a5"), state.ruleset) == ()
    assert names(state, explain.blast(state.board, at(state, "a1"))) == ["b1", "a2", "b2"]

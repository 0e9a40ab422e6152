"""The tactical suites: what each position claims is proved, and hard finds most of them."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest

from game import registry
from game.__main__ import main
from game.bots.budget import OutOfBudget
from game.cli.suites import KINDS, SUITE, Position, decision, offered, suite
from game.sentences import sentences
from game.solver import Solver, judge

SIZE = 60
GOAL = 55
AT_LEAST = {"netrunner": GOAL, "passage": 58, "rainet": GOAL, "relati": 57}
WORLDS = 12  # states that fit the view, in which a claim is proved
BUDGET = 4_000_000
QUICK = 2  # decisions; deeper proofs take minutes, and are for `make soak`
SUITES = [key for key in registry.KEYS if files(f"game.{key}").joinpath(SUITE).is_file()]
ALL = [(key, position) for key in SUITES for position in suite(key)]
PROVED = [(key, one) for key, one in ALL if one.decisions]


def named(value: object) -> str:
    return value.name if isinstance(value, Position) else str(value)


def test_no_suite_is_lost() -> None:
    assert AT_LEAST.keys() <= set(SUITES)


def test_a_game_without_a_suite_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A fifth game had to bring sixty positions before any test of suites could be collected."""
    monkeypatch.setattr("game.cli.suites.SUITE", "none.json")
    assert main(["suite", "rainet"]) == 2
    assert sentences()["usage.no-suite"].removesuffix(".") in capsys.readouterr().err


@pytest.mark.parametrize("key", SUITES)
def test_a_suite_has_sixty_positions_of_each_kind_with_names_of_their_own(key: str) -> None:
    positions = suite(key)
    assert len(positions) == SIZE
    assert len({one.name for one in positions}) == SIZE
    assert len({json.dumps((one.position, one.play)) for one in positions}) == SIZE
    assert {one.kind for one in positions} <= set(KINDS)
    assert all(bool(one.good) is not bool(one.bad) for one in positions)
    assert all(one.why for one in positions if not one.decisions), "what no search proves is argued"


@pytest.mark.parametrize(("key", "position"), ALL, ids=named)
def test_some_answers_are_good_and_some_are_not(key: str, position: Position) -> None:
    assert len(set(offered(registry.get(key), position).values())) == 2


def prove(key: str, position: Position) -> None:
    """Check the claim of a position in states that fit the view."""
    game = registry.get(key)
    state, pending = decision(game, position)
    good = {text for text, is_good in offered(game, position).items() if is_good}
    view = game.view(state, pending.seat)
    found = judge(game, view, pending, position.decisions, WORLDS, BUDGET)
    if position.kind == "win":
        assert found.wins == good
    else:
        assert set(offered(game, position)) - found.loses == good


@pytest.mark.parametrize(("key", "position"), [one for one in PROVED if one[1].decisions <= QUICK], ids=named)
def test_search_proves_what_a_position_claims(key: str, position: Position) -> None:
    prove(key, position)


@pytest.mark.soak
@pytest.mark.parametrize(("key", "position"), [one for one in PROVED if one[1].decisions > QUICK], ids=named)
def test_search_proves_the_deeper_claims_too(key: str, position: Position) -> None:
    prove(key, position)


def test_a_win_is_no_longer_than_it_has_to_be() -> None:
    """Else a plan of three moves could be a win at once that nobody noticed."""
    for key, position in PROVED:
        if position.kind == "win" and position.decisions == 3:
            game = registry.get(key)
            state, pending = decision(game, position)
            assert not Solver(game, BUDGET).verdict(state, pending, 1).wins, position.name


def test_a_search_stops_at_its_budget() -> None:
    key, position = next(one for one in PROVED if one[1].decisions >= 3)
    state, pending = decision(registry.get(key), position)
    solver = Solver(registry.get(key), 50)
    with pytest.raises(OutOfBudget):
        solver.verdict(state, pending, 9)
    assert solver.spent == 51


SLOW = ("passage",)  # a minute of play-outs


@pytest.mark.parametrize("key", [pytest.param(k, marks=[pytest.mark.soak] * (k in SLOW)) for k in SUITES])
def test_hard_finds_most_of_them(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["suite", key, "--bot", "hard", "--at-least", str(AT_LEAST.get(key, GOAL))])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "key", ["rainet", *(pytest.param(key, marks=pytest.mark.soak) for key in ("relati", "passage", "netrunner"))]
)
def test_master_finds_58(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["suite", key, "--bot", "master", "--at-least", "58"])
    assert code == 0, capsys.readouterr().out


def test_random_play_finds_few(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "rainet", "--bot", "random", "--at-least", "20"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-2].startswith("random: ")
    assert sum(line.startswith("missed: ") for line in said) == SIZE - int(said[-2].split()[1])


def test_the_output_for_programs_counts_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "relati", "--bot", "random", "--json"]) == 0
    *positions, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert Counter(one["found"] for one in positions)[True] == total["found"]
    assert {"name", "claim", "found", "answers"} <= set(positions[0])
    assert (total["positions"], len(positions)) == (SIZE, SIZE)

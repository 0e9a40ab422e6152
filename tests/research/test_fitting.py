"""Fitting by conditional logistic regression: exact where the answer is known, and RaiNet's table made again."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from game import registry
from game.__main__ import main
from game.contract import Action, Seat
from game.rainet.bots.inference import AT_MOST, BACKWARD, FAR, FORWARD, STAYED
from game.rainet.rules import GAME
from game.training.logit import Sample, fit, likelihood
from game.training.rainet.fitting import HABITS, sampled


def coins(heads: int, tails: int) -> list[Sample]:
    """Return samples of two ways, of which the second has a feature more."""
    return [Sample(((0.0, 1.0),), 1)] * heads + [Sample(((0.0, 1.0),), 0)] * tails


def test_a_fit_of_one_weight_is_the_logarithm_of_the_odds() -> None:
    (weight,) = fit(coins(30, 10), ridge=0.0)
    assert weight == pytest.approx(log(3))
    assert likelihood(coins(30, 10), [weight]) == pytest.approx(0.75 * log(0.75) + 0.25 * log(0.25))


def test_a_ridge_draws_weights_to_nothing_where_few_samples_tell() -> None:
    assert 0 < fit(coins(4, 0))[0] < fit(coins(40, 0))[0] < 6


def test_no_other_weights_are_likelier_than_those_of_a_fit() -> None:
    samples = [Sample(((0.0, 1.0, 2.0), (float(n % 3), 0.0, 1.0)), n * n % 7 % 3) for n in range(40)]
    weights = fit(samples, ridge=0.0)
    best = likelihood(samples, weights)
    for n in range(2):
        for off in (-0.05, 0.05):
            assert likelihood(samples, [w + off * (n == at) for at, w in enumerate(weights)]) < best


def test_a_feature_that_is_the_same_in_every_way_gets_no_weight() -> None:
    assert fit([Sample(((0.0, 1.0), (5.0, 5.0)), 1)] * 3)[1] == pytest.approx(0.0)


def test_there_is_nothing_to_fit_without_samples() -> None:
    with pytest.raises(ValueError, match="nothing"):
        fit([])


def test_a_sample_is_what_the_opponent_could_not_see_with_the_truth_marked() -> None:
    setups = ("VVLLLLVV", "LVLVLVLV")
    state = GAME.setup({}, 2, bytes(32)).state
    for _ in range(2):
        (pending, *_) = GAME.pending(state)
        state = GAME.apply(state, pending.seat, Action(f"setup {setups[pending.seat]}")).state
    sample = sampled(state, Seat(0))
    assert sample is not None
    assert (len(sample.features), len(sample.features[0])) == (len(HABITS), 70)  # four viruses among eight cards
    assert {sample.features[STAYED][way] for way in range(70)} == {4.0}
    assert {sample.features[FORWARD][way] + sample.features[BACKWARD][way] for way in range(70)} == {0.0}
    assert len(set(sample.features[FAR])) > 1
    other = sampled(state, Seat(1))
    assert other is not None
    assert other.true != sample.true


def test_each_habit_has_a_name() -> None:
    assert len(HABITS) == len(AT_MOST) == len(set(HABITS))


FIT = ["tune", "rainet", "--fit", "habits", "--matches", "4", "--seed", "2", "--json"]


def test_habits_are_fitted_and_said_with_how_they_were_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "habits.json"
    assert main([*FIT, "--bot", "easy", "--out", str(file)]) == 0
    table = json.loads(file.read_text())
    assert json.loads(capsys.readouterr().out) == table
    assert [*table["weights"]] == [*HABITS]
    assert table["log_likelihood"]["fitted"] > table["log_likelihood"]["none"]
    assert table["made"]["positions"] > table["made"]["left_out"] > 0
    del table["made"]["positions"], table["made"]["left_out"]
    assert table["made"] == {
        **{"fit": "habits", "bot": "easy", "matches": 4, "seed": 2},
        **{"rules_version": registry.get("rainet").version},
    }


@pytest.mark.parametrize(
    "wrong",
    [
        ["tune", "relati", "--fit", "habits"],
        ["tune", "rainet", "--fit", "manners"],
        ["tune", "rainet", "--fit", "habits", "--matches", "3"],
        ["tune", "rainet", "--fit", "habits", "--bot", "random"],
    ],
)
def test_what_can_not_be_fitted_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(wrong) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.soak
def test_the_adopted_table_is_about_as_likely_as_a_fit_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Of positions that neither was fitted to; three of its weights were set by hand afterwards."""
    assert main(["tune", "rainet", "--fit", "habits", "--seed", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["log_likelihood"]
    assert said["none"] < said["plain"] - 0.2
    assert said["plain"] < said["adopted"] < said["fitted"] < said["adopted"] + 0.3

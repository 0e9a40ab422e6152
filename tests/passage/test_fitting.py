"""The numbers of the master: found by self-play, better than those they started from, and the same each time."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from game.__main__ import main
from game.contract import MASTER
from game.passage.bots import fitted
from game.passage.bots.evaluation import NAMES
from game.passage.bots.policy import PLAIN
from game.passage.cards import Card
from game.rng import Rng
from game.training.logit import likelihood
from game.training.passage import fitting

SEED = Rng(b"numbers are found by self-play..")
TIMID = replace(PLAIN, afraid=(0.0, 0.0))


def test_the_tuned_policy_beats_the_plain_one() -> None:
    assert fitting.against(fitted.TWO_LEFT, PLAIN, 2, 200, SEED) > 0.6


def test_both_seats_of_a_deal_are_played_so_that_equals_are_even() -> None:
    assert fitting.against(PLAIN, PLAIN, 2, 20, SEED) == 0.5


def test_a_climb_changes_what_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "MATCHES", 30)
    monkeypatch.setattr(fitting, "CARDS", ())
    better = fitting.climb(TIMID, 2, SEED)
    assert better.afraid != TIMID.afraid
    assert better == fitting.climb(TIMID, 2, SEED)
    assert fitting.against(better, TIMID, 2, 200, Rng(bytes(32))) > 0.55


def test_every_feature_has_a_weight() -> None:
    assert set(fitted.TWO) == set(fitted.MORE) == set(NAMES)


def test_the_evaluation_makes_winners_likelier_than_even_shares() -> None:
    found = fitting.samples(200, (2, 3), (fitted.STYLES,), SEED)
    for weights, seats in zip(fitted.WEIGHTS, (2, 3), strict=True):
        part = [one for one in found if len(one.features[0]) == seats]
        assert likelihood(part, weights) > likelihood(part, [0.0] * len(NAMES)) + 0.05


def test_a_fit_of_the_evaluation_repeats() -> None:
    found = fitting.fit_evaluation(MASTER, 20, 1)
    assert found == fitting.fit_evaluation(MASTER, 20, 1)
    assert len(found.weights) == 2 * len(NAMES)
    assert found.positions > found.left_out > 0


def test_the_policy_is_fitted_and_said_with_how_it_was_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fitting, "MATCHES", 40)
    monkeypatch.setattr(fitting, "CARDS", ())
    code = main(["tune", "passage", "--bot", "master", "--fit", "policy", "--matches", "100", "--seed", "1", "--json"])
    table = json.loads(capsys.readouterr().out)
    assert code == int(table["log_likelihood"]["fitted"] < table["log_likelihood"]["none"])
    assert table["weights"]["warden"] == PLAIN.worth[Card.WARDEN]
    assert table["made"]["fit"] == "policy"


@pytest.mark.parametrize("wrong", [["policy", "--bot", "hard"], ["evaluation", "--bot", "master", "--matches", "1"]])
def test_what_can_not_be_fitted_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "passage", "--fit", *wrong]) == 2
    assert capsys.readouterr().out == ""

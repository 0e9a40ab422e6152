"""Tuning by self-play: the same for the same seed, towards what wins, and told with how it was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from game import registry
from game.__main__ import main
from game.choices import draw
from game.contract import Action, Pending
from game.duel import Duel
from game.errors import BadNotation
from game.rng import Rng
from game.sentences import sentences
from game.training.spsa import Round, against, tune
from game.training.tunable import tuning as tuning_of

SMALL = Duel("relati", ("easy", "easy"), 4, 1, {"board": 5})


@dataclass(frozen=True, slots=True)
class Careless:
    """Plays as easy does, but at random in 50 - 10 * care of 100 decisions."""

    care: float

    def decide(self, view: Any, pending: Pending, rng: Rng) -> Action:
        roll, rng = rng.below(100)
        if roll < 50 - 10 * self.care:
            return draw(pending.choice, rng)[0]
        return registry.bots("relati")["easy"].decide(view, pending, rng)


def tuned(seed: int, rounds: int = 6) -> list[Round]:
    duel = Duel("relati", ("easy", "easy"), 6, seed, {"board": 5})
    return list(tune(duel, {"care": 0.0, "nothing": 5.0}, lambda weights: Careless(weights["care"] * 10), rounds))


def test_the_same_seed_gives_the_same_weights_and_another_seed_others() -> None:
    assert tuned(1) == tuned(1)
    assert [one.weights for one in tuned(1)] != [one.weights for one in tuned(2)]


def test_a_weight_moves_towards_what_wins() -> None:
    rounds = tuned(3, 20)
    assert [one.number for one in rounds] == [*range(1, 21)]
    assert rounds[-1].weights["care"] > 0.1
    assert against(SMALL, Careless(5), Careless(0)).share > 0.5


def test_each_deal_is_played_in_both_seatings() -> None:
    """Also from an odd number on: else the luck of a deal would count for one table only."""
    begun: list[int] = []

    class Watched(Careless):
        def decide(self, view: Any, pending: Pending, rng: Rng) -> Action:
            if pending.prompt == "locate":
                begun.append(pending.seat)
            return super().decide(view, pending, rng)

    assert against(SMALL, Watched(5), Careless(5), first=7).matches == 4
    assert begun == [0, 1, 0, 1]


TUNED = [key for key in registry.KEYS if find_spec(f"game.training.{key}") is not None]


def test_the_games_that_can_be_tuned_are_found() -> None:
    assert {"netrunner", "passage", "rainet", "relati"} <= set(TUNED)


def test_a_game_without_weights_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A fifth game had to bring weights, else the command ended with a traceback."""
    monkeypatch.setattr("game.training.tunable.find_spec", lambda name: None)
    assert main(["tune", "relati"]) == 2
    assert sentences()["usage.no-tuning"].removesuffix(".") in capsys.readouterr().err


@pytest.mark.parametrize("key", TUNED)
def test_a_game_that_can_be_tuned_has_weights_and_a_bot_with_others(key: str) -> None:
    tuning = tuning_of(key)
    weights = tuning.weights("hard")
    assert weights
    changed = tuning.bot("hard", {name: value + 1 for name, value in weights.items()})
    game = registry.get(key)
    state = game.setup({}, 2, bytes(32), game.spec.pairings[0]).state
    pending = game.pending(state)[0]
    assert changed.decide(game.view(state, pending.seat), pending, Rng(bytes(32))).text
    with pytest.raises(BadNotation):
        tuning.weights("random")


def test_the_weights_that_a_bot_has_make_the_same_bot() -> None:
    tuning = tuning_of("relati")
    assert tuning.bot("normal", tuning.weights("normal")) == registry.bots("relati")["normal"]


TUNE = ["tune", "relati", "--bot", "easy", "--option", "board=5", "--rounds", "2", "--matches", "2", "--check", "4"]


def test_the_table_says_how_it_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tuned.json"
    code = main([*TUNE, "--seed", "5", "--out", str(file)])
    table = json.loads(file.read_text())
    assert code == (table["against_start"]["share"] < 0.5)
    assert table["weights"].keys() == table["made"]["start"].keys() == tuning_of("relati").weights("easy").keys()
    assert table["weights"] != table["made"]["start"]
    made = {name: value for name, value in table["made"].items() if name != "start"}
    assert made == {
        **{"rounds": 2, "matches": 2, "check": 4, "seed": 5, "bot": "easy"},
        **{"options": {"board": 5}, "rules_version": registry.get("relati").version},
    }
    assert capsys.readouterr().out.startswith("round 1 of 2: ")


def test_the_command_repeats_itself(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for seed in ("5", "5", "6"):
        main([*TUNE, "--seed", seed, "--json"])
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


@pytest.mark.parametrize("wrong", [["--bot", "random"], ["--players", "3"], ["--option", "board=99"]])
def test_what_can_not_be_tuned_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = [*TUNE, *wrong] if wrong[0] != "--bot" and wrong[0] != "--option" else ["tune", "relati", *wrong]
    assert main(line) == 2
    assert capsys.readouterr().out == ""

"""The networks of Passage's master: what they are shown, what they choose, and how they are trained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.__main__ import main
from game.choices import contains
from game.contract import MASTER, Action, Json, Pending, Seat
from game.errors import BadNotation
from game.passage.bots import fitted, network, policy, race
from game.passage.bots.levels import BOTS, Master
from game.passage.bots.network import Network
from game.passage.bots.playout import Policy, player
from game.passage.bots.policy import PLAINLY, Styles
from game.passage.bots.search import Candidate, Search
from game.passage.bots.sight import from_view, in_words_of_the_hand
from game.passage.bots.situation import choice, choices, situation
from game.passage.bots.toss import Toss
from game.passage.rules import GAME
from game.passage.state import State
from game.rng import Rng
from game.training.passage import ppo as training
from tests.passage.build import at

QUICK = Search(budget=1, proofs=0)  # a rival that thinks no time


def decisions(players: int, matches: int, left: network.Left = "more") -> Iterator[tuple[State, Pending]]:
    """Yield the decisions of matches among the policy where so many are left."""
    for number in range(matches):
        state = GAME.setup({}, players, bytes([number, players]) * 16).state
        while owed_now := GAME.pending(state):
            (owed, *_) = owed_now
            if (len(state.living()) == 2) == (left == "two"):
                yield state, owed
            s = from_view(GAME.view(state, owed.seat), int(owed.seat))
            words = in_words_of_the_hand(s, policy.decide(s, Toss(number)))
            state = GAME.apply(state, owed.seat, Action(" ".join(words))).state


@pytest.mark.parametrize(("players", "left"), [(2, "two"), (3, "more"), (4, "more"), (4, "two"), (5, "more")])
def test_every_feature_is_known_to_the_network_and_every_choice_legal(players: int, left: network.Left) -> None:
    it = network.load(left)
    unknown = {"5 left"} if players == 5 else {"2 left"} if left == "two" else set()
    prompts = set()
    for state, owed in decisions(players, 12, left):
        view = GAME.view(state, owed.seat)
        s = from_view(view, int(owed.seat))
        own = in_words_of_the_hand(s, policy.decide(s, Toss(1), fitted.STYLES))
        prompts.add(owed.prompt)
        assert {name for name, value in situation(s, view) if value} <= it.situation.keys() | unknown
        for words in choices(s, owed, own):
            assert contains(owed.choice, Action(" ".join(map(str, words)))), words
            named = {name for name, value in choice(s, words, (own, own)) if value}
            assert named <= it.choice.keys() | {"target at 4"}
            assert named <= it.direct.keys() | {"target at 4"}
    few = left == "two" and players > 2  # such ends are short
    assert prompts >= {"play", "veto", "return", *(() if few else ("give", "discard"))}


@pytest.mark.parametrize("left", ["two", "more"])
def test_the_master_answers_what_is_legal_and_repeats(left: network.Left) -> None:
    bot = BOTS[MASTER]
    assert hasattr(bot, "within")
    quick = bot.within(300)
    for state, owed in list(decisions(4, 2, left))[::9]:
        view = GAME.view(state, owed.seat)
        action = quick.decide(view, owed, Rng(bytes(32)))
        assert contains(owed.choice, action)
        assert action == quick.decide(view, owed, Rng(bytes(32)))


@pytest.mark.parametrize("left", ["two", "more"])
def test_the_first_choice_is_the_one_with_the_highest_score(left: network.Left) -> None:
    """It would be the tuned policy's everywhere, were the network left out."""
    master = BOTS[MASTER]
    assert isinstance(master, Master)
    search, players = (master.last, 2) if left == "two" else (master.crowd, 4)
    it, others = network.load(left), 0
    for state, owed in decisions(players, 6, left):
        view = GAME.view(state, owed.seat)
        s = from_view(view, int(owed.seat))
        tuned, plain = (
            in_words_of_the_hand(s, policy.decide(s, Toss(1), styles)) for styles in (fitted.STYLES, PLAINLY)
        )
        before = it.before(situation(s, view))
        scores = {words: it.score(before, choice(s, words, (tuned, plain))) for words in choices(s, owed, tuned)}
        chosen = search.favourite(view, owed, s, 1)
        assert scores[chosen] == max(scores.values())
        others += chosen != tuned
    assert others > 10


def test_between_two_the_other_sits_next_wherever_they_sat_before() -> None:
    """Three seats away and one seat away are the same to a network between two."""
    pile = ["slip", "passage", "seal"]
    near = at(players=4, hands=[["slip", "attack"], ["slip"], [], []], pile=pile, turn=0, eliminated=[2, 3])
    far = at(players=4, hands=[["slip", "attack"], [], [], ["slip"]], pile=pile, turn=0, eliminated=[1, 2])
    seen = []
    for state, other in ((near, "1"), (far, "3")):
        view = GAME.view(state, Seat(0))
        s, words = from_view(view, 0), ("play", "attack", other)
        seen.append((dict(situation(s, view)), dict(choice(s, words, (words, words)))))
    assert seen[0] == seen[1]
    assert {"at 1", "hand at 1"} <= seen[0][0].keys()
    assert "target at 1" in seen[0][1]


def test_play_outs_are_played_by_the_rivals_style_on_all_other_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    master, asked = BOTS[MASTER], list[Styles]()
    assert isinstance(master, Master)

    def noted(styles: Styles, toss: policy.Chance) -> Policy:
        asked.append(styles)
        return player(styles, toss)

    monkeypatch.setattr(race, "player", noted)
    state = at(hands=[["slip", "warden"], ["slip"], ["slip"]], pile=["slip", "passage", "seal", "passage"], turn=1)
    master.crowd.try_out(Candidate(("end",)), state, 1, 1)
    assert asked == [PLAINLY, fitted.STYLES, PLAINLY]


def test_a_blank_is_weighed_as_the_card_it_counts_as() -> None:
    def scores(card: str, options: dict[str, Json]) -> list[float]:
        state = at(hands=[[card, "warden"], ["slip"], ["slip"]], pile=["passage"], draws=1, options=options)
        view, (owed,) = GAME.view(state, Seat(0)), GAME.pending(state)
        s, it = from_view(view, 0), network.load("more")
        own = in_words_of_the_hand(s, policy.decide(s, Toss(1), fitted.STYLES))
        before = it.before(situation(s, view))
        return [it.score(before, choice(s, words, (own, own))) for words in choices(s, owed, own)]

    assert scores("blank", {"supplements": ["beg", "blank"], "blank": "attack2"}) == scores("attack2", {})


def small() -> Network:
    """Return a network with one hidden unit that counts risk against drawing."""
    return Network({"risk": [1.0]}, {"end": [-2.0], "play": [1.0]}, {"tuned choice": 0.5}, [0.0], [2.0])


def test_a_score_is_the_weighted_sum_through_one_leaky_layer() -> None:
    it = small()
    before = it.before([("risk", 0.5), ("unheard of", 9.0)])
    assert before == [0.5]
    assert it.score(before, [("play", 1.0)]) == pytest.approx(2.0 * 1.5)
    assert it.score(before, [("end", 1.0), ("tuned choice", 1.0)]) == pytest.approx(0.5 + 2.0 * 0.1 * -1.5)


def test_the_gradient_of_a_score_is_that_of_small_differences() -> None:
    it, shared, options = small(), [("risk", 0.5)], [[("play", 1.0)], [("end", 1.0), ("tuned choice", 1.0)]]
    gradient = training.Gradient()
    gradient.add(it, shared, options, [1.0, -3.0])
    learner = training.Learner(it)

    def objective() -> float:
        one, other = training.scores(it, shared, options)
        return one - 3.0 * other

    for (part, name), row in gradient.rows.items():
        start = objective()
        learner.change(part, name, [1e-6])
        assert (objective() - start) / 1e-6 == pytest.approx(row[0], abs=1e-3), (part, name)
        learner.change(part, name, [-1e-6])


def test_a_choice_that_came_out_better_gets_likelier() -> None:
    actor, critic = training.Learner(small()), training.Learner(small())
    shared, options = [("risk", 0.5)], [[("play", 1.0)], [("end", 1.0)]]
    before = training.softmax(training.scores(actor.network, shared, options))
    steps = [
        training.Experience(shared, options, (), taken, before[taken], 0.5, gain=0.5 - taken, won=1.0 - taken)
        for taken in (0, 1)
    ]
    training.learn(actor, critic, steps * 20, Toss(1))
    assert training.softmax(training.scores(actor.network, shared, options))[0] > before[0]


@pytest.mark.parametrize(("gain", "earlier", "is_pushed"), [(1.0, 0.4, False), (1.0, 0.5, True), (-1.0, 0.6, True)])
def test_a_choice_that_got_much_likelier_already_is_not_pushed_further(
    gain: float, earlier: float, is_pushed: bool
) -> None:
    step = training.Experience((), ((), ()), (), 0, earlier, 0.5)
    pushed = training.slopes(step, [0.5, 0.5], gain)  # at even chances the entropy has no slope
    assert (abs(pushed[0]) > 0.1) is is_pushed
    assert pushed[0] * gain >= 0.0


def test_what_comes_of_a_choice_counts_what_is_expected_after_it() -> None:
    steps = [training.Experience((), ((),), (), 0, 1.0, expected) for expected in (0.25, 0.5)]
    training.judge(steps, 1.0)
    assert steps[1].gain == pytest.approx(0.5)
    assert steps[0].gain == pytest.approx(0.25 + training.TRACE * 0.5)
    assert [step.won for step in steps] == [1.0, 1.0]


@pytest.mark.parametrize(("fit", "left"), [("network", "more"), ("last-network", "two")])
def test_a_training_repeats_and_its_table_can_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, fit: str, left: network.Left
) -> None:
    monkeypatch.setattr(training, "RIVALS", QUICK)
    monkeypatch.setattr(training, "OTHERWISE", Master(50))
    monkeypatch.setattr(training, "ROUND", 3)
    out = tmp_path / "network.json"
    told = ["tune", "passage", "--bot", "master", "--fit", fit, "--matches", "5", "--seed", "1", "--json"]
    main([*told, "--out", str(out)])
    first = json.loads(capsys.readouterr().out)
    main(told)
    assert json.loads(capsys.readouterr().out) == first
    it = network.read(out.read_text(encoding="utf-8"))
    assert it.situation.keys() == network.load(left).situation.keys()
    assert len(it.bias) == training.HIDDEN
    assert any(unit for unit in it.bias)


def test_only_the_master_has_a_network() -> None:
    for fit in (training.fit_network, training.fit_last_network):
        with pytest.raises(BadNotation):
            fit("hard", 1, 1)


def test_some_matches_of_a_training_are_won_and_some_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "RIVALS", QUICK)
    monkeypatch.setattr(training, "OTHERWISE", Master(50))
    it = training.beginner("more", Toss(1), training.TRUST)
    matches = (training.play(it, it, "more", 4, number % 4, Rng(bytes([number]) * 32))[1] for number in range(12))
    outcomes = set[bool]()
    while len(outcomes) < 2:
        outcomes.add(bool(next(matches)))  # all alike: the matches run out


def test_a_critic_is_told_what_is_hidden_and_the_network_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "RIVALS", QUICK)
    it = training.beginner("two", Toss(1), training.TRUST)
    steps, _ = training.play(it, training.overseer("two", Toss(1)), "two", 2, 0, Rng(bytes(32)))
    names = {name for step in steps for name, _ in step.hidden}
    assert {"warden of 1", "ways out of 1"} <= names
    assert any(name.startswith("passage at ") for name in names)
    assert names <= training.overseer("two", Toss(1)).situation.keys()
    assert not names & it.situation.keys()

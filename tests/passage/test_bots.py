"""The built-in players: legal, fair, sensible, and each stronger than the last."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game.choices import contains, expand
from game.contract import MASTER, Action, Seat
from game.duel import Duel
from game.duel import play as duel
from game.passage.bots import fitted, search
from game.passage.bots.endgame import Prover, prove
from game.passage.bots.levels import BOTS, Master, PassageBot
from game.passage.bots.policy import WORTH
from game.passage.bots.race import Race
from game.passage.bots.search import Search
from game.passage.bots.suspicion import put_back_unseen, suspect
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.state import State
from game.rng import Rng
from tests.passage.build import VARIANTS, at, owed, play

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg", "attack", "greed"]
GONE = ["judge"] * 4
QUICK = PassageBot(Search(budget=1, batch=1, proofs=60).choose)  # the hard player in a hurry
HASTY = PassageBot(Race(fitted.STYLES, fitted.WEIGHTS, budget=1, proofs=60).choose)  # the race of the master


def think(level: str, state: State, seat: int | None = None, salt: int = 0) -> str:
    """Return what a built-in player does at its decision."""
    decision = owed(state, seat)
    view = GAME.view(state, decision.seat)
    return BOTS[level].decide(view, decision, Rng(bytes([salt]) * 32)).text


def match(levels: list[str], seed: int, options: dict[str, Any] | None = None) -> int:
    """Play a match of built-in players; return who wins."""
    state = GAME.setup(options or {}, len(levels), seed.to_bytes(32, "big")).state
    rng = Rng(seed.to_bytes(32, "little"))
    while decisions := GAME.pending(state):
        decision = decisions[0]
        stream, rng = rng.split()
        action = BOTS[levels[decision.seat]].decide(GAME.view(state, decision.seat), decision, stream)
        assert contains(decision.choice, action), (seed, levels, action)
        state = GAME.apply(state, decision.seat, action).state
    result = GAME.result(state)
    assert result is not None
    return int(result.placements[0][0])


def share(level: str, other: str, players: int, matches: int) -> float:
    """Return the share of matches that one player of a level wins against the rest, seats taken in turn."""
    won = 0
    for nth in range(matches):
        levels = [other] * players
        levels[nth % players] = level
        won += match(levels, nth // players) == nth % players
    return won / matches


@pytest.mark.parametrize("variant", VARIANTS)
def test_easy_and_normal_play_every_variant_to_the_end(variant: dict[str, Any]) -> None:
    for players in range(2, 6):
        for seed in range(3):
            match(["easy", "normal", "easy", "normal", "normal"][:players], seed, variant)


@pytest.mark.parametrize("variant", VARIANTS)
def test_hard_and_master_play_every_variant(variant: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "hard", QUICK)
    monkeypatch.setitem(BOTS, MASTER, HASTY)
    match(["hard", "normal", MASTER], 5, variant)


def test_master_won_less_between_two_the_longer_it_thought() -> None:
    """Its play-outs overruled the network there; a greater budget is for more players only."""
    assert Master(80_000).last.budget == Master(6_000).last.budget < Master(80_000).crowd.budget
    assert Master(2_000).last.budget == 2_000


@pytest.mark.parametrize("level", ["easy", "normal", "hard", MASTER])
def test_no_decision_depends_on_hidden_cards(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal everything hidden anew: the answer stays."""
    monkeypatch.setitem(BOTS, "hard", QUICK)
    monkeypatch.setitem(BOTS, MASTER, HASTY)
    rng = Rng(b"hidden cards are of no avail....")
    state = GAME.setup({"supplements": ["beg", "nightmare"]}, 4, bytes(32)).state
    compared = 0
    while (decisions := GAME.pending(state)) and compared < 40:
        decision = decisions[0]
        view = GAME.view(state, decision.seat)
        guess = GAME.determinize(view, Rng(bytes([compared]) * 32))
        other = next(one for one in GAME.pending(guess) if one.seat == decision.seat)
        stream, rng = rng.split()
        answer = BOTS[level].decide(view, decision, stream)
        assert BOTS[level].decide(GAME.view(guess, decision.seat), other, stream) == answer
        compared += 1
        state = GAME.apply(state, decision.seat, answer).state
    assert compared > 10


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_passage_is_not_put_where_its_owner_draws_next(level: str) -> None:
    """A Warden's place is not wasted."""
    hands = [["warden", "greed"], ["slip"] * 3, ["slip"] * 3]
    state = play(at(hands=hands, pile=["passage", *PILE * 2], discard=GONE), "play greed", "end")
    assert state.draws == 3
    for salt in range(2):
        said = think(level, state, salt=salt)
        assert int(said.split()[1]) >= 3, said


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_known_passage_is_not_drawn_without_need(level: str) -> None:
    state = at(hands=[["slip", "greed"], ["seal"] * 4], pile=["passage", *PILE], known=[{"0": "passage"}], players=2)
    assert think(level, state) == "play slip"


def test_a_known_passage_is_handed_to_who_can_not_answer_it() -> None:
    hands = [["attack", "trade"], ["seal"], ["warden", "slip"]]
    state = at(hands=hands, pile=["passage", *PILE], known=[{"0": "passage"}], held=[{"2": ["warden"]}], discard=GONE)
    assert think("normal", state) == "play attack 1"


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_deadly_attack_is_vetoed(level: str) -> None:
    hands = [["attack2"], ["judge", "trade"]]
    pile = ["passage", "slip", "passage"]
    state = at(players=3, hands=[*hands, ["slip"]], pile=pile, known=[{}, {"0": "passage"}])
    assert think(level, play(state, "play attack2 1"), 1) == "judge"


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_wardens_are_kept(level: str) -> None:
    full = at(phase="discard", hands=[["warden", "warden", *["greed"] * 3, "trade", "beg", "duel"]], pile=PILE)
    assert "warden" not in think(level, full)
    asked = play(at(hands=[["tithe"], ["warden", "trade"]], pile=PILE, discard=GONE), "play tithe 1")
    assert think(level, asked) == "give trade"


def test_normal_beats_easy_over_a_few_matches() -> None:
    assert share("normal", "easy", 2, 60) >= 0.6


@pytest.mark.soak
def test_normal_beats_three_easy() -> None:
    assert share("normal", "easy", 4, 400) >= 0.35


@pytest.mark.soak
def test_hard_beats_three_normal() -> None:
    assert share("hard", "normal", 4, 200) >= 0.33


@pytest.mark.soak
def test_master_beats_hard_between_two() -> None:
    assert duel(Duel("passage", (MASTER, "hard"), 100, seed=51, positions=5000)).standings[0].share >= 0.75


@pytest.mark.soak
def test_one_master_among_three_hard_wins_more_than_its_share() -> None:
    bots = (MASTER, "hard", "hard", "hard")
    assert duel(Duel("passage", bots, 100, seed=52, positions=6000)).standings[0].share >= 0.3


@pytest.mark.soak
def test_hard_beats_easy_between_two() -> None:
    assert share("hard", "easy", 2, 200) >= 0.65


def test_every_card_has_a_worth() -> None:
    assert set(WORTH) == set(Card) - {Card.HIDDEN, Card.PASSAGE}


def test_bots_answer_for_the_seat_that_is_asked() -> None:
    state = play(at(hands=[["greed"], ["slip"], ["slip"]], pile=PILE), "play greed")
    for seat in (1, 2):
        decision = owed(state, seat)
        answer = BOTS["normal"].decide(GAME.view(state, Seat(seat)), decision, Rng(bytes(32)))
        assert answer == Action("pass")


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_a_passage_is_not_put_where_its_owner_draws_next_from_the_bottom(level: str) -> None:
    for options in ({}, {"bottom_rule": "whole_phase"}):
        hands = [["warden", "greed", "bottom"], ["slip"] * 3, ["slip"] * 3]
        state = at(hands=hands, pile=[*PILE * 2, "passage"], discard=GONE, options=options)
        state = play(state, "play bottom", "play greed", "end")
        assert state.draws == 3
        for salt in range(6):
            place = int(think(level, state, salt=salt).split()[1])
            after = play(state, f"put {place}")
            assert after.eliminated == (), (options, place)


def test_suspicion_moves_hidden_cards_only() -> None:
    """A determinized state whose Passages were moved to where one may be buried still fits the view."""
    state = at(
        hands=[["slip"], ["seal"], ["duel"]],
        pile=["passage", *PILE, "passage", "slip"],
        known=[{"2": "seal"}],
        discard=["reconnect", "warden", "warden"],
    )
    view = GAME.view(state, Seat(0))
    assert put_back_unseen(view) == 2
    places = set()
    for salt in range(30):
        stream = Rng(bytes([salt]) * 32)
        guess = suspect(view, GAME.determinize(view, stream), stream)
        assert GAME.view(guess, Seat(0)) == view
        places.add(guess.pile.index(Card.PASSAGE, 3))
    assert len(state.pile) - 1 in places


def test_what_was_put_back_before_a_shuffle_is_anywhere() -> None:
    state = at(hands=[["slip"], ["seal"], ["duel"]], pile=["passage", *PILE], discard=["warden", "reconnect"])
    assert put_back_unseen(GAME.view(state, Seat(0))) == 0


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_passage_was_buried_where_the_next_one_could_not_have_survived_it(level: str, players: int) -> None:
    """All Wardens were gone, and it went below four cards (`put 4`)."""
    hands = [["warden", "trade"], ["trade", "seal"], ["seal", "duel"]][:players]
    pile = ["passage", "slip", "seal", "tithe", "duel", *["passage"] * (players - 2)]
    state = at(players=players, hands=hands, pile=pile, discard=["warden"] * 5)
    state = play(state, "end")
    assert think(level, state) == "put 0"


@pytest.mark.parametrize("budget", [240, 1200])
def test_hard_looks_at_no_more_positions_than_it_may(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the last batch: every option in so many guesses, each played to the horizon."""
    spent: list[int] = []
    play_on, after = search.play_on, Prover.following

    def count(*said: Any) -> int:
        spent.append(play_on(*said))
        return spent[-1]

    def follow(self: Prover, *said: Any) -> Any:
        for one in after(self, *said):
            spent.append(1)
            yield one

    monkeypatch.setattr(search, "play_on", count)
    monkeypatch.setattr(Prover, "following", follow)
    by = Search(budget=budget, proofs=budget // 4)
    state = at(hands=[["slip", "attack", "greed"], ["warden", "slip"], ["judge"]], pile=["passage", *PILE], turn=0)
    two = at(hands=[["slip", "attack", "greed"], ["warden", "slip"]], pile=["passage", "slip"], players=2, turn=0)
    for each in (state, two):
        spent.clear()
        decision = owed(each)
        by.choose(GAME.view(each, decision.seat), decision, Rng(bytes(32)))
        options = len(list(expand(decision.choice)))
        assert 0 < sum(spent) <= budget + options * by.batch * by.horizon


def test_a_proof_holds_wherever_the_hidden_cards_are() -> None:
    """With Slip By it survives, and the other has to draw the Passage: its card is one of two, and no way out."""
    left = Counter(at(players=2).switches.deck(2)) - Counter([Card.SLIP, Card.PASSAGE, Card.SEAL, Card.TRADE])
    state = at(players=2, hands=[["slip"], ["seal"]], pile=["passage"], discard=[*left.elements()])
    view, decision = GAME.view(state, Seat(0)), owed(state)
    worlds = {GAME.determinize(view, Rng(bytes([salt]) * 32)).hands[1] for salt in range(20)}
    assert worlds == {(Card.SEAL,), (Card.TRADE,)}
    assert prove(view, decision, Rng(bytes(32)), 500).loses == {("end",)}
    assert think("hard", state) == "play slip"


def test_no_proof_is_looked_for_with_three_players_or_a_large_pile() -> None:
    for state in (
        at(players=3, hands=[["slip"], ["seal"], ["seal"]], pile=["passage", "passage"]),
        at(players=2, hands=[["slip"], ["seal"]], pile=["passage", *PILE]),
    ):
        found = prove(GAME.view(state, Seat(0)), owed(state), Rng(bytes(32)), 500)
        assert (found.wins, found.loses, found.spent) == (frozenset(), frozenset(), 0)

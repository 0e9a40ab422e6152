"""The built-in players: legal, repeatable, unpredictable, and each level stronger than the one below."""

from __future__ import annotations

import pytest

from game.choices import draw
from game.contract import Action, Pending
from game.rainet.bot import BOTS
from game.rainet.inference import beliefs
from game.rainet.rules import GAME
from game.rainet.view import View
from game.rng import Rng
from tests.rainet.table import NORTH, SOUTH, after, at, view


class Random:
    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        return draw(pending.choice, rng)[0]


PLAYERS = {**BOTS, "random": Random()}


def play_match(south: str, north: str, n: int, **options):
    """Play one match and return its last state; every answer must be on offer."""
    seed = n.to_bytes(32, "big")
    state = GAME.setup(options, 2, seed).state
    used = 0
    while owed := GAME.pending(state):
        pending, used = owed[0], used + 1000
        player = PLAYERS[(south, north)[pending.seat]]
        answer = player.decide(GAME.view(state, pending.seat), pending, Rng(seed, used))
        assert answer in pending.choice.actions, (south, north, n, GAME.write_position(state))
        state = GAME.apply(state, pending.seat, answer).state
    return state


def share(one: str, other: str, matches: int) -> float:
    """Return the part of the matches that `one` wins, a draw for half, the seats swapped each time."""
    points = 0.0
    for n in range(matches):
        players = (one, other) if n % 2 == 0 else (other, one)
        top = play_match(*players, n // 2).result.placements[0]
        points += 0.5 if len(top) == 2 else players[top[0]] == one
    return points / matches


def decide(level: str, position: str, used: int = 0, **options) -> str:
    state = at(position, **options)
    (pending,) = GAME.pending(state)
    return BOTS[level].decide(GAME.view(state, pending.seat), pending, Rng(bytes(32), used)).text


@pytest.mark.soak
@pytest.mark.parametrize(
    ("one", "other", "matches", "at_least"),
    [("easy", "random", 400, 0.95), ("normal", "easy", 400, 0.85), ("hard", "normal", 400, 0.62)],
)
def test_each_level_beats_the_one_below_by_the_promised_share(one, other, matches, at_least):
    assert share(one, other, matches) >= at_least


def test_easy_beats_random_play():
    assert share("easy", "random", 8) >= 0.75


def test_normal_beats_easy():
    assert share("normal", "easy", 8) >= 0.75


def test_hard_holds_its_own_against_easy_to_the_end():
    assert share("hard", "easy", 2) == 1.0


@pytest.mark.parametrize("options", [{"own_exit": True}, {"boost_into_server": True}])
def test_the_options_do_not_confuse_the_bots(options):
    for n in range(2):
        assert play_match("normal", "normal", n, **options).result is not None


@pytest.mark.parametrize("level", BOTS)
def test_setups_vary_with_the_stream_only(level):
    (pending, _) = GAME.pending(at("setup - -"))
    seen = view(at("setup - -"), SOUTH)
    chosen = [BOTS[level].decide(seen, pending, Rng(bytes(32), used)).text for used in range(60)]
    assert len(set(chosen)) > 30
    assert chosen == [BOTS[level].decide(seen, pending, Rng(bytes(32), used)).text for used in range(60)]


@pytest.mark.parametrize("level", BOTS)
def test_a_bot_answers_the_same_for_whatever_it_can_not_see(level):
    texts = ("c1c2", "c8c7", "c2c3", "c7c6")
    one = after(at("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), *texts)
    two = after(at("vlv2lvl/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), *texts)
    answers = {BOTS[level].decide(GAME.view(s, SOUTH), GAME.pending(s)[0], Rng(bytes(32))).text for s in (one, two)}
    assert len(answers) == 1


def test_hard_does_not_always_open_alike():
    state = at()
    (pending,) = GAME.pending(state)
    assert len({BOTS["hard"].decide(view(state, SOUTH), pending, Rng(bytes(32), n)).text for n in range(8)}) > 1


def test_hard_enters_hidden_now_in_one_area_now_in_the_other():
    position = "3L3v/8/8/8/8/8/8/V7 S BF/bf -/- -/- 0"
    assert {decide("hard", position, used) for used in range(8)} == {"d8>l", "d8>v"}


def test_a_bluffer_shown_up_is_read_the_other_way_round():
    """South's first runner was a virus, so the next runner is less surely taken for a link."""
    run = ("a1a2", "h8h7", "a2a3", "h7h8", "a3a4", "h8h7", "a4a5", "h7h8", "a5a6", "h8h7", "a6a7")
    second = ("h7h8", "b1b2", "h8h7", "b2b3", "h7h8", "b3b4", "h8h7", "b4b5")
    odds = []
    for cards in ("VLV2LVL", "LLV2VVL"):
        state = after(
            at(f"lvl2vlv/3lv3/8/8/8/8/3VL3/{cards} S BCF4/bcf4 -/- -/- 0"), *run, "a8a7", "c1c2", *second[:-1]
        )
        odds.append(beliefs(view(after(state, second[-1]), NORTH), SOUTH, True).on_grid[33])
    shown_virus, shown_link = odds
    assert shown_virus > shown_link


def test_a_card_that_waits_on_an_exit_is_taken_for_a_virus_and_a_runner_for_a_link():
    """RaiNet §1.10 leaves only behaviour to go by; what was seen before a 404 counts as well."""
    state = after(at(), "a1a2", "c8c7", "a2a3", "c7c6", "a3a4", "c6c5", "a4a5", "c5c4")
    runner = beliefs(view(state, SOUTH), NORTH, True).on_grid
    assert runner[26] < 0.45 < runner[56]
    checked = beliefs(view(after(at(), "?b8", "@b8c8x"), SOUTH), NORTH, True).on_grid
    assert checked[57] == checked[58] == pytest.approx((1 + 3 / 7) / 2)

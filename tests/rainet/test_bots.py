"""The built-in players: legal, repeatable, unpredictable, and each level stronger than the one below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from game.choices import draw
from game.contract import Action, Bot, Json, Pending
from game.duel import Duel, play
from game.rainet.board import NAMES, SQUARES, VIRUS
from game.rainet.bots.evaluation import WIN, survived
from game.rainet.bots.inference import FITTED_STYLES, STYLES, beliefs
from game.rainet.bots.levels import BOTS
from game.rainet.bots.scene import board_of, scene_of
from game.rainet.bots.search import WALL
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rainet.view import View
from game.rng import Rng
from tests.answers import ended, offered
from tests.opponents.rainet_alpha_beta import AlphaBeta
from tests.opponents.rainet_offers import TRUSTING, Offers
from tests.rainet.table import NORTH, SOUTH, after, at, view


class Random:
    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        return draw(pending.choice, rng)[0]


PLAYERS: dict[str, Bot[View]] = {**BOTS, "random": Random()}


def play_match(south: str, north: str, n: int, **options: Json) -> State:
    """Play one match and return its last state; every answer must be on offer."""
    seed = n.to_bytes(32, "big")
    state = GAME.setup(options, 2, seed).state
    used = 0
    while owed := GAME.pending(state):
        pending, used = owed[0], used + 1000
        player = PLAYERS[(south, north)[pending.seat]]
        answer = player.decide(GAME.view(state, pending.seat), pending, Rng(seed, used))
        assert answer in offered(pending), (south, north, n, GAME.write_position(state))
        state = GAME.apply(state, pending.seat, answer).state
    return state


def share(one: str, other: str, matches: int) -> float:
    """Return the part of the matches that `one` wins, a draw for half, the seats swapped each time."""
    points = 0.0
    for n in range(matches):
        players = (one, other) if n % 2 == 0 else (other, one)
        top = ended(GAME, play_match(*players, n // 2)).placements[0]
        points += 0.5 if len(top) == 2 else players[top[0]] == one
    return points / matches


def decide(level: str, position: str, used: int = 0, **options: Json) -> str:
    state = at(position, **options)
    (pending,) = GAME.pending(state)
    return BOTS[level].decide(GAME.view(state, pending.seat), pending, Rng(bytes(32), used)).text


@pytest.mark.soak
@pytest.mark.parametrize(
    ("one", "other", "matches", "at_least"),
    [
        ("easy", "random", 400, 0.95),
        ("normal", "easy", 400, 0.85),
        ("hard", "normal", 400, 0.62),
        ("master", "hard", 100, 0.60),
    ],
)
def test_each_level_beats_the_one_below_by_the_promised_share(
    one: str, other: str, matches: int, at_least: float
) -> None:
    assert share(one, other, matches) >= at_least


def test_easy_beats_random_play() -> None:
    assert share("easy", "random", 8) >= 0.75


def test_normal_beats_easy() -> None:
    assert share("normal", "easy", 8) >= 0.75


def test_hard_holds_its_own_against_easy_to_the_end() -> None:
    assert share("hard", "easy", 2) == 1.0


@pytest.mark.parametrize("options", [{"own_exit": True}, {"boost_into_server": True}, {"firewall_anywhere": True}])
def test_bots_play_a_match_under_every_option(options: dict[str, Json]) -> None:
    for n in range(2):
        assert play_match("normal", "normal", n, **options).result is not None


def covered(firewall_anywhere: bool) -> set[str]:
    """Return on which of the opponent's cards South would lay its Firewall: it attacks d5; d2 could follow d3."""
    state = at("8/8/8/3l4/3L4/3l4/3v4/8 S F/- -/- -/- 0", firewall_anywhere=firewall_anywhere)
    board = board_of(scene_of(GAME.view(state, SOUTH), int(SOUTH), False), 0.8)
    squares = {NAMES[target] for kind, _, target, _ in board.moves(0, True) if kind == WALL}
    return squares & {"d2", "d3", "d5"}


def test_a_firewall_is_thought_of_on_an_attacked_card_only_where_it_may_lie_anywhere() -> None:
    assert covered(firewall_anywhere=False) == set()
    assert covered(firewall_anywhere=True) >= {"d3", "d5"}


def test_what_a_firewall_covers_can_not_be_taken_back() -> None:
    """Under `firewall_anywhere` nothing of the opponent's enters a covered square; what stands there is captured."""
    state = at("8/8/3v4/3l4/3L4/8/8/8 S -/- d5/- -/- 0", firewall_anywhere=True)
    board = board_of(scene_of(GAME.view(state, SOUTH), int(SOUTH), False), 0.8)
    capture = next(move for move in board.moves(0, False) if NAMES[move[2]] == "d5")
    board.make(0, capture)
    assert "d5" not in {NAMES[target] for _, _, target, _ in board.moves(1, False)}


@pytest.mark.parametrize("level", BOTS)
def test_setups_vary_with_the_stream_only(level: str) -> None:
    (pending, _) = GAME.pending(at("setup - -"))
    seen = view(at("setup - -"), SOUTH)
    chosen = [BOTS[level].decide(seen, pending, Rng(bytes(32), used)).text for used in range(60)]
    assert len(set(chosen)) > 30
    assert chosen == [BOTS[level].decide(seen, pending, Rng(bytes(32), used)).text for used in range(60)]


@pytest.mark.parametrize("level", BOTS)
def test_a_bot_answers_the_same_for_whatever_it_can_not_see(level: str) -> None:
    texts = ("c1c2", "c8c7", "c2c3", "c7c6")
    one = after(at("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), *texts)
    two = after(at("vlv2lvl/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), *texts)
    answers = {BOTS[level].decide(GAME.view(s, SOUTH), GAME.pending(s)[0], Rng(bytes(32))).text for s in (one, two)}
    assert len(answers) == 1


def test_hard_does_not_always_open_alike() -> None:
    state = at()
    (pending,) = GAME.pending(state)
    assert len({BOTS["hard"].decide(view(state, SOUTH), pending, Rng(bytes(32), n)).text for n in range(8)}) > 1


def test_hard_enters_hidden_now_in_one_area_now_in_the_other() -> None:
    position = "3L3v/8/8/8/8/8/8/V7 S BF/bf -/- -/- 0"
    assert {decide("hard", position, used) for used in range(8)} == {"d8>l", "d8>v"}


def test_after_a_bluff_the_next_runner_is_less_surely_taken_for_a_link() -> None:
    """South's first runner was a virus; with the other setup it was a link."""
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


def test_a_card_that_waits_on_an_exit_is_taken_for_a_virus_and_a_runner_for_a_link() -> None:
    """RaiNet §1.10 leaves only behaviour to go by; what was seen before a 404 counts as well."""
    state = after(at(), "a1a2", "c8c7", "a2a3", "c7c6", "a3a4", "c6c5", "a4a5", "c5c4")
    runner = beliefs(view(state, SOUTH), NORTH, True).on_grid
    assert runner[26] < 0.45 < runner[56]
    checked = beliefs(view(after(at(), "?b8", "@b8c8x"), SOUTH), NORTH, True).on_grid
    assert checked[57] == checked[58] == pytest.approx((1 + 3 / 7) / 2)


def test_where_a_card_stands_tells_master_more_than_hard() -> None:
    """What went far is a link, what never moved from before its own EXITs is a virus."""
    moves = ("a1a2", "c8c7", "a2a3", "c7c6", "a3a4", "c6c5", "a4a5", "c5c4")
    seen = view(after(at(), *moves), SOUTH)
    plain, fitted = (beliefs(seen, NORTH, True, styles).on_grid for styles in (STYLES, FITTED_STYLES))
    assert fitted[SQUARES["c4"]] < plain[SQUARES["c4"]] < 0.45
    assert fitted[SQUARES["d7"]] > plain[SQUARES["d7"]]
    assert sum(fitted.values()) == pytest.approx(4)


def test_master_repeats_a_match_with_the_same_budget_and_plays_by_the_rules() -> None:
    duel = Duel("rainet", ("master", "normal"), 2, seed=3, positions=300)
    played = play(duel)
    assert played.illegal == 0
    assert play(duel) == played
    assert play(replace(duel, positions=100)) != played


# Viruses that walk up to be taken


def offered_after(viruses: int) -> Iterator[float]:
    """Yield, match by match, how far the taker believes an offered virus to be one after taking so many viruses."""
    for n in range(6):
        seed = n.to_bytes(32, "big")
        state, used, players = GAME.setup({}, 2, seed).state, 0, (TRUSTING, Offers())
        while owed := GAME.pending(state):
            pending, used = owed[0], used + 1000
            seen = GAME.view(state, pending.seat)
            answer = players[pending.seat].decide(seen, pending, Rng(seed, used))
            target = SQUARES.get(answer.text[-2:])
            if pending.seat == SOUTH and target is not None and seen.board[target] and state.stacks[SOUTH]:
                taken = [bool(card & VIRUS) for card in state.stacks[SOUTH]]
                if sum(taken) == viruses and state.board[target] & VIRUS:
                    yield beliefs(seen, NORTH, True).on_grid[target]
                    break
            state = GAME.apply(state, pending.seat, answer).state


def test_who_offered_two_viruses_is_believed_to_offer_a_third() -> None:
    """Hard took hidden cards that walked up to it three times running, and the fourth virus lost the match."""
    odds = list(offered_after(2))
    assert len(odds) >= 3
    assert sum(odds) / len(odds) > 0.5, odds


def test_a_gamble_for_a_link_is_not_taken_with_three_viruses() -> None:
    """Parts of a virus were added up as parts of a loss, and four links counted before them."""
    assert survived(14.0, 0.36) < survived(200.0, 0.36) < 14.0
    assert survived(200.0, 0.0) > 100.0
    assert survived(5.0, 1.0) == -2 * WIN


@pytest.mark.soak
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_at_most_a_third_of_60_matches_is_lost_to_offered_viruses(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "offers", Offers())
    assert share(level, "offers", 60) >= 2 / 3


@pytest.mark.soak
@pytest.mark.parametrize("opponent", [Offers(), AlphaBeta()])
def test_master_loses_at_most_a_quarter_of_60_matches_to_players_with_one_idea(
    opponent: Bot[View], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLAYERS, "one idea", opponent)
    assert share("master", "one idea", 60) >= 0.75


@pytest.mark.soak
def test_hard_loses_at_most_a_third_of_60_matches_to_a_search_of_dealt_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "alpha-beta", AlphaBeta())
    assert share("hard", "alpha-beta", 60) >= 2 / 3


def test_the_search_of_dealt_worlds_enters_where_that_wins_and_does_not_take_what_is_surely_a_virus() -> None:
    """An opponent that plays badly would measure nothing."""
    position = "3L4/8/8/3V4/3v+4/8/8/8 S -/- -/- l+,l+,l+,v+,v+,v+/- 0"
    state = at(position)
    (pending,) = GAME.pending(state)
    assert AlphaBeta().decide(GAME.view(state, SOUTH), pending, Rng(bytes(32))).text == "d8>+"
    without = at(position.replace("3L4/", "8/"))
    (pending,) = GAME.pending(without)
    assert AlphaBeta().decide(GAME.view(without, SOUTH), pending, Rng(bytes(32))).text != "d5d4"


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize(
    ("position", "card"),
    [
        ("2v5/4l3/3L*l*3/3L4/5V2/8/4V3/8 S C4/c f5/d7 v+,L?l,v+,v+/L+,V+,V+,l?v,l?v 1", "?"),  # one virus more loses
        ("2v5/4v1l1/5L2/4l*3/8/5L*2/4L3/5V2 S C4/c4 d6/c4 v+,v+,L?v/V+,V+,V+,l?l,l?v 4", "@"),
    ],
)
def test_normal_never_used_its_virus_check_and_404(level: str, position: str, card: str) -> None:
    assert {decide(level, position, used * 1000)[0] for used in range(3)} == {card}


def test_normal_enters_hidden_now_in_one_area_now_in_the_other() -> None:
    """It always showed what entered."""
    position = "3L3v/8/8/8/8/8/8/V7 S BF/bf -/- -/- 0"
    assert {decide("normal", position, used) for used in range(8)} == {"d8>l", "d8>v"}

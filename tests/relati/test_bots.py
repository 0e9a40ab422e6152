"""The built-in players: each level stronger than the one below, thirty positions with one good move, bounded effort."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.contract import Action, Watcher
from game.duel import Duel, play
from game.relati.bot import BOTS, Player
from game.relati.explain import source_threats
from game.relati.rules import GAME
from game.relati.search import Search
from game.rng import Rng

TACTICS = [
    line.split(" ", 2) for line in (Path(__file__).parent / "tactics.txt").read_text().splitlines()
]  # what for, the action, the position


def decide(level: str, position: str, stream: int = 0, **options) -> str:
    state = GAME.read_position(position, options)
    (pending,) = GAME.pending(state)
    return BOTS[level].decide(GAME.view(state, pending.seat), pending, Rng(bytes(32), stream)).text


def offered(state) -> list[str]:
    return [action.text for action in GAME.pending(state)[0].choice.actions]


def wins_at_once(state, action: str) -> bool:
    after = GAME.apply(state, state.turn, Action(action)).state
    return after.over and after.turn == state.turn


def saves_the_source(state, action: str) -> bool:
    """Tell whether no answer takes the mover's source."""
    after = GAME.apply(state, state.turn, Action(action)).state
    if after.over or not after.board.sides[state.turn].source:
        return False
    if source_threats(after.board, state.turn, after.out, after.ruleset):
        return False
    answers = [text for text in offered(after) if text[0] in "BR"]  # bombs, and rings being closed
    return all(GAME.apply(after, after.turn, Action(a)).state.board.sides[state.turn].source for a in answers)


@pytest.mark.parametrize(("kind", "action", "position"), TACTICS)
def test_each_tactical_position_has_one_good_move(kind, action, position):
    state = GAME.read_position(position, {})
    is_good = wins_at_once if kind == "win" else saves_the_source
    good = {text[1:] for text in offered(state) if is_good(state, text)}
    assert good == {action[1:]}  # where a contact attack wins, so does the dearer shot along the same line
    if kind == "save":
        assert source_threats(state.board, state.turn, state.out, state.ruleset)


def test_hard_finds_at_least_28_of_the_30_good_moves():
    found = [decide("hard", position)[1:] == action[1:] for _, action, position in TACTICS]
    assert len(found) == 30
    assert sum(found) >= 28


def test_normal_finds_most_of_them():
    assert sum(decide("normal", position)[1:] == action[1:] for _, action, position in TACTICS) >= 24


@pytest.mark.parametrize("level", BOTS)
def test_the_same_view_and_stream_give_the_same_action(level):
    _, _, position = TACTICS[7]
    assert decide(level, position, 3) == decide(level, position, 3)


@pytest.mark.parametrize("n_seats", range(2, 7))
@pytest.mark.parametrize("level", BOTS)
def test_levels_play_every_number_of_seats(level, n_seats):
    """The first decisions of a match on a small board, each one on offer."""
    state = GAME.setup({"board": 7}, n_seats, bytes(32)).state
    for ply in range(2 * n_seats if level != "hard" else n_seats + 2):
        pending = GAME.pending(state)
        if not pending:
            break
        view = GAME.view(state, pending[0].seat)
        action = BOTS[level].decide(view, pending[0], Rng(bytes(32), ply * 1000))
        assert action in pending[0].choice.actions
        state = GAME.apply(state, pending[0].seat, action).state


def test_bots_play_by_whatever_the_table_agreed_on():
    options = {
        "escape_anywhere": True,
        "contact_line": "live-too",
        "attack_shields": True,
        "defend_source": True,
        "bomb": "everything",
        "pincer_first": False,
        "rim_is_safe": False,
        "capture_shields": True,
    }
    for kind, _, position in TACTICS[:6]:
        state = GAME.read_position(position, options)
        action = decide("normal", position, **options)
        assert action in offered(state)
        assert kind != "win" or wins_at_once(state, action)


def test_hard_stops_at_its_budget(monkeypatch):
    """Whatever the position: the ideas, and at most one more of them answered by everybody once the budget is spent."""
    searches: list[Search] = []
    made = Search.__init__

    def remember(self, *args):
        made(self, *args)
        searches.append(self)

    monkeypatch.setattr(Search, "__init__", remember)
    state = GAME.setup({"board": 15}, 4, bytes(32)).state
    for ply in range(40):
        (pending,) = GAME.pending(state)
        level = "hard" if ply % 20 == 19 else "easy"
        action = BOTS[level].decide(GAME.view(state, pending.seat), pending, Rng(bytes(32), ply * 1000))
        state = GAME.apply(state, pending.seat, action).state
    hard = BOTS["hard"]
    assert isinstance(hard, Player)
    assert max(search.spent for search in searches) <= hard.budget // 2 + 3 * 225


def test_views_are_all_a_bot_gets():
    state = GAME.read_position(TACTICS[0][2], {})
    view = GAME.view(state, state.turn)
    assert view != GAME.view(state, Watcher.PUBLIC)
    (pending,) = GAME.pending(state)
    assert BOTS["normal"].decide(view, pending, Rng(bytes(32))) in pending.choice.actions


def share(one: str, others: str, matches: int, n_seats: int = 2, **options) -> float:
    tally = play(Duel("relati", (one, *[others] * (n_seats - 1)), matches, seed=1, options=options))
    assert tally.illegal == 0
    return tally.standings[0].share


def test_easy_beats_random_play_and_normal_beats_easy():
    """A sample; `python -m game duel relati` measures."""
    assert share("easy", "random", 6, board=9) >= 0.66
    assert share("normal", "easy", 6, board=9) >= 0.66


@pytest.mark.soak
def test_hard_beats_normal():
    assert share("hard", "normal", 100) >= 0.62


@pytest.mark.soak
def test_one_hard_among_three_normal_wins_more_than_its_share():
    assert share("hard", "normal", 60, n_seats=4) >= 0.38


@pytest.mark.soak
@pytest.mark.parametrize("n_seats", range(2, 7))
def test_two_thousand_random_matches_end(n_seats):
    tally = play(Duel("relati", ("random",) * n_seats, 2000, seed=2))
    assert (tally.matches, tally.illegal) == (2000, 0)

"""The built-in players: each level stronger than the one below, thirty positions with one good move, bounded effort."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game.cli.suites import suite
from game.contract import Action, Json, Pending, Watcher
from game.duel import Duel, play
from game.relati.bots.deepening import Deepening
from game.relati.bots.levels import BOTS, CAUTIOUS, FAR_SIGHTED, LevelBot, Master
from game.relati.bots.rounds import Rounds
from game.relati.bots.search import Search, node_of
from game.relati.explain import source_threats
from game.relati.geometry import bits, grid
from game.relati.rules import GAME
from game.relati.state import Side, State
from game.rng import Rng
from tests.answers import offered
from tests.opponents.relati_shield_bomb import ShieldBomb

AT_ONCE = [one for one in suite("relati") if (one.kind, one.decisions) in (("win", 1), ("save", 0))]
TACTICS = [(one.kind, one.good[0], str(one.position)) for one in AT_ONCE]


RNG = Rng(bytes(32))
FEW = 1500  # positions that master looks at in these tests


def answer(level: str, state: State, pending: Pending, rng: Rng) -> Action:
    bot = BOTS[level]
    return (bot.within(FEW) if isinstance(bot, Master) else bot).decide(GAME.view(state, pending.seat), pending, rng)


def decide(level: str, position: str, stream: int = 0, **options: Json) -> str:
    state = GAME.read_position(position, options)
    (pending,) = GAME.pending(state)
    return answer(level, state, pending, Rng(bytes(32), stream)).text


def texts(state: State) -> list[str]:
    return [action.text for action in offered(GAME.pending(state)[0])]


def wins_at_once(state: State, action: str) -> bool:
    after = GAME.apply(state, state.turn, Action(action)).state
    return after.over and after.turn == state.turn


def saves_the_source(state: State, action: str) -> bool:
    """Tell whether no answer takes the mover's source."""
    after = GAME.apply(state, state.turn, Action(action)).state
    if after.over or not after.board.sides[state.turn].source:
        return False
    if source_threats(after.board, state.turn, after.out, after.ruleset):
        return False
    answers = [text for text in texts(after) if text[0] in "BR"]  # bombs, and rings being closed
    return all(GAME.apply(after, after.turn, Action(a)).state.board.sides[state.turn].source for a in answers)


@pytest.mark.parametrize(("kind", "action", "position"), TACTICS)
def test_each_tactical_position_has_one_good_move(kind: str, action: str, position: str) -> None:
    state = GAME.read_position(position, {})
    is_good = wins_at_once if kind == "win" else saves_the_source
    good = {text[1:] for text in texts(state) if is_good(state, text)}
    assert good == {action[1:]}  # where a contact attack wins, so does the dearer shot along the same line
    if kind == "save":
        assert source_threats(state.board, state.turn, state.out, state.ruleset)


def test_hard_finds_at_least_28_of_the_30_good_moves() -> None:
    found = [decide("hard", position)[1:] == action[1:] for _, action, position in TACTICS]
    assert len(found) == 30
    assert sum(found) >= 28


def test_master_finds_every_win_and_25_in_all() -> None:
    """Where it does not save its source it takes the other one for it; played on, that did as well in four of five."""
    missed = [kind for kind, action, position in TACTICS if decide("master", position)[1:] != action[1:]]
    assert len(missed) <= 5
    assert "win" not in missed


def test_normal_finds_most_of_them() -> None:
    assert sum(decide("normal", position)[1:] == action[1:] for _, action, position in TACTICS) >= 24


@pytest.mark.parametrize("level", BOTS)
def test_the_same_view_and_stream_give_the_same_action(level: str) -> None:
    _, _, position = TACTICS[7]
    assert decide(level, position, 3) == decide(level, position, 3)


@pytest.mark.parametrize("n_seats", range(2, 7))
@pytest.mark.parametrize("level", BOTS)
def test_levels_play_every_number_of_seats(level: str, n_seats: int) -> None:
    """The first decisions of a match on a small board, each one on offer."""
    state = GAME.setup({"board": 7}, n_seats, bytes(32)).state
    for ply in range(2 * n_seats if level in ("easy", "normal") else n_seats + 2):
        pending = GAME.pending(state)
        if not pending:
            break
        action = answer(level, state, pending[0], Rng(bytes(32), ply * 1000))
        assert action in offered(pending[0])
        state = GAME.apply(state, pending[0].seat, action).state


def test_bots_play_by_whatever_the_table_agreed_on() -> None:
    options: dict[str, Json] = {
        "escape_anywhere": True,
        "contact_line": "live-too",
        "attack_shields": True,
        "defend_source": True,
        "bomb": "everything",
        "pincer_first": False,
        "rim_is_safe": False,
        "capture_shields": True,
        "forbid": "local",
    }
    for kind, _, position in TACTICS[:6]:
        state = GAME.read_position(position, options)
        action = decide("normal", position, 0, **options)
        assert action in texts(state)
        assert kind != "win" or wins_at_once(state, action)


def test_hard_stops_at_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the position: the ideas, and at most one more of them answered by everybody once the budget is spent."""
    searches: list[Search] = []
    made = Search.__init__

    def remember(self: Search, *args: Any) -> None:
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
    assert isinstance(hard, LevelBot)
    assert max(search.spent for search in searches) <= hard.budget // 2 + 3 * 225


@pytest.mark.parametrize("n_seats", [2, 4])
def test_master_looks_at_no_more_positions_than_it_may(n_seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Search] = []
    made = Search.__init__

    def remember(self: Search, *args: Any) -> None:
        made(self, *args)
        searches.append(self)

    state = GAME.setup({"board": 9}, n_seats, bytes(32)).state
    for ply in range(6 * n_seats):
        (pending,) = GAME.pending(state)
        state = GAME.apply(state, pending.seat, answer("normal", state, pending, Rng(bytes(32), ply * 1000))).state
    (pending,) = GAME.pending(state)
    monkeypatch.setattr(Search, "__init__", remember)
    answer("master", state, pending, Rng(bytes(32)))
    (search,) = searches
    assert FEW / 2 < search.spent <= FEW


def with_a_third(state: State) -> State:
    """Give a third seat a source on the empty cell that is furthest from all pieces."""
    board = state.board
    taken = [board.grid.xy(cell) for cell in bits(board.occupied)]

    def distance(cell: int) -> int:
        x, y = board.grid.xy(cell)
        return min(max(abs(x - a), abs(y - b)) for a, b in taken)

    cell = 1 << max(bits(board.empty), key=distance)
    return replace(state, board=replace(board, sides=(*board.sides, Side(mark=cell, source=cell))))


def test_master_saves_its_source_while_a_third_looks_on() -> None:
    states = [with_a_third(GAME.read_position(position, {})) for kind, _, position in TACTICS if kind == "save"]
    saved = [saves_the_source(state, answer("master", state, GAME.pending(state)[0], RNG).text) for state in states]
    assert len(saved) == 15
    assert sum(saved) >= 13


@pytest.mark.parametrize(
    "position",
    [
        "DsD2D1Dw/DdDDDxXwD1/ODxDxXwXxUx1/OOxUbXwUxXfU/OOxUxOxXbXxU/OOOOxUxUxU/OsOd2UUs1 O OxDU",
        "1DUdUwUUUs/DDUDfXUxU/DDxOxUxUwUU/DXOxObOxXU/DwDDxDxOxXwXx/XfDOfXXXwXs/DsDDXwXwX1 X oXDU",
        "2D1O2/DsD1DOOOs/DDDD1OO/XxXxXf1DOU/XxXbXxXfUOU/XxXxXxXxUxUO/2XxUbUx1Us O OxDU",
        "XxO1XXXxXs/1OwOXxOXxUf/1DxOsOwXXxX/OwOwOUfXUfUx/OD1DDUwX/DxDDDDDX/1ODsDwDX1 X OXDu",
    ],
)
def test_master_made_shields_of_its_pieces_while_it_could_still_connect_others(position: str) -> None:
    """Three were left, and the one with the most pieces outlived the others."""
    assert [decide("master", position, stream)[0] for stream in range(3)] == ["R"] * 3


@pytest.mark.parametrize("n_seats", [3, 4])
def test_the_first_source_of_many_stood_in_the_middle_where_all_could_attack_it(n_seats: int) -> None:
    state = GAME.setup({"board": 9}, n_seats, bytes(32)).state
    while (pending := GAME.pending(state)[0]).prompt == "locate":
        state = GAME.apply(state, pending.seat, answer("master", state, pending, Rng(bytes(32), 7000))).state
    assert max(state.board.grid.open[side.source.bit_length() - 1] for side in state.board.sides) < 8


def test_a_line_of_attack_has_room_in_three_directions_from_a_corner_and_in_eight_from_the_middle() -> None:
    named = {name: room for name, room in zip(grid(5).names, grid(5).open, strict=True) if name}
    assert [named[name] for name in ("a1", "b2", "c1", "c2", "c3", "e4")] == [3, 3, 5, 5, 8, 3]


@pytest.mark.parametrize("budget", [1, 60, 500])
def test_rounds_choose_one_of_the_ideas_however_soon_the_budget_ends(budget: int) -> None:
    state = GAME.setup({"board": 7}, 3, bytes(32)).state
    for ply in range(6):
        (pending,) = GAME.pending(state)
        state = GAME.apply(state, pending.seat, answer("easy", state, pending, Rng(bytes(32), ply * 1000))).state
    node, search = node_of(state), Search(state.ruleset, CAUTIOUS)
    ideas = sorted(search.children(node), key=lambda child: child.value, reverse=True)
    begun = search.spent
    chosen = Rounds(search, node.turn, begun + budget, (16, 8, 4)).best(ideas)
    assert chosen in ideas
    assert search.spent <= begun + budget


def test_views_are_all_a_bot_gets() -> None:
    state = GAME.read_position(TACTICS[0][2], {})
    view = GAME.view(state, state.turn)
    assert view != GAME.view(state, Watcher.PUBLIC)
    (pending,) = GAME.pending(state)
    assert BOTS["normal"].decide(view, pending, Rng(bytes(32))) in offered(pending)


def share(one: str, others: str, matches: int, n_seats: int = 2, **options: Json) -> float:
    tally = play(Duel("relati", (one, *[others] * (n_seats - 1)), matches, seed=1, options=options))
    assert tally.illegal == 0
    return tally.standings[0].share


def test_easy_beats_random_play_and_normal_beats_easy() -> None:
    """A sample; `python -m game duel relati` measures."""
    assert share("easy", "random", 6, board=9) >= 0.66
    assert share("normal", "easy", 6, board=9) >= 0.66


@pytest.mark.soak
def test_hard_beats_normal() -> None:
    assert share("hard", "normal", 100) >= 0.62


@pytest.mark.soak
def test_master_beats_hard_with_two_thousand_positions_a_decision() -> None:
    tally = play(Duel("relati", ("master", "hard"), 60, seed=11, positions=2000))
    print(tally)
    assert tally.standings[0].share >= 0.6


@pytest.mark.soak
def test_one_hard_among_three_normal_wins_more_than_its_share() -> None:
    assert share("hard", "normal", 60, n_seats=4) >= 0.38


@pytest.mark.soak
@pytest.mark.parametrize("n_seats", range(2, 7))
def test_two_thousand_random_matches_end(n_seats: int) -> None:
    tally = play(Duel("relati", ("random",) * n_seats, 2000, seed=2))
    assert (tally.matches, tally.illegal) == (2000, 0)


@pytest.mark.parametrize(("level", "stream"), [*(("hard", n) for n in range(4)), ("master", 0)])
def test_a_piece_beside_its_source_became_a_shield_then_a_bomb_and_hard_let_it(level: str, stream: int) -> None:
    """Eight matches of eight were lost to this list, whose shield no attack reaches."""
    state = GAME.setup({}, 2, bytes(32)).state
    for placed in ("Lj8", "Lg7"):
        state = GAME.apply(state, state.turn, Action(placed)).state
    for planned in ("Rh6", "Ri6", "Rk6", "Dh6", "Bh6"):
        if state.over or planned not in texts(state):
            break
        state = GAME.apply(state, state.turn, Action(planned)).state
        if state.over:
            break
        (pending,) = GAME.pending(state)
        state = GAME.apply(state, state.turn, answer(level, state, pending, Rng(bytes([stream] * 32)))).state
    assert state.board.sides[1].source


def test_a_shield_beside_the_source_was_no_likely_answer_and_master_did_not_look_at_it() -> None:
    """After j11 has come beside the source i11, it becomes a shield and then a bomb."""
    rows = "11/2Ox5Ox1Ox/2X5XXd1/3Ox3OxOxXX/3X1Ox1XOxOx1/5Ox3X1/5XOx4/11/3Xs3X3/6O4/8OsX1"
    state = GAME.read_position(f"{rows} O OX", {})
    node, search = node_of(state), Search(state.ruleset, FAR_SIGHTED)
    ideas = sorted(search.children(node), key=lambda child: child.value, reverse=True)
    looking, looked_at = Deepening(search, node.turn, 10_000, (16, 8)), 0
    for idea in ideas:
        answers = {child.spoken.text for child in looking.choices(idea, 1, 1, "")}
        offered = {spoken.text for spoken in search.choices(idea.node)}
        if "Dj11" in offered and idea.node.board.sides[0].source == node.board.sides[0].source:
            looked_at += 1
            assert "Dj11" in answers, idea.spoken.text
    assert looked_at > 10


@pytest.mark.soak
def test_hard_loses_at_most_a_third_of_60_matches_to_a_shield_bomb_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "shield-bomb", ShieldBomb())
    hard, _ = play(Duel("relati", ("hard", "shield-bomb"), 60, 7)).standings
    print(hard)
    assert hard.share >= 2 / 3


@pytest.mark.soak
def test_master_loses_at_most_a_quarter_of_60_matches_to_a_shield_bomb_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "shield-bomb", ShieldBomb())
    master, _ = play(Duel("relati", ("master", "shield-bomb"), 60, 91, {"board": 11}, positions=FEW)).standings
    print(master)
    assert master.share >= 0.75

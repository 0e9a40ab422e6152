"""Whatever text comes in: it is read or refused, and what is read can be written, seen and dealt out again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from game.contract import Action, Seat, Viewer, Watcher
from game.errors import BadNotation, GameError
from game.rainet.position import OPENING
from game.rainet.rules import GAME
from game.rng import Rng
from tests.answers import offered

PIECES = st.sampled_from(["L", "V", "l", "v", "L+", "V+*", "l*", "v+", "1", "2", "3", "8", "/", "9", "O"])
FIELDS = st.tuples(
    st.lists(st.lists(PIECES, max_size=4).map("".join), min_size=8, max_size=8).map("/".join),
    st.sampled_from(["S", "N", "X", ""]),
    st.sampled_from(["BCF4/bcf4", "-/-", "CF4/cf4", "F/f", "b/B", "BB/-"]),
    st.sampled_from(["-/-", "c3/-", "c3/c4", "d1/-", "z9/-"]),
    st.sampled_from(["-/-", "l+,L?v/V+", "l+,l+,l+/v?l", "l?v/-", "l+,l+,l+,l+/-"]),
    st.sampled_from(["0", "7", "199", "200", "-1", "007"]),
).map(" ".join)
TEXTS = st.text(alphabet="abcdefgh12345678+-?#~@=x>lvsetupLV ", max_size=12) | st.text(max_size=6)


@st.composite
def sparse_positions(draw: st.DrawFn) -> str:
    """A few cards on ranks 2 to 7, where neither side has an EXIT."""
    rank = st.sampled_from(["8", "L7", "3l4", "2v+5", "1V*6", "5L+2", "4v*3", "1l1L4", "7V", "v6L+"])
    ranks = draw(st.lists(rank, min_size=6, max_size=6))
    rest = draw(st.sampled_from(["S CF4/cf4 -/- -/- 0", "N CF/c4 a8/h1 l+,L?v/V+,v?l 12", "S C/b a1/- v+,v+,v+/- 199"]))
    return f"8/{'/'.join(ranks)}/8 {rest}"


@settings(deadline=None, max_examples=200)
@given(FIELDS | sparse_positions())
def test_a_position_is_refused_or_comes_back_the_same(text: str) -> None:
    try:
        state = GAME.read_position(text, {})
    except BadNotation:
        return
    assert GAME.write_position(state) == text
    assert (GAME.pending(state) == ()) == (state.result is not None)
    assert GAME.load(GAME.dump(state)) == state


@settings(deadline=None, max_examples=100)
@given(sparse_positions(), st.integers(0, 2**64 - 1), st.sampled_from([Seat(0), Seat(1), Watcher.PUBLIC]))
def test_any_position_can_be_dealt_out_for_any_viewer(text: str, number: int, viewer: Viewer) -> None:
    try:
        state = GAME.read_position(text, {})
    except BadNotation:
        return
    view = GAME.view(state, viewer)
    guess = GAME.determinize(view, Rng(number.to_bytes(32, "big")))
    assert GAME.view(guess, viewer) == view
    assert GAME.pending(guess) == GAME.pending(state)


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.sampled_from([OPENING, "setup - -"]), st.sampled_from([Seat(0), Seat(1)]))
def test_an_action_is_taken_if_offered_and_refused_otherwise(text: str, position: str, seat: Seat) -> None:
    state = GAME.read_position(position, {})
    legal = {action.text for owed in GAME.pending(state) if owed.seat == seat for action in offered(owed)}
    try:
        GAME.apply(state, seat, Action(text))
    except GameError:
        assert text not in legal
    else:
        assert text in legal

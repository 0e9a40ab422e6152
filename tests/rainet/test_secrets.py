"""RaiNet §1.10: nobody sees what is not theirs, along whole matches of random play."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from game.choices import draw
from game.contract import Action, Watcher
from game.rainet.messages import EVENTS
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rainet.view import deals
from game.rng import Rng
from tests.answers import told
from tests.rainet.table import NORTH, PUBLIC, SOUTH, after, at, view

SEED = bytes(range(32))
VIEWERS = (SOUTH, NORTH, PUBLIC, Watcher.OMNISCIENT)


def random_match(n: int) -> Iterator[State]:
    """Yield the states of one match of random play."""
    rng = Rng(n.to_bytes(32, "big"))
    state = GAME.setup({"boost_into_server": n % 2 == 1, "own_exit": n % 3 == 1}, 2, rng.seed).state
    while owed := GAME.pending(state):
        yield state
        pending, rng = rng.choose(owed)
        action, rng = draw(pending.choice, rng)
        state = GAME.apply(state, pending.seat, action).state
    yield state


@pytest.mark.parametrize("n", range(4))
def test_every_dealt_out_state_looks_the_same_and_offers_the_same(n: int) -> None:
    rng = Rng(SEED)
    for ply, state in enumerate(random_match(n)):
        for viewer in VIEWERS:
            seen = view(state, viewer)
            guess = GAME.determinize(seen, Rng(SEED, ply * 100))
            assert (GAME.view(guess, viewer), hash(GAME.view(guess, viewer))) == (seen, hash(seen)), (n, ply)
            assert ply % 5 or GAME.load(json.loads(json.dumps(GAME.dump(guess)))) == guess
            for pending in GAME.pending(guess):
                assert pending in GAME.pending(state), (n, ply)
    assert rng.used == 0


def test_a_view_during_play_says_the_same_for_any_types() -> None:
    texts = ("c1c2", "c8c7", "?c7", "?c2", "@b1c2x", "@b8c7=", "c2c3", "c7c6")
    one = after(at("lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), *texts)
    two = after(at("lvl2vvl/3lv3/8/8/8/8/3VL3/VLV2VLL S BCF4/bcf4 -/- -/- 0"), *texts)
    assert view(one, PUBLIC) == view(two, PUBLIC)
    assert GAME.view_json(view(one, PUBLIC)) == GAME.view_json(view(two, PUBLIC))


def test_the_card_that_a_hidden_entry_tells_its_owner_is_in_the_table() -> None:
    step = GAME.apply(at("3V4/8/8/8/8/8/8/8 S F/f -/- -/- 5"), SOUTH, Action("d8>l"))
    for viewer in (SOUTH, NORTH, PUBLIC):
        assert set(told(step.events[0], viewer)) <= set(EVENTS["rainet.event.enter-hidden"])


def test_a_hidden_entry_is_the_same_to_others_for_a_link_and_a_virus() -> None:
    steps = [GAME.apply(at(f"3{c}4/8/8/8/8/8/8/8 S F/f -/- -/- 5"), SOUTH, Action("d8>v")) for c in "LV"]
    for viewer in (NORTH, PUBLIC):
        assert len({view(step.state, viewer) for step in steps}) == 1
        assert steps[0].events[0].seen_by(viewer) == steps[1].events[0].seen_by(viewer)
    assert [told(step.events[0], SOUTH)["card"] for step in steps] == ["L", "V"]


def test_a_setup_is_told_as_ready_only() -> None:
    step = GAME.apply(at("setup - -"), SOUTH, Action("setup LLVVLVLV"))
    assert step.events[0].seen_by(NORTH) == step.events[0].seen_by(PUBLIC) == {"seat": 0}
    assert view(step.state, NORTH).setups == ("ready", None)
    forfeited = GAME.forfeit(step.state, SOUTH).state
    assert view(forfeited, NORTH).setups == ("ready", None)


def test_after_the_end_everything_is_shown() -> None:
    state = after(at("v2L4/8/8/8/8/8/8/8 S -/- -/- l+,l+,L?v/- 5"), "d8>v")
    assert view(state, PUBLIC).position.split()[0] == "v7/8/8/8/8/8/8/8"
    assert "L?v,L?v" in view(state, NORTH).position


def test_what_a_check_showed_is_not_forgotten_when_a_404_hides_it() -> None:
    """The virus on c8 was seen; after the 404 it is on b8 or c8, and a dealt-out state knows that."""
    state = after(at(), "?b8", "@b8c8x")
    ways = list(deals(view(state, SOUTH), NORTH))
    for deal in ways:
        types = dict(deal.on_grid)
        assert types[58 if deal.swapped else 57]
    assert len(ways) == 2 * 35
    assert {deal.swapped for deal in ways} == {False, True}


def test_a_later_capture_tells_whether_a_404_swapped() -> None:
    state = after(at("1vl5/1LV5/8/8/8/8/8/8 S BCF4/bcf4 -/- -/- 0"), "?b8", "@b8c8x", "b7b8")
    assert {deal.swapped for deal in deals(view(state, SOUTH), NORTH)} == {True}


def test_a_dealt_out_state_is_never_over_already() -> None:
    state = at("1vl5/8/8/8/8/8/8/8 S F/f -/- -/l?l,v?l,l?v,v?v,v+ 0")
    for used in range(40):
        guess = GAME.determinize(view(state, SOUTH), Rng(SEED, used * 50))
        assert GAME.read_position(GAME.write_position(guess), {}).result is None

"""The place that a card had in a hand: nobody else sees it, also while what it does is half resolved."""

from __future__ import annotations

from itertools import permutations

import pytest

from game.contract import Seat, Viewer, Watcher
from game.netrunner.facts import CORP
from game.netrunner.rules import GAME
from game.netrunner.view import NetrunnerView
from tests.netrunner.table import Play

OTHERS: tuple[Viewer, ...] = (Seat(CORP), Watcher.PUBLIC)


def views_of_others(grip: tuple[str, ...], *actions: str) -> list[NetrunnerView]:
    """Return what everybody but the Runner sees in the middle of these actions."""
    ice = {"card": "Wall of Static", "rezzed": True}
    corp = {"servers": {"rd": {"ice": [ice]}}}
    play = Play(corp, {"grip": [*grip], "credits": 9}, turn="runner").do(*actions)
    assert not play.can_pass(), "nothing is half resolved"
    return [GAME.view(play.state, viewer) for viewer in OTHERS]


@pytest.mark.parametrize(
    "actions",
    [('play "Stimhack"',), ('install "Parasite"',), ('play "Modded"', 'choose "Parasite"')],
    ids=["played", "installed", "installed by a card"],
)
def test_the_corp_saw_how_long_a_card_had_been_held_that_was_played_or_installed(actions: tuple[str, ...]) -> None:
    """What was half resolved told its place in the grip, to programs by the view's stack."""
    hands = permutations(("Stimhack", "Parasite", "Modded"))
    seen = [views_of_others(hand, *actions) for hand in hands]
    assert all(one == seen[0] for one in seen)

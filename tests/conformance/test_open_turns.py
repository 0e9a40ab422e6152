"""Games of open turns: the seats decide one after another, and others are told each action as `told` says."""

from __future__ import annotations

import pytest

from game import registry
from game.choices import draw
from game.contract import Action
from game.rng import Rng

KEYS = [key for key in registry.KEYS if registry.get(key).spec.open_turns]


@pytest.mark.parametrize("key", KEYS)
def test_seats_decide_in_their_order_and_everybody_is_told_what(key: str) -> None:
    game, rng = registry.get(key), Rng(bytes(32))
    for players in game.seats:
        state, last = game.setup({}, players, bytes(32)).state, -1
        for _ in range(120):
            asked = game.pending(state)
            if not asked:
                break
            if not asked[0].secret:
                [one] = asked
                playing = game.playing(state)
                if last in playing:  # who fell out meanwhile is passed over
                    order = [seat for seat in playing if seat != last]
                    later = [seat for seat in order if seat > last] or order
                    assert one.seat == later[0]
                last = one.seat
            action, rng = draw(asked[0].choice, rng)
            step = game.apply(state, asked[0].seat, action)
            if not asked[0].secret:
                told = game.told(action).text
                acts = [event.public["action"] for event in step.events if event.public and "action" in event.public]
                assert acts in ([told], []), acts
                assert game.told(Action(told)).text == told
            state = step.state


def test_a_404_of_somebody_else_is_told_without_its_secret() -> None:
    game = registry.get("rainet")
    assert {game.told(Action(f"@a1b1{end}")).text for end in "=x?"} == {"@a1b1?"}
    assert {"rainet", "relati"} <= {*KEYS}
    assert not {"netrunner", "passage"} & {*KEYS}

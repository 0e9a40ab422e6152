"""One line of a list of matches, as a person reads it."""

from __future__ import annotations

import pytest

from server.boards.wire import Object
from server.ssh.commands.lists import match_line
from server.terminal.look import Look

LOOK = Look()
ROW: Object = {
    "match": "m1",
    "game": "passage",
    "state": "finished",
    "seats": [
        {"seat": 0, "player": "mira", "machine": False, "rating": None},
        {"seat": 1, "player": "guest-a", "machine": False, "rating": None},
    ],
    "seq": 12,
    "speed": "normal",
    "options": {},
}


@pytest.mark.parametrize("reason", ["resign", "left"])
def test_a_list_said_that_a_guest_had_resigned_who_had_left_or_the_other_way_round(reason: str) -> None:
    """Relati's rules say `left` of whoever gave up a seat, the other games' say `resign`."""
    line = match_line({**ROW, "result": {"reason": reason, "placements": [[0], [1]]}}, LOOK)
    assert line.endswith(LOOK.t("list.given-up", loser="guest-a"))


def test_a_list_says_what_was_agreed() -> None:
    line = match_line({**ROW, "result": {"reason": "draw-agreed", "placements": [[0, 1]]}}, LOOK)
    assert line.endswith(LOOK.t("match.reason.draw-agreed"))

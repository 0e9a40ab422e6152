"""What a move costs on a bad line: bytes to who made it, to the other and to a watcher, at 80x24 in true colour.

`pytest -s tests/screens/test_bytes_of_moves.py` prints the median, the 90th percentile and the most of each.
"""

from __future__ import annotations

from contextlib import suppress
from statistics import median
from typing import Final

import pytest

from game.errors import IllegalAction
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import At, match, played
from tests.session.fakeserver import FakeServer, account, guest

AT: Final = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
MOVES: Final = {"rainet": 60, "relati": 60, "passage": 80, "netrunner": 130}
BEGUN: Final = 4  # moves, when the three come in
PLAYERS: Final = ("mira", "tarn")
MOST: Final = {"mover": 1_000, "other": 750, "watcher": 550}  # of every second move


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


@pytest.mark.parametrize("game", MOVES)
async def test_a_move_scrolled_the_whole_log_beside_the_board(server: FakeServer, game: str) -> None:
    """To a watcher of RaiNet it took 800 bytes, of Relati 780: now the log is written on below."""
    made = match(server, game, BEGUN)
    made.changes["chat"] = ()
    people = {name: await AT.seated(server, "esc", who=account(name)) for name in PLAYERS}
    for one in people.values():
        await one.type("esc", "enter")
    people["lio"] = await AT.seated(server, who=guest(), place="watch")
    found: dict[str, list[int]] = {role: [] for role in MOST}
    for seat, text in played(game, MOVES[game])[BEGUN:]:
        for one in people.values():
            one.wire.sent.clear()
        with suppress(IllegalAction):  # what a seat does by itself has been done
            made.play(seat, text)
        for name, one in people.items():
            await one.settle()
            role = "watcher" if name not in PLAYERS else "mover" if seat == PLAYERS.index(name) else "other"
            found[role].append(len(one.wire.sent))
    for role, sent in found.items():
        sent = sorted(filter(None, sent))
        nine = sent[-(-len(sent) * 9 // 10) - 1]
        print(f"{game:10} {role:8} {len(sent):3} moves: median {median(sent):5.0f}, p90 {nine:5}, most {sent[-1]:5}")
        assert median(sent) <= MOST[role], role

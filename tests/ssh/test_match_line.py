"""One line of a list of matches, as a person reads it."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.boards.wire import Object
from server.clock import moment_words
from server.ssh.commands.lists import match_line
from server.store import matches as stored
from server.terminal.look import Look
from tests.clocks import FakeClock
from tests.lobby.conftest import clock, url
from tests.matches.table import EASY, MIRA, TARN
from tests.ssh.commands import open_commands, person

__all__ = ["clock", "url"]

LOOK = Look()
ROW: Object = {
    "match": "m1",
    "game": "passage",
    "state": "finished",
    "seats": [
        {"seat": 0, "player": "mira", "machine": False, "rating": None, "provisional": False},
        {"seat": 1, "player": "guest-a", "machine": False, "rating": None, "provisional": False},
    ],
    "seq": 12,
    "speed": "normal",
    "options": {},
}


@pytest.mark.parametrize("ended_by", ["resign", "left", "out_of_time"])
def test_a_list_said_that_a_guest_had_resigned_who_had_left_or_the_other_way_round(ended_by: str) -> None:
    """Relati's rules say `left` of whoever gave up a seat, the other games' say `resign`: the last entry knows."""
    line = match_line({**ROW, "result": {"reason": "resign", "placements": [[0], [1]]}}, LOOK, ended_by)
    reason = LOOK.t(f"match.reason.{ended_by}", loser="guest-a")
    assert line.endswith(LOOK.t("list.won", names="mira", reason=reason))


def test_a_list_says_what_was_agreed() -> None:
    line = match_line({**ROW, "result": {"reason": "draw-agreed", "placements": [[0, 1]]}}, LOOK)
    assert line.endswith(LOOK.t("match.reason.draw-agreed"))


def test_a_list_told_the_number_of_an_entry_which_says_nothing_to_people() -> None:
    assert "12" not in match_line({**ROW, "result": {"reason": "draw-agreed", "placements": [[0, 1]]}}, LOOK)


async def test_history_said_that_bots_had_agreed_whom_somebody_had_left_alone(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as here:
        match = await here.table.begin(MIRA, EASY, EASY, EASY, game="passage")
        await match.resign(Seat(0))
        await here.table.wait(10)
        assert (await here.table.database.read(stored.last_entries, [match.id]))[match.id].kind == "draw_agreed"
        _, out, _ = await here.ssh(person(MIRA), "history")
        [line] = out.splitlines()
        assert line.endswith(LOOK.t("match.reason.deserted"))


async def test_history_said_when_a_match_ended_as_programs_write_it(url: str, clock: FakeClock) -> None:
    """To the millisecond, beside a list of running matches with the time as people read it."""
    async with open_commands(url, clock) as here:
        await (await here.table.begin(MIRA, TARN, game="relati")).resign(Seat(0))
        _, out, _ = await here.ssh(person(MIRA), "history")
        assert out.startswith(f"{moment_words(clock.now())} ")


def test_an_adjourned_match_was_said_to_be_live() -> None:
    line = match_line({**ROW, "state": "live", "status": "adjourned", "started": "2026-01-01T00:00"}, LOOK)
    assert " adjourned " in line
    assert " live " not in line

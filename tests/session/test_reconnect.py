"""Coming back after a lost connection."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Seat
from server.accounts.identity import Player
from server.matches.agreement import Agreement
from server.matches.model import MatchSummary, SummarySeat
from server.session.reconnect import boards_to_go_back_to
from tests.boards.positions import NOON

MIRA, TARN = Player("account", "mira", 1), Player("account", "tarn", 2)


def running(name: str, to_act: int, speed: str = "normal") -> MatchSummary:
    seats = tuple(SummarySeat(Seat(i), player, 1500) for i, player in enumerate((MIRA, TARN)))
    agreed = Agreement("rainet", 2, speed=speed)
    return MatchSummary(name, agreed, "live", seats, 3, 0, None, NOON, None, to_act=(Seat(to_act),))


def test_one_goes_back_to_the_match_that_waits_for_one() -> None:
    own = [running("m1", to_act=1), running("m2", to_act=0)]
    assert [one.id for one in boards_to_go_back_to(own, MIRA)] == ["m2", "m1"]
    assert [one.id for one in boards_to_go_back_to(own, TARN)] == ["m1", "m2"]


def test_one_is_not_called_to_a_match_that_has_time_or_is_not_played_now() -> None:
    own = [running("m1", 0, "daily"), running("m2", 0, "untimed"), replace(running("m3", 0), status="adjourned")]
    assert boards_to_go_back_to(own, MIRA) == []

"""What a rated match may not do, asked at the one place that says so."""

from __future__ import annotations

import pytest

from server.accounts.identity import Player
from server.accounts.machines import NotMarked
from server.matches import rated
from server.matches.agreement import Agreement
from server.matches.errors import MatchRefused
from server.matches.guestlimits import closed_because

GUEST, MIRA = Player("guest", "wren", guest_id="g1"), Player("account", "mira", 1)


def test_without_a_clock_nothing_is_rated() -> None:
    assert rated.can_be_rated({}, "daily")
    assert not rated.can_be_rated({}, "untimed")
    assert not Agreement("rainet", speed="untimed", rated=True).checked(may_be_untimed=True).rated


def test_guests_play_casual_matches_only() -> None:
    assert closed_because(GUEST, is_rated=True, speed="fast") == "lobby.error.guests-play-casual"
    assert closed_because(GUEST, is_rated=False, speed="untimed") is None
    assert closed_because(MIRA, is_rated=True, speed="daily") is None


def test_nothing_is_taken_back_in_a_rated_match() -> None:
    rated.check_takeback(is_rated=False)
    with pytest.raises(MatchRefused, match="takeback-rated"):
        rated.check_takeback(is_rated=True)


def test_a_program_plays_rated_for_a_marked_account_only() -> None:
    rated.check_program(True, "mira", is_marked=True)
    rated.check_program(False, "mira", is_marked=False)
    with pytest.raises(NotMarked):
        rated.check_program(True, "mira", is_marked=False)

"""Wrong codes are counted by source and by account, over every way in and all processes."""

from __future__ import annotations

import asyncio

import pytest

from server.accounts.identity import Player
from server.accounts.sources import Sources
from server.accounts.wrong_codes import WrongCodes
from server.errors import RateLimited
from tests.clocks import FakeClock
from tests.matches.table import GUEST, MIRA, SharedBus

EVE = "192.0.2.66"


def guessers(player: Player, source: str) -> Sources:
    return Sources.of((source,), player.account_id)


def guess_wrong(wrong_codes: WrongCodes, player: Player = GUEST, source: str = EVE, times: int = 1) -> int:
    """Guess so many times; return how often it was let in."""
    tried = 0
    for _ in range(times):
        try:
            with wrong_codes.guess(guessers(player, source)) as guess:
                guess.is_wrong = True
        except RateLimited:
            break
        tried += 1
    return tried


def guess_right(wrong_codes: WrongCodes, player: Player = GUEST, source: str = EVE) -> None:
    with wrong_codes.guess(guessers(player, source)):
        pass


def test_a_source_tries_no_more_than_a_hundred_wrong_codes_in_any_minute() -> None:
    """1,500 codes a second were tried over `bot`, and `join` had no limit at all."""
    clock = FakeClock()
    wrong_codes = WrongCodes(clock)
    assert guess_wrong(wrong_codes, times=60) == 60
    clock.shift(50)
    assert guess_wrong(wrong_codes, times=1000) == 40
    with pytest.raises(RateLimited) as refused:
        guess_right(wrong_codes)
    assert (refused.value.limit, refused.value.retry_after_ms) == ("wrong_codes_per_min", 10_001)
    clock.shift(10.01)
    assert guess_wrong(wrong_codes, times=1000) == 60, "those of the first moment are a minute old"


def test_an_account_has_one_limit_wherever_it_comes_from() -> None:
    wrong_codes = WrongCodes(FakeClock())
    assert guess_wrong(wrong_codes, MIRA, "192.0.2.1", 60) == 60
    assert guess_wrong(wrong_codes, MIRA, "192.0.2.2", 60) == 40
    guess_right(wrong_codes, GUEST, "192.0.2.2")


def test_right_codes_count_nothing() -> None:
    wrong_codes = WrongCodes(FakeClock(), per_min=3)
    for _ in range(20):
        guess_right(wrong_codes)
    assert guess_wrong(wrong_codes, times=9) == 3


def test_many_tries_at_once_are_no_more_than_one_after_the_other() -> None:
    wrong_codes = WrongCodes(FakeClock(), per_min=3)
    who = guessers(GUEST, EVE)
    with (
        wrong_codes.guess(who),
        wrong_codes.guess(who),
        wrong_codes.guess(who),
        pytest.raises(RateLimited),
        wrong_codes.guess(who),
    ):
        pass
    guess_right(wrong_codes)


def test_while_the_server_is_guessed_at_a_clean_source_finds_its_room() -> None:
    """The count of the whole server must lock out nobody who has not guessed."""
    clock = FakeClock()
    wrong_codes = WrongCodes(clock)
    for i in range(20):
        guess_wrong(wrong_codes, source=f"198.51.{i}.1", times=50)
    guess_right(wrong_codes, source="192.0.2.7")
    assert guess_wrong(wrong_codes, source="192.0.2.8", times=100) == 5, "who guesses now has few tries"
    with pytest.raises(RateLimited):
        guess_right(wrong_codes, source="198.51.3.1")
    clock.shift(61)
    assert guess_wrong(wrong_codes, source="192.0.2.8", times=100) == 100


def test_networks_of_one_site_are_not_a_limit_each() -> None:
    """Whoever has a /48 of IPv6 has 65,536 sources."""
    wrong_codes = WrongCodes(FakeClock())
    assert sum(guess_wrong(wrong_codes, source=f"2001:db8:1:{i:x}::1", times=2) for i in range(1000)) == 400
    guess_right(wrong_codes, source="2001:db8:2:7::1")


async def test_processes_count_together() -> None:
    clock, bus = FakeClock(), SharedBus()
    one, two = WrongCodes(clock, bus), WrongCodes(clock, bus)
    assert guess_wrong(one, times=70) == 70
    await asyncio.sleep(0)
    assert guess_wrong(two, times=70) == 30
    await asyncio.sleep(0)
    assert guess_wrong(one) == 0
    two.close()
    one.close()

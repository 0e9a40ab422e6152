"""Bots that can't answer: the match says so, they are asked again, and nobody else answers for them."""

from __future__ import annotations

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Player
from server.matches.errors import NotClaimable
from server.matches.match import Match
from server.matches.offers import BOT_GRACE
from tests.matches.table import EASY, HARD, MIRA, TARN, Table, kinds

GRACE_S = BOT_GRACE.total_seconds()


async def against(table: Table, bot: Player, fails: int) -> Match:
    """Begin a match in which mira has moved, and the bot after her can't answer so many times."""
    table.pool.failures = ["died"] * fails
    match = await table.begin(MIRA, bot, speed="untimed")
    match.enter(MIRA, Seat(0), "s1")
    while match.live.shown.owed_by(Seat(0)) is not None:
        await table.play_any(match, 0)
        await table.wait(1)
    return match


async def test_a_bot_that_could_not_answer_was_another_level_without_a_word(table: Table) -> None:
    match = await against(table, HARD, fails=3)
    before = table.clock.now()
    info = match.snapshot(Seat(0)).seats[1]
    assert (info.here, info.bot) == (False, "hard")
    assert info.bot_fails_since is not None
    assert info.bot_fails_since <= before
    seq = match.live.log.head.seq
    await table.wait(1 + 2 + 4 + 2)
    assert match.live.log.head.seq > seq, "it was asked until it answered"
    info = match.snapshot(Seat(0)).seats[1]
    assert (info.here, info.bot_fails_since) == (True, None)
    assert set(table.pool.levels) == {"hard"}
    assert len(set(table.pool.seeds)) == len(table.pool.seeds), "each time with other chance"
    assert match.snapshot(Seat(0)).claim_at is None


async def test_who_waits_for_a_bot_that_cannot_answer_may_end_the_match_without_a_result(table: Table) -> None:
    match = await against(table, EASY, fails=100)
    since = match.snapshot(Seat(0)).seats[1].bot_fails_since
    assert since is not None
    assert match.snapshot(Seat(0)).claim_at == since + BOT_GRACE
    assert match.snapshot(Watcher.PUBLIC).claim_at == since + BOT_GRACE
    with pytest.raises(NotClaimable):
        await match.claim(Seat(0), "void")
    await table.wait(GRACE_S + 1)
    with pytest.raises(NotClaimable):
        await match.claim(Seat(0), "win")
    await match.claim(Seat(0), "void")
    assert match.is_over
    assert match.snapshot(Seat(0)).result is None
    assert (await kinds(table, match.id))[-1] == "void"
    assert match.live.log.entries[-1].data == {"by": "bots"}
    await table.wait(60)
    asked = table.pool.asked
    await table.wait(60)
    assert table.pool.asked == asked, "nobody is asked for a match that is over"


async def test_at_a_table_with_others_one_of_them_does_not_end_it_for_all(table: Table) -> None:
    table.pool.failures = ["died"] * 100
    match = await table.begin(EASY, MIRA, TARN, speed="slow")
    for seat, player in ((1, MIRA), (2, TARN)):
        match.enter(player, Seat(seat), f"s{seat}")
    await table.wait(GRACE_S + 2)
    since = match.snapshot(Seat(1)).seats[0].bot_fails_since
    assert since is not None
    assert match.snapshot(Seat(1)).claim_at == since + BOT_GRACE
    await match.claim(Seat(1), "void")
    assert match.snapshot(Seat(1)).status == "live"
    assert match.snapshot(Seat(2)).offers == ((Seat(1), "void"),)
    await match.answer(Seat(2), "void", False)
    assert match.snapshot(Seat(2)).offers == ()
    await match.claim(Seat(1), "void")
    await match.claim(Seat(2), "void")
    assert match.is_over
    assert match.snapshot(Seat(1)).result is None
    assert match.live.log.entries[-1].data == {"by": "bots"}


async def test_nobody_could_end_a_table_of_several_whose_bot_had_failed_and_one_was_gone(table: Table) -> None:
    table.pool.failures = ["died"] * 1000
    match = await table.begin(EASY, MIRA, TARN, speed="fast")
    match.enter(MIRA, Seat(1), "s1")
    here = match.enter(TARN, Seat(2), "s2")
    await table.wait(GRACE_S + 2)
    here.leave()
    await match.claim(Seat(1), "void")
    assert not match.is_over, "who has just gone may be back"
    await table.wait(60)
    await match.claim(Seat(1), "void")
    assert match.is_over


async def test_who_was_away_was_not_told_that_others_would_end_it_without_a_result(table: Table) -> None:
    table.pool.failures = ["died"] * 1000
    match = await table.begin(EASY, MIRA, TARN, speed="slow")
    match.enter(MIRA, Seat(1), "s1")
    await table.wait(GRACE_S + 2)
    await match.claim(Seat(1), "void")
    assert [(offer.match, offer.what) for offer in await table.matches.offers_to(TARN)] == [(match.id, "void")]
    assert not await table.matches.offers_to(MIRA)

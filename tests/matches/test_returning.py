"""Bots that play for who is away, and taking the seat back."""

from __future__ import annotations

import pytest

from game.contract import Seat, Watcher
from game.record import read_record, verify
from server.matches.errors import MatchRefused
from server.matches.match import Match
from server.matches.model import MatchQuery
from server.presence.attendance import Here
from tests.clocks import FakeClock
from tests.matches.table import GUEST, LIO, MIRA, TARN, Table, kinds, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)


async def claimed(table: Table, *, rated: bool = False) -> tuple[Match, dict[Seat, Here]]:
    """Play at a table of three until Tarn is gone for too long, and let a bot play for them."""
    match = await table.begin(MIRA, TARN, LIO, speed="fast", rated=rated)
    here = {Seat(i): match.enter(one, Seat(i), f"{one.name}-1") for i, one in enumerate((MIRA, TARN, LIO))}
    await table.play_on(match, lambda: min(match.live.shown.acted) >= 2)
    here[B].leave()
    await table.wait(46)
    await match.claim(A, "win")
    return match, here


async def until_theirs(table: Table, match: Match) -> None:
    """Let the others play until Tarn has the seat again."""
    await table.play_on(match, lambda: match.live.shown.fold.bots[B] is None)


async def test_at_a_table_of_three_a_claim_seats_a_bot(table: Table) -> None:
    match, _ = await claimed(table)
    assert not match.is_over
    assert (match.snapshot(A).seats[B].bot, match.snapshot(A).seats[B].may_return) == ("normal", True)
    (listed,) = await table.matches.list(MatchQuery())
    assert [one.bot for one in listed.seats] == [None, "normal", None]
    assert match.snapshot(B).view == match.snapshot(Watcher.PUBLIC).view, "until they are back"


async def test_a_match_that_is_over_told_of_its_bot_only_until_it_had_left_the_memory(table: Table) -> None:
    match, _ = await claimed(table)
    await table.play_on(match, lambda: match.is_over)
    assert match.live.shown.fold.bots[B] == "normal"
    (listed,) = await table.matches.list(MatchQuery(statuses=frozenset(("finished",))))
    assert [one.bot for one in listed.seats] == [None, None, None], "as it is listed a minute later"


async def test_who_came_back_could_not_play_on(table: Table) -> None:
    match, _ = await claimed(table)
    match.enter(TARN, B, "tarn-2")
    await until_theirs(table, match)
    assert "returned" in await kinds(table, match.id)
    assert any(event.kind == "match.returned" for event in match.events(A))
    await table.play_on(match, lambda: match.snapshot(B).pending is not None or match.is_over)
    acted = len([one for one in match.live.log.entries if one.seat == B and one.kind == "action"])
    await table.play_any(match, B)
    assert len([one for one in match.live.log.entries if one.seat == B and one.kind == "action"]) == acted + 1
    assert match.snapshot(B).view != match.snapshot(Watcher.PUBLIC).view


async def test_what_a_bot_thinks_about_already_it_answers(table: Table) -> None:
    match, _ = await claimed(table)
    await table.play_on(match, lambda: match.live.log.head.owed_by(B) is not None)
    table.pool.is_stuck = True
    asked = match.live.log.head.changed[B]
    match.enter(TARN, B, "tarn-2")
    await table.wait(1)
    if match.live.log.head.owed_by(B) is not None and match.live.log.head.changed[B] == asked:
        assert match.live.log.head.fold.bots[B] == "normal"
        with pytest.raises(MatchRefused, match=r"match\.error\.bot-plays"):
            await match.act(B, "bid 1", match.live.shown.seq)


@pytest.mark.parametrize("comes_back", [False, True])
async def test_the_place_is_the_person_s_whether_they_come_back_or_not(table: Table, comes_back: bool) -> None:
    match, _ = await claimed(table, rated=True)
    if comes_back:
        match.enter(TARN, B, "tarn-2")
    await table.play_on(match, lambda: match.is_over)
    await table.wait(3)
    result = match.snapshot(A).result
    assert result is not None
    assert [one.placements for one in table.ratings.rated] == [result.placements]


async def test_who_resigned_does_not_come_back(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO, bots_replace=True)
    match.enter(MIRA, A, "mira-1")
    await match.resign(B)
    assert not match.snapshot(A).seats[B].may_return
    match.enter(TARN, B, "tarn-2")
    await table.wait(3)
    assert "returned" not in await kinds(table, match.id)
    with pytest.raises(MatchRefused, match=r"match\.error\.left-already"):
        await match.act(B, "auto on", match.live.shown.seq)


async def test_a_guest_s_seat_is_not_taken_back(table: Table) -> None:
    match = await table.begin(MIRA, GUEST, LIO, bots_replace=True)
    for seat, player in ((A, MIRA), (C, LIO)):
        match.enter(player, seat, f"{player.name}-1")
    match.enter(GUEST, B, "guest-1").leave()
    await table.wait(62)
    assert match.snapshot(A).seats[B].bot == "normal"
    match.enter(GUEST, B, "guest-2")
    await table.wait(3)
    assert "returned" not in await kinds(table, match.id)


async def test_the_seat_is_taken_back_after_a_restart_too(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as first:
        match, _ = await claimed(first)
    async with open_matches(url, clock) as second:
        again = await second.matches.open(match.id)
        for seat, player in ((A, MIRA), (B, TARN), (C, LIO)):
            again.enter(player, seat, f"{player.name}-2")
        await until_theirs(second, again)
        await second.play_on(again, lambda: again.is_over)
        await second.wait(3)
        assert verify(read_record(await second.matches.record(again.id))).agrees

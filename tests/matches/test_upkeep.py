"""What the server does with a match by itself: its bots, its gallery, its end by an admin's word, rules that fail."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from game.contract import Seat
from game.record import read_record, verify
from server.matches.errors import (
    Draining,
    MatchOver,
    MatchPaused,
    NotWatchable,
)
from server.matches.lists import MatchLists
from server.matches.model import MatchQuery
from server.store.appends import Append
from server.store.errors import StoreUnavailable
from tests.matches.table import EASY, LIO, MIRA, TARN, Table

A, B, C = Seat(0), Seat(1), Seat(2)


async def test_bots_play_a_whole_match_with_a_person(table: Table) -> None:
    match = await table.begin(MIRA, EASY, EASY)
    await table.play_on(match, lambda: match.is_over)
    assert table.pool.asked > 5


async def test_a_bot_that_says_nonsense_plays_something_legal_instead(table: Table) -> None:
    table.pool.answers.append("sing")
    match = await table.begin(EASY, MIRA)
    await table.wait(1)
    assert match.live.shown.acted[0] == 1


async def test_nobody_is_in_two_places_of_one_tier_when_a_table_of_three_loses_two(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await match.resign(B)
    assert not match.is_over
    assert match.snapshot(A).seats[1].out
    await match.resign(A)
    result = match.snapshot(C).result
    assert result is not None
    assert result.placements == ((C,), (A,), (B,))


async def test_where_nobody_may_look_on_the_gallery_is_closed_until_the_end(table: Table) -> None:
    match = await table.begin(MIRA, TARN, watchable=False)
    with pytest.raises(NotWatchable):
        match.enter(LIO, None, "lio-1")
    match.enter(MIRA, A, "mira-1")
    await match.resign(A)
    match.enter(LIO, None, "lio-1")


async def test_an_admin_s_word_ends_a_match_without_a_result(table: Table) -> None:
    match = await table.begin(MIRA, TARN, rated=True)
    await table.matches.void(match.id, "root", "testing")
    seen = match.snapshot(A)
    assert (seen.status, seen.result, seen.seed is not None) == ("void", None, True)
    assert verify(read_record(await table.matches.record(match.id))).agrees
    with pytest.raises(MatchOver):
        await table.matches.void(match.id, "root", "again")


async def test_nothing_begins_while_the_server_drains(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.matches.drain()
    with pytest.raises(Draining):
        await table.begin(MIRA, TARN)
    assert await table.play_any(match, 0) == 1


async def test_rules_that_fail_pause_this_match_and_no_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = await table.begin(MIRA, TARN), await table.begin(MIRA, TARN)

    class Broken:
        def __getattr__(self, name: str) -> object:
            if name == "apply":
                raise ZeroDivisionError
            return getattr(other.live.log.game, name)

    monkeypatch.setattr(match.live.log, "game", Broken())
    with pytest.raises(MatchPaused):
        await table.play_any(match, 0)
    assert match.snapshot(A).paused
    assert match.snapshot(A).view is not None
    assert await table.play_any(other, 0) == 1


async def test_a_bot_whose_move_fails_for_an_unforeseen_reason_moves_later(table: Table) -> None:
    match = await table.begin(MIRA, EASY)
    real, failures = table.matches.context.writer.append, [ZeroDivisionError()]

    async def append(entry: Append) -> None:
        if entry.entries[0].seat == 1 and failures:
            raise failures.pop()
        await real(entry)

    table.matches.context.writer = SimpleNamespace(append=append)  # type: ignore[assignment]
    await table.play_any(match, 0)
    await table.wait(5)
    assert not failures
    assert match.snapshot(B).seq > 1


async def test_an_action_that_is_stored_is_acknowledged_though_the_store_goes_at_that_moment(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    writer, database = table.matches.context.writer, table.matches.context.database

    async def append(entry: Append) -> None:
        await writer.append(entry)
        await match.live.catch_up()  # a hint of it came first
        real, database.read = database.read, gone  # type: ignore[method-assign, assignment]
        asyncio.get_running_loop().call_later(0.01, lambda: setattr(database, "read", real))

    async def gone(*args: object) -> None:
        raise StoreUnavailable

    table.matches.context.writer = SimpleNamespace(append=append)  # type: ignore[assignment]
    assert await table.play_any(match, 0) == 1


async def test_a_list_asks_for_all_ratings_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        await table.begin(MIRA, TARN)
    asked: list[int] = []
    lists, real = MatchLists(table.matches.context, table.matches.opened), table.ratings.at_start

    async def counted(matches: list[Any]) -> Any:
        asked.append(len(matches))
        return await real(matches)

    monkeypatch.setattr(table.ratings, "at_start", counted)
    found = await lists.list(MatchQuery())
    assert [[seat.rating for seat in one.seats] for one in found] == [[1500, 1500]] * 5
    await lists.list(MatchQuery())
    assert asked == [5]

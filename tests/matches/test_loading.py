"""Everybody comes back at once after a restart: each match is folded once, and the first are served before the last."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from game.contract import Seat, Watcher
from server.matches.errors import NoSuchMatch
from server.matches.loading import READ_AT_ONCE
from server.matches.matchlog import MatchLog
from server.store import arrangements
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, open_matches


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each match is read as a whole."""
    counted: Counter[str] = Counter()
    whole_matches = arrangements.whole_matches

    def read(connection: Any, ids: Sequence[str]) -> Any:
        counted.update(ids)
        assert len(ids) <= READ_AT_ONCE
        return whole_matches(connection, ids)

    monkeypatch.setattr(arrangements, "whole_matches", read)
    return counted


async def begun(url: str, clock: FakeClock, count: int) -> list[str]:
    """Begin matches on a server that is closed then; return their ids."""
    async with open_matches(url, clock, start=False) as before:
        return [(await before.begin(MIRA, TARN)).id for _ in range(count)]


async def test_a_match_that_many_ask_for_is_folded_once(url: str, clock: FakeClock, reads: Counter[str]) -> None:
    [match_id] = await begun(url, clock, 1)
    async with open_matches(url, clock, start=False) as table:
        opened = await asyncio.gather(*(table.matches.open(match_id) for _ in range(20)))
        assert len({id(match) for match in opened}) == 1
        assert reads == {match_id: 1}
        assert table.matches.opened(match_id) is opened[0]


async def test_the_first_are_served_while_the_last_still_wait(url: str, clock: FakeClock, reads: Counter[str]) -> None:
    ids = await begun(url, clock, 5 * READ_AT_ONCE)
    async with open_matches(url, clock, start=False) as table:
        begun_when_served: list[int] = []

        async def serve(match_id: str) -> None:
            await table.matches.open(match_id)
            begun_when_served.append(len(reads))

        await asyncio.gather(*map(serve, ids))
        assert begun_when_served[0] < len(ids)
        assert reads == dict.fromkeys(ids, 1)


async def test_who_hangs_up_while_a_match_is_read_takes_it_from_nobody(url: str, clock: FakeClock) -> None:
    [match_id] = await begun(url, clock, 1)
    async with open_matches(url, clock, start=False) as table:
        impatient, patient = (asyncio.create_task(table.matches.open(match_id)) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        assert (await patient).id == match_id
        assert impatient.cancelled()


async def test_everybody_who_asks_for_a_match_that_is_not_there_is_told(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        asked = (table.matches.open("nothing") for _ in range(3))
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(one, NoSuchMatch) for one in told)
        match = await table.begin(MIRA, TARN)
        assert await table.matches.open(match.id) is match


async def test_a_person_in_very_many_matches_is_told_of_all(url: str, clock: FakeClock) -> None:
    ids = await begun(url, clock, 130)
    async with open_matches(url, clock, start=False) as table:
        assert sorted(await table.matches.running_ids(MIRA)) == sorted(ids)
        assert table.matches.open_count == 0, "nothing is folded for a list"


async def test_who_asks_for_the_end_first_and_the_beginning_later_is_told_both(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN)
        await table.play_on(match, lambda: match.live.shown.seq >= 6)
        last = match.live.shown.seq
        for viewer in (Seat(0), Watcher.PUBLIC):
            whole = MatchLog(match.terms)
            for entry in match.live.log.entries:
                whole.absorb(entry)
            expected = whole.events(viewer, -1, last)
            assert match.live.log.events(viewer, last, last) == []
            assert match.live.log.events(viewer, 3, last) == [event for event in expected if event.seq > 3]
            assert match.live.log.events(viewer, -1, last) == expected
            assert match.live.log.events(viewer, 4, 5) == [event for event in expected if event.seq in (5,)]


async def test_many_matches_are_read_in_few_units_of_work(url: str, clock: FakeClock, reads: Counter[str]) -> None:
    ids = await begun(url, clock, 2 * READ_AT_ONCE)
    async with open_matches(url, clock, start=False) as table:
        groups: list[int] = []
        real = table.database.read

        async def read(work: Any, *args: Any, **more: Any) -> Any:
            if work is arrangements.whole_matches:
                groups.append(len(args[0]))
            return await real(work, *args, **more)

        table.database.read = read  # type: ignore[method-assign]
        await asyncio.gather(*(table.matches.open(match_id) for match_id in (*ids, "nothing")), return_exceptions=True)
        assert groups == [READ_AT_ONCE, READ_AT_ONCE, 1]
        assert table.matches.open_count == len(ids)

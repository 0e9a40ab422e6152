"""A long log is folded and written in slices: everybody else goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby
from typing import Any

import pytest

from game.contract import Seat
from server.admission.reading import ENTRY_MS, LEAST_MS, MS_PER_MIN
from server.errors import RateLimited
from server.matches.context import FOLDED_AT_ONCE
from server.matches.errors import Draining
from server.matches.match import Match
from server.matches.matchlog import MatchLog
from server.matches.model import MatchQuery
from server.store import checkpoints
from tests.clocks import FakeClock
from tests.matches.table import LIO, MIRA, TARN, ZOE, Table, open_matches
from tests.ssh.commands import person

LONG = 40  # entries
A, B = Seat(0), Seat(1)


class Folding:
    """Notes what is folded, and how much of it within one iteration of the loop."""

    def __init__(self) -> None:
        self.logs: list[tuple[int, int]] = []  # which log, which entry
        self.at_once = 0
        self.most_at_once = 0

    def note(self, log: MatchLog, seq: int) -> None:
        self.logs.append((id(log), seq))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)

    async def lives(self) -> None:
        while True:
            self.at_once = 0
            await asyncio.sleep(0)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Watch what others do from now on."""
        self.logs.clear()
        self.most_at_once = 0
        task = asyncio.create_task(self.lives())
        try:
            yield
        finally:
            task.cancel()


@pytest.fixture
def folding(monkeypatch: pytest.MonkeyPatch) -> Folding:
    noted, real = Folding(), MatchLog.absorb

    def absorb(log: MatchLog, entry: Any, known: Any = None) -> bool:
        if known is None:
            noted.note(log, entry.seq)
        return real(log, entry, known)

    monkeypatch.setattr(MatchLog, "absorb", absorb)
    return noted


async def long_match(table: Table) -> Match:
    """Play a match of LONG entries, and end it."""
    match = await table.begin(MIRA, TARN, game="relati")
    await table.play_on(match, lambda: match.live.shown.seq >= LONG)
    assert not match.is_over
    await match.resign(A)
    return match


async def test_playing_on_from_a_long_match_held_up_the_loop(table: Table, folding: Folding) -> None:
    """One press of a key folded 1,500 entries at once, which nobody else could do anything in."""
    match = await long_match(table)
    async with folding.watched():
        again = await table.matches.branch(match.id, ZOE, LONG, B)
    assert len([seq for _, seq in folding.logs if seq <= LONG]) == LONG
    assert folding.most_at_once <= FOLDED_AT_ONCE
    assert again.at(LONG, B).view == match.at(LONG, B).view


async def test_a_copy_was_folded_anew_after_a_restart_until_it_had_gone_on(table: Table) -> None:
    match = await long_match(table)
    asked = match.live.log.at(LONG - 4).pending[0].seat  # a bot would play on at once, and might end it
    again = await table.matches.branch(match.id, ZOE, LONG - 4, asked)
    await table.matches.context.checkpoint_writer.keep()
    kept = await table.database.read(checkpoints.of, again.id)
    assert kept is not None
    assert kept.seq == LONG - 4


async def test_several_who_play_on_at_once_are_folded_for_one_after_the_other(table: Table, folding: Folding) -> None:
    match = await long_match(table)
    async with folding.watched():
        await asyncio.gather(*(table.matches.branch(match.id, player, LONG, A) for player in (MIRA, TARN, LIO, ZOE)))
    copied = [log for log, seq in folding.logs if seq <= LONG]
    assert len(copied) == 4 * LONG
    assert len(list(groupby(copied))) == 4
    assert folding.most_at_once <= FOLDED_AT_ONCE, "they do not add up"


async def test_who_goes_away_while_a_match_is_copied_leaves_nothing_behind(table: Table) -> None:
    match = await long_match(table)
    impatient, patient = (asyncio.create_task(table.matches.branch(match.id, who, LONG, A)) for who in (ZOE, LIO))
    for _ in range(5):
        await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).terms.players[A] == LIO
    assert impatient.cancelled()
    assert await table.matches.running_ids(ZOE) == []


async def test_a_server_that_closes_meanwhile_begins_no_copy_of_a_match(table: Table, folding: Folding) -> None:
    match = await long_match(table)
    async with folding.watched():
        asked = asyncio.create_task(table.matches.branch(match.id, ZOE, LONG, A))
        async with asyncio.timeout(10):
            while not folding.logs:
                await asyncio.sleep(0)
        await table.matches.drain()
        with pytest.raises(Draining):
            await asked
    assert await table.matches.running_ids(ZOE) == []


async def test_several_who_open_matches_at_once_do_not_add_up(url: str, clock: FakeClock, folding: Folding) -> None:
    async with open_matches(url, clock, start=False) as table:
        matches = [await long_match(table) for _ in range(2)]
    async with open_matches(url, clock, start=False) as table, folding.watched():
        await table.matches.open(matches[0].id)
        copying = table.matches.branch(matches[0].id, ZOE, LONG, A)
        await asyncio.gather(copying, *(table.matches.open(match.id) for match in matches))
        assert len(folding.logs) >= 3 * LONG
        assert folding.most_at_once <= FOLDED_AT_ONCE + len(matches), "who begins to unfold takes one step at once"


async def test_a_match_of_any_length_cost_who_read_it_nothing(url: str, clock: FakeClock) -> None:
    """A command that folded 1,500 entries was counted as one that looked at ten, and a page as any other."""
    who = person(MIRA)
    async with open_matches(url, clock, start=False) as table:
        match = await long_match(table)
        table.matches.reading.begin(who.sources).settle(MS_PER_MIN)
        assert await table.matches.find(match.id, who) is match, "it is at hand, and costs nothing more"
    async with open_matches(url, clock, start=False) as table:
        reading = table.matches.reading
        reading.begin(who.sources).settle(MS_PER_MIN - 2 * LEAST_MS - LONG * ENTRY_MS)
        with pytest.raises(RateLimited):
            await table.matches.find(match.id, who)
        assert table.matches.opened(match.id) is None, "nothing of it was read"


async def test_many_long_lists_at_once_held_up_the_loop(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2 * FOLDED_AT_ONCE):
        await table.begin(MIRA, TARN)
    turns, real = list[None](), table.matches.context.turns.give

    async def give() -> None:
        turns.append(None)
        await real()

    monkeypatch.setattr(table.matches.context.turns, "give", give)
    listed = await table.matches.list(MatchQuery())
    assert len(listed) == 2 * FOLDED_AT_ONCE
    assert len(turns) >= len(listed) / FOLDED_AT_ONCE

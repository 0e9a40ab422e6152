"""A log that the rules refuse: that match stands still, nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, update

from game.contract import Action, Seat, Step
from game.replay import Entry
from server.i18n.catalogues import catalogue
from server.matches import finish
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.context import MatchContext
from server.matches.errors import MatchUnreadable
from server.matches.match import Match
from server.matches.terms import Terms
from server.store import arrangements, tables
from server.store.appends import Effect
from server.store.arrangements import WholeMatch
from tests.clocks import FakeClock
from tests.conformance.tiny.rules import Tiny
from tests.conformance.tiny.state import State
from tests.matches.table import LIO, MIRA, TARN, Table, open_matches, spoil


async def test_a_match_that_cannot_be_read_keeps_nobody_out_of_the_server(url: str, clock: FakeClock) -> None:
    """The lobby stayed empty for whoever had such a match, and no clock of any later match ran out."""
    async with open_matches(url, clock) as before:
        broken = await before.begin(MIRA, TARN)
        await before.play_any(broken, 0)
        sound = await before.begin(MIRA, LIO)
        await before.database.write(
            lambda connection: connection.execute(
                update(tables.entries).where(tables.entries.c.match_id == broken.id).values(action="no such action")
            )
        )
    async with open_matches(url, clock) as after:
        assert {line.id for line in await after.matches.running_of(MIRA)} == {broken.id, sound.id}
        after.skip(10_000)
        await after.matches.sweeper.sweep()
        await after.database.settle()
        assert (await after.matches.open(sound.id)).is_over
        assert [line.id for line in await after.matches.running_of(MIRA)] == [broken.id]


async def test_a_match_that_cannot_be_read_is_read_again_only_once_a_minute(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sweep read its whole log and wrote a trace of many lines, twice a second for ever."""
    async with open_matches(url, clock) as before:
        await spoil(before, (await before.begin(MIRA, TARN)).id)
    async with open_matches(url, clock) as after:
        read: list[str] = []
        whole_matches = arrangements.whole_matches

        def noted(connection: Connection, ids: Sequence[str]) -> dict[str, WholeMatch]:
            read.extend(ids)
            return whole_matches(connection, ids)

        monkeypatch.setattr(arrangements, "whole_matches", noted)
        after.skip(10_000)
        for _ in range(5):
            await after.matches.sweeper.sweep()
        assert len(read) == 1
        after.skip(61)
        await after.matches.sweeper.sweep()
        assert len(read) == 2


async def test_who_opened_a_match_that_cannot_be_read_had_its_whole_log_read_each_time(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the log of the server said nothing of it: only a sweep did."""
    async with open_matches(url, clock) as before:
        match_id = (await before.begin(MIRA, TARN)).id
        await spoil(before, match_id)
    async with open_matches(url, clock) as after:
        read = list[str]()
        whole_matches = arrangements.whole_matches

        def noted(connection: Connection, ids: Sequence[str]) -> dict[str, WholeMatch]:
            read.extend(ids)
            return whole_matches(connection, ids)

        monkeypatch.setattr(arrangements, "whole_matches", noted)
        for _ in range(3):
            with pytest.raises(MatchUnreadable):
                await after.matches.open(match_id)
        assert read == [match_id]


async def test_matches_that_cannot_be_read_do_not_keep_the_time_of_all_others_from_running_out(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep looked at the longest overdue ones only; when these stood still for good, no clock ran out any more."""
    monkeypatch.setattr("server.matches.sweeper.DUE_AT_ONCE", 2)
    async with open_matches(url, clock) as before:
        for _ in range(3):
            await spoil(before, (await before.begin(MIRA, TARN)).id)
        await before.wait(1)
        sound = await before.begin(MIRA, LIO)
    async with open_matches(url, clock) as after:
        after.skip(10_000)
        for _ in range(4):
            await after.matches.sweeper.sweep()
        await after.database.settle()
        assert (await after.matches.open(sound.id)).is_over


async def test_opening_it_says_what_is_wrong(url: str, clock: FakeClock) -> None:
    """It said "That can't be done now." at a terminal, and a room or a bus hint about it ended in an error of ours."""
    async with open_matches(url, clock) as before:
        match_id = (await before.begin(MIRA, TARN)).id
        await spoil(before, match_id)
    async with open_matches(url, clock) as after:
        with pytest.raises(MatchUnreadable) as raised:
            await after.matches.open(match_id)
        assert raised.value.params == {"match": match_id}
        assert match_id in catalogue("en").t(raised.value.key, **raised.value.params)


async def test_rules_that_fail_in_one_match_keep_no_other_from_being_read(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only errors of the rules' own kind were expected: with any other one no later match ran out of time."""
    async with open_matches(url, clock) as before:
        broken = await before.begin(MIRA, TARN)
        await before.play_any(broken, 0)
        text = broken.live.log.entries[0].action or ""
        sound = await before.begin(MIRA, LIO)
    apply = Tiny.apply

    def failing(self: Tiny, state: State, seat: Seat, action: Action) -> Step[State]:
        if action.text == text:
            raise KeyError("an error of ours")
        return apply(self, state, seat, action)

    monkeypatch.setattr(Tiny, "apply", failing)
    async with open_matches(url, clock) as after:
        after.skip(10_000)
        await after.matches.sweeper.sweep()
        await after.database.settle()
        assert (await after.matches.open(sound.id)).is_over
        with pytest.raises(MatchUnreadable):
            await after.matches.open(broken.id)


async def test_rows_that_cannot_be_read_are_those_of_one_match(url: str, clock: FakeClock) -> None:
    """Matches are read in groups: one whose rows hold no JSON made all of its group unreadable."""
    async with open_matches(url, clock) as before:
        broken, sound = await before.begin(MIRA, TARN), await before.begin(MIRA, LIO)
        await before.play_any(broken, 0)
        spoiled = f"UPDATE entries SET data = '{{' WHERE match_id = '{broken.id}'"
        await before.database.write(lambda connection: connection.exec_driver_sql(spoiled))
    async with open_matches(url, clock) as after:
        refused, read = await asyncio.gather(
            after.matches.open(broken.id), after.matches.open(sound.id), return_exceptions=True
        )
        assert isinstance(refused, MatchUnreadable)
        assert isinstance(read, Match)


async def test_an_end_that_cannot_be_stored_keeps_no_other_clock_from_running_out(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows from an end is stored with it: where that failed, the sweep stopped there for ever."""
    stuck, sound = await table.begin(MIRA, TARN), await table.begin(MIRA, LIO)
    effects = finish.effects

    def failing(
        context: MatchContext, terms: Terms, game: AnyGame, then: Checkpoint, entry: Entry
    ) -> tuple[Effect, ...]:
        if terms.id != stuck.id:
            return effects(context, terms, game, then, entry)

        def fail(connection: Connection) -> None:
            raise KeyError("an error of ours")

        return (fail,)

    monkeypatch.setattr(finish, "effects", failing)
    table.skip(10_000)
    await table.matches.sweeper.sweep()
    await table.database.settle()
    assert (stuck.is_over, sound.is_over) == (False, True)

"""A log that the rules refuse: that match stands still, nothing else does."""

from __future__ import annotations

from sqlalchemy import update

from server.store import tables
from tests.clocks import FakeClock
from tests.matches.table import LIO, MIRA, TARN, house


async def test_a_match_that_cannot_be_read_keeps_nobody_out_of_the_house(url: str, clock: FakeClock) -> None:
    """The lobby stayed empty for whoever had such a match, and no clock of any later match ran out."""
    async with house(url, clock) as before:
        broken = await before.begin(MIRA, TARN)
        await before.play_any(broken, 0)
        sound = await before.begin(MIRA, LIO)
        await before.database.write(
            lambda connection: connection.execute(
                update(tables.entries).where(tables.entries.c.match_id == broken.id).values(action="no such action")
            )
        )
    async with house(url, clock) as after:
        assert {line.id for line in await after.matches.running_of(MIRA)} == {broken.id, sound.id}
        clock.shift(10_000)
        await after.matches.sweep()
        await after.database.settle()
        assert (await after.matches.open(sound.id)).is_over
        assert [line.id for line in await after.matches.running_of(MIRA)] == [broken.id]

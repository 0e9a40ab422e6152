"""Channels are read together: one read for all that is wanted in a moment, later those in which somebody spoke."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import URL

from server.chat.reader import RingReader, poll
from server.chat.ring import LINES, Ring
from server.store import chat as stored
from server.store.chat import StoredLine
from server.store.database import Database, P, T, Work
from server.store.errors import StoreUnavailable
from tests.store.builders import START


class Watched:
    """A database that counts its reads, and fails when told to."""

    def __init__(self, inner: Database) -> None:
        self.inner = inner
        self.reads = 0
        self.fails = False
        self.after_read: Callable[[], None] = lambda: None

    @property
    def url(self) -> URL:
        return self.inner.url

    @property
    def is_sqlite(self) -> bool:
        return self.inner.is_sqlite

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self.reads += 1
        if self.fails:
            raise StoreUnavailable("gone")
        found = await self.inner.read(work, *args, **kwargs)
        self.after_read()
        return found

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.inner.write(work, *args, **kwargs)

    async def close(self) -> None:
        await self.inner.close()


async def say(database: Database, channel: str, count: int = 1) -> None:
    for i in range(count):
        await database.write(stored.add, channel, None, "mira", f"{channel} {i}", START)


async def test_what_is_wanted_at_once_comes_in_one_read(either: Database) -> None:
    await say(either, "lobby", 3)
    await say(either, "match:m1", LINES + 5)
    watched, changed = Watched(either), list[str]()
    reader = RingReader(watched, lambda ring: changed.append(ring.channel))
    rings = [Ring(name) for name in ("lobby", "match:m1", "gallery:m1", *(f"match:x{i}" for i in range(600)))]
    reader.read_soon(rings[:1])
    await asyncio.gather(*(reader.read((ring,)) for ring in rings))
    assert watched.reads == 1
    assert all(ring.is_loaded for ring in rings)
    assert sorted(changed) == ["lobby", "match:m1"]
    assert [line.text for line in rings[0].lines] == ["lobby 0", "lobby 1", "lobby 2"]
    assert [line.text for line in rings[1].lines] == [f"match:m1 {i}" for i in range(5, LINES + 5)]
    await reader.close()


async def test_a_line_said_while_a_channel_is_read_stays(database: Database) -> None:
    """The read began before the line was stored, ended after it was shown, and took it away until the next look."""
    await say(database, "lobby")
    watched = Watched(database)
    ring = Ring("lobby")
    watched.after_read = lambda: ring.add(StoredLine(2, "lobby", START, None, "mira", "said meanwhile"))
    reader = RingReader(watched, lambda _ring: None)
    await reader.read((ring,))
    assert [line.text for line in ring.lines] == ["lobby 0", "said meanwhile"]
    await reader.close()


async def test_who_waits_hears_that_the_store_is_gone(database: Database) -> None:
    watched = Watched(database)
    reader, ring = RingReader(watched, lambda _ring: None), Ring("lobby")
    watched.fails = True
    with pytest.raises(StoreUnavailable):
        await reader.read((ring,))
    was_loaded = ring.is_loaded
    assert not was_loaded
    watched.fails = False
    await reader.read((ring,))
    assert ring.is_loaded
    await reader.close()


async def test_a_look_names_the_channels_in_which_somebody_spoke(database: Database) -> None:
    await say(database, "old", 1)
    await say(database, "lobby", 300)
    newest, _ = await poll(database, 0)
    assert await poll(database, newest) == (newest, frozenset())
    await say(database, "match:m1")
    assert await poll(database, newest) == (newest + 1, frozenset(("lobby", "match:m1")))


async def test_at_the_start_the_channels_of_the_last_lines_are_looked_at_and_not_of_all_there_ever_were(
    database: Database,
) -> None:
    await say(database, "lobby")
    await say(database, "match:m1", 300)
    assert await poll(database, 0) == (301, frozenset(("match:m1",)))

"""Chat: clean, limited, heard by everybody, hidden from who blocked, at most twice a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from server.accounts.conduct import Refusal
from server.accounts.identity import Player
from server.accounts.sources import Sources
from server.bus.bus import LocalBus
from server.chat.chat import Chat
from server.chat.errors import ChatRefused
from server.chat.guests import GuestLines
from server.config import Limits
from server.store import accounts
from server.store import chat as stored_chat
from server.store.database import Database
from server.tokenbucket import LastMinute
from server.upkeep import forget_old
from tests.clocks import FakeClock
from tests.store.builders import START
from tests.waiting import PATIENCE_S, until

GUEST = Player("guest", "guest-x7k2", guest_id="x7k2")


class TwoProcesses:
    """Two processes with a chat each, on one database and one bus."""

    def __init__(self, database: Database) -> None:
        self.clock = FakeClock()
        self.bus = LocalBus()
        self.mutes: dict[int | None, Refusal] = {}
        self.sources: dict[str, str] = {}  # of connected guests, by name
        limits = Limits(chat_per_min=5, chat_chars=20)
        self.here, self.there = (
            Chat(database, self.clock, self.bus, limits, lambda who: self.mutes.get(who.account_id), self.counted)
            for _ in range(2)
        )

    def counted(self, player: Player) -> Sources:
        """Return what a connected person counts as."""
        source = self.sources.get(player.name)
        return Sources(()) if source is None else Sources.of((source,), player.account_id)


@pytest.fixture
async def processes(database: Database) -> AsyncIterator[TwoProcesses]:
    made = TwoProcesses(database)
    await made.here.start()
    await made.there.start()
    yield made
    await made.here.close()
    await made.there.close()


def texts(chat: Chat, channel: str = "lobby") -> list[str]:
    return [line.text for line in chat.recent(channel)]


async def test_a_line_is_heard_in_every_process(processes: TwoProcesses) -> None:
    rings: list[str] = []
    processes.there.subscribe("lobby", lambda: rings.append("there"))
    await processes.there.load("lobby")
    said = await processes.here.say("lobby", GUEST, "  hello\x1b[2J\nall ")
    assert (said.text, said.name, said.account_id) == ("hello[2J all", "guest-x7k2", None)
    await until(lambda: texts(processes.there) == ["hello[2J all"])
    assert rings == ["there"]
    assert texts(processes.here) == ["hello[2J all"]
    assert texts(processes.here, "match:m1") == []


async def test_a_lost_hint_only_makes_it_later(processes: TwoProcesses) -> None:
    processes.there.subscribe("lobby", lambda: None)
    await processes.there.load("lobby")
    processes.bus.publish = lambda *_: None  # type: ignore[method-assign]
    await processes.here.say("lobby", GUEST, "hello")
    await processes.clock.advance(6)
    await until(lambda: texts(processes.there) == ["hello"])


async def test_what_was_said_before_is_loaded(processes: TwoProcesses) -> None:
    for i in range(3):
        await processes.here.say("lobby", GUEST, f"line {i}")
    assert [line.text for line in await processes.there.load("lobby")] == ["line 0", "line 1", "line 2"]


async def test_lines_are_bounded_in_length_and_number(processes: TwoProcesses) -> None:
    long = await processes.here.say("lobby", GUEST, "x" * 1000)
    assert len(long.text) == 20
    for empty in ("", " \n", "\x07\u200b"):
        with pytest.raises(ChatRefused) as refused:
            await processes.here.say("lobby", GUEST, empty)
        assert refused.value.key == "chat.empty"
    processes.clock.shift(10)
    for i in range(4):
        await processes.there.say(f"room:{i}", GUEST, "hi")
    with pytest.raises(ChatRefused) as refused:
        await processes.here.say("lobby", GUEST, "one too many")
    assert (refused.value.key, refused.value.retry_after_ms) == ("chat.too-fast", 50_000)
    await processes.here.say("lobby", Player("guest", "guest-other"), "I am not limited")
    processes.clock.shift(50)
    await processes.here.say("lobby", GUEST, "better")


async def test_the_lines_of_one_account_are_not_counted_against_another_of_that_handle(
    processes: TwoProcesses, database: Database
) -> None:
    """Lines were counted by name: who took a freed handle was refused for what the one before was saying."""
    before, now = await database.write(accounts.create, "mira", ["mira"], START), "zora"
    for text in "abcde":
        await processes.here.say("lobby", Player("account", "mira", before.id), text)
    await database.write(accounts.set_handle, before.id, now)
    mira = await database.write(accounts.create, "mira", ["another"], START)
    await processes.there.say("lobby", Player("account", "mira", mira.id), "hello")
    with pytest.raises(ChatRefused, match=r"chat\.too-fast"):  # a new handle is no new minute
        await processes.here.say("lobby", Player("account", now, before.id), "one too many")
    with pytest.raises(ChatRefused, match=r"chat\.too-fast"):
        await processes.here.say("lobby", Player("account", "mira", before.id), "from a session that has not heard")


async def test_what_was_said_is_shown_under_the_new_handle(processes: TwoProcesses, database: Database) -> None:
    """The lines of the one who had left a handle stood there as if its next owner had said them."""
    before = await database.write(accounts.create, "mira", ["mira"], START)
    stale = Player("account", "mira", before.id)
    await processes.here.say("lobby", stale, "hello")
    await processes.here.say("lobby", GUEST, "hi")
    await database.write(accounts.set_handle, before.id, "zora")
    processes.here.rename(before.id, "zora")
    await processes.here.say("lobby", stale, "from a session that has not heard")
    for lines in (processes.here.recent("lobby"), await processes.there.load("lobby")):
        assert [line.name for line in lines] == ["zora", "guest-x7k2", "zora"]


async def test_a_guest_who_connects_again_has_not_the_whole_limit_anew(processes: TwoProcesses) -> None:
    """Each connection draws a name, and lines were counted by name: one address said 240 lines in ten seconds."""
    guests = [Player("guest", f"guest-{letter * 4}") for letter in "abcdef"]
    processes.sources |= {guest.name: "192.0.2.1" for guest in guests[:5]} | {guests[5].name: "192.0.2.2"}

    async def say(guest: Player, lines: int) -> None:
        for _ in range(lines):
            await processes.here.say("lobby", guest, "buy")

    for guest in guests[:2]:
        await say(guest, 5)
    for _ in range(20):  # what one guest is refused does not count against the others
        with pytest.raises(ChatRefused, match=r"chat\.too-fast"):
            await say(guests[0], 1)
    processes.clock.shift(10)
    await say(guests[2], 5)
    for guest in guests[3:5]:
        with pytest.raises(ChatRefused) as refused:
            await say(guest, 1)
        assert (refused.value.key, refused.value.retry_after_ms) == ("chat.guests-too-fast", 50_001)
    await say(guests[5], 5)
    processes.clock.shift(51)
    await say(guests[3], 5)


def test_only_so_many_sources_of_guests_are_remembered() -> None:
    clock = FakeClock()
    lines = GuestLines(clock, 5)
    for n in range(LastMinute.KEPT + 10):
        with lines.line(Sources((f"198.51.{n >> 8}.{n & 255}",))):
            pass
    assert len(lines) == LastMinute.KEPT
    with pytest.raises(KeyError), lines.line(Sources(("192.0.2.1",))):
        raise KeyError
    assert len(lines) <= LastMinute.KEPT


async def test_the_muted_are_told_until_when(processes: TwoProcesses, database: Database) -> None:
    mira = await database.write(accounts.create, "mira", ["mira"], START)
    player = Player("account", "mira", mira.id)
    processes.mutes[mira.id] = Refusal("too loud", processes.clock.now() + timedelta(hours=1))
    with pytest.raises(ChatRefused) as refused:
        await processes.here.say("lobby", player, "hello")
    assert (refused.value.key, refused.value.params["until"]) == ("chat.muted", "2026-01-01T01:00:00.000Z")
    assert refused.value.params["why"] == "too loud"
    processes.mutes[mira.id] = Refusal("spam", None)
    with pytest.raises(ChatRefused, match=r"chat\.muted-for-good"):
        await processes.here.say("lobby", player, "hello")
    processes.mutes[mira.id] = Refusal("spam", None, "mods@example.org")
    told = processes.here.muted(player)
    assert told is not None
    assert (told.key, told.params) == ("chat.muted-for-good-ask", {"why": "spam", "contact": "mods@example.org"})
    processes.mutes.clear()
    assert processes.here.muted(player) is None
    await processes.here.say("lobby", player, "hello")
    await processes.here.say("lobby", GUEST, "hi mira")
    assert [line.text for line in processes.here.recent("lobby", frozenset((mira.id,)))] == ["hi mira"]


async def test_listeners_are_told_at_most_twice_a_second(processes: TwoProcesses) -> None:
    told: list[float] = []
    subscription = processes.here.subscribe("lobby", lambda: told.append(processes.clock.monotonic()))
    await processes.here.load("lobby")
    for i in range(4):
        await processes.here.say("lobby", GUEST, f"line {i}")
    assert told == [0.0]
    await processes.clock.advance(0.5)
    assert told == [0.0, 0.5]
    subscription.close()
    await processes.here.say("lobby", GUEST, "unheard")
    await processes.clock.advance(2)
    assert len(told) == 2


async def test_who_deletes_their_account_is_no_longer_read(processes: TwoProcesses, database: Database) -> None:
    mira = await database.write(accounts.create, "mira", ["mira"], START)
    told: list[int] = []
    processes.here.subscribe("lobby", lambda: told.append(1))
    await processes.here.load("lobby")
    await processes.here.say("lobby", Player("account", "mira", mira.id), "hello")
    await processes.here.say("lobby", GUEST, "hi")
    await processes.clock.advance(1)
    before = len(told)
    processes.here.forget(mira.id)
    assert texts(processes.here) == ["hi"]
    assert len(told) == before + 1


async def test_a_server_that_is_started_anew_every_day_never_forgot_old_talk(
    processes: TwoProcesses, database: Database
) -> None:
    """It was done a day after the start, by chat itself; the other things that are kept for a time, a minute after."""
    await processes.here.say("lobby", GUEST, "small talk")
    await processes.here.say("match:m1", GUEST, "good game")
    processes.clock.shift(100 * 86_400)
    await forget_old(database, processes.clock, None)
    assert await database.read(stored_chat.recent, "lobby", 10) == []
    assert [line.text for line in await processes.there.load("match:m1")] == ["good game"]


async def test_what_was_said_while_nobody_listened_is_read_though_its_hint_got_lost(
    processes: TwoProcesses, database: Database
) -> None:
    """Who came back to a channel saw it as it was when the last one had left."""
    deaf = Chat(database, processes.clock, LocalBus(), Limits(), lambda who: None)
    await deaf.start()
    assert await deaf.load("lobby") == ()
    deaf.subscribe("lobby", lambda: None).close()
    await processes.here.say("lobby", GUEST, "anybody here?")
    await processes.clock.advance(6)
    async with asyncio.timeout(PATIENCE_S):
        while [line.text for line in await deaf.load("lobby")] != ["anybody here?"]:
            await asyncio.sleep(0.01)
    await deaf.close()


async def test_guests_are_hidden_by_their_names(processes: TwoProcesses) -> None:
    for name in ("guest-x7k2mnpq", "guest-aaaaaaaa"):
        await processes.here.say("lobby", Player("guest", name, guest_id=name), f"I am {name}")
    shown = processes.here.recent("lobby", frozenset({"guest-x7k2mnpq", 7}))
    assert [line.name for line in shown] == ["guest-aaaaaaaa"]

"""Messages: delivered between people who follow each other, answered alike, limited, exported and deleted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest

from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.following import Following
from server.accounts.identity import Player
from server.accounts.messages import PEOPLE_PER_DAY, PER_DAY, Messages
from server.chat.errors import ChatRefused
from server.config import Limits
from server.errors import RateLimited, Refused
from server.store import conduct
from server.store import messages as stored
from server.store.columns import Json
from server.store.database import Database
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock

NAMES = ("mira", "tarn", "lio", *(f"p{n:02}" for n in range(PEOPLE_PER_DAY)))


class Writers:
    """A house in which Mira and Tarn follow each other, and all accounts are two days old."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock = database, FakeClock()
        self.accounts = Accounts(database, self.clock, Limits(accounts_per_hour=1000))
        self.following = Following(database, self.clock)
        self.conduct = Conduct(database, self.clock)
        self.muted: set[str] = set()
        self.messages = Messages(database, self.clock, self._muted)
        self.players: dict[str, Player] = {}

    def _muted(self, player: Player) -> Refused | None:
        return ChatRefused("chat.muted", 0) if player.name in self.muted else None

    async def open(self) -> None:
        for name in NAMES:
            made = await self.accounts.register(name, public_key(name), "127.0.0.1")
            self.players[name] = Player("account", name, account_id=made.account.id)
        await self.follow("mira", "tarn")
        await self.follow("tarn", "mira")
        await self.clock.advance(2 * 86_400)

    def id_of(self, name: str) -> int:
        return self.players[name].account_id or 0

    async def follow(self, name: str, other: str) -> None:
        await self.following.follow(self.id_of(name), other)

    async def tell(self, name: str, other: str, text: str = "hello") -> tuple[str, str, str]:
        made = await self.messages.send(self.players[name], other, text)
        return made.sender, made.receiver, made.text

    async def read(self, name: str, other: str | None = None) -> Sequence[str]:
        return [one.text for one in await self.messages.read(self.id_of(name), other)]


@pytest.fixture
async def writers(either: Database) -> Writers:
    made = Writers(either)
    await made.open()
    return made


async def test_people_who_follow_each_other_read_each_other(writers: Writers) -> None:
    await writers.tell("mira", "tarn", "one \x1b[2J")
    await writers.tell("tarn", "mira", "two")
    assert await writers.read("mira", "tarn") == await writers.read("tarn", "mira") == ["one [2J", "two"]
    assert await writers.read("lio") == []


async def test_unread_messages_are_counted_until_they_are_read(writers: Writers) -> None:
    await writers.tell("mira", "tarn")
    await writers.tell("mira", "tarn")
    assert [one.unread for one in await writers.following.of(writers.id_of("tarn"))] == [2]
    await writers.read("tarn", "mira")
    assert [one.unread for one in await writers.following.of(writers.id_of("tarn"))] == [0]


async def test_what_may_not_be_delivered_is_answered_alike_and_read_by_its_writer_alone(writers: Writers) -> None:
    assert await writers.tell("mira", "lio") == ("mira", "lio", "hello"), "lio follows nobody"
    await writers.follow("lio", "mira")
    assert await writers.tell("lio", "mira") == ("lio", "mira", "hello"), "mira does not follow lio"
    await writers.conduct.block(writers.id_of("tarn"), "mira")
    assert await writers.tell("mira", "tarn") == ("mira", "tarn", "hello"), "tarn has blocked mira"
    assert await writers.tell("tarn", "mira") == ("tarn", "mira", "hello"), "a block ends both ways"
    assert await writers.read("mira") == ["hello", "hello"]
    assert await writers.read("lio") == await writers.read("tarn") == ["hello"]
    await writers.conduct.unblock(writers.id_of("tarn"), "mira")
    await writers.tell("mira", "tarn", "again")
    assert await writers.read("tarn") == ["hello"], "who blocks follows no more"


async def test_messages_are_limited_by_number_and_by_people(writers: Writers) -> None:
    for n in range(PEOPLE_PER_DAY):
        await writers.tell("mira", f"p{n:02}")
    with pytest.raises(RateLimited) as refused:
        await writers.tell("mira", "tarn")
    assert refused.value.limit == "people_written_to_per_day"
    for _ in range(PER_DAY - PEOPLE_PER_DAY):
        await writers.tell("mira", "p00")
    with pytest.raises(RateLimited) as refused:
        await writers.tell("mira", "p00")
    assert (refused.value.limit, refused.value.retry_after_ms) == ("messages_per_day", 86_400_000)
    await writers.clock.advance(86_400)
    await writers.tell("mira", "tarn")


async def test_who_is_muted_young_or_nobody_writes_to_nobody(writers: Writers) -> None:
    writers.muted.add("mira")
    with pytest.raises(ChatRefused):
        await writers.tell("mira", "tarn")
    await writers.accounts.register("young", public_key("young"), "127.0.0.1")
    young = Player("account", "young", account_id=len(NAMES) + 1)
    for player, other, text, key in (
        (young, "tarn", "hello", "message.young"),
        (writers.players["lio"], "lio", "hello", "message.self"),
        (writers.players["lio"], "nobody", "hello", "handle.unknown"),
        (writers.players["lio"], "tarn", " \x07 ", "message.empty"),
    ):
        with pytest.raises(AccountError) as refused:
            await writers.messages.send(player, other, text)
        assert refused.value.key == key
    with pytest.raises(Refused):
        await writers.messages.send(Player("guest", "guest-x", guest_id="guest-x"), "tarn", "hello")


async def test_an_export_holds_what_one_wrote_and_was_shown_and_not_whether_it_was(writers: Writers) -> None:
    await writers.tell("mira", "tarn", "shown-text")
    await writers.tell("mira", "lio", "kept-text")
    exported = {
        name: await gathered(await writers.accounts.export(writers.id_of(name))) for name in ("mira", "tarn", "lio")
    }
    told = {name: json.dumps(one["messages"]) for name, one in exported.items()}
    assert ("shown-text" in told["mira"], "kept-text" in told["mira"]) == (True, True)
    assert ("shown-text" in told["tarn"], "kept-text" in told["tarn"]) == (True, False)
    assert told["lio"] == "[]"
    assert '"shown"' not in told["mira"]


async def test_messages_go_after_ninety_days_and_with_either_account(writers: Writers) -> None:
    await writers.tell("mira", "tarn")
    await writers.tell("tarn", "lio")
    before = writers.clock.now() - stored.KEPT_FOR
    assert await writers.database.write(stored.forget_before, before) == 0
    await writers.accounts.delete(writers.id_of("mira"))
    assert await writers.read("tarn") == ["hello"]
    await writers.clock.advance(91 * 86_400)
    assert await writers.database.write(stored.forget_before, writers.clock.now() - timedelta(days=90)) == 1


async def test_lines_in_a_report_outlive_the_account_without_its_name(writers: Writers) -> None:
    lines: list[dict[str, Json]] = [
        {"name": "mira", "at": "t", "text": "in the lobby", "account": writers.id_of("mira")},
        {"name": "mira", "at": "t", "text": "in a message", "account": writers.id_of("mira"), "message": True},
    ]
    await writers.conduct.report(writers.id_of("tarn"), "mira", "rude", lines)
    await writers.accounts.delete(writers.id_of("mira"))
    exported = await gathered(await writers.accounts.export(writers.id_of("tarn")))
    assert "in a message" not in json.dumps(exported)
    [report] = await writers.database.read(conduct.open_reports)
    assert [(line["name"], line["text"]) for line in report.lines] == [("deleted-1", "in a message")]

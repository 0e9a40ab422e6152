"""Bans, mutes, blocks, reports and pauses."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.identity import Identity, Player
from server.config import Limits
from server.errors import RateLimited
from server.store import conduct as stored
from server.store.database import Database
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock


def person(account_id: int | None = 1, key: str = "SHA256:a", source: str = "192.0.2.1") -> Identity:
    return Identity(account_id, "mira", frozenset(), key, None, "mira", source)


async def test_a_ban_of_an_account_a_key_or_a_network_holds_until_its_end(either: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(either, clock)
    soon = clock.now() + timedelta(days=3)
    for kind, target in (("account", "1"), ("key", "SHA256:b"), ("network", "198.51.100.0/24")):
        await either.write(stored.impose, "ban", kind, target, "spam", "boss", clock.now(), soon)
    await conduct.refresh()
    for banned in (person(), person(2, "SHA256:b"), person(None, "SHA256:c", "198.51.100.7")):
        refusal = conduct.check_access(banned)
        assert refusal is not None
        assert (refusal.why, refusal.until) == ("spam", soon)
    assert conduct.check_access(person(2)) is None
    assert conduct.check_source("::ffff:198.51.100.9") is not None
    assert conduct.check_source("192.0.2.1") is None
    clock.shift(3 * 86_400 + 1)
    assert conduct.check_access(person()) is None


async def test_who_is_banned_twice_read_the_end_of_the_shorter_ban(either: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(either, clock)
    now = clock.now()
    await either.write(stored.impose, "ban", "account", "1", "spam", "boss", now, now + timedelta(hours=1))
    await either.write(stored.impose, "ban", "key", "SHA256:a", "a flood", "boss", now, now + timedelta(days=1))
    await either.write(stored.impose, "ban", "network", "192.0.2.0/24", "abuse", "boss", now, None)
    await conduct.refresh()
    found = [conduct.check_person(person()), conduct.check_access(person())]
    assert [one and (one.why, one.until) for one in found] == [("a flood", now + timedelta(days=1)), ("abuse", None)]


async def test_a_lifted_ban_and_a_mute(either: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(either, clock)
    await either.write(stored.impose, "ban", "account", "1", "a", "boss", clock.now(), None)
    await either.write(stored.impose, "ban", "account", "1", "b", "boss", clock.now(), None)
    await either.write(stored.impose, "mute", "account", "2", "loud", "boss", clock.now(), None)
    await conduct.refresh()
    refusal = conduct.check_access(person())
    assert refusal is not None
    assert refusal.why == "b"
    assert conduct.mute_of(Player("account", "b", 2)) is not None
    assert conduct.mute_of(Player("account", "a", 1)) is None
    assert await either.write(stored.lift, "ban", "account", "1", clock.now()) is True
    assert await either.write(stored.lift, "ban", "account", "1", clock.now()) is False
    await conduct.refresh()
    assert conduct.check_access(person()) is None


async def test_blocks_are_seen_from_both_sides(either: Database) -> None:
    clock = FakeClock()
    accounts, conduct = Accounts(either, clock, Limits()), Conduct(either, clock)
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account.id
    tarn = (await accounts.register("tarn", public_key("b"), "192.0.2.1")).account.id
    assert await conduct.block(mira, "tarn") == tarn
    assert await conduct.block(mira, "tarn") == tarn
    assert await conduct.blocked_by(mira) == {tarn}
    assert await conduct.blocked_people(mira) == {tarn: "tarn"}
    assert await conduct.blocks_among([mira, tarn]) == {(mira, tarn)}
    for nobody, says in (("omid", "handle.unknown"), ("mira", "block.self")):
        with pytest.raises(AccountError) as refused:
            await conduct.block(mira, nobody)
        assert refused.value.key == says, "of oneself it said that there is nobody of that name"
    assert await conduct.unblock(mira, "tarn") is True
    assert await conduct.blocks_among([mira, tarn]) == frozenset()


async def test_a_report_keeps_the_chat_and_is_handled_once(database: Database) -> None:
    clock = FakeClock()
    accounts, conduct = Accounts(database, clock, Limits()), Conduct(database, clock)
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account.id
    await accounts.register("tarn", public_key("b"), "192.0.2.1")
    made = await conduct.report(mira, "tarn", "rude\x1b[2J", [{"name": "tarn", "text": "grr"}], "m1")
    [kept] = await database.read(stored.open_reports)
    assert (kept.id, kept.why, kept.lines[0]["text"], kept.match_id) == (made, "rude[2J", "grr", "m1")
    assert await database.write(stored.close_report, made, "boss", clock.now()) is True
    assert await database.write(stored.close_report, made, "boss", clock.now()) is False
    for _ in range(9):
        await conduct.report(mira, "tarn", "again")
    with pytest.raises(RateLimited):
        await conduct.report(mira, "tarn", "again")


async def test_leaving_warns_first_and_then_pauses_longer_and_longer(database: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(database, clock)
    assert await conduct.record_leaving(7) is None
    assert await conduct.record_leaving(7) is None
    assert await conduct.record_leaving(7) == clock.now() + timedelta(minutes=5)
    assert await conduct.paused_until(7) == clock.now() + timedelta(minutes=5)
    clock.shift(301)
    assert await conduct.paused_until(7) is None
    assert await conduct.record_leaving(7) == clock.now() + timedelta(minutes=15)
    clock.shift(8 * 86_400)
    assert await conduct.record_leaving(7) is None
    assert await conduct.paused_until(8) is None


async def test_who_left_lately_is_warned_until_they_have_to_pause(database: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(database, clock)
    assert not await conduct.is_warned(7)
    for _ in range(2):
        await conduct.record_leaving(7)
        assert await conduct.is_warned(7)
    await conduct.record_leaving(7)
    assert not await conduct.is_warned(7), "it has come true"
    clock.shift(8 * 86_400)
    assert not await conduct.is_warned(7)


async def test_who_a_network_ban_cut_off_has_not_left_what_they_played_then(either: Database) -> None:
    clock = FakeClock()
    conduct = Conduct(either, clock)
    moved = clock.now()
    clock.shift(60)
    await conduct.record_cut_off([7])
    clock.shift(600)
    for _ in range(5):
        assert await conduct.record_leaving(7, moved) is None
    assert not await conduct.is_warned(7)
    await conduct.record_leaving(7, clock.now())  # came back from elsewhere, and left then
    assert await conduct.is_warned(7)
    await conduct.record_leaving(8, moved)
    assert await conduct.is_warned(8)

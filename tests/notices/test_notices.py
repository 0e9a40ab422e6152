"""Notices from the services: codes, limits, who is looking, dead hosts; and one over a real connection."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from game.contract import Seat
from server.accounts.errors import AccountError
from server.accounts.identity import Identity
from server.errors import RateLimited, Refused
from server.noticehosts import Topic, read_hosts
from server.notices.errors import NotPosted
from server.notices.notices import MOST_A_DAY, MOST_CODES, MOST_TRIES, Notices
from server.notices.outbox import MOST_TRIES as TRIES_OF_ONE
from server.notices.outbox import MOST_WAITING, PAUSES_S, Outbox, QueuedNotice
from server.presence.connections import Connected
from server.store import notice_topics, personal_data
from server.store.events import NewEvent, add
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, Table, new_database, open_matches
from tests.notices.ntfy import ntfy
from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.ssh.test_events import move_any, pair, turn_of
from tests.ssh.test_following import grow_old
from tests.waiting import until

URL = "https://ntfy.example.org/secret-topic"
ME = 1


@dataclass
class Sent:
    """What was posted, in place of an HTTP client. `fails`: the host is dead."""

    texts: list[str] = field(default_factory=list)
    tries: int = 0
    fails: bool = False

    async def post(self, topic: Topic, title: str, text: str) -> None:
        self.tries += 1
        if self.fails:
            raise NotPosted("dead")
        self.texts.append(text)


@dataclass
class Open:
    table: Table
    notices: Notices
    sent: Sent

    async def look(self) -> list[str]:
        """Look once, let everything be sent; return what was, since the last look."""
        before = len(self.sent.texts)
        await self.notices.send_new()
        await self.table.wait(0.5)
        return self.sent.texts[before:]

    async def begin(self) -> None:
        """Name a topic and confirm it."""
        await self.notices.set(ME, URL)
        await self.table.wait(0.5)
        await self.notices.confirm(ME, code_in(self.sent.texts[-1]))


def code_in(text: str) -> str:
    found = re.search(r"[a-z0-9]{5}-[a-z0-9]{5}", text)
    assert found is not None, text
    return found[0]


@asynccontextmanager
async def opened(url: str, clock: FakeClock, sent: Sent | None = None) -> AsyncIterator[Open]:
    async def english(account_id: int) -> str:
        return "en"

    async with open_matches(url, clock) as table:
        sent = sent or Sent()
        matches, hosts = table.matches, read_hosts("ntfy.example.org")
        around = table.database, matches.own_events, matches.connections
        notices = Notices(clock, *around, hosts, sent.post, "Patchbay", english)
        try:
            yield Open(table, notices, sent)
        finally:
            await notices.close()


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


@pytest.fixture
async def one(url: str) -> AsyncIterator[Open]:
    async with opened(url, FakeClock()) as found:
        yield found


async def challenge(one: Open) -> None:
    await one.table.database.write(add(ME, NewEvent("challenge", one.table.clock.now(), None, 2)))


async def test_nothing_is_sent_before_the_owner_has_typed_the_code(one: Open) -> None:
    stands = await one.notices.set(ME, URL)
    assert (stands.shown, stands.is_confirmed) == ("ntfy.example.org/sec…", False)
    await one.table.wait(0.5)
    await challenge(one)
    assert await one.look() == []
    with pytest.raises(Refused):
        await one.notices.confirm(ME, "aaaaa-aaaaa")
    assert (await one.notices.confirm(ME, code_in(one.sent.texts[-1]))).is_confirmed
    assert await one.look() == [], "what came before is no news"
    await challenge(one)
    assert await one.look() == ["Somebody challenges you."]


async def test_a_code_is_good_for_few_tries_and_few_are_sent(one: Open) -> None:
    await one.notices.set(ME, URL)
    await one.table.wait(0.5)
    for _ in range(MOST_TRIES):
        with pytest.raises(Refused, match=r"notices\.error\.code"):
            await one.notices.confirm(ME, "aaaaa-aaaaa")
    with pytest.raises(Refused, match=r"notices\.error\.no-code"):
        await one.notices.confirm(ME, code_in(one.sent.texts[-1]))
    for _ in range(MOST_CODES - 1):
        await one.notices.set(ME, URL)
    await one.notices.stop(ME)
    with pytest.raises(RateLimited):
        await one.notices.set(ME, URL)


async def test_a_notice_has_no_text_and_no_name_of_others(one: Open) -> None:
    await one.begin()
    match = await one.table.begin(MIRA, TARN, game="rainet")
    await one.table.play_on(match, lambda: match.live.shown.seq >= 4)
    await match.resign(Seat(0))
    sent = await one.look()
    assert sent == [f"Match {match.id} has begun."], "one a match and hour"
    assert not any("tarn" in text for text in one.sent.texts)


async def turn(one: Open, match: str) -> None:
    await one.table.database.write(add(ME, NewEvent("my_turn", one.table.clock.now(), match, 2)))


async def test_one_a_match_and_hour_and_twenty_a_day_are_sent(one: Open) -> None:
    await one.begin()
    for _ in range(3):
        await turn(one, "m1")
    assert len(await one.look()) == 1
    one.table.skip(3_601)
    for n in range(MOST_A_DAY + 5):
        await turn(one, f"m{n}")
    assert len(await one.look()) == MOST_A_DAY - 1
    one.table.skip(86_400)
    await turn(one, "m1")
    assert len(await one.look()) == 1


async def test_none_is_sent_while_one_is_looking_and_none_late(one: Open) -> None:
    await one.begin()
    who = Identity(ME, "mira", frozenset(), None, None, "", "192.0.2.1")
    one.table.matches.connections.arrive(Connected("mira-1", who, one.table.clock.now()))
    await challenge(one)
    assert await one.look() == []
    one.table.matches.connections.leave("mira-1")
    assert await one.look() == []
    await challenge(one)
    assert len(await one.look()) == 1


async def test_only_the_kinds_that_count_are_sent(one: Open) -> None:
    await one.notices.set(ME, URL, ("ended",))
    await one.table.wait(0.5)
    await one.notices.confirm(ME, code_in(one.sent.texts[-1]))
    match = await one.table.begin(MIRA, TARN, game="rainet")
    await challenge(one)
    assert await one.look() == []
    await match.resign(Seat(0))
    assert await one.look() == [f"Match {match.id} has ended."]


async def test_two_processes_send_a_notice_once(url: str) -> None:
    clock = FakeClock()
    async with opened(url, clock) as one, opened(url, clock) as other:
        await one.begin()
        await challenge(one)
        assert [len(await each.look()) for each in (one, other, one)] == [1, 0, 0]


async def test_what_is_waiting_is_not_sent_once_its_owner_has_ended_it_or_is_gone(one: Open) -> None:
    await one.begin()
    before, one.sent.fails = one.sent.tries, True
    await challenge(one)
    await one.notices.send_new()
    await one.table.wait(0.5)
    await one.notices.stop(ME)
    tries, one.sent.fails = one.sent.tries, False
    await one.table.wait(2 * PAUSES_S[0])
    assert one.sent.tries == tries == before + 1
    await one.begin()
    await one.table.database.write(personal_data.delete_account, ME, one.table.clock.now())
    assert await one.table.database.read(notice_topics.of, ME) is None


async def test_a_dead_host_costs_a_few_tries_and_delays_no_other() -> None:
    clock, dead, good = FakeClock(), Sent(fails=True), Sent()
    hosts = read_hosts("dead.example.org, good.example.org")

    async def post(topic: Topic, title: str, text: str) -> None:
        await (dead if topic.host.name.startswith("dead") else good).post(topic, title, text)

    async def wanted() -> bool:
        return True

    outbox = Outbox(clock, post)
    topics = [Topic(f"https://{host.name}/t", host) for host in hosts]
    for n in range(2 * MOST_WAITING):
        outbox.put(QueuedNotice(topics[0], "P", str(n), wanted))
    outbox.put(QueuedNotice(topics[1], "P", "good", wanted))
    await clock.advance(1)
    assert good.texts == ["good"]
    for _ in range(60):
        await clock.advance(60)
    assert dead.tries <= len(PAUSES_S) + 3_600 / PAUSES_S[-1] + 2
    await outbox.close()


async def test_a_topic_that_refuses_on_purpose_held_up_everybody_s_notices_for_hours() -> None:
    """An ntfy server answers 507 for some topics that nobody reads: five codes a day there paused the whole host."""
    clock, sent, refused = FakeClock(), Sent(), 0

    async def post(topic: Topic, title: str, text: str) -> None:
        nonlocal refused
        if topic.url.endswith("/upper"):
            refused += 1
            raise NotPosted("status 507", is_answer=True)
        await sent.post(topic, title, text)

    async def wanted() -> bool:
        return True

    outbox, [host] = Outbox(clock, post), read_hosts("ntfy.example.org")
    for n in range(20):
        outbox.put(QueuedNotice(Topic("https://ntfy.example.org/upper", host), "P", "code", wanted))
        outbox.put(QueuedNotice(Topic("https://ntfy.example.org/mine", host), "P", str(n), wanted))
    await clock.advance(1)
    assert sent.texts == [str(n) for n in range(20)]
    for _ in range(30):
        await clock.advance(60)
    assert refused == 20 * TRIES_OF_ONE
    await outbox.close()


async def test_a_daily_move_is_answered_from_a_notice(tmp_path: Path) -> None:
    """The whole way: a topic and its code, a move of the opponent, the notice, the answer by command."""
    async with ntfy() as host:
        with running(tmp_path, {"PATCHBAY_NOTICE_HOSTS": host.host}) as server:
            mira, tarn, match = await pair(server, tmp_path)
            for key in (mira, tarn):
                await move_any(server, key, match)  # both set up, in any order
            me, other = (tarn, mira) if await turn_of(server, mira, match) else (mira, tarn)
            (stands,) = await server.json("notices", f"http://{host.host}/secret-topic", key=me)
            assert (stands["topic"], stands["confirmed"]) == (f"{host.host}/sec…", False)
            code = code_in((await host.wait_for(1))[0][1])
            (stands,) = await server.json("notices", "code", code, key=me)
            assert stands["confirmed"]
            await move_any(server, other, match)
            path, text = (await host.wait_for(2))[1]
            assert (path, match in text) == ("/secret-topic", True)
            await move_any(server, me, match)
            exported = (await server.ssh("export-my-data", key=me))[1]
            assert "secret-topic" in exported
            logs = server.errors() + "".join(file.read_text() for file in (tmp_path / "var" / "logs").glob("*"))
            assert "secret" not in logs
            status, audit, _ = await server.beside("admin", "audit")
            assert (status, "secret" in audit) == (0, False)


async def test_two_people_take_back_write_and_answer_a_notice(tmp_path: Path) -> None:
    """With the OpenSSH client: a take-back refused and agreed to, messages, a notice, the daily move it asks for."""
    async with ntfy() as host:
        with running(tmp_path, {"PATCHBAY_NOTICE_HOSTS": host.host}) as server:
            mira, tarn, daily = await pair(server, tmp_path)
            for key in (mira, tarn):
                await move_any(server, key, daily)
            async with server.bot(mira) as one, server.bot(tarn) as other:
                made = await one.ask(do="create", game="relati", speed="slow")
                await other.ask(do="join", code=made["code"])
                casual = (await one.until("start", game="relati"))["match"]
            seq = await move_any(server, mira, casual)
            for answer in ("decline", "accept"):
                assert await seq_of(server, casual, mira) == seq, "nothing is taken back"
                assert (await server.ssh("takeback", casual, key=mira))[0] == 0
                assert (await server.ssh("takeback", casual, answer, key=tarn))[0] == 0
            await until(lambda: is_at(server, casual, mira, seq + 1))
            assert await turn_of(server, mira, casual), "the move is taken back"
            grow_old(server)
            for word, *text in (("follow",), ("tell", "hello")):
                for key, whom in ((mira, "tarn"), (tarn, "mira")):
                    assert (await server.ssh(word, whom, *text, key=key))[0] == 0
            for key in (mira, tarn):
                assert [one["text"] for one in await server.json("messages", key=key)] == ["hello", "hello"]
            me, opponent = (tarn, mira) if await turn_of(server, mira, daily) else (mira, tarn)
            await server.json("notices", f"http://{host.host}/mine", "--kinds", "my_turn", key=me)
            await server.json("notices", "code", code_in((await host.wait_for(1))[0][1]), key=me)
            await move_any(server, opponent, daily)
            assert daily in (await host.wait_for(2))[1][1]
            seq = await move_any(server, me, daily)
            assert await seq_of(server, daily, opponent) == seq
            assert await turn_of(server, opponent, daily)


async def seq_of(server: Server, match: str, key: Path) -> int:
    """Return the last entry of a match that somebody is shown."""
    (shown,) = await server.json("show", match, key=key)
    return int(shown["seq"])


async def is_at(server: Server, match: str, key: Path, seq: int) -> bool:
    return await seq_of(server, match, key) == seq


async def test_a_server_that_lists_no_host_sends_nothing(tmp_path: Path) -> None:
    key = new_key(tmp_path, "mira")
    with running(tmp_path) as server:
        await server.register("mira", key)
        assert (await server.ssh("notices", URL, key=key))[0] == 1


async def test_a_key_that_opens_the_account_no_more_names_no_topic(one: Open) -> None:
    """Nobody asked by which key it was: a young one could have notices sent to somebody who had no business there."""
    with pytest.raises(AccountError, match="gone"):
        await one.notices.set(ME, URL, by="SHA256:another")
    assert (await one.notices.of(ME)).shown is None

"""Moderators and those they send home, at real terminals of a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pyte
import pytest

from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.texts import en
from tests.waiting import PATIENCE_S

COLS, ROWS = 80, 24
HERE = en("people.title", n="")
REPORTS = f"r {en('keys.staff.reports')}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), {"PATCHBAY_LIMIT_CHAT_PER_MIN": "1000"}) as server:
        yield server


class Terminal(asyncssh.SSHClientSession[bytes]):
    """A terminal that is read through an emulator."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(COLS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.said = bytearray()
        self.closed = asyncio.Event()
        self.status: int | None = None

    def connection_made(self, chan: Any) -> None:
        self.chan = chan

    def data_received(self, data: bytes, datatype: Any) -> None:
        self.said += data
        self.stream.feed(data)

    def exit_status_received(self, status: int) -> None:
        self.status = status

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    async def shows(self, text: str) -> None:
        """Wait until something stands on the screen."""
        waited_s = 0.0
        while text not in self.text:
            assert not self.closed.is_set(), self.said[-500:]
            assert waited_s < PATIENCE_S, f"no {text!r} on\n{self.text}"
            await asyncio.sleep(0.05)
            waited_s += 0.05

    async def select(self, name: str) -> None:
        """Move through the list of people, line by line, until a name is selected."""
        await self.shows(HERE)
        async with asyncio.timeout(PATIENCE_S):
            while (here := self._row(" › ")) != (there := self._row(f" › {name}")) or there < 0:
                self.chan.write(b"\x1b[A" if 0 <= self._row(f"   {name}") < here else b"\x1b[B")
                with suppress(TimeoutError):  # the list may have moved under the key
                    async with asyncio.timeout(1):
                        while self._row(" › ") == here:
                            await asyncio.sleep(0.02)

    def _row(self, start: str) -> int:
        """Return the first line that begins so, or -1."""
        return next((row for row, line in enumerate(self.screen.display) if line.startswith(start)), -1)

    async def type(self, keys: str, then: str) -> None:
        """Press keys, and wait for what they bring."""
        self.chan.write(keys.encode())
        await self.shows(then)


@asynccontextmanager
async def terminal(server: Server, wish: str, key: asyncssh.SSHKey) -> AsyncIterator[Terminal]:
    """Come with a key; the first time through the first screens."""
    async with asyncssh.connect(
        "127.0.0.1", server.port, username=wish, client_keys=[key], known_hosts=None, config=None, agent_path=None
    ) as connection:
        _, session = await connection.create_session(
            Terminal, term_type="xterm-256color", term_size=(COLS, ROWS), encoding=None
        )
        assert isinstance(session, Terminal)
        yield session


async def newcomer(seated: Terminal) -> None:
    await seated.shows("handle")
    await seated.type("\r", en("keys.calibrate.accept"))
    await seated.type("\r", " Lobby")


async def test_who_registered_at_this_very_terminal_is_sent_home_by_a_ban(server: Server) -> None:
    """The listener knew the session as a guest's for as long as it lasted, so a ban of the account did not reach it."""
    async with terminal(server, "lio", asyncssh.generate_private_key("ssh-ed25519")) as lio:
        await newcomer(lio)
        assert (await server.beside("admin", "ban", "lio", "--why", "spoiling"))[0] == 0
        async with asyncio.timeout(PATIENCE_S):
            await lio.closed.wait()
        assert b"you have to leave: spoiling" in lio.said
        assert lio.status == 4


async def test_a_banned_account_is_not_entered_with_another_key(server: Server, tmp_path: Path) -> None:
    """A key that links itself with a recovery code was a guest's to the listener."""
    async with terminal(server, "anna", asyncssh.generate_private_key("ssh-ed25519")) as anna:
        await newcomer(anna)
        await anna.type("m", en("keys.me.codes"))
        await anna.type("c", en("keys.codes.show"))
        await anna.type("\r", "-")
        codes = [word for line in anna.screen.display for word in line.split() if word.count("-") == 2]
    assert codes
    assert (await server.beside("admin", "ban", "anna", "--why", "spoiling"))[0] == 0
    async with terminal(server, "bella", asyncssh.generate_private_key("ssh-ed25519")) as other:
        await other.shows("handle")
        await other.type("\x1bOR", "code")
        other.chan.write(codes[0].encode() + b"\r")
        async with asyncio.timeout(PATIENCE_S):
            await other.closed.wait()
        assert b"you have to leave: spoiling" in other.said


async def test_a_moderator_reads_a_report_and_bans_whom_it_is_about(server: Server) -> None:
    keys = {name: asyncssh.generate_private_key("ssh-ed25519") for name in ("omid", "mira", "tarn")}
    async with (
        terminal(server, "omid", keys["omid"]) as omid,
        terminal(server, "mira", keys["mira"]) as mira,
        terminal(server, "tarn", keys["tarn"]) as tarn,
    ):
        for one in (omid, mira, tarn):
            await newcomer(one)
        assert (await server.beside("admin", "grant", "omid", "--role", "moderator"))[0] == 0
        await omid.shows(REPORTS)
        await tarn.type("t", "to everybody")
        await tarn.type("you all lose\r", "tarn  you all lose")
        await mira.shows("tarn  you all lose")
        await mira.type("o", HERE)
        await mira.select("tarn")
        await mira.type("r", "enter")
        await mira.type("rude to everybody\r", en("people.reported"))
        await omid.shows(en("reports.waiting", n=1))
        await omid.type("r", "rude to everybody")
        await omid.type("\r", "tarn  you all lose")
        await omid.type("b", en("sanction.ban", name="tarn"))
        await omid.type("\r", en("sanction.ask-why"))
        await omid.type("shouting\r", en("sanction.ask-ban", name="tarn"))
        await omid.type("y", en("sanction.ban-done", name="tarn"))
        async with asyncio.timeout(PATIENCE_S):
            await tarn.closed.wait()
        assert b"shouting" in tarn.said
        assert b"rude to everybody" not in tarn.said, "those are the words of who reported them"
        assert REPORTS not in mira.text
        assert (await server.beside("admin", "revoke", "omid", "--role", "moderator"))[0] == 0
        await omid.shows(" Lobby")


async def test_who_is_blocked_at_a_terminal_is_silent_for_the_person_s_program_too(
    server: Server, tmp_path: Path
) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("vera", "walt")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["vera"]) as vera, server.bot(keys["walt"]) as walt:
        for bot in (vera, walt):
            await bot.ask(do="seek", game="rainet", speed="slow", rated=False)
        match = (await vera.until("start"))["match"]
        await walt.until("start")
        assert (await walt.ask(do="say", match=match, text="before"))["type"] == "ok"
        assert (await vera.until("say"))["text"] == "before"
        async with terminal(server, "vera", asyncssh.read_private_key(keys["vera"])) as seated:
            await seated.shows(en("keys.calibrate.accept"))
            await seated.type("\r", "RaiNet")
            await seated.type("\x1b", " Lobby")
            await seated.type("o", HERE)
            await seated.select("walt")
            await seated.type("x", en("people.ask-block", name="walt"))
            await seated.type("y", en("people.blocked", name="walt")[:16])
        for n in range(20):  # the program hears of it within a second or so
            assert (await walt.ask(do="say", match=match, text=f"after {n}"))["type"] == "ok"
            for _ in range(30):  # what is told at all is told within half a second
                await vera.ask(do="pong")
                told = [message["text"] for message in vera.seen if message["type"] == "say"]
                if f"after {n}" in told:
                    break
                await asyncio.sleep(0.1)
            else:
                return
        raise AssertionError(told)


async def test_connections_that_only_wait_end_with_a_ban_of_their_network(server: Server) -> None:
    """Whoever was in without a session stayed: a flood could be banned and hold its connections for ever."""
    connection = await asyncssh.connect(
        "127.0.0.1",
        server.port,
        local_addr=("127.0.0.91", 0),
        client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        known_hosts=None,
        config=None,
        agent_path=None,
    )
    assert (await server.beside("admin", "ban", "127.0.0.91", "--why", "a flood"))[0] == 0
    async with asyncio.timeout(PATIENCE_S):
        await connection.wait_closed()

"""Clients that send far more than people can: slowed down, in order, and nobody else waits long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncssh
import pytest

from server.config import Limits
from server.ssh.call import Call
from server.ssh.session import TYPED_AT_ONCE
from tests.ssh import bare as bare_module
from tests.ssh.bare import BareListener, bare_listener, connect
from tests.waiting import PATIENCE_S


class Typist:
    """What a session that shows a screen received."""

    def __init__(self) -> None:
        self.keys: list[Any] = []
        self.most_at_once = 0
        self.done = asyncio.Event()

    async def serve(self, call: Call) -> int:
        assert call.screen is not None

        class Loop:
            def alarm(self, seconds: float, callback: Any) -> None: ...
            def remove_alarm(self, handle: Any) -> bool:
                return False

        call.screen.hook_event_loop(Loop(), self.take)
        call.screen.start()
        await self.done.wait()
        call.screen.stop()
        return 0

    def take(self, keys: list[Any], _: list[int]) -> None:
        self.keys += keys
        self.most_at_once = max(self.most_at_once, len(keys))
        if "Q" in keys:
            self.done.set()


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch) -> Typist:
    typist = Typist()
    monkeypatch.setattr(bare_module, "tell", typist.serve)
    return typist


@pytest.fixture
async def bare(typist: Typist) -> AsyncIterator[BareListener]:
    async with bare_listener(Limits(input_bytes_per_s=160_000)) as bare:
        yield bare


async def shell(connection: asyncssh.SSHClientConnection) -> asyncssh.SSHClientProcess[bytes]:
    process = await connection.create_process(term_type="xterm", term_size=(80, 24), encoding=None)
    await process.stdout.readuntil(b"2004h")
    return process


async def test_a_burst_of_keys_arrives_whole_and_in_pieces(bare: BareListener, typist: Typist) -> None:
    async with connect(bare) as connection:
        process = await shell(connection)
        process.stdin.write(b"ab" * 10_000 + b"Q")
        assert (await asyncio.wait_for(process.wait(), PATIENCE_S)).exit_status == 0
    assert typist.keys == ["a", "b"] * 10_000 + ["Q"]
    assert typist.most_at_once <= TYPED_AT_ONCE


async def test_lines_that_nobody_reads_wait_at_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause for the rate ended the pause for what waits, and lines piled up as fast as they were allowed to."""
    calls: list[Call] = []

    async def reads_nothing(call: Call) -> int:
        calls.append(call)
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(bare_module, "tell", reads_nothing)
    async with bare_listener(Limits(input_bytes_per_s=40_000)) as bare, connect(bare) as connection:
        process = await connection.create_process("anything", encoding=None)
        process.stdin.write((b"a" * 50_000 + b"\n") * 20)
        async with asyncio.timeout(PATIENCE_S):
            while not calls or not calls[0].lines.is_held:
                await asyncio.sleep(0.01)
            [session] = bare.listener.context.sessions
            while "rate" in session.held_by:
                await asyncio.sleep(0.01)
        assert session.held_by == {"lines"}
        assert len(calls[0].lines) == 6
        for _ in range(20):
            assert await calls[0].lines.line() == b"a" * 50_000
        assert "lines" not in session.held_by


async def test_a_thousand_window_sizes_make_few_frames(bare: BareListener, typist: Typist) -> None:
    async with connect(bare) as connection:
        process = await shell(connection)
        for n in range(1000):
            process.change_terminal_size(80 + n % 7, 24)
        process.change_terminal_size(132, 43)
        async with asyncio.timeout(PATIENCE_S):
            while not typist.keys:
                await asyncio.sleep(0)
            sizes = [session.call.screen for session in bare.listener.context.sessions if session.call]
            while sizes[0] is None or sizes[0].get_cols_rows() != (132, 43):
                await asyncio.sleep(0)
        process.stdin.write(b"Q")
        await asyncio.wait_for(process.wait(), PATIENCE_S)
    assert set(typist.keys) == {"window resize", "Q"}
    assert len(typist.keys) < 500

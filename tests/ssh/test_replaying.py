"""`replay` of a long match: others have their turns in between."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.ssh.commands import looking
from server.ssh.commands.table import Visit
from server.ssh.commands.words import Words
from tests.tui.fakeplay import FakeMatch
from tests.tui.positions import person

ENTRIES = 40


@pytest.mark.parametrize("kind", ["text", "cast"])
async def test_a_long_replay_does_not_hold_up_the_house(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = FakeMatch("rainet", (person("mira"), person("tarn")))
    match.seq, written, rounds = ENTRIES, list[str](), 0

    async def opened(visit: Visit) -> FakeMatch:
        return match

    async def out(text: str) -> None:
        written.append(text)

    async def others() -> None:
        nonlocal rounds
        while True:
            await asyncio.sleep(0)
            rounds += 1

    monkeypatch.setattr(looking, "opened", opened)
    call = SimpleNamespace(out=out, env={"LANG": "C.UTF-8"}, language="en")
    visit: Any = SimpleNamespace(call=call, words=Words(("m1",), {"format": kind}))
    turns = asyncio.create_task(others())
    await asyncio.sleep(0)
    await looking.replay(cast(Visit, visit))
    turns.cancel()
    assert written
    assert rounds >= len(written)

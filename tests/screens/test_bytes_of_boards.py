"""What a board costs on a bad line: bytes of entering it and of a key, at 80x24 in true colour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import PLIES, At, match
from tests.session.fakeserver import FakeServer

AT = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
MOST_TO_ENTER = 8_000
MOST_OF_A_KEY = 600
KEYS = ("right", "down", "down", "left", "up", ".", ".", "right", "right", "up")


@pytest.mark.parametrize("plies", [4, 0, 1, 2])
@pytest.mark.parametrize("game", PLIES)
async def test_a_board_of_ten_kilobytes_stood_still_on_a_bad_line(server: FakeServer, game: str, plies: int) -> None:
    """Relati took 9,972 bytes to enter and RaiNet 8,269: each gap between squares had a whole style of its own."""
    match(server, game, plies if plies > 2 else PLIES[game] + plies)
    mira = await AT.seated(server, "esc")
    await mira.type("esc")
    mira.wire.sent.clear()
    await mira.type("enter")
    assert mira.session.pages.top is not mira.session.pages.first
    assert 1_000 < len(mira.wire.sent) <= MOST_TO_ENTER
    await mira.type("right")  # this one may begin to prepare a move, and marks what can be
    for key in KEYS:
        mira.wire.sent.clear()
        await mira.type(key)
        assert len(mira.wire.sent) <= MOST_OF_A_KEY, key


async def test_a_refusal_wrote_the_whole_log_anew(server: FakeServer) -> None:
    """It takes a row of the panel: RaiNet's log had one less, began elsewhere, and took 700 bytes."""
    match(server, "rainet", 20)
    mira = await AT.seated(server, "esc")
    await mira.type("esc", "enter", "down")
    log = mira.rows[7:16]
    mira.wire.sent.clear()
    await mira.type("enter")
    assert mira.session.prompts.said is not None
    assert len(mira.wire.sent) <= MOST_OF_A_KEY
    assert [row[38:] for row in mira.rows[7:16]] == [row[38:] for row in log]


@pytest.mark.parametrize("rows", [24, 25, 26])
async def test_the_log_began_elsewhere_while_one_wrote(server: FakeServer, rows: int) -> None:
    """The chat takes a row of it, though a page had blank ones: its entries moved, and moved back."""
    match(server, "rainet", 21)
    mira = await replace(AT, rows=rows).seated(server, "esc")
    await mira.type("esc", "enter")
    log = [row[38:] for row in mira.rows[7:11]]
    await mira.type("tab")
    assert mira.session.prompts.chats
    assert [row[38:] for row in mira.rows[7:11]] == log

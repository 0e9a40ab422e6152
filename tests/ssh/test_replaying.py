"""`replay` of a long match: others have their turns in between."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pexpect
import pyte
import pytest

from game import registry
from game.cli.commandline import CommandLine
from game.cli.exits import Exit
from game.contract import Result, Seat, Watcher
from server.accounts.identity import Player
from server.admission.reading import MS_PER_MIN, ReadingBudget
from server.boards.recordings import position_text
from server.errors import RateLimited
from server.services import Services
from server.ssh.call import Call
from server.ssh.commands import match as match_command
from server.ssh.commands.all import TABLE
from server.ssh.commands.table import Request
from server.terminal.look import Look
from tests.accounts.keyring import public_key
from tests.boards.positions import person
from tests.clocks import FakeClock
from tests.lobby.conftest import clock, url
from tests.matches.table import MIRA, TARN
from tests.session.evening import MIDDLE
from tests.session.fakeserver import guest
from tests.session.stage import StagedMatch
from tests.ssh.commands import open_commands
from tests.ssh.commands import person as caller

__all__ = ["clock", "url"]

ENTRIES = 40


@pytest.mark.parametrize("kind", ["text", "cast"])
async def test_a_long_replay_does_not_hold_up_the_server(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing changed on the board, a recording went through all its entries in one go."""
    match = StagedMatch("rainet", (person("mira"), person("tarn")))
    match.seq, rounds = ENTRIES, 0

    async def others() -> None:
        nonlocal rounds
        while True:
            await asyncio.sleep(0)
            rounds += 1

    turns = asyncio.create_task(others())
    await asyncio.sleep(0)
    assert await replayed(match, monkeypatch, kind)
    turns.cancel()
    assert rounds >= ENTRIES


async def test_replays_were_counted_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    match, reading = StagedMatch("rainet", (person("mira"), person("tarn"))), ReadingBudget(lambda: 0.0)
    match.seq = MS_PER_MIN  # dearer to draw than a minute allows
    monkeypatch.setattr(StagedMatch, "at", lambda match, seq, viewer: match.snapshot(viewer))
    monkeypatch.setattr(match_command, "board_text", lambda look, snapshot: "")
    reading.begin(guest().sources).expect(MS_PER_MIN)
    with pytest.raises(RateLimited) as refused:
        await replayed(match, monkeypatch, "text", reading)
    assert refused.value.limit == "reading_ms_per_min"


async def replayed(
    match: StagedMatch, monkeypatch: pytest.MonkeyPatch, kind: str, reading: ReadingBudget | None = None
) -> list[str]:
    """Return the lines that `replay` writes to a guest."""
    written = list[str]()

    async def opened(request: Request) -> StagedMatch:
        return match

    class Calling(Call):
        async def out(self, text: str, end: str = "\n") -> None:
            written.append(text)

    monkeypatch.setattr(match_command, "opened", opened)
    call = Calling.__new__(Calling)
    call.env, call.identity = {"LANG": "C.UTF-8"}, guest()
    matches = SimpleNamespace(reading=reading or ReadingBudget(lambda: 0.0))
    line = CommandLine(("m1",), {"format": (kind,)})
    request = Request(call, cast(Services, SimpleNamespace(matches=matches)), line, TABLE)
    await match_command.replay(request)
    return written


async def recorded(match: StagedMatch, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    return [json.loads(line) for line in await replayed(match, monkeypatch, "cast")]


async def test_a_recording_shows_who_plays_holds_its_end_and_leaves_the_terminal_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ended with the cursor hidden in the middle of the board, and nobody knew who was who, or who won."""
    match = StagedMatch("rainet", (person("mira"), person("tarn")), position=MIDDLE)
    match.play(0, "d4e4")
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "resign")}
    _, *frames = await recorded(match, monkeypatch)
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for _, _, text in frames[:-1]:
        stream.feed(text)
    shown = "\n".join(screen.display)
    assert all(word in shown for word in ("▼ tarn", "▲ mira", "2:41"))
    assert "tarn wins" in screen.display[-1]
    stream.feed(frames[-1][2])
    assert frames[-1][0] - frames[-2][0] >= 3
    assert not screen.cursor.hidden
    assert (screen.cursor.attrs.fg, screen.cursor.attrs.bg) == ("default", "default")
    assert (screen.cursor.x, screen.cursor.y) == (0, 23)
    assert not screen.display[-1].strip(), "a prompt has a line of its own"


def ended(game: str) -> StagedMatch:
    match = StagedMatch(game, (person("mira"), person("tarn")), position=MIDDLE if game == "rainet" else "")
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "resign")}
    return match


@pytest.mark.parametrize("game", registry.KEYS)
async def test_every_recording_names_its_seats_with_their_clocks(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a board is as wide as the screen, nobody was named."""
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for _, _, text in (await recorded(ended(game), monkeypatch))[1:-1]:
        stream.feed(text)
    for name in ("mira", "tarn"):
        assert any(name in row and "2:41" in row for row in screen.display[1:-1]), screen.display


async def test_how_it_ended_is_said_whole_below_the_last_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long sentence was cut at the edge, in the middle of the order of places."""
    seats = tuple(person(name) for name in ("mira", "tarn", "somebody-longer1", "somebody-longer2"))
    match = StagedMatch("passage", seats)
    match.changes = {"status": "finished", "result": Result(tuple((Seat(i),) for i in (3, 2, 1, 0)), "last_standing")}
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for _, _, text in (await recorded(match, monkeypatch))[1:-1]:
        stream.feed(text)
    said = " ".join("".join(screen.display[-3:]).split())
    assert "somebody-longer2 › somebody-longer1 › tarn › mira" in said


@pytest.mark.parametrize("rows", [24, 40])
async def test_a_recording_is_played_by_the_real_player_to_its_end(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")), position=MIDDLE)
    match.play(0, "d4e4")
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "resign")}
    lines = await recorded(match, monkeypatch)
    (tmp_path / "m1.cast").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    player = Path(sys.executable).with_name("asciinema")
    shown: pexpect.spawn[bytes] = pexpect.spawn(
        str(player),
        ["play", "--speed", "50", str(tmp_path / "m1.cast")],
        timeout=60,
        dimensions=(rows, 80),
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(tmp_path)},
    )
    await shown.expect(pexpect.EOF, async_=True)
    shown.close()
    assert shown.exitstatus == 0
    assert shown.before is not None
    screen = pyte.Screen(80, rows)
    pyte.ByteStream(screen).feed(shown.before)
    text = "\n".join(screen.display)
    assert all(word in text for word in ("▼ tarn", "▲ mira", "2:41", "tarn wins"))
    assert not screen.cursor.hidden
    assert (screen.cursor.attrs.fg, screen.cursor.attrs.bg) == ("default", "default")
    assert not screen.display[screen.cursor.y].strip(), "a prompt has a line of its own"
    assert not any(row.strip() for row in screen.display[screen.cursor.y :])


READERS = ("record {}", "replay {}", "show {}", "watch {}", "games --finished", "history", "user mira", "top rainet")


@pytest.mark.parametrize("line", [*READERS, "export-my-data", "events", "messages"])
async def test_who_read_without_end_was_counted_nowhere(url: str, clock: FakeClock, line: str) -> None:
    async with open_commands(url, clock) as here:
        match = await here.table.begin(MIRA, TARN, game="rainet")
        await match.resign(Seat(0))
        who = caller(MIRA)
        here.table.matches.reading.begin(who.sources).settle(MS_PER_MIN)
        status, out, err = await here.ssh(who, line.format(match.id))
        assert (status, out) == (Exit.RATE_LIMITED, "")
        assert "reading_ms_per_min" in err


async def test_an_export_was_made_in_one_step_in_which_nobody_moved(url: str, clock: FakeClock) -> None:
    """It was one line of up to 12 MB. It is one document still."""
    async with open_commands(url, clock) as here:
        account = await here.services.accounts.register("wanda", public_key("wanda"), "192.0.2.1")
        who = caller(Player("account", "wanda", account_id=account.account.id))
        turns, real = list[None](), Call.out

        async def out(call: Call, text: str, end: str = "\n") -> None:
            turns.append(None)
            await real(call, text, end)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Call, "out", out)
            status, printed, _ = await here.ssh(who, "export-my-data")
        assert status == Exit.OK
        assert printed.count("\n") == 1
        told = json.loads(printed)
        assert told["type"] == "export"
        assert [row["handle"] for row in told["accounts"]] == ["wanda"]
        assert len(turns) > sum(len(rows) for rows in told.values() if isinstance(rows, list))


async def test_a_replay_had_the_blank_lines_of_a_screen_below_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    match = StagedMatch("netrunner", (person("mira"), person("tarn")))
    lines = await replayed(match, monkeypatch, "text")
    assert lines
    assert [one for one in lines if one.endswith("\n")] == []


def test_how_far_a_match_is_was_said_in_english_behind_its_name() -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")))
    look = Look(language="zh_TW")
    first, *_ = position_text(look, match.snapshot(Watcher.PUBLIC)).splitlines()
    assert first.endswith(look.t("status.live"))

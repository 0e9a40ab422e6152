"""Whole recorded sessions: every byte that reaches another player's terminal is of our own table, or printable."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import asyncssh
import pyte
import pytest

from server.terminal import paint, term
from tests.bench.harness import Program
from tests.hostile.nasty import SEQUENCES
from tests.hostile.stage import ATTACKER, NEIGHBOUR, PLAYER, Stage, open_stage
from tests.texts import en
from tests.waiting import PATIENCE_S

COLS, ROWS = 120, 40
TABLE = (
    *(term.START, term.STOP, term.MOUSE_ON, term.MOUSE_OFF, term.TITLE_PUSH, term.TITLE_POP, term.BELL),
    *(term.PROBE_GROUND, term.PROBE_WIDTH),
    *(paint.CLEAR, paint.ERASE_RIGHT, paint.HIDE_CURSOR, paint.SHOW_CURSOR, "\r\n"),
)
TITLE = rf"\x1b\]2;[^\x00-\x1f\x7f-\x9f]{{0,{term.TITLE_COLS}}}\x07"
TURN = r"(?=\d)(?:2?[12347](?:;|(?=m)))*(?:39|38;5;\d{1,3})?;?(?:49|48;5;\d{1,3})?"  # from another style: what differs
STYLE = rf"\x1b\[(?:0(?:;\d{{1,3}})*|{TURN})m"
PLACE = r"\x1b\[(?P<row>\d{1,3})(?:;(?P<col>\d{1,3}))?H"
COLUMN = r"\x1b\[\d{1,3}G"
ROWS_MOVED = r"\x1b\[\d{1,3};\d{1,3}r\x1b\[\d{1,3}H(?:(?:\x1bD)+|(?:\x1bM)+)\x1b\[r"  # and the whole screen again
OURS = re.compile(
    "|".join((TITLE, ROWS_MOVED, *sorted(map(re.escape, TABLE), key=len, reverse=True), STYLE, PLACE, COLUMN))
)
LINE_CHARS = 250


def foreign(data: bytes) -> list[str]:
    """Return what of a recording is neither of the table nor printable."""
    text, found, at = data.decode("utf-8"), [], 0
    for ours in OURS.finditer(text):
        found += _unprintable(text[at : ours.start()])
        if ours["row"] is not None and not (1 <= int(ours["row"]) <= ROWS and 1 <= int(ours["col"] or 1) <= COLS):
            found.append(ours[0])
        at = ours.end()
    return [*found, *_unprintable(text[at:])]


def _unprintable(text: str) -> list[str]:
    bad = [char for char in text if unicodedata.category(char)[0] == "C" or unicodedata.category(char) in ("Zl", "Zp")]
    return [repr(text)] if bad else []


NASTY = [text for text in SEQUENCES if _unprintable(text)]


@pytest.mark.parametrize("planted", NASTY, ids=ascii)
def test_a_sequence_that_got_through_is_found(planted: str) -> None:
    if planted in ("\r\n", "\x07"):
        return  # of the table as well: a line's end, the bell
    frame = f"{term.START}{paint.CLEAR}\x1b[3;7H\x1b[0;1;31mmallory  "
    assert foreign(f"{frame}hello\x1b[0m".encode()) == []
    assert foreign(f"{frame}{planted}x".encode()) != []


class Recorder(asyncssh.SSHClientSession[bytes]):
    """A terminal that keeps every byte."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.closed = asyncio.Event()
        self.screen = pyte.Screen(COLS, ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def connection_made(self, chan: Any) -> None:
        self.chan = chan

    def data_received(self, data: bytes, datatype: Any) -> None:
        self.data += data
        self._stream.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()

    async def shows(self, text: str, after: int = 0) -> None:
        """Wait until something has been on this terminal."""
        waited_s = 0.0
        while text.encode() not in self.data[after:]:
            assert not self.closed.is_set(), (text, bytes(self.data[-2000:]))
            assert waited_s < PATIENCE_S, f"no {text!r} on\n" + "\n".join(self.screen.display)
            await asyncio.sleep(0.02)
            waited_s += 0.02

    async def stands(self, text: str) -> None:
        """Wait until something stands on this terminal."""
        waited_s = 0.0
        while text not in (now := "\n".join(self.screen.display)):
            assert not self.closed.is_set(), bytes(self.data[-2000:])
            assert waited_s < PATIENCE_S, f"no {text!r} on\n{now}"
            await asyncio.sleep(0.05)
            waited_s += 0.05


async def terminal(connection: asyncssh.SSHClientConnection, command: str | None = None) -> Recorder:
    _, session = await connection.create_session(
        Recorder, command, term_type="xterm-256color", term_size=(COLS, ROWS), encoding=None, request_pty="force"
    )
    assert isinstance(session, Recorder)
    return session


def lines(name: str, chars: int = LINE_CHARS) -> Iterator[tuple[str, str]]:
    """Yield everything nasty in lines of so many characters, each with the word that stands at its end."""
    text, number = "", 0
    for sequence in (*SEQUENCES, " " * chars):
        if len(text) + len(sequence) > chars:
            number += 1
            yield f"{text}{name}{number}end", f"{name}{number}end"
            text = ""
        text += f"{sequence}A"


Person = Callable[[], Awaitable[asyncssh.SSHClientConnection]]


async def person(stage: Stage, handle: str, source: str) -> Person:
    """Register somebody and go through the first screens; return how they come again."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with await stage.connect(source, key) as connection:
        done = await connection.run(f"register {handle}", check=False)
        assert done.exit_status == 0, done.stderr
    async with await stage.connect(source, key) as connection:
        first = await terminal(connection)
        await first.shows("Help")
        first.chan.write(b"\r")
        await first.shows("Lobby")
    return lambda: stage.connect(source, key)


async def test_nothing_anybody_says_reaches_a_terminal_as_it_was_said() -> None:
    settings = {"PATCHBAY_LIMIT_CHAT_PER_MIN": "10000", "PATCHBAY_LIMIT_CHANNELS": "8"}
    settings["PATCHBAY_LIMIT_ACCOUNTS_PER_HOUR"] = "1000"
    recorded: list[Recorder] = []
    async with open_stage(settings) as stage:
        mira, mallory = await person(stage, "mira", PLAYER), await person(stage, "mallory", ATTACKER)
        lobby = await terminal(await mira())
        recorded.append(lobby)
        await lobby.shows("Lobby")
        await be_called(stage, lobby)
        await name_rooms(mallory, lobby)
        await say_in_the_lobby(mallory, lobby)
        await report(stage, mira, mallory, lobby)
        recorded += await say_in_a_match(stage, mira, mallory)
        await say_as_an_admin(stage, lobby)
        recorded.append(lobby)
    for one in recorded:
        assert len(one.data) > 2000
        assert foreign(bytes(one.data)) == []


async def be_called(stage: Stage, lobby: Recorder) -> None:
    """Register as each of them, where what is left is a handle; then be read in the list of who is here."""
    made: list[tuple[str, asyncssh.SSHKey]] = []
    for sequence in SEQUENCES:
        key, said = asyncssh.generate_private_key("ssh-ed25519"), sequence.replace("\x00", "")
        async with await stage.connect(ATTACKER, key) as connection:
            for words in (("user", said), ("history", said), ("register", f"m{said}y"[:40])):
                done = await connection.run(" ".join(words), check=False)
            if done.exit_status == 0:
                made.append((str(done.stdout).splitlines()[0].rpartition(" ")[2], key))  # welcome, NAME
    assert len(made) > 3, "what is left of some of them is a handle"
    for handle, key in made[-3:]:
        async with await stage.connect(ATTACKER, key) as connection:
            await (await terminal(connection)).shows("Help")
            program = Program(await connection.create_process("bot"))
            await program.until("hello")
            lobby.chan.write(b"o")
            await lobby.stands("Who is here:")
            await lobby.stands(handle)
            lobby.chan.write(b"\x1b")
            await lobby.stands("Play a bot")


async def name_rooms(mallory: Person, lobby: Recorder) -> None:
    """Name rooms after it all; they are read in the lobby, and in the rooms, but for titles that are refused."""
    program = Program(await (await mallory()).create_process("bot"))
    await program.until("hello")
    rooms: list[tuple[str, str]] = []
    for text, _ in lines("", 60):
        word = f"room{len(rooms)}x"
        program.send(do="create", game="rainet", players=2, title=f"{word}{text}"[:40])
        made = await program.until("room", "error")
        if made["type"] == "error":
            assert made["error"] == "illegal"
            program.send(do="create", game="rainet", players=2, title=word)
            made = await program.until("room")
        rooms.append((word, made["code"]))
    for word, _ in rooms[:12]:  # as many as there is room for, the oldest first
        await lobby.stands(word)
    for word, code in rooms[12:]:
        lobby.chan.write(b"c" + code.encode() + b"\r")
        await lobby.stands(word)
        await asyncio.sleep(0.5)
        lobby.chan.write(b"\x1b")
        await lobby.stands("Play a bot")
    program.send(do="cancel")
    await program.until("ok")


async def report(stage: Stage, mira: Person, mallory: Person, lobby: Recorder) -> None:
    """Report somebody for it all; a moderator reads that at the desk, and as a command's answer.

    It is a third person: nobody reads what is reported about them.
    """
    await stage.beside("admin", "grant", "mira", "--role", "moderator")
    await lobby.stands("Reports")
    tarn = await (await person(stage, "tarn", PLAYER))()
    await (await terminal(tarn)).stands("Lobby")
    connection = await mallory()
    talker = await terminal(connection)
    await talker.stands("Lobby")
    talker.chan.write(b"o")
    await talker.stands("Challenge")
    await talker.stands("tarn")
    for _ in range(8):
        if any("›" in row and "tarn" in row for row in talker.screen.display):
            break
        talker.chan.write(b"\x1b[B")
        await asyncio.sleep(0.5)
    for text, _ in lines("why"):
        talker.chan.write(b"r")
        await talker.stands("Cancel")
        talker.chan.write(b"\x1b[200~why" + text.replace("\x1b[201~", "").encode() + b"\x1b[201~\r")
        await talker.stands("moderators")
    lobby.chan.write(b"r")
    await lobby.stands(en("reports.title", n=2))
    lobby.chan.write(b"\r")
    await lobby.stands("as it stood")
    for key in (b"\x1b[H", *[b"\x1b[6~"] * 4):
        lobby.chan.write(key)
        await asyncio.sleep(0.3)
    lobby.chan.write(b"\x1b")
    await lobby.stands(en("reports.title", n=2))
    asked = []
    for command in ("admin reports", "admin reports --json", "admin audit", "admin sessions"):
        asked.append(await terminal(await mira(), command))
        async with asyncio.timeout(PATIENCE_S):
            await asked[-1].closed.wait()
        asked[-1].data = bytearray(bytes(asked[-1].data).replace(b"\t", b" "))  # ours: between the columns
    assert all(b"why2end" in one.data and b"said2end" in one.data for one in asked[:2])
    for one in asked:
        assert foreign(bytes(one.data)) == []
    connection.close()


async def say_in_the_lobby(mallory: Person, lobby: Recorder) -> None:
    """Paste it all into the lobby's chat."""
    connection = await mallory()
    talker = await terminal(connection)
    await talker.shows("Lobby")
    talker.chan.write(b"t")
    for text, word in lines("said"):
        talker.chan.write(b"\x1b[200~" + text.replace("\x1b[201~", "").encode() + b"\x1b[201~\r")
        await lobby.shows(word)
    connection.close()


async def say_in_a_match(stage: Stage, mira: Person, mallory: Person) -> list[Recorder]:
    """Say it all beside a board, to the other player and to who looks on."""
    program = Program(await (await mallory()).create_process("bot"))
    await program.until("hello")
    program.send(do="create", game="rainet", players=2, speed="daily")
    code = (await program.until("room"))["code"]
    board = await terminal(await mira(), f"join {code}")
    match = (await program.until("start"))["match"]
    async with await stage.connect(NEIGHBOUR) as guest:
        onlooker = await terminal(guest, f"watch {match}")
        await onlooker.shows("mallory")
        for text, word in lines("told"):
            program.send(do="say", match=match, text=text)
            await board.shows(word)
            await onlooker.shows(word)
    return [board, onlooker]


async def say_as_an_admin(stage: Stage, lobby: Recorder) -> None:
    """Even what admins say is cleaned: they may have copied it from somewhere."""
    text = "".join(f"{sequence}A" for sequence in SEQUENCES[:40]).replace("\x00", "")[:150]
    await stage.beside("admin", "announce", "announced " + text)
    await lobby.shows("announced")
    await stage.beside("admin", "ban", "mira", "--why", text + "banned")
    async with asyncio.timeout(PATIENCE_S):
        await lobby.closed.wait()
    assert b"banned" in lobby.data

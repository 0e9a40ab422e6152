"""What breaks terminals, and every field of the server that somebody's text goes into."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from tests.contracts import raw
from tests.hostile.attacking import shell
from tests.hostile.stage import Stage
from tests.ssh.client import Guest

SEQUENCES = (
    *("\x1b[2J", "\x1b[31m", "\x1b[?1049l", "\x1b[6n", "\x1b[c", "\x1b[21t", "\x1b[999;999H", "\x1b[1000b", "\x1bc"),
    *("\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "\x1b]2;x\x1b\\"),
    *('\x1bP$q"p\x1b\\', "\x1bP1;2qpixels\x1b\\", "\x1b_Gf=24;AAAA\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\"),
    *("\x9b31m", "\x9b2J", "\x9d0;x\x9c", "\x90q\x9c", "\x9fapc\x9c", "\x85", "\x8d"),
    *("\x0e", "\x0f", "\x1b(0lqk\x1b(B", "\x1b#8", "\x1b%G", "\x1b%@", "\x05", "\x07", "\x08\x08\x08", "\x0b", "\x0c"),
    *("\r\n", "\r", "\n", "\t", "\x00", "\x7f", "\x11", "\x13", "\x18", "\x1a"),
    *("\u202e", "\u2066", "\u2069", "\u200e", "\u200b", "\u200d", "\ufeff", "\u2028", "\u2029", "\u00ad"),
    *("a" + "\u0300" * 30, "\u3164", "\u2800", "\U000e0041", "\ue000", "\uffff", "\U0001f1e9\U0001f1ea", "\ufe0f"),
)


def everything() -> str:
    """Return all of them in one text, cut apart by letters."""
    return "".join(f"{sequence}A" for sequence in SEQUENCES)


async def command(stage: Stage, text: str, *words: str) -> None:
    """Give a text to a command, as an argument and by itself."""
    async with await stage.connect() as connection:
        await connection.run(" ".join((*words, text)), check=False, encoding=None)


async def in_commands(stage: Stage, text: str) -> None:
    """Say it to every command that takes a word."""
    one_word = ("register", "user", "history", "show", "watch", "top", "help", "replay", "rename", "nonsense")
    several = (("games", "--game"), ("keys", "link"), ("admin", "ban"), ())
    for words in (*((word,) for word in one_word), *several):
        await command(stage, text.replace("\x00", ""), *words)


async def in_the_environment(stage: Stage, text: str) -> None:
    """Say it as TERM, as the language, as the user name and as the version of one's client."""

    class Named(Guest):
        def connection_made(self, conn: Any) -> None:
            raw.call_oneself(conn, text[:300])

    async with await stage.connect(client_factory=Named) as connection:
        env: Any = {"LANG": text[:60], "LC_ALL": text[60:120], "COLORTERM": text[:60], "NO_COLOR": text[:20]}
        await connection.run("whoami", env=env, term_type=text[:200], check=False, encoding=None)


async def on_screens(stage: Stage, text: str) -> None:
    """Type it wherever the screens take text: handle, chat, filter, invite code."""
    for opening in (b"", b"\x07\r\rt", b"\x07\r\r/", b"\x07\r\rc"):  # ctrl-g: as a guest
        async with await stage.connect() as connection:
            session = await shell(connection)
            for part in (
                opening,
                text.encode("utf-8", "replace"),
                b"\r",
                b"\x1b[200~" + text.encode() + b"\x1b[201~\r",
            ):
                session.chan.write(part)
                await asyncio.sleep(0.1)


async def to_programs(stage: Stage, text: str) -> None:
    """Say it in every field of the bot protocol."""
    async with await stage.connect() as connection:
        process = await connection.create_process("bot", encoding=None)
        for order in (
            {"do": text},
            {"do": "seek", "game": text, "speed": text},
            {"do": "join", "code": text[:64]},
            {"do": "act", "match": text[:64], "seq": 1, "action": text},
            {"do": "say", "match": text[:64], "text": text},
            {"do": "create", "game": "rainet", "options": {text[:64]: text}},
            {"do": "seek", "game": "rainet", "deck": text, "id": text[:200]},
        ):
            process.stdin.write(json.dumps(order, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        process.stdin.write_eof()
        await asyncio.wait_for(process.stdout.read(), 20)


FIELDS: tuple[Callable[[Stage, str], Awaitable[None]], ...] = (
    in_commands,
    in_the_environment,
    on_screens,
    to_programs,
)

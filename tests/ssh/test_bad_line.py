"""A bad line: late, held up, cut anywhere, hung up. What is typed arrives in order, and whole or not at all."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

from tests.durability.proxy import Weather, proxy
from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.ssh.terminal import Terminal, at_terminal
from tests.texts import en
from tests.waiting import until

BAD = Weather(latency_s=0.0, stall=0.02, stall_s=1.5, reset=0.0, dribble=0.1, delay_s=0.15, cut=0.02, held_s=0.2)
LINES = ("déjà vu, 連奕!", "a longer one: the quick brown fox jumps over the lazy dog", "bye")


async def type_in_pieces(terminal: Terminal, text: str, rng: random.Random) -> None:
    """Type bytes in pieces, which end within a character now and then."""
    data = text.encode()
    while data:
        size = rng.randint(1, 4)
        terminal.write(data[:size])
        data = data[size:]
        await asyncio.sleep(rng.random() * 0.1)


async def come_to_lobby(terminal: Terminal) -> None:
    await terminal.shows(en("keys.calibrate.accept"))
    await terminal.press("\r", en("keys.lobby.quit"))


async def test_what_is_typed_on_a_bad_line_arrives_in_order_and_whole(tmp_path: Path) -> None:
    rng = random.Random(5)
    with running(tmp_path) as server:
        keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
        for name, key in keys.items():
            await server.register(name, key)
        async with at_terminal(server, keys["tarn"], "tarn") as calm, proxy(server.port, BAD, rng) as line:
            await come_to_lobby(calm)
            async with at_terminal(server, keys["mira"], "mira", line.port) as mira:
                await come_to_lobby(mira)
                await mira.press("\t", en("keys.chat.send"))
                for text in LINES:
                    await type_in_pieces(mira, f"{text}\r", rng)
                await calm.shows(LINES[-1])
            assert line.stalls
            at = [calm.text.index(text[:8]) for text in LINES]
            assert at == sorted(at), calm.text


async def test_a_line_that_drops_in_the_middle_of_a_move_leaves_the_seat_and_no_half_a_move(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        key = new_key(tmp_path, "mira")
        await server.register("mira", key)
        async with server.bot(key) as bot:
            begun = await bot.ask(do="seek", game="rainet", against="bot:easy")
            turn = await bot.until("turn")
            await bot.ask(do="act", match=begun["match"], seq=turn["seq"], action="setup LLLLVVVV")
            turn = await bot.until("turn")
        first = turn["pending"]["choice"]["one_of"][0]
        async with proxy(server.port, BAD, random.Random(6)) as line:
            async with at_terminal(server, key, "mira", line.port) as mira:
                await come_to_lobby(mira)
                await mira.press("\r", en("keys.everywhere.back"))
                await mira.press(":", en("keys.text.accept"))
                mira.write(first[:-1].encode())
                await mira.shows(first[:-1])
                line.weather = replace(BAD, reset=1.0)
                mira.write(b"\r")
                await until(lambda: line.resets > 0)
            line.weather = BAD
            [shown] = await server.json("games", "--live")
            assert shown["seq"] == turn["seq"], "half a move was made"
            async with at_terminal(server, key, "mira", line.port) as mira:
                await mira.shows(en("keys.lobby.quit"))
                await mira.press("\r", en("keys.everywhere.back"))
                await mira.press(":", en("keys.text.accept"))
                await type_in_pieces(mira, f"{first}\r", random.Random(7))

                async def went_on() -> bool:
                    [shown] = await server.json("games", "--live")
                    return bool(shown["seq"] > turn["seq"])

                await until(went_on, pause_s=0.2)

"""A whole match by OpenSSH clients: one plays in lines over a pipe, one on screens, one watches in lines."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from game import registry
from game.choices import expand
from game.contract import Action
from server.session.heldkeys import HOLD_S
from tests.ssh.client import new_key
from tests.ssh.dialogue import Dialogue, dialogue
from tests.ssh.server import Server, running
from tests.ssh.terminal import Terminal, at_terminal
from tests.texts import en
from tests.waiting import until

NAMES = ("mira", "tarn", "zoe")
DROPS_AT = 4  # moves after which the line of who plays in lines drops
MOST_MOVES = 60
PAUSE_S = 0.1
LIKED = ("N", "L", "R")  # attack, else locate, else connect: that ends soon
CELL = re.compile(r"[a-w][1-9][0-9]?")
ERASE = b"\x15"


def chosen(actions: list[str], rng: Random) -> str:
    """Return an action of the kind that is liked best."""
    for kind in LIKED:
        if found := [one for one in actions if one.startswith(kind)]:
            return rng.choice(found)
    return rng.choice(actions)


async def seat_two(server: Server, keys: dict[str, Path]) -> None:
    """Begin a match of Relati between mira and tarn, whose turn it is: he comes to the board by himself."""
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn:
        made = await tarn.ask(do="create", game="relati", speed="slow", **{"as": 0})
        await mira.ask(do="join", code=made["code"])
        await mira.until("start")


async def at_board_in_lines(stack: AsyncExitStack, server: Server, key: Path) -> Dialogue:
    """Come to the board over a plain pipe; from the lobby where it is not one's turn."""
    mira = await stack.enter_async_context(dialogue(server, key, "mira"))
    await mira.read()
    while "(O)" not in mira.heard:
        await asyncio.sleep(PAUSE_S)
        await mira.type("1" if "1: " in await mira.type("again") else "")
    return mira


async def type_on_screens(tarn: Terminal, text: str) -> None:
    """Type a move in its notation; just after the board has changed, keys are ignored."""
    while en("match.ask.move") not in tarn.text:
        tarn.write(b":")
        await asyncio.sleep(HOLD_S)
    tarn.write(ERASE + text.encode() + b"\r")


async def heard_since(listener: Dialogue, at: int, words: str) -> None:
    """Wait until something was said after so many characters."""
    while words not in listener.heard[at:]:
        assert await listener.hear(), listener.heard[-2000:]


async def board_at_the_end(listener: Dialogue) -> list[str]:
    """Return what is said of the board when all is over, without who listens and whose pieces come first."""
    await heard_since(listener, 0, en("lines.prompt.over"))
    return sorted((await listener.type("board")).replace("You (", "mira (").splitlines())


async def test_a_match_in_lines_and_on_screens_is_played_to_its_end_over_a_drop(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in NAMES}
    rules, rng, acted = registry.get("relati"), Random(7), 0
    state = rules.setup({}, 2, bytes(32)).state
    with running(tmp_path) as server:
        await seat_two(server, keys)
        async with AsyncExitStack() as stack:
            zoe = await stack.enter_async_context(dialogue(server, keys["zoe"], "zoe"))
            await zoe.read()
            while "1: live" not in await zoe.type("again"):  # the lobby is told of a match a little later
                await asyncio.sleep(PAUSE_S)
            await zoe.type("1")
            await heard_since(zoe, 0, "(O)")
            mira = await at_board_in_lines(stack, server, keys["mira"])
            tarn = await stack.enter_async_context(at_terminal(server, keys["tarn"], "tarn"))
            await tarn.shows(en("keys.calibrate.accept"))
            await tarn.press("\r", "Put your source")
            while acted < MOST_MOVES and (owed := next(iter(rules.pending(state)), None)) is not None:
                text = chosen([one.text for one in expand(owed.choice)], rng)
                state, acted = rules.apply(state, owed.seat, Action(text)).state, acted + 1
                if acted == DROPS_AT:
                    assert mira.process.stdin is not None
                    mira.process.stdin.write(text[:2].encode())  # half a line
                    mira.process.kill()
                    mira = await at_board_in_lines(stack, server, keys["mira"])
                at = {one: len(one.heard) for one in (mira, zoe)}
                if owed.seat == 1:
                    await mira.write(text)
                else:
                    await type_on_screens(tarn, text)
                cell = CELL.findall(text)[0]
                for one in (mira, zoe):
                    await heard_since(one, at[one], cell)
            assert rules.pending(state) == (), acted
            assert await board_at_the_end(mira) == await board_at_the_end(zoe)
            await until(lambda: "You won" in tarn.text or "You lost" in tarn.text)
            assert ("You lost" in tarn.text) == ("You won" in mira.heard)

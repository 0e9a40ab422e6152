"""A guest's match against a server that runs somewhere else: `python -m tests.deploy.match HOST PORT play|stay|replay`.

`play` plays a match of RaiNet against the easy bot to its end and compares its record; `stay` opens a terminal, says
`ready` and stays until it is sent home (the server drains), which must come with a sentence and exit code 75; `replay`
fetches the newest finished match's record and plays it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import pexpect

from tests.ssh.client import run, ssh_options
from tests.ssh.server import BotClient
from tests.waiting import PATIENCE_S

MOST_ACTIONS = 400


def command(host: str, port: int, *words: str, options: tuple[str, ...] = ()) -> list[str]:
    return ["ssh", *ssh_options(port, None), *options, f"guest@{host}", *words]


def any_of(choice: dict[str, Any], rng: random.Random) -> str:
    """Return an answer to a choice as the bot protocol shows it."""
    match choice:
        case {"one_of": [_, *_] as texts}:
            return str(rng.choice(texts))
        case {"subset": {"verb": verb, "items": items, "min": least}}:
            return " ".join([verb, *rng.sample(items, least)])
        case {"number": {"verb": verb, "low": low}}:
            return f"{verb} {low}"
    raise AssertionError(choice)


async def play(host: str, port: int) -> str:
    """Play to the end, or resign when it takes too long; then play the record again."""
    rng = random.Random(1)
    client = await BotClient.connect(command(host, port, "bot"))
    try:
        begun = await client.ask(do="seek", game="rainet", against="bot:easy")
        assert begun["type"] == "ok", begun
        match, acted = begun["match"], 0
        while (heard := await client.until("turn", "end"))["type"] == "turn":
            order = {"match": match, "seq": heard["seq"]}
            if acted == MOST_ACTIONS:
                answer = await client.ask(do="resign", match=match)
            else:
                answer = await client.ask(do="act", action=any_of(heard["pending"]["choice"], rng), **order)
            assert answer["type"] == "ok" or answer["error"] == "stale", answer
            acted += 1
    finally:
        await client.close()
    return f"{acted} actions of a guest, {heard['result']['reason']}; {await agrees(host, port, match)}"


async def agrees(host: str, port: int, match: str) -> str:
    """Fetch a record and play it with the rules on the command line. Raises AssertionError when it differs."""
    status, record, err = await run(command(host, port, "record", match))
    assert status == 0, err
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "record"
        file.write_text(record)
        status, out, err = await run([sys.executable, "-m", "game", "replay", str(file)])
    assert status == 0, (out, err)
    return f"the record of {match} agrees ({len(record.splitlines())} lines)"


async def replay(host: str, port: int) -> str:
    status, out, err = await run(command(host, port, "games", "--finished", "--json"))
    assert status == 0, err
    return await agrees(host, port, json.loads(out.splitlines()[0])["match"])


async def stay(host: str, port: int) -> str:
    line = command(host, port, options=("-t",))
    client: pexpect.spawn[bytes] = pexpect.spawn(
        line[0], line[1:], env={**os.environ, "TERM": "xterm"}, dimensions=(24, 80), timeout=PATIENCE_S
    )
    await client.expect_exact("\x1b[?1049h", async_=True)
    print("ready", flush=True)
    await client.expect(pexpect.EOF, async_=True)
    with contextlib.suppress(pexpect.ExceptionPexpect):
        client.close()
    assert client.before is not None
    said = client.before.decode(errors="replace").rpartition("\x1b[?1049l")[2].split("\n")
    assert client.exitstatus == 75, (client.exitstatus, said)
    return f"a session was told {[line.strip() for line in said if line.strip()]} and ended with 75"


def main(host: str, port: str, what: str) -> None:
    print(asyncio.run({"play": play, "stay": stay, "replay": replay}[what](host, int(port))))


if __name__ == "__main__":
    main(*sys.argv[1:])

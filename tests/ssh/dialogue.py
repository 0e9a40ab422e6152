"""A program that plays over a pipe: it reads the text of `ssh -T HOST lines`, and nothing else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from tests.ssh.server import HANGS_UP_S, Server
from tests.texts import en
from tests.waiting import PATIENCE_S

PROMPT = "> "
MOVE = re.compile(r'(?:^|;)\s*((?:"[^"]*"|[^:;"]|:(?! ))+): [^;]+')  # a target holds colons: `choose ice:hq:0`


class Dialogue:
    """One end of the pipe. `heard`: all that was said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.heard = ""
        self._at = 0  # of what was read

    async def read(self) -> str:
        """Return what is said up to a prompt."""
        assert self.process.stdout is not None
        while not self.heard[self._at :].endswith(PROMPT):
            data = await asyncio.wait_for(self.process.stdout.read(65536), PATIENCE_S)
            if not data:
                break
            self.heard += data.decode()
        said, self._at = self.heard[self._at :], len(self.heard)
        return said

    async def hear(self) -> bool:
        """Wait for more to be said, with a prompt or without; tell whether anything was."""
        assert self.process.stdout is not None
        data = await asyncio.wait_for(self.process.stdout.read(65536), PATIENCE_S)
        self.heard += data.decode()
        self._at = len(self.heard)
        return bool(data)

    async def until(self, text: str) -> str:
        """Return what is said up to the prompt after this text."""
        said = await self.read()
        while text not in said:
            more = await self.read()
            assert more, (text, self.heard[-2000:])
            said += more
        return said

    async def write(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def type(self, line: str) -> str:
        """Type a line; return what is said up to the next prompt."""
        await self.write(line)
        return await self.read()

    @property
    def prompt(self) -> str:
        """Return the prompt that was said last."""
        return self.heard.rpartition("\n")[2]

    async def close(self) -> int:
        """End the input; return the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        await asyncio.wait_for(self.process.communicate(), HANGS_UP_S)
        return self.process.returncode or 0


@asynccontextmanager
async def dialogue(server: Server, key: Path | None = None, user: str = "mira") -> AsyncIterator[Dialogue]:
    """Open a dialogue over a plain pipe."""
    pipe = asyncio.subprocess.PIPE
    command = server.command("lines", key=key, user=user, options=("-T",))
    made = Dialogue(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe))
    try:
        yield made
    finally:
        if made.process.returncode is None:
            await made.close()


def template(key: str, **parts: str) -> re.Pattern[str]:
    """Return what finds a sentence and its parts, each of which is named with what it looks like."""
    text = re.escape(en(key, **{name: f"{name}" for name in parts}))
    for name, looks in parts.items():
        text = text.replace(name, f"(?P<{name}>{looks})", 1)
    return re.compile(text)


TITLE = "|"  # in the place of the line that names a kind
ITEMS = rf"[^{TITLE}]*"
ORDER = template("lines.order", verb=r"\S+", items=ITEMS)
PICK_ONE = template("lines.pick-one", verb=r"\S+", items=ITEMS)
PICK_ALL = template("lines.pick-all", verb=r"\S+", most="[0-9]+", items=ITEMS)
PICK = template("lines.pick", verb=r"\S+", least="[0-9]+", most="[0-9]+", items=ITEMS)


def moves_in(said: str, rng: Random) -> list[str]:
    """Return the actions that `moves` has said: what stands before what each does; of a pick one, drawn at random."""
    lines = said.rpartition("\n")[0].splitlines()
    text = " ".join(TITLE if line.endswith((".", "?")) else line for line in lines).strip()
    for kind in (ORDER, PICK_ONE, PICK_ALL, PICK):
        if (found := kind.search(text)) is not None:
            items = [one.partition(": ")[0].strip() for one in found["items"].split("; ")]
            least = most = len(items) if kind is ORDER else 1
            if kind is PICK_ALL:
                least = most = int(found["most"])
            elif kind is PICK:
                least, most = int(found["least"]), int(found["most"])
            return [" ".join((found["verb"], *rng.sample(items, rng.randint(least, most))))]
    return [one.strip() for one in MOVE.findall(text.replace(TITLE, ";"))]

"""Two people at a board: they move with the arrow keys and enter, as people do, and know where everything stands.

The generator holds the rules' own state of each match (it knows both placements), so it types legal moves only, and
can say afterwards how many entries the server's log must have.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from game import registry
from game.contract import Action, OneOf, Seat
from game.rainet.board import SQUARES
from server.session.heldkeys import HOLD_S
from tests.bench.harness import Program
from tests.load.client import BELL, CURSOR, DOWN, LEFT, LONGEST_S, RIGHT, UP, Client, Screen, connect, terminal
from tests.load.people import Somebody

SETUP = "setup LVLVVLVL"
STARTS = (SQUARES["d2"], SQUARES["e7"])
ENTER = b"\r"


@dataclass(slots=True)
class Times:
    """What was measured, in seconds."""

    cursor: list[float] = field(default_factory=list)  # cursor key to changed screen, on boards
    lobby: list[float] = field(default_factory=list)  # the same in the lobby's list
    move: list[float] = field(default_factory=list)  # a move's last key to the opponent's bell
    unanswered: int = 0  # keys in the lobby's list that changed nothing
    lost: list[str] = field(default_factory=list)  # what went wrong


@dataclass(slots=True)
class Table:
    """A match between two clients, and what is known of it."""

    clients: tuple[Client, Client]
    rng: Random
    game: Any = field(default_factory=lambda: registry.get("rainet"))
    between_keys_s: float = 0.12
    match: str = ""
    state: Any = None
    cursors: list[int] = field(default_factory=list)
    changed_at: float = float("-inf")  # by the loop's clock: when the side to move heard that it is its turn
    entries: dict[str, int] = field(default_factory=dict)  # match id: actions that its log must have

    @classmethod
    async def sit_down(cls, port: int, people: tuple[Somebody, Somebody], rng: Random) -> Table:
        """Let two people log in and begin a match, the cards placed; each then looks at the board."""
        connections = [await connect(port, who) for who in people]
        ends = [await Program.over(connection) for connection in connections]
        table = cls((Client(people[0], connections[0], Screen()), Client(people[1], connections[1], Screen())), rng)
        await table._begin(ends)
        for client in table.clients:
            client.screen = await terminal(client.connection)
        return table

    async def _begin(self, ends: list[Program]) -> None:
        south, north = ends
        terms = {"game": "rainet", "players": 2, "speed": "slow", "rated": False, "options": {"first": "S"}}
        south.send(do="create", private=False, **terms)
        north.send(do="join", code=(await south.until("room"))["code"])
        self.match = str((await south.until("start"))["match"])
        await north.until("start")
        self.state = self.game.setup({"first": "S"}, 2, bytes(32)).state
        for seat, end in enumerate(ends):
            await end.until("turn")
            end.send(do="act", match=self.match, seq=0, action=SETUP)
            await end.until("ok")
            self.state = self.game.apply(self.state, Seat(seat), Action(SETUP)).state
        for end in ends:
            end.process.stdin.write_eof()
            end.process.close()
            await end.process.wait_closed()
        self.cursors = list(STARTS)
        self.entries[self.match] = 2

    @property
    def to_move(self) -> int:
        """Return the seat whose turn it is."""
        return int(self.state.turn)

    async def play(self, every_s: float, until: float, times: Times) -> None:
        """Move until a moment of the loop's clock, each side once in `every_s`; after one match comes another."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.rng.random() * every_s / 2)
        due = loop.time()
        while loop.time() < until:
            try:
                await self.move(times)
            except (ConnectionError, TimeoutError, OSError) as error:
                times.lost.append(f"table {self.match}: {type(error).__name__} {error}")
                return
            due = max(due + every_s / 2, loop.time())
            await asyncio.sleep(due - loop.time())

    async def move(self, times: Times) -> None:
        """Make one move of the side whose turn it is: walk to the card, pick it up, walk on, put it down.

        Keys that answer are held back just after the other side's move, so a player looks at the board first.
        """
        await self._look()
        seat = self.to_move
        start, end, text = self._chosen(seat)
        screen, other = self.clients[seat].screen, self.clients[1 - seat].screen
        await self._walk(seat, start, times)
        await screen.answer(ENTER)
        await asyncio.sleep(self.between_keys_s)
        await self._walk(seat, end, times)
        after = self.game.apply(self.state, Seat(seat), Action(text)).state
        is_over = after.result is not None
        heard, began = other.expect(b"" if is_over else BELL), time.perf_counter()
        screen.press(ENTER)
        times.move.append(await asyncio.wait_for(heard, LONGEST_S) - began)
        self.changed_at = asyncio.get_running_loop().time()
        self.state = after
        self.entries[self.match] += 1
        if is_over:
            await self._again()

    async def _look(self) -> None:
        """Wait until the board takes answers again after it changed by itself."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.changed_at + HOLD_S + self.between_keys_s - loop.time())

    async def _again(self) -> None:
        """Begin another match; the terminals that look at the old one find themselves at its board."""
        await self._begin([await Program.over(client.connection) for client in self.clients])
        await asyncio.sleep(1)

    def _chosen(self, seat: int) -> tuple[int, int, str]:
        """Choose a plain step near the cursor that does not end the match; an ending one if there is no other."""
        choice = self.game.pending(self.state)[0].choice
        assert isinstance(choice, OneOf)
        steps = [a.text for a in choice.actions if len(a.text) == 4 and a.text[:2] in SQUARES and a.text[2:] in SQUARES]
        here = self.cursors[seat]
        steps.sort(key=lambda text: (distance(here, SQUARES[text[:2]]), self.rng.random()))
        calm = [text for text in steps if self.game.apply(self.state, Seat(seat), Action(text)).state.result is None]
        text = (calm or steps)[0]
        return SQUARES[text[:2]], SQUARES[text[2:]], text

    async def _walk(self, seat: int, to: int, times: Times) -> None:
        screen = self.clients[seat].screen
        for key in keys_between(self.cursors[seat], to, seat):
            times.cursor.append(await screen.answer(key, CURSOR))
            await asyncio.sleep(self.between_keys_s)
        self.cursors[seat] = to


def distance(a: int, b: int) -> int:
    """Return how many keys lie between two squares."""
    return abs(a % 8 - b % 8) + abs(a // 8 - b // 8)


def keys_between(a: int, b: int, seat: int) -> list[bytes]:
    """Return the arrow keys from one square to another, as a seat sees the board.

    >>> keys_between(SQUARES["d2"], SQUARES["c4"], 0) == [LEFT, UP, UP], keys_between(11, 11, 1)
    (True, [])
    """
    files, ranks = b % 8 - a % 8, b // 8 - a // 8
    if seat == 1:
        files, ranks = -files, -ranks
    return [RIGHT if files > 0 else LEFT] * abs(files) + [UP if ranks > 0 else DOWN] * abs(ranks)

"""Clients that play and look on through anything: they note what was acknowledged and shown, and always come back."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import asyncssh

PATIENCE_S = 90.0  # for one connection to be made, on a machine that does much else
AGAIN_S = 0.1
TROUBLES = (OSError, EOFError, TimeoutError, asyncssh.Error, asyncssh.ProcessError)
Message = dict[str, Any]
Dial = Callable[[], int]  # the port to call now


@dataclass(frozen=True, slots=True)
class Sent:
    """An action on its way to the server: the answer to what was told at entry `turn`."""

    match: str
    seat: int
    action: str
    turn: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An action that the server said it has stored. `after`: what anybody was told of as stored before it was sent."""

    match: str
    seq: int
    seat: int
    action: str
    after: int = 0


@dataclass(slots=True)
class Stretch:
    """What somebody was shown without a break: the events after entry `after`. `seat` None: a spectator."""

    match: str
    after: int
    events: list[tuple[int, Message]] = field(default_factory=list)
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A position as a player was shown it."""

    match: str
    seat: int
    seq: int
    view: Message


@asynccontextmanager
async def connection(port: int, key: asyncssh.SSHKey) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Log in; hang up without any ceremony at the end."""
    async with asyncio.timeout(PATIENCE_S):
        made = await asyncssh.connect(
            "127.0.0.1", port, username="x", client_keys=[key], known_hosts=None, agent_path=None, config=None,
            keepalive_interval=10, keepalive_count_max=6, login_timeout=PATIENCE_S,
        )  # fmt: skip
    try:
        yield made
    finally:
        made.abort()


def answer_to(choice: Message, rng: Random) -> str:
    """Return an answer to a choice, as the bot protocol shows choices."""
    match choice:
        case {"one_of": [_, *_] as texts}:
            return str(rng.choice(texts))
        case {"subset": {"verb": verb, "items": items, "min": least}}:
            return " ".join([verb, *rng.sample(items, least)])
        case {"number": {"verb": verb, "low": low, "high": high}}:
            return f"{verb} {rng.randint(low, high)}"
    raise AssertionError(choice)


async def _messages(process: asyncssh.SSHClientProcess[str]) -> AsyncIterator[Message]:
    """Yield what the server says, until it ends or is cut off in the middle of a line."""
    while (matchlog := await process.stdout.readline()).endswith("\n"):
        yield json.loads(matchlog)


@dataclass
class Player:
    """Plays whatever it is in, and seeks when it is in nothing."""

    name: str
    key: asyncssh.SSHKey
    dial: Dial
    rng: Random
    game: str = "rainet"
    newest: dict[str, int] = field(default_factory=dict)  # shared by all: by match, the last entry acknowledged
    acknowledged: list[Acknowledged] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    ends: list[tuple[str, Any]] = field(default_factory=list)  # match, and the result that was told
    told: Counter[str] = field(default_factory=Counter)  # refusals by code
    matches: dict[str, int] = field(default_factory=dict)  # every match, and the seat in it
    visits: int = 0
    pause_s: float = 0.0

    async def live(self) -> None:
        """Play until cancelled, coming back after every break."""
        while True:
            with contextlib.suppress(*TROUBLES):
                async with connection(self.dial(), self.key) as link:
                    self.visits += 1
                    await self._play(await link.create_process("bot"))
            await asyncio.sleep(AGAIN_S)

    async def _play(self, process: asyncssh.SSHClientProcess[str]) -> None:
        talk = _Talk(self, process)
        async for told in _messages(process):
            await talk.hear(told)
        raise EOFError


class _Talk:
    """One connection's worth of a player's bot protocol."""

    def __init__(self, player: Player, process: asyncssh.SSHClientProcess[str]) -> None:
        self.player = player
        self._process = process
        self._asked: dict[int, Message] = {}  # by id, what was sent and is not answered
        self._after: dict[int, int] = {}  # by id, what was known to be stored when it was sent
        self._streams: dict[str, Stretch] = {}
        self._turns: dict[str, Message] = {}
        self._running: set[str] = set()
        self._seeks = False
        self._ids = 0

    def _send(self, **order: Any) -> None:
        self._ids += 1
        self._asked[self._ids] = order
        self._process.stdin.write(json.dumps({**order, "id": self._ids}) + "\n")

    async def hear(self, told: Message) -> None:
        """Take in one message, and do what follows from it."""
        player = self.player
        match told["type"]:
            case "hello":
                self._running = set(told["running"])
                self._send(do="declare", **{"as": "bot"})
            case "start":
                self._running.add(told["match"])
                player.matches[told["match"]] = told["seat"]
                self._streams[told["match"]] = Stretch(told["match"], told["seq"], seat=told["seat"])
                player.stretches.append(self._streams[told["match"]])
                self._see(told)
                self._seeks = False
            case "event":
                self._streams[told["match"]].events.append((told["seq"], told["event"]))
            case "end":
                player.ends.append((told["match"], told["result"]))
                self._running.discard(told["match"])
                self._turns.pop(told["match"], None)
            case "turn":
                self._turns[told["match"]] = told
                self._see(told)
                await asyncio.sleep(player.rng.random() * player.pause_s)
                self._act(told["match"])
            case "ok" if (order := self._answered(told)) and order["do"] == "act":
                match, seq, after = order["match"], told["seq"], self._after.pop(told["re"])
                player.acknowledged.append(Acknowledged(match, seq, player.matches[match], order["action"], after))
                player.newest[match] = max(seq, player.newest.get(match, 0))
            case "error":
                await self._refused(told)
        if not self._running and not self._seeks:
            self._seeks = True
            self._send(do="seek", game=player.game, players=2, rated=True, speed="slow")

    def _answered(self, told: Message) -> Message | None:
        """Return the order that this answers, once."""
        return self._asked.pop(told["re"], None) if "re" in told else None

    def _see(self, told: Message) -> None:
        match = told["match"]
        self.player.seen.append(Seen(match, self.player.matches[match], told["seq"], told["view"]))

    def _act(self, match: str) -> None:
        """Answer the turn that was told last."""
        turn, player = self._turns.get(match), self.player
        if turn is None or match not in player.matches:
            return
        action = answer_to(turn["pending"]["choice"], player.rng)
        player.sent.append(Sent(match, player.matches[match], action, turn["seq"]))
        self._send(do="act", match=match, seq=turn["seq"], action=action)
        self._after[self._ids] = player.newest.get(match, 0)

    async def _refused(self, told: Message) -> None:
        """Try again what could not be stored; after a stale answer the turn is told again by itself."""
        order = self._answered(told)
        self.player.told[told["error"]] += 1
        if order is None or told["error"] in ("stale", "over"):
            return
        if told["error"] == "illegal":
            self.player.told[f"illegal: {order}: {told}"] += 1
        await asyncio.sleep(AGAIN_S)
        if order["do"] == "act":
            self._act(order["match"])
        else:
            self._seeks = False


@dataclass
class Spectator:
    """Follows one match after the other, taking up each stream where it broke off."""

    key: asyncssh.SSHKey
    dial: Dial
    rng: Random
    matches: Callable[[], list[str]]  # what there is to look at
    stretches: list[Stretch] = field(default_factory=list)

    async def live(self) -> None:
        """Look on until cancelled: now at this match, now at that one."""
        after: dict[str, int] = {}
        while True:
            found = self.matches()
            if found:
                match = self.rng.choice(found[-4:])
                with contextlib.suppress(*TROUBLES):
                    async with asyncio.timeout(self.rng.uniform(2, 20)):
                        await self.look(match, after.get(match, -1))
                seen = [one.events[-1][0] for one in self.stretches if one.match == match]
                after[match] = max(seen, default=0) - 1  # the last entry may have been shown in part
            await asyncio.sleep(AGAIN_S)

    async def look(self, match: str, after: int, until: int | None = None) -> None:
        """Follow a match's events after an entry, to its end or to `until` events; note them, however that goes."""
        stretch = Stretch(match, after)
        more = f" --after {after}" if after >= 0 else ""
        try:
            async with connection(self.dial(), self.key) as link:
                process = await link.create_process(f"watch {match} --json{more}")
                async for told in _messages(process):
                    if told["type"] == "event":
                        stretch.events.append((told["seq"], told["event"]))
                    if until is not None and len(stretch.events) >= until:
                        break
        finally:
            if stretch.events:
                self.stretches.append(stretch)

"""Tables of many over real SSH: two people and built-in players to the end, the plug pulled, somebody looking on.

The people are programs on the bot protocol, so nothing here waits for a screen. A test never waits for a moment, only
for something to happen.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.ssh.client import new_key, run
from tests.ssh.server import ROOT, BotClient, Server, running

PATIENCE_S = 300  # for one message; a whole table on a busy machine may think for long
SHORT_PASSAGE = {"supplements": "", "no_spare_wardens": True, "no_hand_limit": True}
PEOPLE = ("ada", "bob")
EASE = 0.6
LIMITS = {"PATCHBAY_LIMIT_ACTIONS_PER_MIN": "6000"}


@dataclass
class Evening:
    """One match from several seats, through a killed server. `up` is set while the server runs."""

    server: Server
    keys: dict[str, Path]
    pulls_at: int  # the entry after which the plug is pulled
    rng: random.Random
    match: str = ""
    acknowledged: dict[int, str] = field(default_factory=dict)  # by entry, everybody's
    ends: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: list[dict[str, Any]] = field(default_factory=list)  # by who looks on
    up: asyncio.Event = field(default_factory=asyncio.Event)
    pulled: bool = False

    async def sit_down(self, **room: Any) -> None:
        """Let the first make a room and the others join it; comes back when the match has begun."""
        first, *others = PEOPLE
        async with self.server.bot(key=self.keys[first]) as host:
            made = await host.ask(do="create", rated=True, machines=True, **room)
            assert made["type"] == "room", made
            for name in others:
                async with self.server.bot(key=self.keys[name]) as guest:
                    joined = await guest.ask(do="join", code=made["code"])
                    assert joined["type"] == "ok", joined
                    self.match = (await wait(guest, "start"))["match"]
        self.up.set()

    async def play(self, name: str) -> None:
        """Play on a seat to the end, coming back whenever the server is there again."""
        while name not in self.ends:
            await self.up.wait()
            try:
                async with self.server.bot(key=self.keys[name]) as bot:
                    await self._answer(bot, name)
            except EOFError:
                await asyncio.sleep(0)

    async def _answer(self, bot: BotClient, name: str) -> None:
        while True:
            message = await wait(bot, "turn", "end")
            if message["type"] == "end":
                self.ends[name] = message
                return
            action = chosen(message["pending"]["choice"], self.rng)
            re = await bot.send(do="act", match=self.match, seq=message["seq"], action=action)
            answer = await wait(bot, "ok", "error", re=re)
            if answer["type"] == "ok":
                self.acknowledged[answer["seq"]] = action
                self._pull_the_plug(answer["seq"])
            else:
                assert answer["error"] in ("stale", "too_late"), answer

    def _pull_the_plug(self, seq: int) -> None:
        if seq >= self.pulls_at and not self.pulled:
            self.pulled = True
            self.up.clear()
            self.server.kill()
            self._restarting = asyncio.ensure_future(self._restart())

    async def _restart(self) -> None:
        await asyncio.to_thread(self.server.start)
        self.up.set()

    async def look_on(self) -> None:
        """Watch as anybody may, from where one was before the server went."""
        last = 0
        while not any(message["type"] == "end" for message in self.seen):
            await self.up.wait()
            last = max(0, last - 1)  # the last entry may have been told in part
            self.seen = [message for message in self.seen if message["seq"] <= last]
            words = ("watch", self.match, "--json", "--after", str(last))
            pipe = asyncio.subprocess.PIPE
            watching = await asyncio.create_subprocess_exec(*self.server.command(*words), stdout=pipe, limit=2**22)
            assert watching.stdout is not None
            while line := await asyncio.wait_for(watching.stdout.readline(), PATIENCE_S):
                message = json.loads(line)
                if message["type"] in ("event", "end"):
                    self.seen.append(message)
                    last = max(last, message["seq"])
            await watching.wait()


async def wait(bot: BotClient, *kinds: str, **fields: Any) -> dict[str, Any]:
    """Return the next message of one of these types, however long it takes."""
    while True:
        message = await bot.receive(PATIENCE_S)
        if message["type"] in kinds and all(message.get(name) == value for name, value in fields.items()):
            return message


def chosen(choice: dict[str, Any], rng: random.Random) -> str:
    """Choose at random among what a turn offers, rather the end of a phase than one more card."""
    if "one_of" in choice:
        return "end" if "end" in choice["one_of"] and rng.random() < EASE else str(rng.choice(choice["one_of"]))
    if "number" in choice:
        number = choice["number"]
        return f"{number['verb']} {rng.randint(number['low'], number['high'])}"
    subset = choice["subset"]
    picked = rng.sample(subset["items"], rng.randint(subset["min"], subset["max"]))
    return " ".join((subset["verb"], *picked))


async def spend_evening(folder: Path, pulls_at: int, seats: int, **room: Any) -> None:
    """Play one match of two people and built-in players to its end, and check everything that is promised of it."""
    seed = random.randrange(10**6)
    print("seed", seed)
    with running(folder, LIMITS) as server:
        keys = {name: new_key(folder, name) for name in PEOPLE}
        for name, key in keys.items():
            await server.register_machine(name, key)
        evening = Evening(server, keys, pulls_at, random.Random(seed))
        await evening.sit_down(players=seats, **room)
        await asyncio.gather(*(evening.play(name) for name in PEOPLE), evening.look_on())
        if not evening.pulled:  # the people were out before: then it is at least the end that survives
            server.crash()
        await check_evening(evening, folder, seats, room["game"])
        status, out, err = await server.beside("verify")
        assert status == 0, (out, err)


async def check_evening(evening: Evening, folder: Path, seats: int, game: str) -> None:
    server, match = evening.server, evening.match
    end = evening.ends["ada"]
    assert end["result"] == evening.ends["bob"]["result"]
    places = end["result"]["placements"]
    assert sorted(seat for tier in places for seat in tier) == list(range(seats))

    status, text, _ = await server.ssh("record", match)
    assert status == 0
    entries = [entry for entry in map(json.loads, text.splitlines()) if "kind" in entry]
    assert [entry["seq"] for entry in entries] == list(range(1, end["seq"] + 1))
    kept = {entry["seq"]: entry["action"] for entry in entries if entry["kind"] in ("action", "setting")}
    assert evening.acknowledged.items() <= kept.items(), "what was acknowledged is there, once"

    again = await server.json("watch", match, "--after", "0")
    told = [message for message in again if message["type"] in ("event", "end")]
    assert evening.seen == told, "who looked on saw it all, once, in order"

    await check_rating(evening, entries, places, game)
    await check_replays(evening, text, folder, seats)


async def check_rating(evening: Evening, entries: list[dict[str, Any]], places: list[list[int]], game: str) -> None:
    """Ratings moved by the places of the people alone, on the ladder of many; unless somebody hardly played."""
    acted = Counter(entry["seat"] for entry in entries if entry["kind"] == "action")
    shown = [(await evening.server.json("user", name))[0]["ratings"].get(f"{game}-many-machines") for name in PEOPLE]
    if min(acted[0], acted[1]) < 2:
        assert shown == [None, None]
        return
    place = {seat: tier for tier, held in enumerate(places) for seat in held}
    assert (shown[0]["rating"] > shown[1]["rating"]) is (place[0] < place[1])
    assert [one["matches"] for one in shown] == [1, 1]


async def check_replays(evening: Evening, text: str, folder: Path, seats: int) -> None:
    """The record can be played again from every seat and from outside, here and on the rules' own command line."""
    file = folder / "match.jsonl"
    file.write_text(text)
    for viewer in (*map(str, range(seats)), "public"):
        replay = [sys.executable, "-m", "game", "replay", str(file), "--as", viewer]
        status, out, err = await run(replay, env={"PYTHONPATH": str(ROOT)}, timeout_s=PATIENCE_S)
        assert status == 0, (viewer, err)
        assert out
        [position] = await evening.server.json("show", evening.match, "--as", viewer)
        assert position["seq"] == evening.ends["ada"]["seq"]


async def test_six_seats_of_relati_to_the_end_through_a_killed_server(tmp_path: Path) -> None:
    bots = ["bot:easy"] * 4
    await spend_evening(tmp_path, 20, 6, game="relati", bots=bots, options={"board": 7})


async def test_five_seats_of_passage_to_the_end_through_a_killed_server(tmp_path: Path) -> None:
    await spend_evening(tmp_path, 8, 5, game="passage", bots=["bot:easy"] * 3, options=SHORT_PASSAGE)


@pytest.mark.soak
@pytest.mark.parametrize("evening", range(3))
@pytest.mark.parametrize(
    ("game", "seats", "levels"), [("relati", 6, "easy normal hard easy"), ("passage", 5, "easy normal hard")]
)
async def test_many_evenings(tmp_path: Path, game: str, seats: int, levels: str, evening: int) -> None:
    bots = [f"bot:{level}" for level in levels.split()]
    await spend_evening(tmp_path, 10 + 15 * evening, seats, game=game, bots=bots)

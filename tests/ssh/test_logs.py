"""The server's log: JSON lines in which nobody reads what was said, held or decided."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

from game.netrunner import facts
from game.registry import KEYS
from tests.deploy.match import any_of
from tests.ssh.client import fingerprint, new_key
from tests.ssh.server import BotClient, running

SAID = "meet me behind the windmill"
ACTIONS = 25


async def test_the_log_is_json_and_keeps_what_players_say_hold_and_do_to_itself(tmp_path: Path) -> None:
    env = {"PATCHBAY_LOG": "json", "PATCHBAY_LOG_LEVEL": "debug"}
    acted: set[str] = set()
    with running(tmp_path, env) as server:
        async with server.bot(source="127.0.0.2") as ada, server.bot(source="127.0.0.3") as bob:
            for game in KEYS:
                acted |= await play(ada, bob, game)
        logged = server.log.read_text() + (server.data_dir / "logs" / "patchbay.log").read_text()
    assert len(acted) > ACTIONS
    lines = [json.loads(line) for line in logged.splitlines()]
    assert {line["level"] for line in lines} <= {"debug", "info", "warning"}
    words = {SAID, *(action for action in acted if len(action) > 4), *titles()}
    assert [word for word in words if word.casefold() in logged.casefold()] == []


async def test_a_day_of_a_thousand_people_is_a_few_megabytes(tmp_path: Path) -> None:
    """Each logs in ten times and plays ten matches; the sizes are those of real lines."""
    key = new_key(tmp_path, "ada")
    with running(tmp_path) as server:
        await server.register("ada", key)
        async with server.bot(key) as ada, server.bot(source="127.0.0.3") as bob:
            await play(ada, bob, "rainet")
        assert (await server.beside("admin", "announce", "soon"))[0] == 0
    logged = (server.data_dir / "logs" / "patchbay.log").read_text().splitlines()
    lines = {json.loads(line)["event"]: line for line in logged}
    wanted = ("started", "login", "match.begun", "match.ended", "act", "draining", "stopped")
    assert [event for event in wanted if event not in lines] == []
    assert fingerprint(key) in "".join(logged)
    sizes = {event: len(line) + 1 for event, line in lines.items()}
    day = 1000 * (10 * sizes["login"] + 5 * (sizes["match.begun"] + sizes["match.ended"]))
    print(f"{day / 1e6:.1f} MB a day; bytes a line: {sizes}")
    assert day < 20_000_000
    assert max(sizes.values()) <= 400, "what the budget of a minute takes for the longest"


async def play(ada: BotClient, bob: BotClient, game: str) -> set[str]:
    """Play a match for a while, with a word in between, and end it; return what was done."""
    rng, acted = random.Random(1), set[str]()
    room = await ada.ask(do="create", game=game, players=2, private=True, speed="slow")
    assert (await bob.ask(do="join", code=room["code"]))["type"] == "ok"
    match = (await ada.until("start"))["match"]
    await bob.until("start", match=match)
    assert (await ada.ask(do="say", match=match, text=SAID))["type"] == "ok"

    async def decide(bot: BotClient) -> None:
        while len(acted) < ACTIONS and (heard := await bot.until("turn", "end", match=match))["type"] == "turn":
            action = any_of(heard["pending"]["choice"], rng)
            answer = await bot.ask(do="act", match=match, seq=heard["seq"], action=action)
            assert answer["type"] == "ok" or answer["error"] in ("stale", "over"), answer
            acted.add(action)
        if not any(one["type"] == "end" and one["match"] == match for one in bot.seen):
            await bot.ask(do="resign", match=match)

    await asyncio.gather(decide(ada), decide(bob))
    assert (bob.last("say", match=match) or await bob.until("say", match=match))["text"] == SAID
    return acted


def titles() -> set[str]:
    """Return the names of cards that are no everyday words."""
    return {card.title for card in facts.FACTS.values() if " " in card.title}

"""The bot protocol over the OpenSSH client: whole matches, every instruction, every refusal, the plug pulled."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game.netrunner.decks import STARTERS
from game.netrunner.facts import FACTS
from game.record import read_record, verify
from tests.ssh.client import new_key, run, ssh_options
from tests.ssh.schemas import check
from tests.ssh.server import ROOT, BotClient, Server, running
from tests.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), {"PATCHBAY_LIMIT_ACTIONS_PER_MIN": "1200"}) as server:
        yield server


def choose(turn: dict[str, Any], rng: random.Random) -> str:
    choice = turn["pending"]["choice"]
    found: str = rng.choice(choice["one_of"])
    return found


async def play(bot: BotClient, rng: random.Random, turn: dict[str, Any] | None = None) -> dict[str, Any]:
    """Play a match at random to its end; return the end."""
    message = turn or await bot.until("turn", "end")
    while message["type"] == "turn":
        await bot.send(do="act", match=message["match"], seq=message["seq"], action=choose(message, rng))
        message = await bot.until("turn", "end")
    return message


def check_stream(seen: list[dict[str, Any]], match: str) -> None:
    """What a program was told of a match is what the schema says, and in the order of the log."""
    for message in seen:
        check("bot-server", message)
    seqs = [
        message["seq"] for message in seen if message["type"] in ("event", "turn", "end") and message["match"] == match
    ]
    assert seqs == sorted(seqs)
    events = {message["seq"] for message in seen if message["type"] == "event"}
    assert events <= set(range(seqs[-1] + 1))


async def test_a_match_against_a_built_in_player(server: Server) -> None:
    seed = 7
    print("seed", seed)
    async with server.bot() as bot:
        assert "rainet" in bot.hello["games"]
        ok = await bot.ask(do="seek", game="rainet", against="bot:easy", **{"as": "N"})
        start = await bot.until("start")
        assert (start["match"], start["seat"], start["seq"]) == (ok["match"], 1, 0)
        assert [seat["player"] for seat in start["players"]] == ["bot:easy", bot.hello["player"]]
        assert (start["speed"], start["rated"]) == ("untimed", False)
        assert {seat["bank_ms"] for seat in start["players"]} == {None}
        end = await play(bot, random.Random(seed))
        check_stream(bot.seen, start["match"])
        acked = {m["seq"] for m in bot.seen if m["type"] == "ok" and "seq" in m}
    status, out, _ = await server.ssh("record", start["match"])
    assert status == 0
    assert verify(read_record(out.splitlines())).agrees
    header, *entries, result = [json.loads(line) for line in out.splitlines()]
    assert [entry["seq"] for entry in entries] == list(range(1, end["seq"] + 1))
    assert {entry["seq"] for entry in entries if entry.get("seat") == 1} == acked
    assert header["seed"] == end["seed"]
    assert header["commitment"] == start["commitment"]
    assert result["state_hash"]


async def paired(first: BotClient, second: BotClient) -> tuple[dict[str, Any], dict[str, Any]]:
    """Pair two programs that seek the same and let both place their cards; return what told each of the start."""
    for bot in (first, second):
        assert (await bot.ask(do="seek", game="rainet", players=2, rated=True, speed="fast"))["type"] == "ok"
    begun = await first.until("start"), await second.until("start")
    for bot in (first, second):
        turn = await bot.until("turn")
        acted = await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action="setup LLLLVVVV")
        assert acted["type"] == "ok"
    return begun


async def test_two_programs_are_paired_and_settle_things_between_them(server: Server, tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("ada", "bob")}
    for name, key in keys.items():
        await server.register_machine(name, key)
    async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob:
        first, second = await paired(ada, bob)
        match = first["match"]
        assert (match, first["rated"]) == (second["match"], True)
        assert {first["seat"], second["seat"]} == {0, 1}
        await talk_and_agree_on_a_draw(ada, bob, match, first["seat"])
        assert (await ada.ask(do="offer", match=match, what="rematch"))["type"] == "ok"
        await bob.until("offer", what="rematch")
        await bob.send(do="accept", match=match, what="rematch")
        again = await ada.until("start")
        assert again["match"] != match
        assert again["seat"] != first["seat"], "sides are swapped"
        assert (await ada.ask(do="resign", match=again["match"]))["type"] == "ok"
        await bob.until("end", match=again["match"])
        for message in (*ada.seen, *bob.seen):
            check("bot-server", message)


async def talk_and_agree_on_a_draw(ada: BotClient, bob: BotClient, match: str, seat: int) -> None:
    """Ada, on `seat`, talks, claims in vain and offers a draw that Bob declines; she accepts his."""
    assert (await ada.ask(do="say", match=match, text="good luck\x1b[2J"))["type"] == "ok"
    said = await bob.until("say")
    assert (said["from"], said["text"]) == ("ada", "good luck[2J")
    assert (await ada.ask(do="claim", match=match, what="win"))["error"] == "refused"
    assert (await bob.ask(do="accept", match=match, what="draw"))["error"] == "refused"
    assert (await ada.ask(do="offer", match=match, what="draw"))["type"] == "ok"
    offer = await bob.until("offer")
    assert (offer["seat"], offer["what"]) == (seat, "draw")
    assert (await bob.ask(do="decline", match=match, what="draw"))["type"] == "ok"
    assert (await bob.ask(do="offer", match=match, what="draw"))["type"] == "ok"
    await ada.until("offer")
    assert (await ada.ask(do="accept", match=match, what="draw"))["type"] == "ok"
    for bot in (ada, bob):
        assert (await bot.until("end"))["result"]["placements"] == [[0, 1]]


async def test_the_end_of_a_rated_match_tells_what_it_changed(server: Server, tmp_path: Path) -> None:
    """The ratings come with the end, not after it."""
    keys = {name: new_key(tmp_path, name) for name in ("rhea", "ivar")}
    for name, key in keys.items():
        await server.register_machine(name, key)
    async with server.bot(keys["rhea"]) as rhea, server.bot(keys["ivar"]) as ivar:
        for bot in (rhea, ivar):
            await bot.ask(do="seek", game="rainet", rated=True, speed="slow", options={"first": "S"})
        starts = [await bot.until("start") for bot in (rhea, ivar)]
        match = starts[0]["match"]
        by_seat = dict(sorted(zip((start["seat"] for start in starts), (rhea, ivar), strict=True)))
        for bot in by_seat.values():
            turn = await bot.until("turn")
            await bot.ask(do="act", match=match, seq=turn["seq"], action="setup LLLLVVVV")
        for bot in by_seat.values():
            while (turn := await bot.until("turn"))["pending"]["prompt"] != "move":
                continue
            move = turn["pending"]["choice"]["one_of"][0]
            assert (await bot.ask(do="act", match=match, seq=turn["seq"], action=move))["type"] == "ok"
        await rhea.ask(do="resign", match=match)
        for bot in (rhea, ivar):
            assert len((await bot.until("end", match=match))["rating"]) == 2


async def test_a_room_starts_when_its_seats_are_full(server: Server) -> None:
    async with server.bot() as host, server.bot() as guest:
        room = await host.ask(do="create", game="rainet", players=2, private=True, options={"first": "S"})
        assert room["type"] == "room"
        listed = [one["match"] for one in await server.json("games", "--open")]
        assert room["code"] not in listed, "a private room is not listed"
        assert (await guest.ask(do="join", code="????"))["error"] == "not_found"
        joined = await guest.ask(do="join", code=room["code"].lower())
        assert joined["type"] == "ok", joined
        starts = [await bot.until("start") for bot in (host, guest)]
        assert starts[0]["match"] == starts[1]["match"]
        assert starts[0]["options"]["first"] == "S"


async def test_a_program_could_ask_nobody_to_its_room_and_decline_nothing(server: Server, tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("eli", "fay")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["eli"]) as eli, server.bot(keys["fay"]) as fay:
        code = (await eli.ask(do="create", game="rainet", private=True))["code"]
        assert (await eli.ask(do="invite", code="K7QX4MRW", player="fay"))["error"] == "not_found"
        assert (await eli.ask(do="invite", code=code, player="nobody"))["error"] == "not_found"
        assert (await eli.ask(do="invite", code=code, player="fay"))["type"] == "ok"
        asked = await fay.until("challenge")
        assert (asked["code"], asked["from"], asked["invitation"]) == (code, ["eli"], True)
        assert (await fay.ask(do="challenges", decline=code))["challenges"] == []
        await fay.until("withdrawn", code=code)
        assert (await eli.until("declined"))["player"] == "fay"
        assert (await fay.ask(do="challenges", decline=code))["error"] == "not_found", "it is answered"
        assert (await eli.ask(do="invite", code=code, player="fay"))["type"] == "ok"
        await fay.until("challenge")
        assert (await fay.ask(do="invite", code=code, player="eli"))["error"] == "not_found", "they are not in it"
        assert (await fay.ask(do="join", code=code))["type"] == "ok"
        assert (await eli.until("start"))["match"] == (await fay.until("start"))["match"]
        for message in (*eli.seen, *fay.seen):
            check("bot-server", message)


async def test_every_program_in_a_room_was_told_who_declines_to_come_in(server: Server, tmp_path: Path) -> None:
    """Screens tell the host alone."""
    keys = {name: new_key(tmp_path, name) for name in ("walt", "xena")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["walt"]) as walt, server.bot(keys["xena"]) as xena, server.bot() as other:
        code = (await walt.ask(do="create", game="relati", players=3, private=True))["code"]
        assert (await other.ask(do="join", code=code))["type"] == "ok"
        assert (await walt.ask(do="invite", code=code, player="xena"))["type"] == "ok"
        await xena.until("challenge")
        assert (await xena.ask(do="challenges", decline=code))["challenges"] == []
        await walt.until("declined", code=code, player="xena")
        assert (await xena.ask(do="join", code=code))["type"] == "ok"
        await other.until("start")
        assert [one for one in other.seen if one["type"] == "declined"] == []


async def test_presence_and_a_claim_when_somebody_is_gone(server: Server) -> None:
    async with server.bot() as stays:
        async with server.bot() as leaves:
            room = await stays.ask(do="create", game="rainet")
            await leaves.ask(do="join", code=room["code"])
            await leaves.until("turn")
        gone = await stays.until("presence", here=False)
        assert 0 < gone["claim_in_ms"] <= 90_000
        assert (await stays.ask(do="claim", match=gone["match"], what="win"))["error"] == "refused"


HERE, NOW = "the running match", "its turn"
REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"do": "act", "match": HERE, "seq": NOW, "action": "a1a2"}, "illegal"),
    ({"do": "act", "match": HERE, "seq": NOW, "action": "nonsense"}, "illegal"),
    ({"do": "act", "match": "nosuch", "seq": 0, "action": "a1a2"}, "not_found"),
    ({"do": "resign", "match": "nosuch"}, "not_found"),
    ({"do": "dance"}, "unreadable"),
    ({"do": "act", "match": HERE, "seq": -1, "action": "a1a2"}, "unreadable"),
    ({"do": "act", "match": HERE, "seq": "0", "action": "a1a2"}, "unreadable"),
    ({"do": "act", "match": HERE, "action": "a1a2"}, "unreadable"),
    ({"do": "seek"}, "unreadable"),
    ({"do": "create", "players": 2}, "unreadable"),
    ({"do": "seek", "game": "chess"}, "illegal"),
    ({"do": "seek", "game": "rainet", "against": "bot:nobody"}, "not_found"),
    ({"do": "seek", "game": "rainet", "players": 5}, "illegal"),
    *(({"do": "seek", "game": "relati", "players": n}, "illegal") for n in (-1, 0, 1, 7, 8, 9, 1000)),
    *(({"do": "seek", "game": "relati", "players": 3, "fewest": n}, "illegal") for n in (-1, 0, 4, 9)),
    ({"do": "seek", "game": "rainet", "options": {"first": "X"}}, "illegal"),
    ({"do": "seek", "game": "rainet", "options": {"nonsense": 1}}, "illegal"),
    ({"do": "seek", "game": "rainet", "speed": "never"}, "illegal"),
    ({"do": "join", "code": "ZZZZ"}, "not_found"),
    ({"do": "offer", "match": HERE, "what": "tea"}, "unreadable"),
    ({"do": "say", "match": HERE, "text": "\x1b\x07"}, "refused"),
)
UNREADABLE = (b"garbage", b"[1]", b'"x"', b"{", b"\xff\xfe", b"[" * 60_000)


async def test_refusals_lose_nothing(server: Server) -> None:
    async with server.bot() as bot:
        await bot.ask(do="seek", game="rainet", against="bot:easy")
        turn = await bot.until("turn")
        known = {HERE: turn["match"], NOW: turn["seq"]}
        for instruction, code in REFUSED:
            answer = await bot.ask(**{name: known.get(str(value), value) for name, value in instruction.items()})
            assert (answer["type"], answer.get("error")) == ("error", code), (instruction, answer)
            assert answer["why"]
            check("bot-server", answer)
        for line in UNREADABLE:
            await bot.send_line(line)
            assert (await bot.until("error"))["error"] == "unreadable"
        await bot.send_line(b"x" * 70_000)
        assert (await bot.until("error"))["error"] == "too_long"
        assert (await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action="setup LLLLVVVV"))["type"] == "ok"
        await bot.ask(do="resign", match=turn["match"])


@pytest.mark.parametrize("field", ["note", "\x9b31m\u202e"])
async def test_a_field_that_no_deck_has_was_taken_and_stored_with_the_match(server: Server, field: str) -> None:
    own = STARTERS["anarch"]
    cards = {FACTS[code].title: n for code, n in own.cards}
    legal = {"identity": FACTS[own.identity].title, "cards": cards}
    deck = {**legal, field: "\x9b2J\u202e\x9d0;title\x9c"}
    async with server.bot() as bot:
        room = await bot.ask(do="create", game="netrunner", deck="nbn")
        for order in (
            {"do": "seek", "game": "netrunner", "as": 1, "deck": deck, "against": "bot:easy"},
            {"do": "seek", "game": "netrunner", "as": 1, "deck": {**deck, field: "x" * 60_000}},
            {"do": "create", "game": "netrunner", "deck": deck, "as": 1},
            {"do": "join", "code": room["code"], "deck": deck},
        ):
            answer = await bot.ask(**order)
            assert (answer["type"], answer["error"]) == ("error", "illegal"), order["do"]
        assert (await bot.ask(do="seek", game="netrunner", **{"as": 1, "deck": legal, "against": "bot:easy"}))["match"]


async def test_a_room_whose_maker_could_not_sit_down_stayed_open(server: Server) -> None:
    """The deck can be read, but is not legal: the answer was an error, and the room there all the same."""
    own = STARTERS["anarch"]
    few = {"identity": FACTS[own.identity].title, "cards": {FACTS[own.cards[0][0]].title: 1}}
    async with server.bot() as host, server.bot() as bot:
        room = await host.ask(do="create", game="netrunner", deck="nbn", **{"as": 0})
        for order in ({"do": "create", "deck": few, "as": 1}, {"do": "join", "code": room["code"], "deck": few}):
            answer = await bot.ask(**{"game": "netrunner", **order})
            assert (answer["type"], answer["error"]) == ("error", "illegal"), order["do"]

        async def is_alone() -> bool:
            return len(await server.json("games", "--open", "--game", "netrunner")) == 1

        await until(is_alone)
        await host.ask(do="cancel")


async def test_a_program_could_bring_no_deck_for_the_second_of_two_games(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        said = {"game": "netrunner", "options": {"both_sides": True}}
        refused = await server.ssh("challenge", "tarn", "netrunner", "--deck", "anarch", key=keys["mira"])
        assert refused[:2] == (3, ""), "a deck of the other side"
        assert (await server.ssh("challenge", "tarn", "rainet", "--deck", "nbn", key=keys["mira"]))[0] == 2
        words = (
            "challenge",
            "tarn",
            "netrunner",
            "--option",
            "both_sides=on",
            "--deck",
            "nbn",
            "--return-deck",
            "anarch",
        )
        assert (await server.ssh(*words, key=keys["mira"]))[:2] == (0, "")
        async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn:
            illegal = await mira.ask(do="challenge", player="tarn", **said, return_deck="nbn")
            assert illegal["error"] == "illegal"
            [waits] = tarn.hello["waiting"]
            own = {"deck": "shaper", "return_deck": "weyland"}
            check("bot-client", {"do": "join", "code": waits["code"], **own})
            assert (await tarn.ask(do="join", code=waits["code"], **own))["type"] == "ok"
            first = (await tarn.until("start"))["match"]
            await tarn.ask(do="resign", match=first)
            second = await tarn.until("start", "never")
            while second["match"] == first:
                second = await tarn.until("start", "never")
            await tarn.ask(do="resign", match=second["match"])
            await tarn.until("end")
        for match, brought in (
            (first, [{"deck": "nbn"}, {"deck": "shaper"}]),
            (second["match"], [{"deck": "weyland"}, {"deck": "anarch"}]),
        ):
            code, record, _ = await server.ssh("record", match, key=keys["mira"])
            assert [seat["options"] for seat in json.loads(record.splitlines()[0])["seats"]] == brought, code


async def test_after_a_stale_answer_the_turn_comes_again(server: Server) -> None:
    async with server.bot() as bot:
        await bot.ask(do="seek", game="rainet", against="bot:easy")
        turn = await bot.until("turn")
        match, seq = turn["match"], turn["seq"]
        assert (await bot.ask(do="act", match=match, seq=seq, action="setup LLLLVVVV"))["type"] == "ok"
        assert (await bot.ask(do="act", match=match, seq=seq, action="setup LLLLVVVV"))["error"] == "stale"
        turn = await bot.until("turn")
        assert turn["seq"] > seq
        assert (await bot.ask(do="act", match=match, seq=seq, action="setup LLLLVVVV"))["error"] == "stale"
        again = await bot.until("turn")
        assert again["pending"]["choice"] == turn["pending"]["choice"]
        await bot.ask(do="resign", match=match)
        await bot.until("end")
        assert (await bot.ask(do="act", match=match, seq=again["seq"], action="a1a2"))["error"] == "over"


async def test_limits_are_told(server: Server) -> None:
    async with server.bot(source="127.0.0.77") as bot:  # limits count each address
        allowed = bot.hello["limits"]["actions_per_min"]
        assert allowed == 1200
        await bot.send_line(b'{"do":"pong","id":1}\n' * (allowed + 40))
        limited = await bot.until("error")
        assert (limited["error"], limited["limit"], limited["re"]) == ("rate_limited", "actions_per_min", 1)
        assert limited["retry_after_ms"] > 0
        assert sum(message["type"] == "ok" for message in bot.seen) >= allowed


async def test_coming_back_tells_what_runs_and_what_ended(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("cleo", key)
    async with server.bot(key) as bot:
        for _ in range(2):
            await bot.ask(do="seek", game="rainet", against="bot:easy")
        one, two = await bot.until("turn"), await bot.until("turn")
    async with server.bot(key) as bot:
        assert set(bot.hello["running"]) == {one["match"], two["match"]}
        started = {(await bot.until("start"))["match"] for _ in range(2)}
        assert started == set(bot.hello["running"])
        for match in sorted(started):
            turn = bot.last("turn", match=match) or await bot.until("turn", match=match)
            assert turn["pending"]["choice"]
    other = new_key(tmp_path, "other")
    _, code, _ = await server.ssh("keys", "code", key=key)
    assert (await server.ssh("keys", "link", code.strip(), key=other))[0] == 0
    async with server.bot(other) as elsewhere:
        assert (await elsewhere.ask(do="resign", match=one["match"]))["type"] == "ok"
        await elsewhere.until("end")
    async with server.bot(key) as bot:
        assert bot.hello["running"] == [two["match"]]
        assert (await bot.until("end"))["match"] == one["match"]
        await bot.until("turn", match=two["match"])
    async with server.bot(key) as bot:
        await bot.until("turn", match=two["match"])
        assert not [message for message in bot.seen if message["type"] == "end"], "an end is told once"


@pytest.mark.logs("match.unreadable")
async def test_an_ended_match_that_cannot_be_read_keeps_nobody_out(tmp_path: Path) -> None:
    """The program was told of an error and hung up on, at each connection."""
    key, other = new_key(tmp_path, "id"), new_key(tmp_path, "other")
    with running(tmp_path) as server:
        await server.register("cleo", key)
        async with server.bot(key) as bot:
            await bot.ask(do="seek", game="rainet", against="bot:easy")
            turn = await bot.until("turn")
            match = turn["match"]
            action = choose(turn, random.Random(0))
            assert (await bot.ask(do="act", match=match, seq=turn["seq"], action=action))["type"] == "ok"
        _, code, _ = await server.ssh("keys", "code", key=key)
        assert (await server.ssh("keys", "link", code.strip(), key=other))[0] == 0
        async with server.bot(other) as elsewhere:
            assert (await elsewhere.ask(do="resign", match=match))["type"] == "ok"
            await elsewhere.until("end")
        server.stop()
        with sqlite3.connect(server.data_dir / "patchbay.db") as database:
            database.execute("UPDATE entries SET action = '\"?\"' WHERE match_id = ? AND seq = 1", (match,))
        server.start()
        async with server.bot(key) as bot:
            assert (await bot.ask(do="seek", game="rainet", against="bot:easy"))["type"] == "ok"
        assert "match.unreadable" in server.log.read_text()


async def test_the_example_plays_and_wins(server: Server) -> None:
    """It beats random play: its opponent here is one."""
    instruction = json.dumps({"do": "seek", "game": "rainet", "speed": "slow"})
    command = [
        sys.executable,
        str(ROOT / "docs/examples/bot.py"),
        instruction,
        *ssh_options(server.port, None),
        "127.0.0.1",
    ]
    assert len((ROOT / "docs/examples/bot.py").read_text().splitlines()) <= 42
    won = 0
    for seed in range(3):
        print("seed", seed)
        async with server.bot() as bot:
            example = asyncio.create_task(run(command, timeout_s=60))
            await bot.ask(do="seek", game="rainet", speed="slow")
            start = await bot.until("start")
            end = await play(bot, random.Random(seed))
            status, out, err = await example
            assert (status, json.loads(out)) == (0, end["result"]), err
            won += end["result"]["placements"][0] != [start["seat"]]
    assert won >= 2


async def test_a_pulled_plug_loses_nothing(server: Server, tmp_path: Path) -> None:
    """Kill the server between and during moves; every acknowledged move is in the record, once, and play goes on."""
    seed = random.randrange(10**6)
    print("seed", seed)
    rng = random.Random(seed)
    key = new_key(tmp_path, "id")
    await server.register("dora", key)
    acked: dict[int, str] = {}
    match, end, kills = "", None, 0
    while end is None:
        async with server.bot(key) as bot:
            try:
                if not match:
                    match = (await bot.ask(do="seek", game="rainet", against="bot:easy"))["match"]
                else:
                    assert bot.hello["running"] in ([match], [])
                end = await play_until_killed(server, bot, rng, acked, kills)
            except EOFError:
                kills += 1
                server.start()
    assert kills == 4
    entries = [json.loads(line) for line in (await server.ssh("record", match))[1].splitlines()]
    assert verify(read_record([json.dumps(entry) for entry in entries])).agrees
    logged = {entry["seq"]: entry.get("action") for entry in entries[1:-1]}
    assert list(logged) == list(range(1, end["seq"] + 1))
    assert acked.items() <= logged.items()
    status, out, err = await server.beside("verify")
    assert status == 0, (out, err)


async def play_until_killed(
    server: Server, bot: BotClient, rng: random.Random, acked: dict[int, str], kills: int
) -> dict[str, Any]:
    """Play at random; pull the plug somewhere in the second move of the first connections: no match ends so soon."""
    moves, sent = 0, {}
    while True:
        message = await bot.receive()
        match message["type"]:
            case "turn":
                action = choose(message, rng)
                re = await bot.send(do="act", match=message["match"], seq=message["seq"], action=action)
                sent[re] = action
                moves += 1
                if kills < 4 and moves == 2:
                    await asyncio.sleep(rng.random() * 0.02)
                    server.kill()
            case "ok":
                acked[message["seq"]] = sent[message["re"]]
            case "end":
                return message


async def test_a_rematch_of_daily_play_was_never_told_to_a_program_that_came_back(
    server: Server, tmp_path: Path
) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("ida", "ole")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["ida"]) as ida:
        async with server.bot(keys["ole"]) as ole:
            for bot in (ida, ole):
                assert (await bot.ask(do="seek", game="rainet", speed="daily"))["type"] == "ok"
            match = (await ida.until("start"))["match"]
            await ole.until("start")
        assert (await ida.ask(do="resign", match=match))["type"] == "ok"
        assert (await ida.ask(do="offer", match=match, what="rematch"))["type"] == "ok"
    async with server.bot(keys["ole"]) as ole:
        assert [one["what"] for one in ole.hello["waiting"]] == ["rematch"]
        offer = await ole.until("offer")
        assert (offer["match"], offer["what"], offer["from"]) == (match, "rematch", ["ida"])
        assert (await ole.ask(do="accept", match=match, what="rematch"))["type"] == "ok"
        await ole.until("withdrawn", what="rematch")
        assert (await ole.until("start"))["match"] != match
        for message in ole.seen:
            check("bot-server", message)

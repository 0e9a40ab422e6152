"""A private match and its room, as a real server shows them to who is not there: not at all."""

from __future__ import annotations

from pathlib import Path

from server.sanitize import clean
from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.ssh.test_closed import screen
from tests.texts import en

NONE, NO_ROOM = "zzzz2222", "ZZZZ2222"
WAYS = ("show", "watch", "record", "replay", "share")


async def test_a_stranger_finds_a_private_match_and_its_room_by_no_way(tmp_path: Path) -> None:
    """From Who, `w` opened the board and the table's chat, and `w` again the room, whose host the stranger became."""
    mira, tarn, lio = (new_key(tmp_path, name) for name in ("mira", "tarn", "lio"))
    with running(tmp_path) as server:
        for name, key in (("mira", mira), ("tarn", tarn), ("lio", lio)):
            await server.register(name, key)
        async with server.bot(key=mira) as south, server.bot(key=tarn) as north:
            made = {"do": "create", "game": "rainet", "players": 2, "private": True, "rated": False}
            code = (await south.ask(**made, title="among us"))["code"]
            assert (await north.ask(do="join", code=code))["type"] == "ok"
            match = (await south.until("start"))["match"]
            await south.ask(do="say", match=match, text="only for tarn")
            hidden = (match, code, "among us", "only for tarn")

            async def learns_nothing() -> None:
                for who in (lio, None):
                    for way in WAYS:
                        there, not_there = [await server.ssh(way, one, key=who) for one in (match, NONE)]
                        assert there == (3, "", not_there[2].replace(NONE, match)), way
                    for line in ("games", "games --live --json", "games --finished", "history mira", "user mira"):
                        _, out, err = await server.ssh(*line.split(), key=who)
                        assert not any(secret in out + err for secret in hidden), line
                answers = [await server.ssh("report", f"{one}:0", "--why", "x", key=lio) for one in (match, NONE)]
                assert answers[0][:2] == (3, "")
                assert answers[0][2] == answers[1][2].replace(NONE, match)
                for way in ("watch", "replay"):
                    async with screen(server, lio, f"{way} {match}") as seen:
                        await seen.shows(clean(en("match.error.unknown", match=match), 200))
                async with server.bot(key=lio) as other:
                    for order in ({"do": "say", "text": "hi"}, {"do": "resign"}, {"do": "offer", "what": "draw"}):
                        said = [await other.ask(**order, match=one) for one in (match, NONE)]
                        assert said[0]["why"] == said[1]["why"].replace(NONE, match)
                        assert said[0]["error"] == said[1]["error"] == "not_found"

            await learns_nothing()
            async with screen(server, lio, "") as seen:
                await seen.shows("Enter")
                seen.chan.write(b"\r")
                await seen.shows(" Lobby")
                assert not any(secret in seen.text for secret in hidden)
                seen.chan.write(b"o")
                await seen.shows("mira")
                assert "w Watch" not in seen.text
                assert not any(secret in seen.text for secret in hidden)
            assert (await south.ask(do="resign", match=match))["type"] == "ok"
            await south.until("end")
            await learns_nothing()
            assert [one["match"] for one in await server.json("history", key=tarn)] == [match]
            status, _, err = await server.ssh("share", match, key=mira)
            assert (status, en("share.waits", names="tarn") in err) == (0, True)
            await learns_nothing()
            status, _, err = await server.ssh("share", match, key=tarn)
            assert (status, en("share.done") in err) == (0, True)
            assert (await server.ssh("show", match, key=lio))[0] == 0
            assert match in (await server.ssh("games", "--finished", "--json", key=lio))[1]
            assert code not in "".join((await server.ssh("show", match, "--json", key=lio))[1:])

"""The pages: what they answer to whom, and with which headers."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from game.contract import Result, Seat
from server.accounts.identity import bot_player
from server.boards.seats import called
from server.matches.agreement import Agreement
from server.matches.model import MatchSummary, SummarySeat
from server.matches.visibility import MatchFacts
from server.terminal.look import Look
from server.web import feeds
from server.web import matches as web_matches
from server.web.guard import MISSING_S
from server.web.site import is_public
from tests.boards.positions import NOON, person
from tests.clocks import FakeClock
from tests.lobby.conftest import clock, url
from tests.matches.table import MIRA, TARN
from tests.services import drop_postgres, make_postgres
from tests.ssh.commands import open_commands
from tests.ssh.server import Server
from tests.texts import en
from tests.web.asking import Browser
from tests.web.house import pages
from tests.web.pages import get, open_door

__all__ = ["clock", "url"]

LOOK = Look()
SECRET = "a1b2c3d4e5f6"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with open_door(tmp_path) as made:
        yield made


async def test_the_first_page_says_how_to_come_by_ssh(server: Server) -> None:
    got = await get(server, "/")
    assert got.status == 200
    assert en("web.come") in got.body
    assert any(line.split()[3] in got.body for line in server.said if "host key" in line)
    assert got.headers["cache-control"] == "no-cache"
    again = await get(server, "/", {"if-none-match": got.headers["etag"]})
    assert (again.status, again.body) == (304, "")


async def test_any_free_port_was_said_to_be_port_0(server: Server) -> None:
    for path in ("/", "/play"):
        shown = (await get(server, path)).body
        assert f"ssh -p {server.port} localhost" in shown
        assert "-p 0" not in shown


async def test_every_answer_has_the_policy(server: Server) -> None:
    for path in ("/", "/m/nothing", "/nothing", "/top/rainet", "/static/app.js", "/theme.css", "/robots.txt"):
        got = await get(server, path)
        assert got.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'"), path
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["referrer-policy"] == "no-referrer"


async def test_an_address_with_a_slash_behind_it_led_to_whatever_host_was_named(server: Server) -> None:
    """So a link to this place could come out at another one, which a cache between might keep."""
    for path in ("/play/", "/m/nothing/", "/top/rainet/", "/rules/rainet/", "/static/app.js/", "//play/"):
        got = await get(server, path, {"host": "evil.example"})
        assert (got.status, "location" in got.headers) == (404, False), path
        assert "evil.example" not in got.body


async def test_a_private_match_is_as_one_that_is_not_there(server: Server) -> None:
    async with server.bot() as host, server.bot() as other:
        await host.send(do="create", game="rainet", players=2, private=True)
        room = await host.until("room")
        await other.send(do="join", code=room["code"])
        match = (await host.until("start"))["match"]
        for end in ("", ".json", ".cast", ".record"):
            private, unknown = await get(server, f"/m/{match}{end}"), await get(server, f"/m/zzzzzzzz{end}")
            assert private == unknown
            assert private.status == 404
            assert private.headers["cache-control"] == "no-store"
        assert match not in (await get(server, "/")).body


async def test_a_match_shows_without_a_script_and_its_record_after_the_end(server: Server) -> None:
    async with server.bot() as bot:
        await bot.send(do="seek", game="rainet", against="bot:easy")
        start = await bot.until("start")
        match = start["match"]
        if not start["seq"]:  # the built-in player places its cards in its own time: both doors are asked after it
            await bot.until("event")
        shown = await get(server, f"/m/{match}")
        assert shown.status == 200
        assert "<pre data-grid aria-hidden" in shown.body
        assert 'role="log"' in shown.body
        assert f'href="/m/{match}"' in (await get(server, "/")).body
        assert (await get(server, f"/m/{match}.record")).status == 409
        assert (await get(server, f"/m/{match}.cast")).status == 409
        _, out, _ = await server.ssh("show", match, "--json")
        by_ssh, by_web = json.loads(out), json.loads((await get(server, f"/m/{match}.json")).body)
        assert (by_web["view"], by_web["seats"]) == (by_ssh["view"], by_ssh["seats"])
        await bot.send(do="resign", match=match)
        await bot.until("end")
    _, out, _ = await server.ssh("record", match)
    assert (await get(server, f"/m/{match}.record")).body == out
    assert (await get(server, f"/m/{match}.cast")).body.startswith('{"version":2')
    ended = await get(server, f"/m/{match}?at=0")
    assert 'name="at"' in ended.body
    assert "app.js" not in ended.body


@pytest.mark.services
async def test_a_nul_in_an_address_was_an_error_of_the_database(tmp_path: Path) -> None:
    """PostgreSQL takes none: the answer was 500, and each left a traceback."""
    url = await make_postgres()
    try:
        async with open_door(tmp_path, PATCHBAY_DATABASE_URL=url) as server:
            for path in ("/m/%00", "/m/a%00b.json", "/@%00", "/top/%00", "/signin/%00", "/feed/%00.atom"):
                assert (await get(server, path)).status == 404, path
            assert "Traceback" not in server.errors()
    finally:
        await drop_postgres(url)


async def test_no_log_has_a_link_to_sign_in_or_a_feed(server: Server) -> None:
    for path in (f"/signin/{SECRET}", f"/feed/{SECRET}.atom", f"/signin/{SECRET}%zz", f"/socket?{SECRET}"):
        await get(server, path)
        await get(server, path, {"origin": f"http://{SECRET}", "cookie": f"patchbay=a.{SECRET}"})
    kept = [file.read_text() for file in server.log.parent.rglob("*.log")]
    assert any("started" in text for text in kept)
    assert all(SECRET not in text for text in kept)


async def test_a_404_of_a_private_match_took_longer_than_of_an_unknown_one(server: Server) -> None:
    """By 70 µs: its row was read. All come at the same moment after they were asked for, now."""
    began = time.perf_counter()
    for path in ("/m/zzzzzzzz", "/nothing", "/@nobody"):
        assert (await get(server, path)).status == 404
    assert time.perf_counter() - began >= 2 * MISSING_S, "of addresses that the guard answers"


async def test_tables_and_unknown_people(server: Server) -> None:
    assert (await get(server, "/top/rainet")).status == 200
    assert (await get(server, "/top/chess")) == (await get(server, "/@nobody"))


async def test_a_house_without_guests_showed_its_matches_to_everybody(tmp_path: Path) -> None:
    async with open_door(tmp_path, PATCHBAY_GUESTS="off") as server:
        for path in ("/m/nothing", "/m/nothing.json", "/top/rainet", "/@nobody", "/play"):
            assert (await get(server, path)).status == 403, path
        home = await get(server, "/")
        assert home.status == 200
        assert en("web.live") not in home.body
        assert home.headers["cache-control"] == "no-store", "who is signed in gets another"


@pytest.mark.parametrize(
    ("is_private", "is_open", "is_kept"), [(False, True, True), (False, False, False), (True, True, False)]
)
def test_a_page_that_only_players_get_was_for_everybody_s_cache(is_private: bool, is_open: bool, is_kept: bool) -> None:
    facts = MatchFacts("m1", (), is_private, False, None, is_open)
    terms = SimpleNamespace(agreement=SimpleNamespace(options={}))
    match: Any = SimpleNamespace(facts=facts, is_over=False, terms=terms)
    assert is_public(match) is is_kept


def test_a_winner_was_named_who_stood_nowhere_among_the_players() -> None:
    """Every bot was listed by its level alone, also at a table of several, where the winner has a name."""
    players = (person("mira"), bot_player("easy"), bot_player("easy"))
    seats = tuple(SummarySeat(Seat(at), player, None) for at, player in enumerate(players))
    won = Result(((Seat(1),), (Seat(2),), (Seat(0),)), "last-standing")
    passage = Agreement("passage", players=3)
    over = MatchSummary("m1", passage, "finished", seats, 9, 0, won, NOON, NOON)
    row = web_matches.ended(over, LOOK)
    winner = called(players, 1)
    assert winner in row["outcome"]
    assert winner in row["title"]
    assert winner in web_matches.listed(over, LOOK)["players"]
    feed = feeds.atom(players[0], [over], "http://localhost", LOOK, NOON)
    assert winner.encode() in feed


async def test_the_first_page_listed_an_adjourned_match_as_any_live_one(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as here:
        match = await here.table.begin(MIRA, TARN, game="relati")
        visitor = Browser(pages(here.services)[1])
        said = f"({en('row.adjourned')})"
        assert said not in (await visitor.get("/")).text
        await match.offer(Seat(0), "adjourn")
        await match.answer(Seat(1), "adjourn", True)
        await here.services.lobby.refresh()
        assert said in (await visitor.get("/")).text

"""A real Chromium in which people play: a guest by mouse and keys, by taps on a phone, rated, and watched."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.ssh.client import new_key
from tests.ssh.server import Server
from tests.texts import en
from tests.web.pages import open_door, own_links, web_port
from tests.web.playing import Player, RaiNet, begin_match, begin_run
from tests.web.test_browser import browser_or_skip, chromium

SMALL = """return [...document.querySelectorAll("main button, main input, main textarea")].filter(
    e => Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 32).map(e => e.textContent)"""
DRAWN_AGAIN = """for (const row of document.querySelector("[data-grid]").children) {
    row.replaceChildren(...[...row.childNodes].map(one => one.cloneNode(true)));
}"""
WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    browser_or_skip()
    async with open_door(tmp_path) as made:
        yield made


@pytest.fixture
async def linked(tmp_path: Path) -> AsyncIterator[Server]:
    """A server that knows what its links begin with."""
    browser_or_skip()
    async with open_door(tmp_path, **own_links()) as made:
        yield made


async def test_a_guest_plays_rainet_to_its_end_by_mouse_and_keys(server: Server) -> None:
    with chromium() as browser:
        player = Player(browser)

        def play() -> int:
            begin_match(player, server)
            return RaiNet(player).play()

        assert await asyncio.to_thread(play) > 3
        narrow = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
        await asyncio.to_thread(player.until, lambda: any(re.search("[0-9a-f]{64}", one) for one in player.items))
        assert browser.execute_script(WIDER) <= 0, "a seed of 64 letters stuck out of a phone's window"
        [ended] = await server.json("games", "--finished")
        await asyncio.to_thread(player.until, lambda: len(player.log) >= ended["seq"])


async def test_a_click_was_lost_where_its_row_was_drawn_while_the_button_was_down(server: Server) -> None:
    with chromium() as browser:
        player = Player(browser)

        def choose() -> None:
            begin_match(player, server)
            rainet = RaiNet(player)
            player.until(lambda: rainet.is_asked() and player.is_free())
            begin, _ = next(rainet.moves())
            player.at_cell(*rainet.cell(begin)).click_and_hold().perform()
            browser.execute_script(DRAWN_AGAIN)
            ActionChains(browser).release().perform()
            player.until(rainet.is_chosen)

        await asyncio.to_thread(choose)


async def test_a_netrunner_run_is_made_by_taps_on_a_phone(server: Server) -> None:
    with chromium(phone=True) as browser:
        player = Player(browser, POINTER_TOUCH)

        def play() -> None:
            begin_run(player, server)
            player.button("Archives", partial(player.has_told, "Archives", len(player.log)))
            succeeds = partial(player.has_told, en("netrunner.event.successful", server="Archives"))
            while not succeeds():
                told = len(player.log)
                player.button("Go on", lambda told=told: succeeds() or player.has_told("", told))  # type: ignore[misc]
            assert player.browser.execute_script(SMALL) == []
            assert player.browser.execute_script(WIDER) <= 0, "nothing is beside the window"

        await asyncio.to_thread(play)


async def test_a_rated_match_is_played_by_who_signed_in_by_a_link(linked: Server, tmp_path: Path) -> None:
    server, keys = linked, {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    for name, key in keys.items():
        await server.register(name, key)
    link = (await server.ssh("web", key=keys["mira"]))[1].strip()
    with chromium() as browser:
        player = Player(browser)

        def come() -> None:
            browser.get(link)
            browser.find_element(By.CSS_SELECTOR, "main form button").click()
            player.until(lambda: "/play" in browser.current_url and player.keys)

        def begin() -> None:
            player.row("tarn", lambda: "Ready" in player.keys)
            player.button("Ready", lambda: "Ready" not in player.keys)

        def resign() -> None:
            player.button("Resign", lambda: "Yes" in player.keys)
            player.button("Yes", lambda: "Rematch" in player.keys)

        await asyncio.to_thread(come)
        challenge = ("challenge", "mira", "rainet", "--rated", "--speed", "slow")
        assert (await server.ssh(*challenge, key=keys["tarn"]))[0] == 0
        await asyncio.to_thread(begin)
        [match] = await server.json("games", "--mine", key=keys["tarn"])
        assert (await server.ssh("move", match["match"], "'setup LLLLVVVV'", key=keys["tarn"]))[0] == 0
        await asyncio.to_thread(player.until, lambda: "d2" in " ".join(player.items))
        await asyncio.to_thread(resign)
        await asyncio.to_thread(player.until, lambda: any(one.startswith("mira: 1500 to ") for one in player.items))
        [mira] = await server.json("user", "mira")
        assert mira["ratings"]["rainet"]["matches"] == 1


async def test_a_watcher_s_page_follows_two_ssh_clients_move_by_move(server: Server) -> None:
    async with server.bot() as one, server.bot() as other:
        for bot in (one, other):
            sought = await bot.ask(do="seek", game="rainet", players=2, speed="slow", options={"first": "S"})
            assert sought["type"] == "ok"
        starts = [(await bot.until("start"), bot) for bot in (one, other)]
        in_turn = [bot for start, bot in sorted(starts, key=lambda found: int(found[0]["seat"]))]
        match = starts[0][0]["match"]
        for bot in in_turn:
            asked = await bot.until("turn")
            await bot.ask(do="act", match=match, seq=asked["seq"], action="setup LLLLVVVV")
        with chromium() as browser:
            player = Player(browser)
            await asyncio.to_thread(player.open, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            for n, move in enumerate(("d2d3", "d7d6", "d3d4", "d6d5", "e2e3", "e7e6")):
                bot = in_turn[n % 2]
                asked = await bot.until("turn")
                assert (await bot.ask(do="act", match=match, seq=asked["seq"], action=move))["type"] == "ok"
                await asyncio.to_thread(player.until_told, f" {move[:2]} to {move[2:]}")
                await asyncio.to_thread(player.until, partial(player.tells, move[2:]))


async def test_a_page_comes_back_as_it_was_when_the_server_fell(linked: Server) -> None:
    with chromium() as browser:
        player = Player(browser)

        def begin() -> None:
            player.open(f"http://127.0.0.1:{web_port(linked)}/play")
            player.button("RaiNet now", lambda: "Resign" in player.keys)
            before = player.until(lambda: player.state if "Your move" in player.state else "")
            player.attempt(partial(player.type, Keys.ARROW_RIGHT), lambda: player.state != before)
            player.button("Chat", player.is_typing)
            player.type("well pl")
            player.until(lambda: "well pl" in player.grid)

        def wait() -> str:
            lost = player.until(lambda: player.texts("#gone:not([hidden])"))
            player.type("ayed")
            return str(lost[0])

        def look() -> str:
            player.until(lambda: not player.texts("#gone:not([hidden])") and "well played" in player.grid)
            return str(browser.execute_script("return document.activeElement.value"))

        await asyncio.to_thread(begin)
        before = player.items
        linked.kill()
        assert await asyncio.to_thread(wait) != en("web.lost")
        await asyncio.to_thread(linked.start)
        assert await asyncio.to_thread(look) == "well played"
        await asyncio.to_thread(player.until, lambda: player.items == before)
        browser.refresh()
        assert await asyncio.to_thread(look) == "well played"


async def test_the_arrows_stood_on_two_rows_on_a_phone(server: Server) -> None:
    """↑ ↓ ← ended one row, and → began the next."""
    tops = """return ["up", "down", "left", "right"].map(
        (key) => document.querySelector(`#keys [data-key=${key}]`)?.offsetTop)"""
    with chromium(phone=True) as browser:
        player = Player(browser, POINTER_TOUCH)

        def look() -> None:
            begin_match(player, server)
            found = player.until(lambda: [one for one in browser.execute_script(tops) if one is not None])
            assert len(found) == 4
            assert len(set(found)) == 1

        await asyncio.to_thread(look)

"""A real Chromium before the pages: a watcher follows a match, without JavaScript too, by keyboard, large and safe."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from server.i18n.catalogues import catalogue
from tests.ssh.server import Server
from tests.texts import en
from tests.waiting import PATIENCE_S
from tests.web.pages import open_door, page, web_port

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

_said: set[str] = set()


def browser_or_skip() -> tuple[str, str]:
    """Return the programs; skip with one loud line where they are missing, or fail where they are required."""
    if CHROMIUM is not None and DRIVER is not None:
        return CHROMIUM, DRIVER
    line = "chromium or chromedriver is not installed: tests in a browser are NOT run"
    if os.environ.get("PATCHBAY_REQUIRE_BROWSER") == "1":
        pytest.fail(line)
    if line not in _said:
        _said.add(line)
        print(f"\n*** {line} ***", file=sys.__stderr__)
    pytest.skip(line)


@contextmanager
def chromium(size: str = "1280,900", script: bool = True, phone: bool = False) -> Iterator[Any]:
    """Start a browser of its own; `phone`: as on a phone of 390x844 that is touched."""
    binary, driver = browser_or_skip()
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={size}"):
        options.add_argument(word)
    if phone:
        metrics = {"width": 390, "height": 844, "pixelRatio": 2, "touch": True, "mobile": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    browser_or_skip()
    async with open_door(tmp_path) as made:
        yield made


def grid(browser: Any) -> str:
    text: str = browser.execute_script("return document.querySelector('[data-grid]').textContent")
    return text


async def seen(browser: Any, is_there: Callable[[Any], bool]) -> None:
    """Wait until a page shows something."""
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(is_there, browser):
            await asyncio.sleep(0.05)


async def begun(bot: Any, game: str = "relati") -> str:
    """Begin a match against a built-in player; return its id."""
    await bot.send(do="seek", game=game, against="bot:easy")
    match: str = (await bot.until("start"))["match"]
    return match


async def test_the_grid_was_wider_than_its_frame_once_the_page_scrolled(server: Server) -> None:
    """The bar at the side took its columns from a grid that had been measured without it."""
    with chromium(size="1100,800") as browser:
        await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
        widths = "const one = document.querySelector('#scroll'); return [one.scrollWidth, one.clientWidth]"
        inner, outer = browser.execute_script(widths)
        assert inner <= outer


async def test_a_watcher_follows_a_match_and_its_grid_is_what_a_terminal_shows(server: Server) -> None:
    async with server.bot() as bot:
        match = await begun(bot)
        turn = await bot.until("turn")
        with chromium() as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
            await bot.send(do="act", match=match, seq=turn["seq"], action=turn["pending"]["choice"]["one_of"][0])
            await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[role=log] p")) >= 2)
            lines = grid(browser).removesuffix("\n").split("\n")
            async with page(server, "watch", match, size=[len(lines[0]), len(lines)]) as other:
                await other.until(en("relati.event.locate", name="", cell="").strip())

                def apart(one: Any) -> list[tuple[str, str]]:
                    shown, theirs = grid(one).removesuffix("\n").split("\n"), other.text.split("\n")
                    pairs = zip(shown[1:], theirs[1:], strict=True)
                    return [(a, b) for a, b in pairs if "watching" not in a and a != b]

                try:
                    await seen(browser, lambda one: not apart(one))
                except TimeoutError:
                    pytest.fail(f"the page and the terminal differ: {apart(browser)}")
            assert [one for one in browser.get_log("browser") if "favicon" not in one["message"]] == []


GAPS = """
const tops = new Map();
for (const one of document.querySelectorAll("[data-grid] [class^=s-]")) {
  const box = one.getBoundingClientRect();
  if (box.width) tops.set(box.top.toFixed(2), box.bottom.toFixed(2));
}
const rows = [...tops].map(([top, bottom]) => [+top, +bottom]).sort((a, b) => a[0] - b[0]);
return rows.slice(1).map(([top], i) => top - rows[i][1]).filter((gap) => Math.abs(gap) < 3 && Math.abs(gap) > 0.02);
"""


@pytest.mark.parametrize("script", [True, False])
async def test_rows_of_a_board_left_hairlines_of_the_page_between_them(server: Server, script: bool) -> None:
    """A letter's ground was a fraction of a pixel lower than a row: on some screens a line showed, on others none."""
    async with server.bot() as bot:
        match = await begun(bot)
        with chromium("1100,900", script=script) as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            if script:
                await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
            assert browser.execute_script(GAPS) == []
            assert browser.execute_script("return document.querySelectorAll('[data-grid] [class^=s-]').length") > 20


async def test_it_is_a_finished_page_without_a_script(server: Server) -> None:
    async with server.bot() as bot:
        match = await begun(bot)
        with chromium(script=False) as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            assert browser.find_element(By.CSS_SELECTOR, "[data-grid]").text.strip()
            assert browser.find_elements(By.CSS_SELECTOR, "[role=log]")
            assert browser.find_elements(By.CSS_SELECTOR, "#items p")
            assert en("web.stands-still") in browser.find_element(By.CSS_SELECTOR, "main").text
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
            assert not browser.find_element(By.CSS_SELECTOR, "#scroll").is_displayed(), "an empty board"


async def test_all_is_reached_by_keyboard_and_fits_at_twice_the_size(server: Server) -> None:
    async with server.bot() as bot:
        match = await begun(bot)
        with chromium("640,800") as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key='?']")) > 0)
            reached: set[str] = set()
            for _ in range(30):
                browser.switch_to.active_element.send_keys(Keys.TAB)
                reached.add(
                    browser.execute_script("return document.activeElement.dataset.key || document.activeElement.id")
                )
            keys = {one.get_attribute("data-key") for one in browser.find_elements(By.CSS_SELECTOR, "[data-key]")}
            assert {*keys, "scroll", "log"} <= reached
            wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert browser.execute_script(wide) <= 0, "nothing is beside the window at 200 %"
            browser.find_element(By.CSS_SELECTOR, "[data-key='?']").send_keys(Keys.ENTER)
            await seen(browser, lambda one: "Help" in grid(one).split("\n")[0])


async def test_what_people_write_runs_nothing(server: Server) -> None:
    """Names and chat of a match are text nodes: no element, no handler, no link comes of them."""
    async with server.bot() as bot:
        match = await begun(bot)
        for text in ("<img src=x onerror=document.title='run'>", "<script>document.title='run'</script>", "\u202e<b>"):
            await bot.send(do="say", match=match, text=text)
        with chromium() as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
            assert browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b") == []
            assert browser.title != "run"


async def test_chat_was_sent_to_the_page_and_stood_nowhere_that_is_read_out(server: Server) -> None:
    """The grid is hidden from readers, and the log had moves only."""
    async with server.bot() as bot:
        match = await begun(bot)
        await bot.send(do="say", match=match, text="good luck")
        with chromium() as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            await seen(browser, lambda one: ": good luck" in one.find_element(By.ID, "log").text)
            await bot.send(do="say", match=match, text="and fun")
            await seen(browser, lambda one: ": and fun" in one.find_element(By.ID, "log").text)
            assert browser.find_element(By.ID, "log").text.count(": good luck") == 1


async def test_what_was_typed_fast_was_overwritten_by_an_older_echo(server: Server) -> None:
    """Each letter comes back from the server a little later; by then there are more."""
    with chromium() as browser:
        await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key='c']")) > 0)
        browser.find_element(By.CSS_SELECTOR, "[data-key='c']").click()
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "#ask input")) > 0)
        for one in ("k7", "qx", "m2"):  # as fast as the driver can
            browser.find_element(By.CSS_SELECTOR, "#ask input").send_keys(*one)
        await seen(browser, lambda one: "k7qxm2" in grid(one).casefold())
        assert browser.find_element(By.CSS_SELECTOR, "#ask input").get_property("value") == "k7qxm2"


async def test_how_long_somebody_is_away_goes_on_in_the_page(server: Server) -> None:
    """The board at rest sends nothing, and "away 0:05" stood there for ever."""
    async with server.bot() as stays:
        async with server.bot() as goes:
            for bot in (stays, goes):
                await bot.ask(do="seek", game="rainet", players=2, speed="slow")
            match = (await stays.until("start"))["match"]
        await stays.until("presence")
        with chromium() as browser:
            await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/m/{match}")
            await seen(browser, lambda one: "away 0:0" in grid(one))
            now = int(grid(browser).partition("away 0:")[2][:2])
            await seen(browser, lambda one: f"away 0:{now + 2:02}" in grid(one))


async def test_a_list_of_cards_is_one_stop_of_tab_and_arrows_choose(server: Server) -> None:
    focused = "return document.activeElement.dataset.row"
    with chromium() as browser:
        await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key='b']")) > 0)
        browser.find_element(By.CSS_SELECTOR, "[data-key='b']").click()
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "#items [data-row]")) > 2)
        stops = browser.find_elements(By.CSS_SELECTOR, "#items [data-row]:not([tabindex='-1'])")
        assert [one.get_attribute("aria-current") for one in stops] == ["true"]
        browser.execute_script("arguments[0].focus()", stops[0])
        before = browser.execute_script(focused)
        browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        await seen(browser, lambda one: one.execute_script(focused) not in (None, before))
        assert browser.switch_to.active_element.get_attribute("aria-current") == "true"


async def test_a_board_spoke_the_browser_s_language_on_a_page_in_the_chosen_one(server: Server) -> None:
    with chromium() as browser:
        await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
        await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
        browser.find_element(By.CSS_SELECTOR, "#languages [value='zh_TW']").click()
        await seen(browser, lambda one: one.execute_script("return document.documentElement.lang") == "zh-TW")
        assert "/play" in browser.current_url
        lobby = catalogue("zh_TW").t("lobby.title")
        await seen(browser, lambda one: lobby in grid(one).split("\n")[0])

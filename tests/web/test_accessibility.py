"""Each page, dark and light, on a phone and at a desk: axe-core finds nothing wrong with it."""

from __future__ import annotations

import asyncio
import socket
from itertools import product
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By

from tests.ssh.client import new_key
from tests.web.axe import axe_or_skip, violations
from tests.web.pages import open_door, web_port
from tests.web.test_browser import begun, browser_or_skip, chromium, grid, seen

SIZES = {"phone": (390, 844), "desk": (1280, 900)}
GROUNDS = ("dark", "light")


def show_as(browser: Any, size: str, ground: str) -> None:
    """Let the browser be a phone or a desk's, dark or light."""
    width, height = SIZES[size]
    shown = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shown)
    chosen = {"features": [{"name": "prefers-color-scheme", "value": ground}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", chosen)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


async def start_playing(browser: Any) -> None:
    """Begin a match in the browser, unless one goes on there."""
    if one := browser.find_elements(By.CSS_SELECTOR, "[data-key='1']"):
        one[0].click()
    await seen(browser, lambda page: "RaiNet" in grid(page).split("\n")[0])


async def test_no_page_has_a_fault_that_axe_finds(tmp_path: Path) -> None:
    browser_or_skip()
    axe, port = axe_or_skip(), free_port()
    url = f"http://127.0.0.1:{port}"
    async with open_door(tmp_path, PATCHBAY_WEB_PORT=str(port), PATCHBAY_WEB_URL=url) as server, server.bot() as bot:
        assert web_port(server) == port
        key = new_key(tmp_path, "mira")
        await server.register("mira", key)
        _, link, _ = await server.ssh("web", key=key)
        finished = await begun(bot, "rainet")
        await bot.send(do="resign", match=finished)
        await bot.until("end")
        live = await begun(bot)
        paths = [
            "/",
            f"/m/{live}",
            f"/m/{finished}",
            f"/m/{finished}?at=0",
            "/@mira",
            "/top/rainet",
            "/rules/netrunner",
            "/rules/rainet",
            link.strip().removeprefix(url),
            "/nothing",
        ]
        found: dict[str, list[str]] = {}
        sessions = (f"/m/{live}", "/play")  # whose colours the server says
        with chromium() as browser:
            for path, size, ground in product((*paths, "/play"), SIZES, GROUNDS):
                show_as(browser, size, ground)
                if ground == GROUNDS[0] or path in sessions:
                    await asyncio.to_thread(browser.get, url + path)
                if path in sessions:
                    await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key]")) > 2)
                if path == "/play":
                    await start_playing(browser)
                if faults := await asyncio.to_thread(violations, browser, axe):
                    found[f"{path} {size} {ground}"] = faults
        assert found == {}


STOPS = """return [...document.querySelectorAll("#items button")].filter(
    (e) => e.tabIndex === 0).map((e) => e.textContent)"""
SMALL_ROWS = """return [...document.querySelectorAll("#items button")].filter(
    (e) => e.getBoundingClientRect().height < 32).map((e) => e.textContent)"""


async def test_cards_are_few_stops_of_tab_and_have_no_fault_that_axe_finds(tmp_path: Path) -> None:
    browser_or_skip()
    axe = axe_or_skip()
    async with open_door(tmp_path) as server:
        with chromium() as browser:
            for size, ground in product(SIZES, GROUNDS):
                show_as(browser, size, ground)
                await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}/play")
                await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "[data-key='v'], h2")) > 1)
                if one := browser.find_elements(By.CSS_SELECTOR, "[data-key='v']"):
                    one[0].click()
                await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "#items [data-row]")) > 20)
                assert len(browser.execute_script(STOPS)) <= 3, "the chosen card, and the parts before and behind"
                assert browser.execute_script(SMALL_ROWS) == []
                assert await asyncio.to_thread(violations, browser, axe) == []
                browser.find_element(By.CSS_SELECTOR, "#items [data-first]").click()
                await seen(browser, lambda one: len(one.find_elements(By.CSS_SELECTOR, "#items [data-first]")) == 2)
                browser.find_element(By.CSS_SELECTOR, "[data-key='esc']").click()
                await seen(browser, lambda one: one.find_elements(By.CSS_SELECTOR, "[data-key='v']"))

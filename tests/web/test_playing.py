"""A real Chromium in which somebody plays: signed in by a link from ssh, or as a guest, by buttons, keys and taps."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.ssh.client import new_key
from tests.ssh.server import Server
from tests.web.pages import open_door, web_port
from tests.web.test_browser import browser_or_skip, chromium, grid, seen


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    browser_or_skip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    async with open_door(tmp_path, PATCHBAY_WEB_PORT=str(port), PATCHBAY_WEB_URL=url) as made:
        yield made


async def go(browser: Any, server: Server, path: str) -> None:
    await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}{path}")


def button(browser: Any, key: str) -> Any:
    return browser.find_element(By.CSS_SELECTOR, f"[data-key='{key}']")


async def pressed(browser: Any, key: str) -> None:
    """Press a button as soon as it is there."""
    await seen(browser, lambda one: one.find_elements(By.CSS_SELECTOR, f"[data-key='{key}']"))
    button(browser, key).click()


async def test_a_link_from_ssh_signs_one_browser_in_until_a_ban(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "mira")
    await server.register("mira", key)
    status, link, _ = await server.ssh("web", key=key)
    assert status == 0
    path = link.strip().partition(str(web_port(server)))[2]
    with chromium() as browser:
        await go(browser, server, path)
        assert "mira" in browser.find_element(By.TAG_NAME, "h1").text
        await go(browser, server, "/play")
        await seen(browser, lambda one: "guest-" in grid(one).split("\n")[0])  # looking at a link signs nobody in
        await go(browser, server, path)
        browser.find_element(By.CSS_SELECTOR, "main form button").click()
        await seen(browser, lambda one: "/play" in one.current_url)
        await seen(browser, lambda one: "mira" in grid(one).split("\n")[0])
        await go(browser, server, path)
        assert "mira" not in browser.find_element(By.TAG_NAME, "main").text, "a link is good once"
        await go(browser, server, "/play")
        await seen(browser, lambda one: "mira" in grid(one).split("\n")[0])
        assert (await server.beside("admin", "ban", "mira", "--why", "spoiling"))[0] == 0
        await seen(browser, lambda one: "spoiling" in one.find_element(By.ID, "state").text)


async def test_a_guest_plays_by_buttons_keys_and_taps(server: Server) -> None:
    with chromium() as browser:
        await go(browser, server, "/play")
        await pressed(browser, "1")  # a match of RaiNet against a built-in player, with the cards placed
        await seen(browser, lambda one: "RaiNet" in grid(one).split("\n")[0])
        log = By.CSS_SELECTOR, "[role=log] p"

        def moves(one: Any) -> list[str]:
            return [said.text for said in one.find_elements(*log) if "guest-" in said.text and " moves " in said.text]

        for n, by_taps in enumerate((False, False, True), 1):
            await seen(browser, lambda one: one.find_elements(By.CSS_SELECTOR, "[data-key='enter']"))
            while len(moves(browser)) < n:
                await try_move(browser, by_taps)
        await pressed(browser, "r")
        await pressed(browser, "y")
        await seen(browser, lambda one: "lost" in one.find_element(By.TAG_NAME, "main").text)


async def try_move(browser: Any, by_taps: bool) -> None:
    """Move the next card that can move: to the next square, by keys, or by a tap on what the cursor has found.

    Keys just after a change of the screen are ignored, and the other's move may come between: then nothing comes of it.
    """
    body = browser.find_element(By.TAG_NAME, "body")
    for key in (Keys.ESCAPE, ".", Keys.ENTER, ".") if has_chosen(browser) else (".", Keys.ENTER, "."):
        body.send_keys(key)
        await asyncio.sleep(0.6)
    cursor = browser.find_elements(By.CSS_SELECTOR, "[data-grid] .s-cursor")
    if not by_taps:
        body.send_keys(Keys.ENTER)
    elif cursor:
        ActionChains(browser).move_to_element(cursor[0]).click().perform()
    await asyncio.sleep(0.6)


def has_chosen(browser: Any) -> bool:
    """Tell whether a card is chosen already, so that esc lets go of it and leaves nothing."""
    return bool(browser.find_elements(By.CSS_SELECTOR, "[data-grid] .s-selected"))

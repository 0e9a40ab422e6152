"""A real Chromium in which somebody is signed in by a link from ssh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from tests.ssh.client import new_key
from tests.ssh.server import Server
from tests.web.pages import open_door, own_links, web_port
from tests.web.test_browser import browser_or_skip, chromium, grid, seen


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    browser_or_skip()
    async with open_door(tmp_path, **own_links()) as made:
        yield made


async def go(browser: Any, server: Server, path: str) -> None:
    await asyncio.to_thread(browser.get, f"http://127.0.0.1:{web_port(server)}{path}")


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

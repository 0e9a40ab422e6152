"""Signing a browser in: a look changes nothing, the form is bound to its browser, and nobody else's page sends it."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from server.accounts.actor import Actor
from server.accounts.browsers import SIGNED_IN_FOR
from server.accounts.moderation import Moderation
from server.address import Address
from server.admission.login_policy import LoginPolicy
from server.bus.bus import LocalBus
from server.config import Settings
from server.i18n.catalogues import catalogue
from server.web.guard import Guard
from server.web.socket import BrowserSession, Sessions
from tests.accounts.keyring import public_key
from tests.accounts.test_browsers import fp
from tests.texts import en
from tests.web.asking import ORIGIN, Browser
from tests.web.house import SOURCE, House, pages


def token_of(text: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', text)
    assert found is not None
    return found[1]


async def test_a_look_names_the_account_and_signs_nobody_in(house: House) -> None:
    link, preview, browser = await house.link(), Browser(house.app), Browser(house.app)
    for _ in range(3):
        seen = await preview.get(link)
        assert seen.status == 200
        assert en("web.sign-in", name="miranda") in seen.text
        assert [one.partition("=")[0] for one in seen.set_cookies] == ["__Host-patchbay-form"]
    assert await house.services.accounts.browsers.of(house.account_id) == []
    token = token_of((await browser.get(link)).text)
    assert (await browser.post(link, f"token={token}")).status == 303
    assert await house.name_of(browser) == "miranda"


async def test_the_cookie_is_the_host_s_and_no_script_s(house: House) -> None:
    browser, link = Browser(house.app), await house.link()
    signed_in = await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
    cookie = next(one for one in signed_in.set_cookies if one.startswith("__Host-patchbay="))
    assert all(part in cookie for part in ("; Secure", "; HttpOnly", "; SameSite=lax", "; Path=/"))
    assert "Domain" not in cookie
    assert signed_in.headers["cache-control"] == "no-store"
    assert signed_in.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("origin", [None, "https://evil.example", "null", "http://play.example.org"])
async def test_no_other_site_signs_a_browser_in(house: House, origin: str | None) -> None:
    browser, link = Browser(house.app), await house.link()
    token = token_of((await browser.get(link)).text)
    assert (await browser.post(link, f"token={token}", origin)).status == 403
    assert await house.services.accounts.browsers.of(house.account_id) == []


@pytest.mark.parametrize(("site", "status"), [("same-origin", 303), ("same-site", 403), ("cross-site", 403)])
async def test_a_browser_says_null_of_a_form_whose_page_sends_no_referrer(house: House, site: str, status: int) -> None:
    """Chromium did, and nobody could sign in."""
    browser, link = Browser(house.app), await house.link()
    token = token_of((await browser.get(link)).text)
    assert (await browser.post(link, f"token={token}", "null", site)).status == status


async def test_a_form_comes_back_from_the_browser_that_got_it(house: House) -> None:
    """Who has seen the link, and not the page in this browser, signs nobody in: not in their account either."""
    link, mine, theirs = await house.link(), Browser(house.app), Browser(house.app)
    token = token_of((await mine.get(link)).text)
    await theirs.get(link)
    for body in (f"token={token}", "token=", "", "x" * 10_000):
        assert (await theirs.post(link, body)).status == 403
    assert await house.services.accounts.browsers.of(house.account_id) == []


async def test_a_link_signs_in_once(house: House) -> None:
    link, first, second = await house.link(), Browser(house.app), Browser(house.app)
    tokens = [token_of((await one.get(link)).text) for one in (first, second)]
    assert (await first.post(link, f"token={tokens[0]}")).status == 303
    late = await second.post(link, f"token={tokens[1]}")
    assert late.status == 404
    assert en("browser.code-unknown") in late.text
    assert "__Host-patchbay" not in second.cookies


async def test_signing_in_ends_the_guest_and_each_time_gives_a_new_cookie(house: House) -> None:
    browser = Browser(house.app)
    await browser.get("/play")
    seen = [browser.cookies["__Host-patchbay"]]
    assert (await house.name_of(browser)).startswith("guest-")
    for _ in range(2):
        link = await house.link()
        await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
        seen.append(browser.cookies["__Host-patchbay"])
    assert len(set(seen)) == 3
    assert await house.name_of(browser) == "miranda"


async def test_a_guest_is_the_same_on_every_worker_and_can_not_be_made_up(house: House) -> None:
    browser = Browser(house.app)
    await browser.get("/play")
    name = await house.name_of(browser)
    elsewhere, _ = pages(house.services)
    house.cookies = elsewhere
    assert await house.name_of(browser) == name
    value = browser.cookies["__Host-patchbay"]
    for forged in (value.replace(name, "guest-aaaaaaaa"), f"g.{name}.", f"g.{name}.{'0' * 64}", "g..", "a.", "a.x", ""):
        browser.cookies["__Host-patchbay"] = forged
        assert await house.name_of(browser) != name


async def test_signing_out_takes_the_cookie_s_worth(house: House) -> None:
    browser, link = Browser(house.app), await house.link()
    await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
    kept = dict(browser.cookies)
    assert (await browser.post("/signout", origin=None)).status == 403
    assert (await browser.post("/signout")).status == 303
    assert "__Host-patchbay" not in browser.cookies
    assert (await house.name_of(Browser(house.app, cookies=kept))).startswith("guest-")


async def test_a_ban_meanwhile_shuts_the_page_and_the_feed(house: House) -> None:
    services = house.services
    browser, link = Browser(house.app), await house.link()
    secret = await services.accounts.feeds.make(house.account_id, fp("miranda"))
    await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
    assert (await browser.get("/play")).status == 200
    assert (await browser.get(f"/feed/{secret}.atom")).status == 200
    actor = Actor(services.database, services.clock, LocalBus())
    await Moderation(actor).ban("miranda", "test", None)
    await services.conduct.refresh()
    assert (await browser.get("/play")).status == 403
    assert (await browser.get(f"/feed/{secret}.atom")).status == 404


async def test_in_a_browser_who_is_banned_read_neither_until_when_nor_whom_to_write_to(house: House) -> None:
    services, now = house.services, house.services.clock.now()
    browser, link = Browser(house.app), await house.link()
    await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
    actor = Actor(services.database, services.clock, LocalBus())
    await Moderation(actor).ban("miranda", "test", timedelta(days=1))
    await services.conduct.refresh()
    until = f"{now + timedelta(days=1):%Y-%m-%d %H:%M} UTC"
    said = en("web.no-entry", why="test", until=en("barred.until", until=until), ask="")
    assert said in (await browser.get("/play")).text


async def test_a_wrong_feed_and_a_revoked_one_are_alike(house: House) -> None:
    feeds, browser = house.services.accounts.feeds, Browser(house.app)
    secret = await feeds.make(house.account_id, fp("miranda"))
    shown = await browser.get(f"/feed/{secret}.atom")
    assert shown.headers["content-type"] == "application/atom+xml"
    assert shown.headers["cache-control"] == "no-store"
    assert en("feed.title", name="miranda") in shown.text
    await feeds.revoke(house.account_id, fp("miranda"))
    revoked, wrong = await browser.get(f"/feed/{secret}.atom"), await browser.get("/feed/wrong.atom")
    assert (revoked.status, revoked.headers, revoked.text) == (wrong.status, wrong.headers, wrong.text)
    assert revoked.status == 404


async def test_a_feed_was_in_english_whatever_its_owner_had_chosen(house: House) -> None:
    accounts, browser = house.services.accounts, Browser(house.app)
    secret = await accounts.feeds.make(house.account_id, fp("miranda"))
    await accounts.change_preferences(house.account_id, lambda one: replace(one, language="zh_TW"))
    shown = await browser.get(f"/feed/{secret}.atom")
    assert catalogue("zh_TW").t("feed.title", name="miranda") in shown.text


async def test_a_guest_s_cookie_was_good_for_ever(house: House) -> None:
    browser = Browser(house.app)
    await browser.get("/play")
    name = await house.name_of(browser)
    clock: Any = house.services.clock
    clock.shift(86_000)
    assert await house.name_of(browser) == name
    clock.shift(1_000)
    assert await house.name_of(browser) != name


async def test_a_key_that_is_not_listed_came_in_by_a_browser(house: House, tmp_path: Path) -> None:
    """PATCHBAY_ALLOWED_KEYS and PATCHBAY_GUESTS were asked at the door of ssh only."""
    browser, link = Browser(house.app), await house.link()
    await browser.post(link, f"token={token_of((await browser.get(link)).text)}")
    listed = tmp_path / "listed"
    listed.write_text(public_key("miranda") + "\n")
    settings: Any = Settings(web_url=ORIGIN, allowed_keys=listed)
    _, browser.app = pages(replace(house.services, settings=settings))
    assert (await browser.get("/play")).status == 200
    assert (await Browser(browser.app).get("/play")).status == 403, "a guest"
    listed.write_text(public_key("somebody else") + "\n")
    shut = await browser.get("/play")
    assert shut.status == 403
    assert en("door.listed-only", line="ssh play.example.org") in shut.text
    _, closed = pages(replace(house.services, settings=Settings(web_url=ORIGIN, guests="off")))
    assert (await Browser(closed).get("/play")).status == 403


async def test_search_engines_list_a_profile_only_when_its_owner_lets_them(house: House) -> None:
    browser = Browser(house.app)
    shown = await browser.get("/@miranda")
    assert 'content="noindex"' in shown.text
    await house.services.accounts.change_preferences(house.account_id, lambda before: replace(before, indexed=True))
    opened = await browser.get("/@miranda")
    assert opened.status == 200
    assert "noindex" not in opened.text
    assert "/@" not in (await browser.get("/robots.txt")).text, "what is not read can't say that it is not to be listed"


class HeldSocket:
    """A page's socket that keeps its first message back; it has what it was told."""

    def __init__(self) -> None:
        self.told, self.says_hello = "", asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.says_hello.wait()
        return {"type": "websocket.receive", "text": "{}"}

    async def send_text(self, text: str) -> None:
        self.told += text

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("why", ["time", "signed out as it opened"])
async def test_a_socket_outlived_its_sign_in(house: House, why: str) -> None:
    unused: Any = None
    guard = Guard(house.services, LoginPolicy(house.services.settings), Address("play.example.org", 22))
    browsers, shared = house.services.accounts.browsers, Sessions(guard, unused, unused, set())
    made = await browsers.sign_in((await house.link()).removeprefix("/signin/"), SOURCE)
    who = await browsers.identity(made.cookie, SOURCE)
    assert who is not None
    if why == "time":
        clock: Any = house.services.clock
        clock.shift(SIGNED_IN_FOR.total_seconds())
    else:
        await browsers.sign_out(made.cookie)
    socket: Any = HeldSocket()
    running = asyncio.create_task(BrowserSession(socket, who, "this one", shared).run())
    await asyncio.sleep(0)
    await shared.close_stale()
    socket.says_hello.set()
    await running
    assert json.loads(socket.told) == {"over": [en("ended.signed-out"), False]}

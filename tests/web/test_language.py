"""The switch of the language: by a form of ours, in this browser, and with an account everywhere."""

from __future__ import annotations

from urllib.parse import quote

from tests.web.asking import Browser
from tests.web.house import House


async def choose(browser: Browser, language: str, back: str = "/") -> str:
    """Press a language; return where the browser is led."""
    answer = await browser.post("/language", f"language={language}&back={quote(back, safe='')}")
    assert answer.status == 303
    return answer.headers["location"]


async def test_who_pressed_a_language_gets_the_same_page_in_it(house: House) -> None:
    browser = Browser(house.app)
    first = await browser.get("/top/rainet")
    assert 'name="back" value="/top/rainet"' in first.text
    assert await choose(browser, "zh_TW", "/top/rainet") == "/top/rainet"
    again = await browser.get("/top/rainet", kept=first.headers["etag"])
    assert again.status == 200, "the page in the other language is not the one that is kept"
    assert '<html lang="zh-TW">' in again.text
    assert "cookie" in again.headers["vary"]


async def test_the_form_leads_to_no_other_site(house: House) -> None:
    for back in ("https://evil.example/", "//evil.example", "/\\evil.example", "", "javascript:alert(1)"):
        assert await choose(Browser(house.app), "en", back) == "/"


async def test_no_other_site_chooses_the_language(house: House) -> None:
    browser = Browser(house.app)
    assert (await browser.post("/language", "language=zh_CN&back=/", "https://evil.example")).status == 403
    assert browser.cookies == {}


async def test_a_language_that_is_none_changes_nothing(house: House) -> None:
    browser = Browser(house.app)
    assert await choose(browser, "xx", "/top/rainet") == "/top/rainet"
    assert browser.cookies == {}


async def test_a_page_that_is_not_there_says_the_same_everywhere_and_leads_to_the_first_one(house: House) -> None:
    found = [(await Browser(house.app).get(path)).text for path in ("/m/one", "/m/two", "/@nobody")]
    assert len(set(found)) == 1
    assert 'name="back" value="/"' in found[0]


async def test_with_an_account_the_language_is_that_of_all_its_sessions(house: House) -> None:
    """The page spoke Chinese, and the board on it went on in English."""
    browser = Browser(house.app)
    link = await house.link()
    form = (await browser.get(link)).text
    token = form.partition('name="token" value="')[2].partition('"')[0]
    await browser.post(link, f"token={token}")
    await choose(browser, "zh_CN", "/play")
    assert (await house.services.accounts.preferences(house.account_id)).language == "zh_CN"

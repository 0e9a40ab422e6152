"""Which address a request counts as, and which pages are ours."""

from __future__ import annotations

from ipaddress import ip_network

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from server.terminal.look import Look
from server.web.answers import page
from server.web.visitor import LANGUAGE, SHORT_NAMES, Visitors, look_of

PROXY = (ip_network("10.0.0.0/8"),)


def source(peer: str, *forwarded: str, proxies: tuple[object, ...] = PROXY) -> str:
    headers = Headers(raw=[(b"x-forwarded-for", one.encode()) for one in forwarded])
    return Visitors(proxies).source(peer, headers)  # type: ignore[arg-type]


def test_the_rightmost_address_that_is_no_proxy_counts() -> None:
    assert source("10.0.0.1", "192.0.2.1, 198.51.100.7, 10.0.0.9") == "198.51.100.7"
    assert source("10.0.0.1", "192.0.2.1", "198.51.100.7") == "198.51.100.7"


def test_a_header_of_somebody_who_is_no_proxy_is_not_believed() -> None:
    assert source("192.0.2.5", "198.51.100.7") == "192.0.2.5"
    assert source("10.0.0.1", "198.51.100.7", proxies=()) == "10.0.0.1"


def test_what_is_no_address_is_the_proxy_s_own() -> None:
    assert source("10.0.0.1", "nonsense") == "10.0.0.1"
    assert source("10.0.0.1") == "10.0.0.1"


def asked(language: str, chosen: str = "") -> HTTPConnection:
    held = [(b"cookie", f"{LANGUAGE}={chosen}".encode())] if chosen else []
    return HTTPConnection({"type": "http", "headers": [(b"accept-language", language.encode()), *held]})


def test_a_browser_whose_first_language_is_none_of_ours_got_english() -> None:
    """Of "de, zh-TW, en" only the first was looked at."""
    assert look_of(asked("de-DE,de;q=0.9,zh-TW;q=0.8,en;q=0.7")).language == "zh_TW"
    assert look_of(asked("de,en-GB;q=0.8,zh;q=0.7")).language == "en"
    assert look_of(asked("")).language == "en"


def test_a_language_that_was_chosen_goes_before_the_browser_s() -> None:
    assert look_of(asked("en", chosen="zh_CN")).language == "zh_CN"
    assert look_of(asked("zh-TW", chosen="../etc")).language == "zh_TW"


def test_names_are_text_in_a_page() -> None:
    said = {"said": "<script>alert(1)</script>", "name": '"><img src=x>', "back": '/"><img src=x>'}
    everywhere = {"ssh": "", "origin": "", "lets_play": True, "languages": SHORT_NAMES}
    body = page("said.html", Look(), **said, **everywhere).decode()
    assert "<script>" not in body
    assert "<img" not in body

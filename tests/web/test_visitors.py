"""Which address a request counts as, and which pages are ours."""

from __future__ import annotations

from ipaddress import ip_network

from starlette.datastructures import Headers

from server.terminal.look import Look
from server.web.answers import page
from server.web.visitor import Visitors

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


def test_names_are_text_in_a_page() -> None:
    body = page("said.html", Look(), said="<script>alert(1)</script>", name='"><img src=x>', ssh="", origin="").decode()
    assert "<script>" not in body
    assert "<img" not in body

"""Links to the pages for browsers that people are given; `origin` is what they begin with (`Settings.web_origin`)."""

from __future__ import annotations

from typing import Final

from server.config import Settings

WEB_URL: Final = "PATCHBAY_WEB_URL"


def why_none(settings: Settings) -> str:
    """Return the message key of why people are given no links to pages; its `setting` is WEB_URL."""
    return "browser.none" if settings.web_port is None else "browser.no-address"


def signin_link(origin: str, code: str) -> str:
    """Return the link that signs a browser in.

    >>> signin_link("https://play.example.org", "abcde-fghij")
    'https://play.example.org/signin/abcde-fghij'
    """
    return f"{origin}/signin/{code}"


def feed_link(origin: str, secret: str) -> str:
    """Return the address of a feed."""
    return f"{origin}/feed/{secret}.atom"


def match_link(origin: str, match_id: str) -> str:
    """Return the link to a match."""
    return f"{origin}/m/{match_id}"

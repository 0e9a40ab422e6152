"""Who comes by a browser: the address that counts, and the language."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from server.address import FORGOTTEN_PROXY, Network, is_trusted
from server.i18n.catalogues import CHOICES, FALLBACK, from_locale
from server.log import get_logger
from server.terminal.look import Look

log = get_logger("web")
FORWARDED = "x-forwarded-for"
LANGUAGE = "patchbay-language"  # the cookie of who has chosen one
SHORT_NAMES = {"en": "EN", "zh_TW": "繁", "zh_CN": "简"}  # of the languages, on every page whatever its own


class Visitors:
    """Finds out from where requests come. `proxies`: the networks whose header is believed."""

    def __init__(self, proxies: tuple[Network, ...]) -> None:
        self._proxies = proxies
        self._has_warned = False

    def is_proxy(self, peer: str) -> bool:
        """Tell whether a peer's header is believed."""
        return is_trusted(peer, self._proxies)

    def source(self, peer: str, headers: Headers) -> str:
        """Return the address that a request counts as: the rightmost that no proxy of ours has."""
        forwarded = [one.strip() for value in headers.getlist(FORWARDED) for one in value.split(",")]
        if not self.is_proxy(peer):
            self._warn(peer, forwarded)
            return peer
        for address in reversed(forwarded):
            if not _is_address(address):
                return peer
            if not self.is_proxy(address):
                return address
        return peer

    def _warn(self, peer: str, forwarded: Sequence[str]) -> None:
        """Tell the log, once, of a proxy that was forgotten in the settings."""
        if forwarded and not self._has_warned and _is_address(peer) and ip_address(peer).is_private:
            self._has_warned = True
            log.warning(FORGOTTEN_PROXY, source=peer)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def look_of(asked: HTTPConnection) -> Look:
    """Return how pages look to who asks: in the language chosen in this browser, else the one that it asks for."""
    chosen = asked.cookies.get(LANGUAGE, "")
    return Look("default", "unicode", chosen if chosen in CHOICES else accepted(asked.headers))


def accepted(headers: Headers) -> str:
    """Return the first of the languages that a browser asks for in which there are pages.

    >>> accepted(Headers({"accept-language": "de-DE,de;q=0.9,zh-TW;q=0.8,en;q=0.7"})), accepted(Headers())
    ('zh_TW', 'en')
    """
    names = (one.partition(";")[0].strip() for one in headers.get("accept-language", "").split(","))
    found = ((name, from_locale(name)) for name in names)
    return next((ours for name, ours in found if ours != FALLBACK or name.lower().startswith(FALLBACK)), FALLBACK)

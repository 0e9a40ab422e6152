"""Who comes by a browser: the address that counts, and the language."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.datastructures import Headers

from server.address import FORGOTTEN_PROXY, Network, is_trusted
from server.i18n.catalogues import from_locale
from server.log import get_logger
from server.terminal.look import Look

log = get_logger("web")
FORWARDED = "x-forwarded-for"


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


def look_of(headers: Headers) -> Look:
    """Return how pages look to who asks: in the language that their browser asks for first."""
    language = from_locale(headers.get("accept-language", "").split(",")[0].split(";")[0].strip())
    return Look("default", "unicode", language)

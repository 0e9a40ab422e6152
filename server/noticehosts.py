"""The hosts that notices may be sent to, and which URLs lie on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from server.errors import Refused

NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
PATH = re.compile(r"(/[A-Za-z0-9_.~-]+)+")
URL_CHARS = 200
HTTPS_PORT = 443
SHOWN_CHARS = 3  # of a topic, where it is shown to its owner
# Addresses that lead to others: what they hold is checked by nobody on the way.
LEADING = tuple(IPv6Network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))


@dataclass(frozen=True, slots=True)
class NoticeHost:
    """One host that an admin listed. `address`: it was listed as an address, and is reached as written."""

    name: str
    port: int
    address: IPv4Address | IPv6Address | None


@dataclass(frozen=True, slots=True)
class Topic:
    """A URL on a listed host. Whoever knows it can read along: `shown` is what may be told of it."""

    url: str
    host: NoticeHost

    @property
    def shown(self) -> str:
        """Return the URL with its topic shortened."""
        host, _, path = self.url.partition("://")[2].partition("/")
        return f"{host}/{path[:SHOWN_CHARS]}…"


def read_hosts(text: str) -> tuple[NoticeHost, ...]:
    """Read the admin's list. Raises ValueError.

    >>> [(one.name, one.port) for one in read_hosts("ntfy.example.org, 10.0.0.7:8080")]
    [('ntfy.example.org', 443), ('10.0.0.7', 8080)]
    """
    return tuple(_read_host(one.strip()) for one in text.split(",") if one.strip())


def _read_host(text: str) -> NoticeHost:
    try:
        parts = urlsplit(f"//{text}")
        port = parts.port
    except ValueError:
        raise ValueError(f"{text[:80]}: not HOST[:PORT]") from None
    name = parts.hostname or ""
    if parts.netloc != text or "@" in text or port == 0:
        raise ValueError(f"{text[:80]}: not HOST[:PORT]")
    try:
        address = ip_address(name)
    except ValueError:
        if NAME.fullmatch(name) is None or not name.rpartition(".")[2][:1].isalpha():
            raise ValueError(f"{text[:80]}: no name and no address") from None
        return NoticeHost(name, port or HTTPS_PORT, None)
    if port is None:
        raise ValueError(f"{text[:80]}: an address needs its port")
    return NoticeHost(name, port, address)


def read_topic(text: str, hosts: tuple[NoticeHost, ...]) -> Topic:
    """Read a topic's URL as a person typed it. Raises Refused for a URL that is none, or on no listed host."""
    parts = _parts(text)
    port = parts.port or (HTTPS_PORT if parts.scheme == "https" else 80)
    found = next((one for one in hosts if (one.name, one.port) == (parts.hostname, port)), None)
    if found is None:
        raise Refused("notices.error.host", hosts=", ".join(one.name for one in hosts))
    if parts.scheme != "https" and found.address is None:
        raise Refused("notices.error.url")
    return Topic(text, found)


def _parts(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise Refused("notices.error.url") from None
    is_plain = len(text) <= URL_CHARS and text.isascii() and text.isprintable() and " " not in text
    is_url = parts.scheme in ("http", "https") and "@" not in parts.netloc and not (parts.query or parts.fragment)
    segments = parts.path.split("/")
    if not is_plain or not is_url or PATH.fullmatch(parts.path) is None or {".", ".."} & set(segments):
        raise Refused("notices.error.url")
    return parts


def is_public(address: str) -> bool:
    """Tell whether everybody's packets go to an address, and it leads to no other one.

    >>> [is_public(one) for one in ("9.9.9.9", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "169.254.169.254")]
    [True, False, False, False, False]
    """
    read = ip_address(address.partition("%")[0])
    if isinstance(read, IPv6Address):
        if read.ipv4_mapped is not None or read.is_site_local:
            return False
        if any(read in network for network in LEADING):
            return False
    return read.is_global and not (read.is_multicast or read.is_reserved or "%" in address)

"""How this server is reached: the one place that writes the `ssh …` lines that people are told to type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

Network = IPv4Network | IPv6Network
SSH_PORT: Final = 22  # what `ssh` takes where no port is said
HOST_NAME: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})")
IPV6_WITH_PORT: Final = re.compile(r"\[([^\]]*)\](?::(.*))?")


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port, as somebody outside types them."""

    host: str
    port: int = SSH_PORT

    def line(self, said: str = "", *options: str) -> str:
        """Return what to type for a command of this server; without one it opens the screens.

        >>> Address("play.example.org").line()
        'ssh play.example.org'
        >>> Address("localhost", 2222).line("join K7QX", "-t")
        'ssh -t -p 2222 localhost join K7QX'
        """
        port = () if self.port == SSH_PORT else ("-p", str(self.port))
        return " ".join(("ssh", *options, *port, self.host, *((said,) if said else ())))

    def line_with_key(self) -> str:
        """Return what to type to come with a key that the client would not choose by itself."""
        return self.line("", "-i", "KEY", "-o", "IdentitiesOnly=yes")


LOCAL: Final = Address("localhost")


def read_address(text: str) -> Address:
    """Return the address that a setting names: HOST or HOST:PORT, an IPv6 address with a port as [HOST]:PORT.

    Raises ValueError.

    >>> read_address("play.example.org:2022"), read_address("[2001:db8::7]:2022"), read_address("2001:db8::7")
    (Address(host='play.example.org', port=2022), Address(host='2001:db8::7', port=2022), \
Address(host='2001:db8::7', port=22))
    """
    if (in_brackets := IPV6_WITH_PORT.fullmatch(text)) is not None:
        host, port = str(IPv6Address(in_brackets[1])), in_brackets[2]
    elif text.count(":") > 1:
        host, port = str(IPv6Address(text)), None
    else:
        host, colon, after = text.partition(":")
        port = after if colon else None
        if after.startswith("//"):
            raise ValueError(f"HOST or HOST:PORT, as people type it, without {host}://")
        if HOST_NAME.fullmatch(host) is None:
            raise ValueError("HOST or HOST:PORT, as people type it")
    if port is not None and not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise ValueError("the port is a number up to 65535")
    return Address(host, SSH_PORT if port is None else int(port))


def address_of(sockname: Any) -> Address:
    """Return the address of this end of a connection; a loopback address is `localhost`.

    >>> address_of(("127.0.0.1", 2222)), address_of(("::ffff:192.0.2.7", 22, 0, 0))
    (Address(host='localhost', port=2222), Address(host='192.0.2.7', port=22))
    """
    try:
        parsed: IPv4Address | IPv6Address = ip_address(str(sockname[0]).partition("%")[0])
        port = int(sockname[1])
    except (TypeError, IndexError, ValueError):
        return LOCAL
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    host = mapped or parsed
    return Address("localhost" if host.is_loopback else str(host), port)


FORGOTTEN_PROXY = (  # what the log says of a proxy that the settings don't name
    "a private address sends X-Forwarded-For and is not in PATCHBAY_WEB_PROXY_FROM: everybody behind it counts as one"
)


def is_trusted(address: str, networks: tuple[Network, ...]) -> bool:
    """Tell whether an address is that of a configured balancer.

    >>> from ipaddress import ip_network
    >>> is_trusted("::ffff:10.0.0.7", (ip_network("10.0.0.0/8"),))
    True
    """
    if not networks:
        return False
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return any(parsed.version == network.version and parsed in network for network in networks)

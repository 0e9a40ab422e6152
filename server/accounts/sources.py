"""What limits count somebody as: an account, or the networks around an address. One rule for every limit and ban."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from server.store.accounts import person_key

IPV4_LEVELS: Final = {24: 8}  # prefix of a wider network -> its budget, as a multiple of one source's
IPV6_LEVELS: Final = {56: 2, 48: 4}  # each holds 256 times as many sources as the one before, which cost nothing
SHARES: Final = {f"/{prefix}": share for levels in (IPV4_LEVELS, IPV6_LEVELS) for prefix, share in levels.items()}


@lru_cache(maxsize=4096)  # each action of a program asks
def networks_of(address: str) -> tuple[str, ...]:
    """Return what an address counts as: its source (IPv4: itself, IPv6: its /64), and the networks around that.

    The narrowest comes first. An IPv4 address written as IPv6 is an IPv4 address. A loopback address, and what can't be
    read, is a source of its own without wider networks. A source is taken as an address of it.

    >>> networks_of("192.0.2.7"), networks_of("::ffff:127.0.0.1")
    (('192.0.2.7', '192.0.2.0/24'), ('127.0.0.1',))
    >>> networks_of("2001:db8:1:2:3::4")
    ('2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48')
    """
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address.partition("%")[0].removesuffix("/64"))
    except ValueError:
        return (address[:64],)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    if parsed.is_loopback:
        return (str(parsed),)
    if isinstance(parsed, IPv4Address):
        return (str(parsed), *(_around(parsed, prefix) for prefix in IPV4_LEVELS))
    return (_around(parsed, 64), *(_around(parsed, prefix) for prefix in IPV6_LEVELS))


def _around(address: IPv4Address | IPv6Address, prefix: int) -> str:
    rest = address.max_prefixlen - prefix
    return f"{type(address)(int(address) >> rest << rest)}/{prefix}"


def source_of(address: str) -> str:
    """Return the source of an address: itself, or its network of /64 (IPv6).

    >>> source_of("192.0.2.7"), source_of("2001:db8:1:2:3::4"), source_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    return networks_of(address)[0]


def network_of(address: str) -> str:
    """Return the widest network that an address counts as: its /48, or /24 (IPv4); a loopback address is its own.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8:1:2:3::4"), network_of("::1")
    ('192.0.2.0/24', '192.0.2.0/24', '2001:db8:1::/48', '::1')
    """
    return networks_of(address)[-1]


def share_of(name: str) -> int:
    """Return the budget of an account, a source or a wider network, as a multiple of one source's.

    >>> share_of("a:7"), share_of("2001:db8:1:2::/64"), share_of("2001:db8:1::/48")
    (1, 1, 4)
    """
    return SHARES.get(name[-3:], 1)


@dataclass(frozen=True, slots=True)
class Sources:
    """On whose account something counts. Each of `names` has its own budget, and all of them must have room.

    An account that is a day old is its own source, whatever its network does. Guests, younger accounts and connections
    before the login count in every network around their address; a younger account also as itself.
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, addresses: Iterable[str], account_id: int | None = None, is_settled: bool = False) -> Sources:
        """Return what somebody counts as who is connected from these addresses. `is_settled`: a day old.

        >>> Sources.of(["192.0.2.7"], 7).names, Sources.of(["192.0.2.7"], 7, is_settled=True).names
        (('a:7', '192.0.2.7', '192.0.2.0/24'), ('a:7',))
        """
        own = () if account_id is None else (person_key(account_id, None),)
        around = () if is_settled else (name for address in addresses for name in networks_of(address))
        return cls((*own, *dict.fromkeys(around)))

    def budgets(self, own: float) -> tuple[tuple[str, float], ...]:
        """Return each name with its budget, where one source has `own`."""
        return tuple((name, own * share_of(name)) for name in self.names)

    def full(self, own: int, held: Callable[[str], int]) -> str | None:
        """Return the first name that holds all it may, None: there is room. `held`: how much a name holds now."""
        return next((name for name, most in self.budgets(own) if held(name) >= most), None)

    @property
    def counts_as(self) -> str:
        """Return what one person is counted as where people are: their account, or a guest's source."""
        return self.names[0]

    @property
    def path(self) -> tuple[str, ...]:
        """Return the names from the widest network inwards: in whose turns a bot thinks for this person."""
        return self.names[::-1]

"""The source that a network address counts as: one rule for every limit, ban and match."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network


def source_of(address: str) -> str:
    """Return what limits count an address as: itself, or its network of /64 (IPv6); an unreadable one stays.

    >>> source_of("192.0.2.7"), source_of("2001:db8:1:2:3::4"), source_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback:
        return str(parsed)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"  # every login asks: `ip_network` takes five times as long


def network_of(address: str) -> str:
    """Return the network that an address counts as where people may own one: its /48, or /24 (IPv4).

    A loopback address is one of its own; an unreadable one stays.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8:1:2:3::4"), network_of("::1")
    ('192.0.2.0/24', '192.0.2.0/24', '2001:db8:1::/48', '::1')
    """
    source = source_of(address)
    try:
        parsed = ip_address(source.partition("/")[0])
    except ValueError:
        return source
    if parsed.is_loopback:
        return source
    return str(ip_network((parsed, 48 if isinstance(parsed, IPv6Address) else 24), strict=False))

"""The target of a moderator's act: an account, a key or a network. A guest stands for their network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.guestnames import is_guest_name
from server.accounts.sources import source_of
from server.config import FINGERPRINT
from server.sanitize import clean
from server.store import accounts as stored_accounts
from server.store import processes
from server.store.accounts import Account
from server.store.processes import StoredSession

# The widest networks of a sanction, as prefix lengths. A /32 is the least that a provider gets of IPv6 (RIPE-738); a
# /16 of IPv4, 65,536 addresses, is a region of a provider or one large organisation. What is wider hits half a country.
WIDEST = {4: 16, 6: 32}
GONE = re.compile(r"deleted-(\d{1,18})")  # what records call a deleted account
NO_HANDLE = frozenset(".:/%")  # no handle holds one of these: the text is an address


@dataclass(frozen=True, slots=True)
class Target:
    """An account (its id), a key or a network; `shown` is the handle, the guest's name, the key or the network."""

    kind: str
    value: str
    shown: str


def read_target(connection: Connection, text: str, now: datetime, *, gone: bool) -> Target:
    """Read a handle, a guest's name, a key's fingerprint, an address or a network; with `gone` a deleted account too.

    A guest is the network they come from. Raises AccountError for what is none of these, or unknown here.
    """
    text = text.strip()
    if text.startswith("SHA256:"):
        if FINGERPRINT.fullmatch(text) is None:
            raise AccountError("target.no-key", text=clean(text, 80))
        return Target("key", text, text)
    if NO_HANDLE & set(text) or text.isdigit():
        network = str(network_of(text))
        return Target("network", network, network)
    if is_guest_name(text):
        if (guest := guest_here(connection, text, now)) is None:
            raise AccountError("guest.gone", name=text)
        return Target("network", str(network_of(guest.source)), text)
    number = GONE.fullmatch(text) if gone else None
    deleted = None if number is None else stored_accounts.by_id(connection, int(number[1]))
    account = deleted or account_of(connection, text)
    return Target("account", str(account.id), account.handle)


def account_of(connection: Connection, handle: str) -> Account:
    """Return somebody's account. Raises AccountError if unknown."""
    found = stored_accounts.by_handle(connection, handle)
    if found is None:
        raise AccountError("handle.unknown", handle=clean(handle, 40))
    return found


def guest_here(connection: Connection, name: str, now: datetime) -> StoredSession | None:
    """Return the connection of a guest, None for one who is not here (any more)."""
    guests = (one for one in processes.sessions_now(connection, now) if one.account_id is None)
    return next((one for one in guests if one.name == name), None)


def network_of(text: str) -> IPv4Network | IPv6Network:
    """Read an address or network; an IPv6 address alone means its /64, as the limits count. Raises AccountError.

    >>> str(network_of("2001:db8::7")), str(network_of("::ffff:192.0.2.0/120")), str(network_of("192.0.2.7"))
    ('2001:db8::/64', '192.0.2.0/24', '192.0.2.7/32')
    """
    try:
        network = ip_network(source_of(text) if "/" not in text else text, strict=False)
    except ValueError:
        raise AccountError("target.no-network", text=clean(text, 80)) from None
    if isinstance(network, IPv6Network) and network.prefixlen >= 96:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return IPv4Network((mapped, network.prefixlen - 96))
    return network


def check_width(target: Target) -> None:
    """Raise AccountError for a network wider than WIDEST."""
    if target.kind == "network":
        network = ip_network(target.value)
        if network.prefixlen < WIDEST[network.version]:
            raise AccountError("target.too-wide", network=target.value, v4=WIDEST[4], v6=WIDEST[6])


def holds_address(network: IPv4Network | IPv6Network, address: str) -> bool:
    """Tell whether an address, as a connection has it, lies in a network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed) in network

"""Public keys as people bring them, the fingerprints they are known by, and the sources they come from."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from server.accounts.errors import AccountError

MAX_LINE = 8192
KINDS = frozenset(
    (
        *("ssh-ed25519", "ssh-ed448", "ssh-rsa"),
        *("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"),
        *("sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
    )
)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key: `line` is its OpenSSH form without the comment, `fingerprint` is `SHA256:…`."""

    line: str
    fingerprint: str


def read_public_key(line: str) -> PublicKey:
    """Read one OpenSSH public key line. Raises AccountError for anything else."""
    kind, _, rest = line[:MAX_LINE].strip().partition(" ")
    text = rest.split(maxsplit=1)[0] if rest.strip() else ""
    try:
        blob = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise AccountError("key.unreadable") from None
    name = kind.encode("utf-8", "replace")
    if kind not in KINDS or not blob.startswith(len(name).to_bytes(4, "big") + name) or len(blob) < len(name) + 36:
        raise AccountError("key.unreadable")
    return PublicKey(f"{kind} {text}", fingerprint(blob))


def fingerprint(blob: bytes) -> str:
    """Return a key's fingerprint as ssh shows it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def source_of(address: str) -> str:
    """Return what limits count an address as: itself, or its network of /64 (IPv6); an unreadable one stays.

    >>> source_of("192.0.2.7"), source_of("2001:db8:1:2:3::4"), source_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(ip_network((parsed, 64), strict=False))
    return str(parsed)

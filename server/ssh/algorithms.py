"""What we speak: key exchanges, ciphers, MACs and signatures, the best first; nothing with SHA-1 or CBC."""

from __future__ import annotations

from typing import Any

import asyncssh

KEX = (
    "mlkem768x25519-sha256",
    "sntrup761x25519-sha512",
    "sntrup761x25519-sha512@openssh.com",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
)
# No chacha20-poly1305: clients prefer it, and in this library a packet costs seven times as much with it
# (docs/decisions/ciphers.md). No CBC, ever.
ENCRYPTION = ("aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes128-ctr")
MAC = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com")
SIGNATURES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "rsa-sha2-512",
    "rsa-sha2-256",
)
KEY_TYPES = frozenset(SIGNATURES[:6]) | {"ssh-rsa"}
RSA_BITS = 2048


def known(wanted: tuple[str, ...], supported: list[bytes]) -> list[str]:
    """Return those of the wanted algorithms that this build of the library has (mlkem and sntrup need a C library)."""
    have = {name.decode() for name in supported}
    return [name for name in wanted if name in have]


def algorithm_options() -> dict[str, Any]:
    """Return the algorithm part of the server's options."""
    from asyncssh.kex import get_kex_algs

    return {
        "kex_algs": known(KEX, get_kex_algs()),
        "encryption_algs": list(ENCRYPTION),
        "mac_algs": list(MAC),
        "signature_algs": list(SIGNATURES),
        "compression_algs": None,
    }


def is_acceptable(key: asyncssh.SSHKey) -> bool:
    """Tell whether a player's key is of a kind and length that can be an account."""
    if key.get_algorithm() not in KEY_TYPES:
        return False
    size = getattr(getattr(key, "pyca_key", None), "key_size", RSA_BITS)
    return key.get_algorithm() != "ssh-rsa" or size >= RSA_BITS

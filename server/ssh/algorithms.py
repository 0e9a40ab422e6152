"""The algorithms offered: key exchanges, host keys, ciphers, MACs and signatures; none with SHA-1 or CBC.

The client's order decides (RFC 4253 section 7.1); docs/clients.md says which clients need which.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import asyncssh
from asyncssh.kex import get_kex_algs
from asyncssh.packet import PacketDecodeError, SSHPacket

from server.accounts.publickeys import RSA_BITS, has_short_exponent

# curve25519 first: a client that guesses (dropbear) guesses this one, and both lists must begin with it to be right.
KEX = (
    "curve25519-sha256",
    "mlkem768x25519-sha256",
    "sntrup761x25519-sha512",
    "sntrup761x25519-sha512@openssh.com",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",  # for clients that are held to FIPS 140
)
HOST_KEYS = ("ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512", "rsa-sha2-256")
# No chacha20-poly1305: clients prefer it, and in this library a packet costs seven times as much with it
# (docs/decisions/ssh-algorithms.md). No CBC, ever.
ENCRYPTION = ("aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes128-ctr")
# Encrypt-and-MAC last, for clients that have neither GCM nor encrypt-then-MAC; safe with counter modes.
MAC = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512")
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
RSA_KEY = "ssh-rsa"  # what an RSA key is called; as the name of a signature it means SHA-1
KEY_OF = {name: RSA_KEY if name.startswith("rsa-") else name for name in SIGNATURES}  # signature -> kind of key
KEY_TYPES = frozenset(KEY_OF.values())


def known(wanted: tuple[str, ...], supported: list[bytes]) -> list[str]:
    """Return the wanted algorithms that this build of the library supports (mlkem and sntrup need a C library)."""
    have = {name.decode() for name in supported}
    return [name for name in wanted if name in have]


def algorithm_options() -> dict[str, Any]:
    """Return the options that select algorithms."""
    return {
        "kex_algs": known(KEX, get_kex_algs()),
        "encryption_algs": list(ENCRYPTION),
        "mac_algs": list(MAC),
        "signature_algs": list(SIGNATURES),
        "compression_algs": None,
    }


def host_key_pairs(keys: Sequence[asyncssh.SSHKey]) -> OrderedDict[bytes, asyncssh.SSHKeyPair]:
    """Return our host keys by the names of the signatures they make, in the order of `HOST_KEYS`.

    Each name has a pair of its own: the library keeps the name that one connection chose in the pair, and between the
    choice and the signature another connection may choose.
    """
    found: OrderedDict[bytes, asyncssh.SSHKeyPair] = OrderedDict()
    for name in HOST_KEYS:
        for key in keys:
            if key.get_algorithm() == KEY_OF[name] and name.encode() not in found:
                [found[name.encode()]] = asyncssh.load_keypairs([key])
    return found


def announced_keys(keys: Sequence[asyncssh.SSHKey]) -> OrderedDict[bytes, asyncssh.SSHKeyPair]:
    """Return all our host keys by their public halves, as clients are told of them (`hostkeys-00@openssh.com`)."""
    return OrderedDict((pair.public_data, pair) for pair in asyncssh.load_keypairs(list(keys)))


def is_acceptable(key: asyncssh.SSHKey) -> bool:
    """Tell whether a player's key is of a kind and length that can be an account, and usual to verify by."""
    if key.get_algorithm() not in KEY_TYPES:
        return False
    if key.get_algorithm() != RSA_KEY:
        return True
    packet = SSHPacket(key.public_data)
    _, exponent = packet.get_string(), packet.get_string()
    return getattr(key.pyca_key, "key_size", 0) >= RSA_BITS and has_short_exponent(exponent)


def names_agree(rest: bytes) -> bool:
    """Tell whether what follows the method of a public-key request names one algorithm of ours throughout.

    It is named up to three times: by the request, by the kind of the key, and by the signature where there is one. The
    library verifies by the innermost name and looks at no other, so each is checked here, against the list and
    against the others. False, too, where it can't be read. Source: RFC 4252 section 7, RFC 8332 section 3.
    """
    packet = SSHPacket(rest)
    try:
        is_signed = packet.get_boolean()
        algorithm, key = packet.get_string(), SSHPacket(packet.get_string())
        signature = SSHPacket(packet.get_string()).get_string() if is_signed else algorithm
        wanted = KEY_OF.get(algorithm.decode("ascii"))
        return wanted is not None and key.get_string() == wanted.encode() and signature == algorithm
    except (PacketDecodeError, UnicodeDecodeError):
        return False


def guesses_wrong(kexinit: bytes, kex: Sequence[bytes], host_keys: Sequence[bytes]) -> bool:
    """Tell whether the client's guessed key exchange packet must be ignored.

    A guess is right only if both lists of each kind begin with the same name, whatever is agreed on
    (RFC 4253 section 7); the library compares with what was agreed on. Raises PacketDecodeError.
    """
    packet = SSHPacket(kexinit)
    packet.get_bytes(16)  # the cookie
    lists = [packet.get_namelist() for _ in range(10)]
    return packet.get_boolean() and (lists[0][:1] != list(kex[:1]) or lists[1][:1] != list(host_keys[:1]))

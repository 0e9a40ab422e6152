"""Public keys and their fingerprints."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

from server.accounts.errors import AccountError
from server.sanitize import clean

MAX_LINE = 8192
RSA_BITS = 2048
COMMENT_CHARS = 40
CURVES = {"nistp256": 65, "nistp384": 97, "nistp521": 133}  # bytes of an uncompressed point
ED25519_BYTES = 32
# Accepted kinds and lengths of keys: the same as in server/ssh/algorithms.py.
KINDS = frozenset(
    (
        *("ssh-ed25519", "ssh-rsa"),
        *(f"ecdsa-sha2-{curve}" for curve in CURVES),
        *("sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
    )
)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key: `line` is its OpenSSH form without the comment, `fingerprint` is `SHA256:…`."""

    line: str
    fingerprint: str
    comment: str = ""


def read_public_key(line: str) -> PublicKey:
    """Read one OpenSSH public key line. Raises AccountError for anything else, and for a key too weak to log in."""
    kind, _, rest = line[:MAX_LINE].strip().partition(" ")
    text, _, comment = rest.strip().partition(" ")
    try:
        blob = base64.b64decode(text, validate=True)
        parts = _strings(blob)
    except (binascii.Error, ValueError):
        raise AccountError("key.unreadable") from None
    if kind not in KINDS or parts[:1] != [kind.encode()] or not _is_whole(kind, parts[1:]):
        raise AccountError("key.unreadable")
    if kind == "ssh-rsa" and int.from_bytes(parts[2], "big").bit_length() < RSA_BITS:
        raise AccountError("key.weak")
    return PublicKey(f"{kind} {text}", fingerprint(blob), clean(comment, COMMENT_CHARS))


def _strings(blob: bytes) -> list[bytes]:
    """Return the strings that a key is made of (RFC 4253 6.6). Raises ValueError where it is cut."""
    found, at = [], 0
    while at < len(blob):
        end = at + 4 + int.from_bytes(blob[at : at + 4], "big")
        if at + 4 > len(blob) or end > len(blob):
            raise ValueError("cut")
        found.append(blob[at + 4 : end])
        at = end
    return found


def _is_whole(kind: str, parts: list[bytes]) -> bool:
    """Tell whether these are the parts of a key of that kind, each as long as it should be."""
    match kind, parts:
        case "ssh-rsa", [e, n]:
            return bool(e and n) and n[0] < 0x80 and n[-1] % 2 == 1
        case "ssh-ed25519", [point]:
            return len(point) == ED25519_BYTES
        case "sk-ssh-ed25519@openssh.com", [point, _]:
            return len(point) == ED25519_BYTES
        case "sk-ecdsa-sha2-nistp256@openssh.com", [b"nistp256", point, _]:
            return len(point) == CURVES["nistp256"]
        case _, [curve, point]:
            return kind == f"ecdsa-sha2-{curve.decode('ascii', 'replace')}" and len(point) == CURVES[kind[11:]]
    return False


def fingerprint(blob: bytes) -> str:
    """Return a key's fingerprint as ssh shows it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")

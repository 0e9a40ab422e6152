"""Public keys and their fingerprints."""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re
from dataclasses import dataclass

from server.accounts.errors import AccountError
from server.sanitize import clean

MAX_LINE = 8192
MAX_TEXT = 16_384
SSH2_MARK, SSH2_END, SSH2_KEY = "---- BEGIN SSH2 PUBLIC KEY ----", "---- END", "AAAA"
SSH2_COMMENT = re.compile(r'Comment: *"?([^"\n]*)"?')
PRIVATE = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY|PuTTY-User-Key-File-\d"
)
RSA_BITS = 2048
EXPONENT_BYTES = 4  # of an RSA key: tools make 3 and 65537; one as long as the key takes 11 ms to verify by, not 0.1
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


def decoded(data: bytes) -> str:
    """Return a key file as text: Windows writes UTF-16 and byte order marks."""
    pairs = data[: len(data) // 2 * 2]  # a line that still arrives may be cut within a character
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return pairs.decode("utf-16", "replace")
    if 0 in data[:2]:
        return pairs.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    return data.decode("utf-8-sig", "replace")


def is_whole_key(text: str) -> bool:
    """Tell whether a text that still arrives holds a key to its end: one line, or what stands between two marks."""
    begun = text.lstrip()
    return bool(begun) and (not begun.startswith(SSH2_MARK) or SSH2_END in begun)


def read_public_key(text: str) -> PublicKey:
    """Read a public key as OpenSSH writes it, in one line, or as PuTTYgen saves it (RFC 4716).

    Raises AccountError for anything else, for a private key, and for a key too weak to log in.
    """
    text = text[:MAX_TEXT].lstrip("\ufeff").strip()
    if PRIVATE.search(text):
        raise AccountError("key.private")
    kind, text, comment = _of_ssh2(text) if text.startswith(SSH2_MARK) else _of_line(text)
    try:
        blob = base64.b64decode(text, validate=True)
        parts = _strings(blob)
    except (binascii.Error, ValueError):
        raise AccountError("key.unreadable") from None
    kind = kind or (parts[0].decode("ascii", "replace") if parts else "")
    if kind not in KINDS or parts[:1] != [kind.encode()] or not _is_whole(kind, parts[1:]):
        raise AccountError("key.unreadable")
    if kind == "ssh-rsa" and int.from_bytes(parts[2], "big").bit_length() < RSA_BITS:
        raise AccountError("key.weak")
    return PublicKey(f"{kind} {text}", fingerprint(blob), clean(comment, COMMENT_CHARS))


def _of_line(text: str) -> tuple[str, str, str]:
    """Return kind, base64 and comment of OpenSSH's line; comments and empty lines may stand above it."""
    lines = [line.strip() for line in text.splitlines()]
    line = next((line for line in lines if line and not line.startswith("#")), "")
    kind, _, rest = line[:MAX_LINE].partition(" ")
    base, _, comment = rest.strip().partition(" ")
    return kind, base, comment


def _of_ssh2(text: str) -> tuple[str, str, str]:
    """Return base64 and comment of RFC 4716, whose lines may have become one; the kind stands in the key itself."""
    inner = text.removeprefix(SSH2_MARK).partition(SSH2_END)[0]
    begin = inner.find(SSH2_KEY)
    comment = SSH2_COMMENT.search(inner[: max(0, begin)].replace("\\\n", ""))
    return "", "".join(inner[begin:].split()) if begin >= 0 else "", comment[1].strip() if comment else ""


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
            return has_short_exponent(e) and bool(n) and n[0] < 0x80 and n[-1] % 2 == 1
        case "ssh-ed25519", [point]:
            return len(point) == ED25519_BYTES
        case "sk-ssh-ed25519@openssh.com", [point, _]:
            return len(point) == ED25519_BYTES
        case "sk-ecdsa-sha2-nistp256@openssh.com", [b"nistp256", point, _]:
            return len(point) == CURVES["nistp256"]
        case _, [curve, point]:
            return kind == f"ecdsa-sha2-{curve.decode('ascii', 'replace')}" and len(point) == CURVES[kind[11:]]
    return False


def has_short_exponent(e: bytes) -> bool:
    """Tell whether an RSA key's exponent, as the key holds it, is one that tools make.

    >>> has_short_exponent(bytes([1, 0, 1])), has_short_exponent(bytes([1]) * 300), has_short_exponent(b"")
    (True, False, False)
    """
    return 0 < len(e) <= EXPONENT_BYTES


def fingerprint(blob: bytes) -> str:
    """Return a key's fingerprint as ssh shows it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")

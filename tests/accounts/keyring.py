"""Public keys for tests: well-formed, different, nobody holds their private halves."""

from __future__ import annotations

import base64
import hashlib


def public_key(name: str) -> str:
    """Return an ssh-ed25519 line of its own for each name."""
    blob = b"\x00\x00\x00\x0bssh-ed25519" + b"\x00\x00\x00\x20" + hashlib.sha256(name.encode()).digest()
    return f"ssh-ed25519 {base64.b64encode(blob).decode()} {name}@example"

"""Names for guests."""

from __future__ import annotations

import secrets

GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GUEST_CHARS = 8  # of 31 letters: 850 thousand million names


def guest_name() -> str:
    """Draw a name for a guest; it is also their id, so it must be unique."""
    return "guest-" + "".join(secrets.choice(GUEST_LETTERS) for _ in range(GUEST_CHARS))

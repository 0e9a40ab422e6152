"""Names of guests: how one is drawn, and what has the form of one."""

from __future__ import annotations

import re
import secrets

GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GUEST = re.compile(r"guest-[a-z2-9]{4,12}")
GUEST_CHARS = 8  # of 31 letters: 850 thousand million names


def guest_name() -> str:
    """Draw a name for a guest; it is also their id, so it must be unique."""
    return "guest-" + "".join(secrets.choice(GUEST_LETTERS) for _ in range(GUEST_CHARS))


def is_guest_name(text: str) -> bool:
    """Tell whether a text has the form of a guest's name."""
    return GUEST.fullmatch(text) is not None

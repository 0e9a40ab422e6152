"""Codes: recovery codes, codes that link another key, and invitation codes."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime

from server.store.accounts import RECOVERY, StoredCode

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike
RECOVERY_CODES = 8
RECOVERY_CHARS = 15  # 74 bits: a recovery code may be kept for years
INVITATION_CHARS = 15  # for days, and perhaps several people
LINK_CHARS = 10  # 49 bits, ten minutes, few tries
Choose = Callable[[str], str]


def new_code(chars: int, choose: Choose = secrets.choice) -> str:
    """Return a fresh code in groups of five.

    >>> new_code(10, lambda alphabet: alphabet[0])
    'aaaaa-aaaaa'
    """
    drawn = "".join(choose(ALPHABET) for _ in range(chars))
    return "-".join(drawn[i : i + 5] for i in range(0, chars, 5))


def new_recovery_codes(choose: Choose) -> tuple[str, ...]:
    """Return the fresh recovery codes of one account."""
    return tuple(new_code(RECOVERY_CHARS, choose) for _ in range(RECOVERY_CODES))


def recovery(code: str, account_id: int, now: datetime, by: str | None = None) -> StoredCode:
    """Return a recovery code as it is stored; `by`: the key that made it."""
    return StoredCode(code_hash(code), account_id, RECOVERY, now, None, by)


def code_hash(code: str) -> str:
    """Return what is stored of a code. Case, spaces and dashes don't matter when it is typed."""
    plain = "".join(char for char in code[:200].lower() if char in ALPHABET)
    return hashlib.sha256(b"patchbay code " + plain.encode()).hexdigest()

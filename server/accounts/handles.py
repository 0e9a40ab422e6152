"""Which handles there may be."""

from __future__ import annotations

import re

from server.accounts.errors import AccountError
from server.words import strict_skeleton

HANDLE = re.compile(r"[a-z][a-z0-9_-]{2,15}")
RESERVED_WORDS = (
    *("admin", "administrator", "moderator", "operator", "root", "sysop", "system", "server", "host", "patchbay"),
    *("staff", "support", "security", "official", "guest", "anonymous", "nobody", "everyone", "public", "deleted"),
    *("bot", "robot", "player", "watcher", "null", "none", "undefined"),
)
RESERVED = frozenset(map(strict_skeleton, RESERVED_WORDS))
RESERVED_PREFIXES = ("guest-", "guest_", "deleted-", "deleted_", "bot-", "bot_", "admin-", "admin_")


def check_handle(handle: str) -> None:
    """Raise AccountError when nobody may be called this: its form, or a word that people would trust or confuse."""
    if not HANDLE.fullmatch(handle):
        raise AccountError("handle.not-allowed")
    if handle.startswith(RESERVED_PREFIXES) or strict_skeleton(handle) in RESERVED:
        raise AccountError("handle.reserved")


def is_handle(text: str) -> bool:
    """Tell whether a text has the form of a handle."""
    return HANDLE.fullmatch(text) is not None

"""Which handles there may be."""

from __future__ import annotations

import re

from server.accounts.errors import AccountError
from server.words import strict_skeleton

DIGITS = "0123456789"
HANDLE = re.compile(r"[a-z][a-z0-9_-]{2,15}")
RESERVED_WORDS = (
    *("admin", "administrator", "moderator", "operator", "root", "sysop", "system", "server", "host", "patchbay"),
    *("staff", "support", "security", "official", "guest", "anonymous", "nobody", "everyone", "public", "deleted"),
    *("bot", "robot", "player", "watcher", "null", "none", "undefined"),
)
RESERVED = frozenset(map(strict_skeleton, RESERVED_WORDS))
# Words of authority, or of those who are no accounts: neither alone, nor with a number or as one part of several.
TRUSTED_WORDS = (
    *("admin", "administrator", "moderator", "mod", "operator", "root", "sysop", "sysadmin", "system", "server"),
    *("patchbay", "staff", "support", "security", "official", "owner", "guest", "bot", "deleted", "anonymous"),
)
TRUSTED = frozenset(map(strict_skeleton, TRUSTED_WORDS))
RESERVED_PREFIXES = ("guest-", "guest_", "deleted-", "deleted_", "bot-", "bot_", "admin-", "admin_")


def check_handle(handle: str) -> None:
    """Raise AccountError when nobody may be called this: its form, or a word that people would trust or confuse."""
    if not HANDLE.fullmatch(handle):
        raise AccountError("handle.not-allowed")
    if handle.startswith(RESERVED_PREFIXES) or strict_skeleton(handle) in RESERVED or _is_trusted(handle):
        raise AccountError("handle.reserved")


def _is_trusted(handle: str) -> bool:
    """Tell whether a handle speaks with authority: `admin2`, `moderators`, `the-admin`, `m0d_tarn`."""
    parts = [part.rstrip(DIGITS) for part in (handle, *re.split("[-_]", handle))]
    return any(strict_skeleton(form) in TRUSTED for part in parts for form in (part, part.removesuffix("s")))


def is_handle(text: str) -> bool:
    """Tell whether a text has the form of a handle."""
    return HANDLE.fullmatch(text) is not None

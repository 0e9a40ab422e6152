"""The rules for handles: form, reserved words, look-alikes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from server.accounts.errors import AccountError
from server.sanitize import skeletons, strict_skeleton

HANDLE = re.compile(r"[a-z][a-z0-9_-]{2,15}")
PARTS = re.compile(r"[-_]+")
# Words of authority: refused as a whole, as one of several parts (the-mod), and with a number (mod7).
AUTHORITY_WORDS = (
    *("admin", "admins", "administrator", "administrators", "mod", "mods", "moderator", "moderators", "staff"),
    *("referee", "referees", "sysadmin", "sysadmins", "sysop", "sysops", "official", "operator", "operators"),
    *("root", "system", "server", "patchbay", "support", "security", "helpdesk", "console", "webmaster", "postmaster"),
)
RESERVED_WORDS = (
    *AUTHORITY_WORDS,
    *("owner", "owners", "host", "house", "settings"),
    *("umpire", "arbiter", "abuse", "team", "guest", "guests", "anonymous", "deleted"),
    # words that sentences use for people: "Waiting for you."
    *("you", "your", "yours", "yourself", "myself", "mine", "she", "her", "hers", "him", "his", "they", "them"),
    *("their", "who", "whoever", "nobody", "noone", "somebody", "someone", "anybody", "anyone", "everybody"),
    *("everyone", "all", "both", "other", "others", "another", "opponent", "opponents", "self", "public"),
    *("bot", "bots", "robot", "computer", "player", "players", "watcher", "watchers", "null", "none", "undefined"),
)
RESERVED = frozenset(map(strict_skeleton, RESERVED_WORDS))
AUTHORITIES = frozenset(map(strict_skeleton, AUTHORITY_WORDS))
KINDS = frozenset(map(strict_skeleton, ("guest", "deleted", "bot")))  # nobody but these is called guest-…
STAFF = strict_skeleton("staff")  # also as a prefix
SHORTEST = 3
DIGITS = "0123456789"


def check_handle(handle: str, server_name: str = "") -> None:
    """Raise AccountError for a handle of the wrong form, or one that is reserved or misleading.

    `server_name`: what the operator calls this server; no handle may be it.
    """
    if not HANDLE.fullmatch(handle):
        raise AccountError("handle.not-allowed")
    strict, (first, *others) = strict_skeleton(handle), PARTS.split(handle)
    parts = {strict_skeleton(part.rstrip(DIGITS)) for part in (first, *others, handle)}
    is_trusted = bool(parts & AUTHORITIES) or strict.startswith(STAFF)
    is_other_kind = bool(others) and strict_skeleton(first) in KINDS
    names = (strict, strict_skeleton(handle.rstrip(DIGITS)))
    is_of_server = any(_is_of_server(name, server_name) for name in names)
    if is_other_kind or strict in RESERVED or is_trusted or is_of_server:
        raise AccountError("handle.reserved")


def _is_of_server(strict: str, server_name: str) -> bool:
    """Tell whether a handle is the server's name, alone or before a word that people would trust."""
    letters = "".join(char for char in server_name.lower() if char.isascii() and char.isalnum())
    if len(letters) < SHORTEST:
        return False
    name = strict_skeleton(letters)
    return strict == name or (strict.startswith(name) and strict.removeprefix(name) in RESERVED)


def departed_hashes(handles: Iterable[str]) -> frozenset[str]:
    """Return hashes of the skeletons of a deleted account's handles: all that is kept of them."""
    found = frozenset().union(*map(skeletons, handles))
    return frozenset(hashlib.sha256(b"patchbay handle " + one.encode()).hexdigest() for one in found)

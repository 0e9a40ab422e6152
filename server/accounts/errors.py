"""What the accounts refuse, by message key."""

from __future__ import annotations

from collections.abc import Mapping

from server.errors import Refused

ERRORS: Mapping[str, tuple[str, ...]] = {
    "handle.not-allowed": (),  # letters, digits, _ and -, 3 to 16, a letter first
    "handle.reserved": (),
    "handle.taken": (),  # or too easily mistaken for one that is
    "handle.unknown": ("handle",),
    "key.unreadable": (),
    "key.taken": (),
    "key.unknown": (),
    "key.last": (),  # the last key can't go
    "code.unknown": (),  # never made, used up, or too old
    "role.unknown": ("role",),
    "account.gone": (),
    "account.banned": ("why", "until"),
    "account.paused": ("until", "retry_after_ms"),  # from rated matches
    "account.other-paused": ("name", "until", "retry_after_ms"),
    "deck.no-name": (),
    "deck.too-long": ("n",),  # characters
    "deck.too-many": ("n",),
    "guest.gone": ("name",),
    "moderation.admin": ("handle",),  # moderators have no say over admins
    "moderation.admin-there": (),  # nor over a key or an address of theirs
    "moderation.self": (),
    "target.no-key": ("text",),
    "target.no-mute": (),
    "target.no-network": ("text",),
    "limit.reached": ("limit", "retry_after_ms"),
}


class AccountError(Refused):
    """An account can't be made or changed like this; `key` says why."""

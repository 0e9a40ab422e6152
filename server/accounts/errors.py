"""The errors of account services, by message key."""

from __future__ import annotations

from collections.abc import Mapping

from server.errors import Refused

ERRORS: Mapping[str, tuple[str, ...]] = {
    "handle.not-allowed": (),  # 3 to 16 of a-z 0-9 _ -, a letter first
    "handle.reserved": (),
    "handle.taken": (),  # or looks like one that is
    "handle.unknown": ("handle",),
    "key.unreadable": (),
    "key.private": (),
    "key.taken": (),
    "key.unknown": (),
    "key.weak": (),  # it could not log in here either
    "key.last": (),  # the last key can't go
    "key.gone": (),  # it was removed meanwhile
    "key.young": ("until",),  # can't act on older keys yet
    "key.too-many": ("n",),
    "key.too-many-proposals": ("n",),
    "proposal.gone": (),
    "code.unknown": (),  # unknown, used or expired
    "browser.code-unknown": (),  # in a link; unknown, used or expired
    "block.self": (),
    "report.self": (),  # nobody reports themselves
    "role.unknown": ("role",),
    "account.gone": (),
    "accounts.closed": (),  # nobody may register
    "accounts.invitation": (),  # only with an invitation code
    "account.paused": ("until", "retry_after_ms"),  # from rated matches
    "account.other-paused": ("name", "until", "retry_after_ms"),
    "deck.no-name": (),
    "deck.too-long": ("n",),  # characters
    "deck.too-many": ("n",),
    "deck.unknown": ("name",),
    "follow.self": (),
    "follow.too-many": ("n",),
    "machine.for-good": (),  # it has played rated as a machine
    "machine.not-marked": ("handle",),  # a program plays rated only for a machine
    "message.empty": (),
    "message.self": (),
    "message.young": ("until",),  # an account younger than a day writes to nobody
    "note.self": (),
    "guest.gone": ("name",),
    "moderation.admin": ("handle",),  # moderators can't act on admins
    "moderation.admin-there": (),  # nor on their keys and addresses
    "moderation.self": (),
    "target.no-key": ("text",),
    "target.no-mute": (),
    "target.no-network": ("text",),
    "target.too-wide": ("network", "v4", "v6"),  # only admins may, and only if they say so
    "limit.reached": ("limit", "retry_after_ms"),
}


class AccountError(Refused):
    """An account can't be made or changed like this; `key` says why."""

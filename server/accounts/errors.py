"""The errors of account services, by message key."""

from __future__ import annotations

from server.errors import Refused


class AccountError(Refused):
    """An account can't be made or changed like this; `key` says why."""

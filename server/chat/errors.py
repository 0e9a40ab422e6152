"""The errors of the chat, by message key."""

from __future__ import annotations

from server.errors import Refused


class ChatRefused(Refused):
    """A line was not said. `retry_after_ms` is 0 where waiting does not help."""

    def __init__(self, key: str, retry_after_ms: int = 0, **params: str | int) -> None:
        if retry_after_ms:
            params["retry_after_ms"] = retry_after_ms
        super().__init__(key, **params)
        self.retry_after_ms = retry_after_ms

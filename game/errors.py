"""The errors the rules raise on a player's input."""

from __future__ import annotations


class GameError(ValueError):
    """Something a player sent can't be used; `key` is a message key, never prose.

    `detail` helps a person reading stderr; it is never shown to another player.
    """

    def __init__(self, key: str, detail: str = "") -> None:
        super().__init__(f"{key}: {detail}" if detail else key)
        self.key = key
        self.detail = detail


class BadNotation(GameError):
    """The text can't be read at all: unknown verb, square, card, option or player count (exit code 2)."""


class IllegalAction(GameError):
    """Readable, but not allowed now; the state is untouched (exit code 1)."""

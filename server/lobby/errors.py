"""What the lobby refuses."""

from __future__ import annotations

from server.errors import Refused


class LobbyRefused(Refused):
    """Something asked of the lobby or a room is not done; nothing has changed."""


class NoSuchPerson(LobbyRefused):
    """Nobody of that name is here, or they are not to be met."""

    def __init__(self, handle: str) -> None:
        super().__init__("lobby.error.nobody", handle=handle)


class ChallengedAlready(LobbyRefused):
    """Who is challenged has challenged the challenger to the same: that is to be accepted."""

    def __init__(self, handle: str, code: str) -> None:
        super().__init__("lobby.error.challenged-already", handle=handle, code=code)

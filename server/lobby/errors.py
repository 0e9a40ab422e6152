"""What the lobby refuses."""

from __future__ import annotations

from collections.abc import Mapping

from server.errors import Refused

# Every message key that `lobby/` raises, with the names of its parameters: the catalogues have them all.
ERRORS: Mapping[str, tuple[str, ...]] = {
    "lobby.error.challenged-already": ("handle", "code"),
    "lobby.error.guests-not-daily": (),
    "lobby.error.guests-play-casual": (),
    "lobby.error.nobody": ("handle",),
    "lobby.error.sits-here": ("handle",),
    "lobby.error.too-many-challenges": (),
    "lobby.error.too-many-matches": (),
    "lobby.error.too-many-rooms": (),
    "lobby.error.too-many-seeks": (),
    "room.error.apart": (),  # one has blocked the other
    "room.error.full": (),
    "room.error.no-machines": (),  # who opened it plays with people only
    "room.error.no-such-bot": (),
    "room.error.not-host": (),
    "room.error.not-ready": (),
    "room.error.not-seated": (),
    "room.error.not-watchable": (),
    "room.error.nothing-to-repeat": (),
    "room.error.opened-so": (),
    "room.error.playing": (),
    "room.error.removed": (),
    "room.error.seat-held": (),
    "room.error.seat-taken": (),
    "room.error.unknown": (),  # or it is not for who asks
}


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

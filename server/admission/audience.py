"""What a served connection hears of admins' orders and of its person's other sessions, whichever door it came by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from server.accounts.identity import Identity
from server.admission.unsent import Receiver
from server.errors import Refused


class Speaks(Protocol):
    """What has the texts of a language."""

    def t(self, key: str, **params: object) -> str: ...


Say = Callable[[Speaks], str]  # says something in whatever language


def text(key: str, **params: object) -> Say:
    """Return what says the text of a message key."""
    return lambda texts: texts.t(key, **params)


def silently(texts: Speaks) -> str:
    """Say nothing."""
    return ""


class Audience:
    """What a served session hears of admins' orders and of its person's other sessions."""

    def announced(self, text: str) -> None:
        """Hear what an admin tells everybody."""

    def roles_changed(self, roles: frozenset[str]) -> None:
        """Hear which roles the person has from now on."""

    def renamed(self, name: str) -> None:
        """Hear that the person has another handle now."""

    def muted(self, refused: Refused | None) -> None:
        """Hear why the person may not speak from now on; None: they may again."""

    def reported(self) -> None:
        """Hear that something was reported; only moderators do."""

    def blocks_changed(self) -> None:
        """Hear that the person has blocked or unblocked an account."""

    def following_changed(self) -> None:
        """Hear that the person follows others than before, or that one of them has another handle."""

    def alerted(self, name: str, tell: str) -> None:
        """Hear that somebody whom the person waited for is here, or plays."""

    def keys_changed(self) -> None:
        """Hear that the account's keys or proposals are others now, or have other names."""

    def visibility_changed(self, is_invisible: bool) -> None:
        """Hear that the person does not want to be seen connected, or does again."""

    def written_to(self, message_id: int) -> None:
        """Hear that somebody has written to the person: in the message of this number."""

    def language_changed(self) -> None:
        """Hear that the person has chosen another language, perhaps in another session."""

    def language(self) -> str:
        """Return the language that the person reads here; empty: not known."""
        return ""

    def guest_hidden(self, name: str, is_hidden: bool) -> None:
        """Hear that a guest is hidden from the person, or no longer."""


class Served(Protocol):
    """Somebody who is served: who it is, and who hears of orders for them. `session`: an id for logs and presence."""

    @property
    def identity(self) -> Identity: ...

    @property
    def session(self) -> str: ...

    @property
    def audience(self) -> Audience: ...

    def become(self, identity: Identity) -> None:
        """Serve somebody else from now on, or the same person with other roles or another name."""
        ...


class Ends(Protocol):
    """What can be ended with a message and an exit status."""

    def end_session(self, say: Say, status: int) -> None: ...


class ServedSession(Served, Ends, Receiver, Protocol):
    """A session of another door than ssh."""

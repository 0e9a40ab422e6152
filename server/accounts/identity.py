"""Who is there: the person behind one connection, and who sits on a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ADMIN = "admin"
MODERATOR = "moderator"
ROLES = frozenset((ADMIN, MODERATOR))


Hidden = frozenset[int | str]  # whom somebody does not want to see: accounts, and guests by their names


def is_hidden(account_id: int | None, name: str, hidden: Hidden) -> bool:
    """Tell whether an account, or the guest of that name, is among those whom somebody does not want to see."""
    return (name if account_id is None else account_id) in hidden


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, stored with the match."""

    kind: Literal["account", "guest", "bot"]
    name: str  # handle, guest name, "bot:hard"
    account_id: int | None = None
    guest_id: str | None = None  # connection-bound id of a guest

    def is_same_person(self, other: Player) -> bool:
        """Tell whether both are one account or one guest; bots are nobody's."""
        if self.kind != other.kind or self.kind == "bot":
            return False
        return (self.account_id, self.guest_id) == (other.account_id, other.guest_id)

    def is_among(self, hidden: Hidden) -> bool:
        """Tell whether this is somebody whom somebody does not want to see."""
        return is_hidden(self.account_id, self.name, hidden)


@dataclass(frozen=True, slots=True)
class Identity:
    """One connection's person, fixed when authentication is complete."""

    account_id: int | None  # None: guest
    name: str  # handle, or "guest-x7k2"
    roles: frozenset[str]  # ADMIN, MODERATOR
    fingerprint: str | None  # "SHA256:…" of the key that was proven; also of an unknown key (then account_id is None)
    public_key: str | None  # OpenSSH line of that key, without its comment
    wish: str  # sanitised user name asked for (NAME@HOST)
    source: str  # address

    @property
    def is_guest(self) -> bool:
        return self.account_id is None

    @property
    def player(self) -> Player:
        """This person as a seat has them. A guest's id is its name: names of guests are unique while they are here."""
        if self.account_id is None:
            return Player("guest", self.name, guest_id=self.name)
        return Player("account", self.name, account_id=self.account_id)

    def may(self, role: str) -> bool:
        """Tell whether the person has a role; an admin may what a moderator may."""
        return role in self.roles or ADMIN in self.roles

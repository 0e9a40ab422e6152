"""The person behind a connection, and the player on a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from server.accounts.sources import Sources
from server.store.accounts import person_key

ADMIN = "admin"
MODERATOR = "moderator"
ROLES = frozenset((ADMIN, MODERATOR))


Hidden = frozenset[int | str]  # what somebody has blocked: account ids, and names of guests
NOBODY: Final[Hidden] = frozenset()


def is_hidden(account_id: int | None, name: str, hidden: Hidden) -> bool:
    """Tell whether an account, or the guest of that name, is hidden from somebody."""
    return (name if account_id is None else account_id) in hidden


BOT = "bot:"  # how the names of bots begin; their level follows


def bot_player(level: str) -> Player:
    """Return a bot of a level as a player."""
    return Player("bot", BOT + level)


@dataclass(frozen=True, slots=True)
class Player:
    """The holder of a seat, stored with the match."""

    kind: Literal["account", "guest", "bot"]
    name: str  # handle, guest name, "bot:hard"
    account_id: int | None = None
    guest_id: str | None = None  # connection-bound id of a guest
    is_machine: bool = False  # an account that a program plays for; not stored: `MarkedAccounts` knows it

    @property
    def is_bot(self) -> bool:
        """Tell whether a bot sits there from the start."""
        return self.kind == "bot"

    @property
    def person(self) -> str:
        """Return what is the same for all connections of this person, and nobody else's."""
        return person_key(self.account_id, self.guest_id or self.name)

    def to_json(self) -> dict[str, Any]:
        """Return the fields that are stored, by name."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "is_machine"}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Player:
        """Read what `to_json` wrote."""
        return cls(**data)

    def is_same_person(self, other: Player) -> bool:
        """Tell whether both are one account or one guest; False for bots."""
        return not self.is_bot and self.kind == other.kind and self.person == other.person

    def as_machine(self, is_machine: bool) -> Player:
        """Return the same player, marked as a machine or not."""
        return self if is_machine is self.is_machine else replace(self, is_machine=is_machine)

    def is_named(self, account_id: int | None, name: str) -> bool:
        """Tell whether an account, or the guest of that name, is this player."""
        return account_id == self.account_id and (account_id is not None or name == self.name)

    def is_among(self, hidden: Hidden) -> bool:
        """Tell whether this player is among the hidden ones."""
        return is_hidden(self.account_id, self.name, hidden)


@dataclass(frozen=True, slots=True)
class Identity:
    """One connection's person, fixed when authentication is complete."""

    account_id: int | None  # None: guest
    name: str  # handle, or "guest-x7k2"
    roles: frozenset[str]  # ADMIN, MODERATOR
    fingerprint: str | None  # "SHA256:…" of the key that was proven; also of an unknown key (then account_id is None)
    public_key: str | None  # OpenSSH line of that key, without its comment
    wanted_handle: str  # sanitised user name asked for (NAME@HOST)
    source: str  # address
    is_invisible: bool = False  # does not want to be seen connected
    is_settled: bool = False  # an account that is a day old: its limits are its own, whatever its network does
    browser: str | None = None  # which one it comes by: what ssh alone may do is refused; None: it comes by ssh

    @property
    def sources(self) -> Sources:
        """Return on whose account counts what this connection does."""
        return Sources.of((self.source,), self.account_id, self.is_settled)

    @property
    def is_guest(self) -> bool:
        return self.account_id is None

    @property
    def player(self) -> Player:
        """Return this person as the holder of a seat. A guest's id is the name, which is unique while connected."""
        if self.account_id is None:
            return Player("guest", self.name, guest_id=self.name)
        return Player("account", self.name, account_id=self.account_id)

    @property
    def person(self) -> str:
        """Return what is the same for all connections of this person."""
        return person_key(self.account_id, self.name)

    def may(self, role: str) -> bool:
        """Tell whether the person has a role; an admin has a moderator's rights too. In a browser nobody has one."""
        return self.browser is None and (role in self.roles or ADMIN in self.roles)


def bound_addresses(here: Sequence[Identity]) -> tuple[str, ...]:
    """Return the addresses whose networks' limits and mutes hold for a person with these connections.

    Of an account that is a day old there are none: its network may be anybody's.
    """
    return () if any(one.is_settled for one in here) else tuple(dict.fromkeys(one.source for one in here))

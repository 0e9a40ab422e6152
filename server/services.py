"""All services, in one frozen dataclass for sessions. Only `app.py` makes one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.accounts.conduct import Conduct
from server.accounts.decks import Decks
from server.accounts.following import Following
from server.accounts.identity import Identity
from server.accounts.machines import Machines
from server.accounts.messages import Messages
from server.accounts.moderation import Moderation
from server.bus.bus import Bus
from server.chat.chat import Chat
from server.clock import Clock
from server.config import Settings
from server.lobby.lobby import Lobby
from server.matches.exhibition import Exhibition
from server.matches.matches import Matches
from server.notices.notices import Notices
from server.ratings.ratings import Ratings
from server.store.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """What screens and programs work with."""

    settings: Settings
    clock: Clock
    database: Database
    bus: Bus
    accounts: Accounts
    conduct: Conduct
    following: Following
    messages: Messages
    machines: Machines
    ratings: Ratings
    chat: Chat
    matches: Matches
    lobby: Lobby
    decks: Decks
    exhibition: Exhibition
    rendered: Callable[[float], None] = lambda seconds: None  # is told how long each drawing took
    motd: Callable[[], str] = lambda: ""  # returns the message of the day; empty: there is none
    notices: Notices | None = None  # None: no host for them is listed

    def moderate(self, who: Identity) -> Moderation:
        """Return the acts of moderators, with somebody as the actor."""
        return Moderation(Actor(self.database, self.clock, self.bus, who.name, who.source, who.fingerprint))

"""The frozen shapes that the lobby and its rooms hand to screens and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from game.contract import Json, Seat
from server.accounts.identity import Player
from server.matches.agreement import Agreement
from server.matches.model import ChatLine, MatchSummary

TITLE_CHARS = 40  # of a room's name


@dataclass(frozen=True, slots=True)
class Seek:
    """A request to be paired. Several may be open at once (`Lobby.seek` takes them together): one is fulfilled.

    `rating_low/high` is a hard range that is never violated; within it the
    search begins near one's own rating and widens. `fewest`: content with so many players after a while (None: only
    the wished number); `asks`: may be asked then whether fewer will do; `bots`: after a while empty seats may go to
    built-in players.
    """

    agreement: Agreement
    seat: Seat | None = None
    seat_options: Mapping[str, Json] = field(default_factory=dict)  # what one brings to the seat: a deck
    rating_low: int | None = None
    rating_high: int | None = None
    fewest: int | None = None
    bots: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody who waits is asked: whether to begin with the `size` people who are there.

    `agreed`: how many of them have; `is_answered`: this person too, the others are waited for.
    """

    seek: str  # its id
    game: str
    size: int
    wished: int  # how many this person wished for
    agreed: int
    is_answered: bool


@dataclass(frozen=True, slots=True)
class SeekView:
    """One open seek as the lobby lists it. `low`, `high`: the ratings it takes just now (None: any)."""

    id: str
    seek: Seek
    player: Player
    rating: int | None
    provisional: bool
    low: int | None
    high: int | None
    waiting: int  # how many persons wait for the same, this one included
    since: datetime

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.seek.agreement


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """What a room plays. `auto_start`: begins when its seats are full, without anybody pressing ready."""

    agreement: Agreement
    auto_start: bool = False
    title: str = ""  # its name, as its host typed it: cleaned where it is taken
    is_speed_named: bool = True  # somebody chose the speed; else there is no clock against built-in players alone

    def agreed(self, **changes: Any) -> RoomSettings:
        """Return the settings with some of what is agreed on changed."""
        return replace(self, agreement=replace(self.agreement, **changes))


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """One seat of a room."""

    seat: Seat
    player: Player | None
    rating: int | None = None
    ready: bool = False
    here: bool = False
    seat_options: bool = False  # has chosen what it brings (a deck); which stays hidden
    provisional: bool = False  # the rating is
    held_for: str | None = None  # handle of somebody who was challenged to take it


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as its members see it."""

    code: str
    version: int
    settings: RoomSettings
    host: str
    seats: tuple[RoomSeat, ...]
    members: tuple[str, ...]  # everybody who is in, seated or not
    removed: tuple[str, ...]  # whom the host has sent away, as `Player.person` names them
    match: str | None  # the match being played, or the last one
    playing: bool
    played: int  # matches so far
    results: tuple[tuple[str, str], ...]  # (match id, winner's name or '' for none), oldest first
    won: tuple[int, ...]  # by seat that is taken; empty: no score is known
    ended_as: tuple[tuple[str, str], ...]  # by match id: what nobody has won alone
    rematch: frozenset[str]  # who asked for another one
    chat: tuple[ChatLine, ...]
    can_start: bool
    declined: tuple[str, ...] = ()  # who was challenged and did not want to
    begins_at: datetime | None = None  # while people who are all ready are counted down
    casual_because: str | None = None  # why a rated match of those who sit here would be casual all the same

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.settings.agreement


@dataclass(frozen=True, slots=True)
class RoomSummary:
    """One open room as the lobby lists it."""

    code: str
    settings: RoomSettings
    seats: tuple[RoomSeat, ...]
    host: str
    since: datetime
    match: str | None = None
    people: frozenset[str] = frozenset()  # host and seated, as `Player.person` names them
    removed: frozenset[str] = frozenset()  # whom the host has sent away

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.settings.agreement

    @property
    def is_full(self) -> bool:
        """Tell whether nobody can sit down there."""
        return all(seat.player is not None for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Challenge:
    """Somebody wants to play with somebody: a room with a seat held.

    `is_invitation`: an open room, where a match begins when those who sit there are ready.
    """

    code: str
    by: Player
    to: str  # handle
    settings: RoomSettings
    since: datetime  # when it was made
    until: datetime | None = None  # when it lapses
    is_declined: bool = False  # and its maker has not put it away yet
    is_invitation: bool = False

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.settings.agreement


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Somebody who is connected."""

    name: str
    guest: bool
    playing: str | None  # match id
    since: datetime
    is_machine: bool = False


@dataclass(frozen=True)
class LobbyView:
    """What the lobby shows; the same for everybody, and a new one at most every three seconds.

    Whom it concerns is found once for all who look at it: each of them asks at every new view.
    """

    version: int
    at: datetime
    seeks: tuple[SeekView, ...]
    rooms: tuple[RoomSummary, ...]
    matches: tuple[MatchSummary, ...]  # live, public; the most interesting first
    here: tuple[PersonHere, ...]
    ended: tuple[MatchSummary, ...] = ()  # public, the latest first
    waits: tuple[tuple[str, str, int], ...] = ()  # game, speed, and for how many seconds one usually looks there

    @cached_property
    def matches_by_person(self) -> Mapping[str, frozenset[str]]:
        """The ids of the live matches that each person plays."""
        found: dict[str, set[str]] = {}
        for summary in self.matches:
            for seat in summary.seats:
                found.setdefault(seat.player.person, set()).add(summary.id)
        return {person: frozenset(ids) for person, ids in found.items()}

    @cached_property
    def seekers(self) -> frozenset[str]:
        """The persons who look for a match."""
        return frozenset(seek.player.person for seek in self.seeks)

    @cached_property
    def names_here(self) -> frozenset[str]:
        """The names of those who are here."""
        return frozenset(one.name for one in self.here)

    @cached_property
    def sent_away(self) -> frozenset[str]:
        """The persons who were removed from a room that is listed."""
        return frozenset(person for room in self.rooms for person in room.removed)

"""What somebody may know of matches and rooms: the one rule, which every door, list, count and refusal asks.

A private match is known to who has a seat in it and to who is in its room; to a moderator who comes from a report about
it; and, once it is over and all its people have said so, to everybody. To all others it is not there. A private room is
known to who is in it or is kept a seat there, and to who brings its code where it has a place for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from game.contract import Viewer, Watcher
from server.accounts.identity import Identity, Player
from server.matches.errors import MatchRunning, NoSuchMatch, NotWatchable, NotYourSeat
from server.matches.terms import Terms


class Knowledge(IntEnum):
    """How much of a match somebody may know."""

    NOTHING = 0  # not even that it is there
    EXISTENCE = 1  # that it is there, and who plays; nothing of how it goes
    SIGHT = 2  # what the public may see of it


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a person (None: anybody at all), the codes of the rooms they are in, and what else lets them in.

    `case`: the match that a report is about, for a moderator who comes from that report.
    """

    player: Player | None = None
    rooms: frozenset[str] = frozenset()
    case: str | None = None


EVERYBODY = Asker()


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What decides who may know of a match; `players` by seat. `is_open`: others may watch it, or it is over."""

    id: str
    players: tuple[Player, ...]
    is_private: bool
    is_shared: bool  # it is over, and all its people have said that everybody may see it
    room: str | None
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class RoomFacts:
    """What decides who may know of a room; `people` as `Player.person` names them, seated or not."""

    is_private: bool
    people: frozenset[str] = frozenset()
    kept_for: frozenset[str] = frozenset()  # handles of those who were challenged to come
    has_place: bool = False  # for who asks: a free seat, or one to look on from


def knowledge(match: MatchFacts, asker: Asker) -> Knowledge:
    """Return how much of a match somebody may know."""
    me = asker.player
    if asker.case == match.id or (me is not None and any(one.is_same_person(me) for one in match.players)):
        return Knowledge.SIGHT
    if match.is_private and not match.is_shared and match.room not in asker.rooms:
        return Knowledge.NOTHING
    return Knowledge.SIGHT if match.is_open else Knowledge.EXISTENCE


def knows_room(room: RoomFacts, asker: Asker, has_code: bool = False) -> bool:
    """Tell whether somebody may know of a room. `has_code`: they bring its code."""
    me = asker.player
    if not room.is_private:
        return True
    if me is None:
        return False
    return me.person in room.people or me.name in room.kept_for or (has_code and room.has_place)


def check_sight(match: MatchFacts, asker: Asker) -> None:
    """Raise NoSuchMatch where somebody may not know of a match, NotWatchable where they may not look at it."""
    known = knowledge(match, asker)
    if known is Knowledge.NOTHING:
        raise NoSuchMatch(match.id)
    if known is Knowledge.EXISTENCE:
        raise NotWatchable


class ViewedMatch(Protocol):
    """What the rule needs to know of a match, to say as which viewer somebody sees it."""

    @property
    def facts(self) -> MatchFacts: ...

    @property
    def terms(self) -> Terms: ...

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended, and everybody may know it."""
        ...

    def is_near(self, who: Identity) -> bool:
        """Tell whether somebody plays in the match, or comes with a player's key or from a player's address."""
        ...


def sight(match: ViewedMatch, who: Identity, asker: Asker, wished: Viewer = Watcher.PUBLIC) -> Viewer:
    """Return as which viewer somebody sees a match who would like to see it as `wished`.

    `asker`: who they are for `knowledge`. Raises as `check_sight`, and while the match runs NotYourSeat for somebody
    else's seat, MatchRunning for all cards open.
    """
    check_sight(match.facts, asker)
    if match.is_over:
        return wished
    if wished is Watcher.OMNISCIENT:
        raise MatchRunning
    if not isinstance(wished, Watcher) and not match.terms.players[wished].is_same_person(who.player):
        raise NotYourSeat
    return Watcher.PLAIN if wished is Watcher.PUBLIC and match.terms.has_open_hands and match.is_near(who) else wished

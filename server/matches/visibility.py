"""Who may look at a match, and as which viewer: the one rule, which every way of looking asks."""

from __future__ import annotations

from typing import Protocol

from game.contract import Viewer, Watcher
from server.accounts.identity import MODERATOR, Identity, Player
from server.matches.errors import MatchRunning, NotWatchable, NotYourSeat
from server.matches.terms import Terms


class VisibleMatch(Protocol):
    """What the rule needs to know of a match."""

    @property
    def terms(self) -> Terms: ...

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended, and everybody may know it."""
        ...


class ViewedMatch(VisibleMatch, Protocol):
    """What it needs to know besides, to say as which viewer somebody sees it."""

    def is_near(self, who: Identity) -> bool:
        """Tell whether somebody plays in the match, or comes with a player's key or from a player's address."""
        ...


def may_look(match: VisibleMatch, player: Player, on_case: bool = False) -> bool:
    """Tell whether somebody may look at a match.

    A closed one is for its own players until everybody may know that it has ended. `on_case`: this is a moderator who
    comes from a report about this match.
    """
    return match.terms.agreement.watchable or match.is_over or match.terms.seat_of(player) is not None or on_case


def sight(match: ViewedMatch, who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
    """Return as which viewer somebody sees a match who would like to see it as `wished`.

    `case`: the match that a report is about, for who comes from that report. Raises NotWatchable where the match is
    closed, and while it runs NotYourSeat for somebody else's seat, MatchRunning for all cards open.
    """
    if not may_look(match, who.player, on_case=case == match.terms.id and who.may(MODERATOR)):
        raise NotWatchable
    if match.is_over:
        return wished
    if wished is Watcher.OMNISCIENT:
        raise MatchRunning
    if not isinstance(wished, Watcher) and not match.terms.players[wished].is_same_person(who.player):
        raise NotYourSeat
    return Watcher.PLAIN if wished is Watcher.PUBLIC and match.terms.has_open_hands and match.is_near(who) else wished

"""What `matches/` refuses, by name; what the rules refuse comes as `game.errors.GameError`, unchanged."""

from __future__ import annotations

from typing import ClassVar

from server.errors import Refused


class BotFailed(Exception):
    """A built-in player can't answer now. `why`: `not_started`, `died`, `slow`, or `wrong` (no answer)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class MatchRefused(Refused):
    """Something asked of a match is not done; the match is as it was. `says`: the message key, where none is given."""

    says: ClassVar[str]

    def __init__(self, key: str | None = None, **params: str | int) -> None:
        super().__init__(key or self.says, **params)


class NoSuchMatch(MatchRefused):
    """There is no match of that id, or it may not be seen."""

    def __init__(self, match_id: str) -> None:
        super().__init__("match.error.unknown", match=match_id)


class NotYourTurn(MatchRefused):
    """The seat owes nothing."""

    says = "match.error.not-your-turn"


class Stale(MatchRefused):
    """The seat's decision is no longer the one of that turn. Another seat's entry alone does not make it so."""

    says = "match.error.stale"


class TooLate(Stale):
    """The answer arrived after its deadline."""

    says = "match.error.too-late"


class MatchOver(MatchRefused):
    """The match has ended."""

    says = "match.error.over"


class MatchRunning(MatchRefused):
    """Only a finished match gives this."""

    says = "match.error.running"


class MatchPaused(MatchRefused):
    """The match is adjourned, or something of ours broke in it and it waits for an admin."""

    says = "match.error.adjourned"


class MatchUnreadable(MatchPaused):
    """The match's log can't be read, or the rules refuse it: it stands still until an admin has looked after it."""

    def __init__(self, match_id: str, cause: Exception | None = None) -> None:
        super().__init__("match.error.unreadable", match=match_id)
        self.__cause__ = cause


class NotOffered(MatchRefused):
    """There is no such offer to answer, or it can't be made now."""

    says = "match.error.not-offered"


class NotClaimable(MatchRefused):
    """Nobody has been away for long enough."""

    says = "match.error.not-claimable"


class NotWatchable(MatchRefused):
    """Its players want to be among themselves while they play."""

    says = "match.error.not-watchable"


class NotYourMatch(MatchRefused):
    """Who asks has no seat there."""

    says = "match.error.not-your-match"


class NotYourSeat(MatchRefused):
    """Somebody else sits there: while the match runs nobody else sees what that seat sees."""

    says = "match.error.not-your-seat"


class NoCondition(MatchRefused):
    """A conditional move can't be read, or can't be played from here."""


class Draining(MatchRefused):
    """The server is about to stop: nothing new begins here."""

    says = "server.draining"

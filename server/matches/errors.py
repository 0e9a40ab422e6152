"""What `matches/` refuses, by name; what the rules refuse comes as `game.errors.GameError`, unchanged."""

from __future__ import annotations

from collections.abc import Mapping

from server.errors import Refused

# Every message key that `matches/` raises, with the names of its parameters: the catalogues have them all.
ERRORS: Mapping[str, tuple[str, ...]] = {
    "match.error.adjourned": (),
    "match.error.bot-plays": (),
    "match.error.guests-do-not-adjourn": (),
    "match.error.left-already": (),
    "match.error.no-draw-with-bots": (),
    "match.error.not-claimable": (),
    "match.error.apart": (),  # one has blocked the other
    "match.error.not-offered": (),
    "match.error.not-watchable": (),
    "match.error.not-your-seat": (),
    "match.error.not-your-turn": (),
    "match.error.over": (),
    "match.error.paused": (),
    "match.error.running": (),
    "match.error.silence": (),
    "match.error.stale": (),
    "match.error.too-late": (),
    "match.error.unknown": ("match",),
    "match.error.unreadable": ("match",),
    "match.unknown-speed": (),
    "match.untimed-is-for-bots": (),
    "server.draining": (),
}


class MatchRefused(Refused):
    """Something asked of a match is not done; the match is as it was."""


class NoSuchMatch(MatchRefused):
    """There is no match of that id, or it may not be seen."""

    def __init__(self, match_id: str) -> None:
        super().__init__("match.error.unknown", match=match_id)


class NotYourTurn(MatchRefused):
    """The seat owes nothing."""

    def __init__(self) -> None:
        super().__init__("match.error.not-your-turn")


class Stale(MatchRefused):
    """The seat's decision is no longer the one of that turn. Another seat's entry alone does not make it so."""

    def __init__(self, key: str = "match.error.stale") -> None:
        super().__init__(key)


class TooLate(Stale):
    """The answer arrived after its deadline."""

    def __init__(self) -> None:
        super().__init__("match.error.too-late")


class MatchOver(MatchRefused):
    """The match has ended."""

    def __init__(self) -> None:
        super().__init__("match.error.over")


class MatchRunning(MatchRefused):
    """Only a finished match gives this."""

    def __init__(self) -> None:
        super().__init__("match.error.running")


class MatchPaused(MatchRefused):
    """The match is adjourned, or something of ours broke in it and it waits for an admin."""

    def __init__(self, key: str = "match.error.adjourned") -> None:
        super().__init__(key)


class MatchUnreadable(MatchPaused):
    """The rules refuse the match's log: it stands still until an admin has looked after it."""

    def __init__(self, match_id: str) -> None:
        MatchRefused.__init__(self, "match.error.unreadable", match=match_id)


class NotOffered(MatchRefused):
    """There is no such offer to answer, or it can't be made now."""

    def __init__(self, key: str = "match.error.not-offered") -> None:
        super().__init__(key)


class NotClaimable(MatchRefused):
    """Nobody has been away for long enough."""

    def __init__(self) -> None:
        super().__init__("match.error.not-claimable")


class NotWatchable(MatchRefused):
    """Its players want to be among themselves while they play."""

    def __init__(self) -> None:
        super().__init__("match.error.not-watchable")


class NotYourSeat(MatchRefused):
    """Somebody else sits there: while the match runs nobody else sees what that seat sees."""

    def __init__(self) -> None:
        super().__init__("match.error.not-your-seat")


class Draining(MatchRefused):
    """The server is about to stop: nothing new begins here."""

    def __init__(self) -> None:
        super().__init__("server.draining")

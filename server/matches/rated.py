"""What a rated match, and a room for one, may not do. Everybody who makes, joins or changes one asks here.

It has no open hands and a clock, else it is casual; no guest plays it (`guestlimits.py`), nor who has to pause after
leaving others; nothing is taken back in it; a program plays it for an account that is marked. Between people who may
play it, it still begins as a casual one where `Ratings.casual_because` says so, and counts as
`server/ratings/weights.py` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from game.contract import Json
from game.options import has_open_hands
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.identity import Player
from server.accounts.machines import NotMarked
from server.clock import Clock, rfc3339
from server.matches.errors import MatchRefused
from server.matches.speeds import UNTIMED


def can_be_rated(options: Mapping[str, Json], speed: str) -> bool:
    """Tell whether a match may be rated, as far as its options and its speed go."""
    return not has_open_hands(options) and speed != UNTIMED.name


async def check_pauses(
    is_rated: bool, conduct: Conduct, clock: Clock, players: Iterable[Player], asking: Player
) -> None:
    """Check that none of these has to pause from rated matches; guests and bots never have to.

    Raises AccountError for the first who has to pause, in other words where that is somebody else than who asks.
    """
    for player in players if is_rated else ():
        until = None if player.account_id is None else await conduct.paused_until(player.account_id)
        if until is None:
            continue
        left_ms = max(1, (until - clock.now()) // timedelta(milliseconds=1))
        if player.is_same_person(asking):
            raise AccountError("account.paused", until=rfc3339(until), retry_after_ms=left_ms)
        raise AccountError("account.other-paused", name=player.name, until=rfc3339(until), retry_after_ms=left_ms)


def check_takeback(is_rated: bool) -> None:
    """Let something be taken back. Raises MatchRefused."""
    if is_rated:
        raise MatchRefused("match.error.takeback-rated")


def check_program(is_rated: bool, name: str, is_marked: bool) -> None:
    """Let a program begin a match for the account of this name. Raises NotMarked.

    What runs goes on, and who plays by screens or `move` counts as a person.
    """
    if is_rated and not is_marked:
        raise NotMarked(name)

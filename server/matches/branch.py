"""Playing on from a moment of a finished match: a new match whose log begins with copies of the old one's entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Seat
from game.options import BOTH_SIDES, brought_now
from game.replay import PLAYED, Entry, standing
from server.accounts.identity import Player, bot_player
from server.clock import rfc3339
from server.matches.agreement import Agreement
from server.matches.errors import MatchOver, MatchRunning, NotOffered
from server.matches.match import Match
from server.matches.model import NewMatch
from server.matches.speeds import UNTIMED


def branch_of(source: Match, player: Player, seq: int, seat: Seat, level: str) -> NewMatch:
    """Return a casual match on the source's terms, with `player` on `seat` and bots on the others.

    Raises MatchRunning unless the source has ended, MatchOver when nothing can be played from `seq` on, NotOffered
    for a seat that is out by then.
    """
    if not source.is_over:
        raise MatchRunning
    then = source.live.log.at(max(0, min(seq, source.live.shown.seq)))
    if then.fold.is_over:
        raise MatchOver
    if seat not in source.live.log.game.playing(then.fold.state):
        raise NotOffered
    bot = bot_player(level)
    return NewMatch(
        agreement=Agreement(
            game=source.game,
            players=source.terms.n_seats,
            options={name: value for name, value in source.terms.agreement.options.items() if name != BOTH_SIDES},
            speed=UNTIMED.name,
            private=True,
        ),
        players=tuple(player if one == seat else bot for one in source.terms.seats),
        seat_options=tuple(brought_now(source.live.log.game.options(), one) for one in source.terms.seat_options),
        seed=source.terms.seed,
        rules_version=source.terms.rules_version,
        stays_private=source.terms.stays_private or (source.terms.agreement.private and not source.sharing.is_done),
    )


def copied(entries: Sequence[Entry], seq: int, now: datetime) -> Iterator[Entry]:
    """Yield what was played up to `seq`, numbered anew and as if it had all happened now."""
    at = rfc3339(now)
    played = (entry for entry in standing(entries[: max(0, seq)]) if entry.kind in PLAYED)
    for number, entry in enumerate(played, 1):
        forfeit = entry.data.get("forfeit")
        yield replace(entry, seq=number, at=at, data={} if forfeit is None else {"forfeit": forfeit})

"""What happened while somebody was away: their matches that have ended, told once, on top of the lobby."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Final

from game.contract import Seat
from server.boards import outcome
from server.boards.seats import name_at
from server.clock import parse_rfc3339, rfc3339
from server.errors import Refused
from server.matches.model import OVER, AnyViewerState, MatchQuery, MatchSummary
from server.matches.visibility import Asker
from server.session.session import Session
from server.terminal.look import Look

MOST: Final = 5  # that are told
LOOKED_AT: Final = 50  # the newest of one's finished matches


@dataclass(frozen=True, slots=True)
class NewsWords:
    """Who the others were, and what came of it for this person."""

    others: str
    text: str
    style: str


@dataclass(frozen=True, slots=True)
class News:
    """One match that has ended, as this person's seat saw its end: it is said anew in whatever language is chosen."""

    shot: AnyViewerState
    seat: Seat

    @property
    def match(self) -> str:
        """Return the match's id."""
        return self.shot.match

    @property
    def game(self) -> str:
        """Return which game was played."""
        return self.shot.game

    def said(self, look: Look) -> NewsWords:
        """Say what came of the match: won, lost or called off, the change of the rating, and why."""
        shot, seat, comma = self.shot, self.seat, look.t("list.comma")
        others = comma.join(name_at(shot, info.seat, look) for info in shot.seats if info.seat != seat)
        word, style = _standing(shot, seat, look)
        if (change := shot.rating_changes.get(seat)) is not None:
            word = look.t("news.rated", outcome=word, before=round(change[0]), after=round(change[1]))
        casual = look.t("match.not-counted") if outcome.not_counted(shot, look) else ""
        texts = (word, outcome.ended_by(shot, look), casual)
        return NewsWords(others, comma.join(text for text in texts if text), style)


def may_have_missed(session: Session) -> bool:
    """Tell whether anything is to be told, or noted as told, by what was read at the login: mostly nothing is.

    Then nothing is stored: a match that ends later is newer than the last telling all the same.
    """
    person = session.person
    told_until, last_end = person.preferences.told_until, person.last_end
    if session.identity.account_id is None:
        return False
    if not told_until or person.preferences.seen_ends:
        return True
    return last_end is not None and last_end > parse_rfc3339(told_until)


async def since_last_time(session: Session) -> tuple[News, ...]:
    """Return what ended since somebody was last told, and was not seen; from now on it counts as told, at any terminal.

    Guests have no last time, and whoever comes for the first time has missed nothing.
    """
    person, clock = session.person, session.services.clock
    if session.identity.account_id is None:
        return ()
    now = rfc3339(clock.now())
    before = await person.change_kept(lambda kept: replace(kept, told_until=now, seen_ends=()))
    told_until, seen = before.told_until, before.seen_ends
    if not told_until:
        return ()
    player = session.identity.player
    query = MatchQuery(statuses=OVER, player=player, asker=Asker(player), limit=LOOKED_AT)
    found = await session.services.matches.list(query)
    missed = [one for one in found if is_missed(one, parse_rfc3339(told_until), seen)]
    missed.sort(key=lambda one: one.ended_at or one.started_at, reverse=True)
    told = [await of_match(session, one.id) for one in missed[:MOST]]
    return tuple(one for one in told if one is not None)


def is_missed(summary: MatchSummary, told_until: datetime, seen: tuple[str, ...]) -> bool:
    """Tell whether a match ended after `told_until`, and was not seen to."""
    return summary.ended_at is not None and summary.ended_at > told_until and summary.id not in seen


async def of_match(session: Session, match_id: str) -> News | None:
    """Return what came of a match; None where it is gone or not over, or this person has no seat in it."""
    try:
        match = await session.services.matches.find(match_id, session.identity)
    except Refused:
        return None
    seat = match.seat_of(session.identity.player)
    if seat is None or not match.is_over:
        return None
    await match.wait_for_ratings()
    return News(match.snapshot(seat), seat)


def _standing(shot: AnyViewerState, seat: Seat, look: Look) -> tuple[str, str]:
    if shot.result is None:
        return look.t("news.void"), "dim"
    tiers = shot.result.placements
    place = 1 + sum(len(tier) for tier in takewhile(lambda tier: seat not in tier, tiers))
    if len(tiers) == 1:
        return look.t("news.draw"), ""
    if place == 1:
        return look.t("news.won"), "good"
    return (look.t("news.lost"), "warn") if len(shot.seats) == 2 else (look.t("news.place", place=place), "")

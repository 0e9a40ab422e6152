"""Whose match it is: a person's seat in it, from where they see it, and what it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.contract import Seat, Viewer, Watcher
from game.options import BOTH_SIDES
from server.matches.match import Match
from server.matches.model import Snapshot

if TYPE_CHECKING:
    from server.tui.app import Session


def title_of(session: Session, shot: Snapshot) -> str:
    """Name a match: game, rated or casual (or agreed to be rated, and not counted), speed, which game of two."""
    kind = session.t(
        "match.casual" if not shot.rated else "match.not-counted" if shot.counted is False else "match.rated"
    )
    said = f"{session.look.game(shot.game)} · {kind} · {session.t(f'speed.{shot.speed}')}"
    if not shot.options.get(BOTH_SIDES):
        return said
    return f"{said} · {session.t('match.game-of-two', number=1 if shot.return_of is None else 2)}"


def seat_of(session: Session, match: Match) -> Seat | None:
    """Return the seat a person holds in a match, None when they hold none."""
    me = session.identity.player
    infos = match.snapshot(Watcher.PUBLIC).seats
    return next((info.seat for info in infos if info.player.is_same_person(me)), None)


def viewer_of(session: Session, match: Match, otherwise: Viewer = Watcher.PUBLIC) -> Viewer:
    """Return from where a person sees a match: their seat, else the public view."""
    seat = seat_of(session, match)
    return seat if seat is not None else Watcher.PUBLIC


def say_if_casual(session: Session, match: Match, wished_rated: bool) -> None:
    """Say before the first move that a match is casual which somebody wanted to be rated, and why."""
    shot = match.snapshot(Watcher.PUBLIC)
    if wished_rated and not shot.rated:
        people = [info for info in shot.seats if info.player.kind == "account"]
        session.notice("match.made-casual.few" if len(people) < 2 else "match.made-casual.often")

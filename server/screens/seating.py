"""Whose match it is: a person's seat in it, from where they see it, what it is called, who its people are."""

from __future__ import annotations

from game.contract import Seat, Viewer, Watcher
from game.options import BOTH_SIDES, has_open_hands
from server.matches.match import Match
from server.matches.model import AnyViewerState
from server.session import places
from server.session.session import Session


def title_of(session: Session, shot: AnyViewerState) -> str:
    """Name a match: game, rated or casual (or agreed to be rated, and not counted), speed, which game of two."""
    kind = session.t(
        "match.casual" if not shot.agreement.rated else "match.not-counted" if shot.counted is False else "match.rated"
    )
    said = f"{session.look.game(shot.game)} · {kind} · {session.t(f'speed.{shot.agreement.speed}')}"
    if has_open_hands(shot.agreement.options):
        said += f" · {session.t('match.open-hands')}"
    if not shot.agreement.options.get(BOTH_SIDES):
        return said
    return f"{said} · {session.t('match.game-of-two', number=1 if shot.return_of is None else 2)}"


def seat_of(session: Session, match: Match) -> Seat | None:
    """Return the seat a person holds in a match, None when they hold none."""
    return match.seat_of(session.identity.player)


def viewer_of(session: Session, match: Match, case: str | None = None) -> Viewer:
    """Return from where a person sees a match: their seat, else as who looks on. Raises NotWatchable."""
    seat = seat_of(session, match)
    return match.sight(session.identity, Watcher.PUBLIC if seat is None else seat, case)


def people_of(session: Session, match: Match, snapshot: AnyViewerState) -> places.PeoplePlace:
    """Return the place of those who play and talk at a match, running or over."""
    me, people = session.identity.player, [one.player for one in snapshot.seats if one.player.kind != "bot"]
    names = tuple(one.name for one in people if not one.is_same_person(me))
    seated = len(names) < len(people)
    return places.PeoplePlace(names, channels_of(match.id, snapshot, seated), match.id)


def channels_of(match: str, snapshot: AnyViewerState, seated: bool) -> tuple[str, ...]:
    """Return the channels of a match: at the table the players' own, and the gallery's unless it was private."""
    own = (f"match:{match}",) if seated else ()
    return own if snapshot.is_shared else (f"gallery:{match}", *own)


def say_if_casual(session: Session, shot: AnyViewerState, wished_rated: bool) -> None:
    """Say before the first move that a match is casual which somebody wanted to be rated, and why."""
    if wished_rated and not shot.agreement.rated:
        people = [info for info in shot.seats if info.player.kind == "account"]
        session.prompts.notice("match.made-casual.few" if len(people) < 2 else "match.made-casual.often")

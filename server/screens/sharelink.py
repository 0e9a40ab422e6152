"""Sharing a match with others: what they type, the link, and of a private match who has yet to say that all may."""

from __future__ import annotations

from game.contract import Watcher
from server.accounts.identity import Player
from server.boards.seats import name_at
from server.boards.weblinks import match_link
from server.matches.match import Match
from server.matches.model import AnyViewerState
from server.screens.seating import seat_of
from server.session.session import Session
from server.terminal.look import Look


def share(session: Session, match: Match, shot: AnyViewerState) -> None:
    """Say what to type to see a match that is over; of a private one its people are asked first whether all may."""
    me, seat = session.identity.player, seat_of(session, match)
    if not shot.agreement.private or shot.is_shared:
        say_how_to_share(session, match.id)
    elif seat is None:
        session.prompts.notice("match.error.share-players", "warn")
    elif seat in shot.shared_by:
        session.have_confirmed("share.ask-back", lambda: match.share(me, agrees=False))
    else:
        session.have_confirmed("share.ask", lambda: _share(session, match, me))


async def _share(session: Session, match: Match, me: Player) -> None:
    await match.share(me)
    shot = match.snapshot(Watcher.OMNISCIENT)
    if shot.is_shared:
        say_how_to_share(session, match.id)
    else:
        session.prompts.notice("share.waits", "good", names=missing_words(shot, session.look))


def missing_words(shot: AnyViewerState, look: Look) -> str:
    """Return the names of those who have yet to say that everybody may see a private match."""
    people = (info for info in shot.seats if info.player.kind != "bot" and info.seat not in shot.shared_by)
    return look.t("list.comma").join(name_at(shot, info.seat, look) for info in people)


def say_how_to_share(session: Session, match_id: str) -> None:
    """Say what to type to see a match that is over, and the link to it, where there is one."""
    link, line = link_to(session, match_id), session.reached_at.line(f"replay {match_id}", "-t")
    if link:
        session.prompts.notice("web.share-or-type", "good", link=link, line=line)
    else:
        session.prompts.notice("replay.share", "good", line=line)


def say_live_link(session: Session, match_id: str) -> None:
    """Say the link to a match that goes on."""
    session.prompts.notice("web.share", "good", link=link_to(session, match_id))


def link_to(session: Session, match_id: str) -> str:
    """Return the link to a match's page; empty: there are no pages."""
    origin = session.services.settings.web_origin
    return match_link(origin, match_id) if origin else ""

"""Not wanting somebody: block them, or tell the moderators what they did, with the chat as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.accounts.targets import is_guest_name
from server.clock import rfc3339
from server.matches.model import MatchQuery, MatchStatus

if TYPE_CHECKING:
    from server.tui.app import Session

MATCHES_LOOKED_AT = 20  # for one with somebody who is reported


def may_complain(session: Session, name: str) -> bool:
    """Tell whether this person may block or report the account of that name: guests may not, nor oneself."""
    return not session.identity.is_guest and name != session.identity.name


async def block_or_not(session: Session, name: str) -> None:
    """Block somebody, or take that back; a guest for as long as one is here. Raises AccountError."""
    account_id, conduct = session.identity.account_id, session.services.conduct
    if account_id is None:
        return
    if is_guest_name(name):
        session.hidden_guests ^= {name}
        session.notice(
            "people.guest-hidden" if name in session.hidden_guests else "people.unblocked", "good", name=name
        )
    elif await conduct.unblock(account_id, name):
        session.notice("people.unblocked", "good", name=name)
    else:
        await conduct.block(account_id, name)
        session.notice("people.blocked-here" if _is_seated_with(session, name) else "people.blocked", "good", name=name)
    await session.load_blocks()


def _is_seated_with(session: Session, name: str) -> bool:
    """Tell whether somebody sits in a room that this person is in."""
    from server.tui.screens.room import RoomPage

    return any(isinstance(page, RoomPage) and page.seats_somebody(name) for page in session.pages)


def ask_report(session: Session, name: str) -> None:
    """Have it typed what somebody did, and report it."""
    session.type("people.ask-report", lambda text: session.spawn(_report(session, name, text)))


async def _report(session: Session, name: str, text: str) -> None:
    account_id, services = session.identity.account_id, session.services
    if account_id is None:
        return
    match_id = await _last_match_with(session, name)
    lines = [line for channel in _channels(session, match_id) for line in await services.chat.load(channel)]
    said = [{"name": one.name, "at": rfc3339(one.at), "text": one.text, "account": one.account_id} for one in lines]
    await services.conduct.report(account_id, name, text, said, match_id)
    session.notice("people.reported", "good", name=name)


def _channels(session: Session, match_id: str | None) -> list[str]:
    """Return where something may have been said: the lobby, what this person has open, their match with somebody."""
    opened = [channel for page in session.pages for channel in page.channels()]
    played = [] if match_id is None else [f"gallery:{match_id}", f"match:{match_id}"]
    return list(dict.fromkeys(("lobby", *opened, *played)))


async def _last_match_with(session: Session, name: str) -> str | None:
    """Return the latest match that this person played with somebody, running or over."""
    statuses: frozenset[MatchStatus] = frozenset(("live", "adjourned", "finished"))
    account_id = session.identity.account_id
    query = MatchQuery(statuses=statuses, account_id=account_id, private=True, limit=MATCHES_LOOKED_AT)
    for match in await session.services.matches.list(query):
        if any(seat.player.name == name for seat in match.seats):
            return match.id
    return None

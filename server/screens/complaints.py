"""Blocking somebody, or reporting them to the moderators, with the chat as it is now."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from server import reporting
from server.accounts.conduct import WHY_CHARS
from server.accounts.guestnames import is_guest_name
from server.session.session import Session


def may_complain(session: Session, name: str) -> bool:
    """Tell whether this person may block or report the account of that name: guests may not, nor oneself."""
    return not session.identity.is_guest and name != session.identity.name


async def toggle_block(session: Session, name: str, done: Callable[[], None] = lambda: None) -> None:
    """Block somebody, or take that back, then call `done`; a guest for as long as one is here. Raises AccountError.

    A block against somebody with whom this person is in a match is confirmed first.
    """

    async def toggle() -> None:
        await _toggle_block(session, name)
        done()

    if name not in session.person.hidden_names and await _plays_with(session, name):
        session.have_confirmed("people.ask-block", toggle, name=name)
    else:
        await toggle()


async def _plays_with(session: Session, name: str) -> bool:
    """Tell whether somebody has a seat in a running match of this person's."""
    running = await session.services.matches.running_of(session.identity.player)
    return any(seat.player.name == name for one in running for seat in one.seats)


async def _toggle_block(session: Session, name: str) -> None:
    account_id, conduct = session.identity.account_id, session.services.conduct
    if account_id is None:
        return
    if is_guest_name(name):
        session.person.hidden_guests ^= {name}
        session.prompts.notice(
            "people.guest-hidden" if name in session.person.hidden_guests else "people.unblocked", "good", name=name
        )
    elif await conduct.unblock(account_id, name):
        session.prompts.notice("people.unblocked", "good", name=name)
    else:
        await conduct.block(account_id, name)
        session.prompts.notice(
            "people.blocked-here" if _is_seated_with(session, name) else "people.blocked", "good", name=name
        )
    await session.person.load_blocks()


def _is_seated_with(session: Session, name: str) -> bool:
    """Tell whether somebody sits in a room that this person is in."""
    return any(page.seats_somebody(name) for page in session.pages)


def ask_report(session: Session, name: str, match_id: str | None = None) -> None:
    """Have it typed what somebody did, and report it; in `match_id`, else it is the last match together."""

    def report(text: str) -> Coroutine[Any, Any, None]:
        return _report(session, name, text, match_id)

    session.have_typed("people.ask-report", report, limit=WHY_CHARS, name=name)


async def _report(session: Session, name: str, text: str, match_id: str | None) -> None:
    account_id = session.identity.account_id
    if account_id is None:
        return
    opened = [channel for page in session.pages for channel in page.channels()]
    await reporting.report(session.services, account_id, name, text, match_id, opened)
    session.prompts.notice("people.reported", "good", name=name)

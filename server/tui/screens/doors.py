"""The ways between pages: where a session begins, and how one gets to a match, a room, a replay."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Any

from game.contract import Watcher
from server.matches.errors import MatchPaused
from server.matches.match import Match
from server.tui.screens.calibrate import CalibratePage
from server.tui.screens.lobby import LobbyPage
from server.tui.screens.match import MatchPage
from server.tui.screens.room import RoomPage
from server.tui.screens.seating import say_if_casual, seat_of
from server.tui.screens.welcome import WelcomePage

if TYPE_CHECKING:
    from server.tui.app import Session


async def begin(session: Session) -> None:
    """Show the first page: welcome to an unknown key, the calibration once, else straight where one asked to go."""
    looks_on = session.entry.place in ("watch", "replay")
    if session.identity.is_guest and session.identity.fingerprint is not None and not looks_on:
        session.home(WelcomePage(session))
        return
    lobby = LobbyPage(session)
    if session.entry.place == "lobby":
        await asyncio.gather(lobby.load(), session.load_person())  # asked for together, read together
    else:
        await session.load_person()
    if session.preferences.calibrated or looks_on or session.entry.place == "join":
        await enter_house(session, lobby)
    else:
        session.home(CalibratePage(session))


async def enter_house(session: Session, lobby: LobbyPage | None = None) -> None:
    """Show the lobby, and on top of it where one asked to go, or the match one comes back to."""
    session.arrive()
    if lobby is None:
        lobby = LobbyPage(session)
        await lobby.load()
    session.home(lobby)
    place, argument = session.entry.place, session.entry.argument
    match place:
        case "lobby":
            await _go_back_to_board(session, lobby)
        case "join":
            await go_to_room(session, argument)
        case "watch":
            await go_to_match(session, argument)
        case "replay":
            await go_to_replay(session, argument)


async def _go_back_to_board(session: Session, lobby: LobbyPage) -> None:
    """Open the board of a match whose clock runs, one that waits for this person first."""
    player = session.identity.player
    running = [match for match in lobby.lists.mine if match.status == "live" and match.speed != "daily"]
    running.sort(key=lambda match: not any(match.seats[seat].player.is_same_person(player) for seat in match.to_act))
    for summary in running:
        try:
            page = match_page(session, await session.services.matches.open(summary.id))
        except MatchPaused as refusal:  # another one may still be played
            session.refused(refusal)
            continue
        if (
            page.seat is None or not page.snapshot.seats[page.seat].out
        ):  # who is out may look on, but is not called back
            session.push(page)
            return


async def go_to_match(session: Session, match_id: str) -> None:
    """Open a match: one's own seat, or looking on."""
    match = await session.services.matches.open(match_id)
    if (page := open_page(session, match_id)) is None:
        session.push(match_page(session, match))
    elif page is not session.page:
        session.bring(page)


def match_page(session: Session, match: Match) -> MatchPage:
    """Return the page of a match for this person."""
    seat = seat_of(session, match)
    if seat is not None:
        return MatchPage(session, match, seat)
    from server.tui.screens.watch import WatchPage

    return WatchPage(session, match, Watcher.PUBLIC)


async def go_to_own_match(session: Session, match_id: str, wished_rated: bool = False) -> None:
    """Go to a match that was found or started for this person, from wherever they are at rest."""
    match = await session.services.matches.open(match_id)
    page = session.page
    if open_page(session, match_id) is not None:
        return
    if isinstance(page, MatchPage) and page.seat is not None and page.is_live:
        session.notice("match.another-started", game=session.look.game(match.game))
        return
    session.push(match_page(session, match))
    say_if_casual(session, match, wished_rated)


def open_page(session: Session, match_id: str) -> MatchPage | None:
    """Return the page on which a match is open already."""
    return next((one for one in session.pages if isinstance(one, MatchPage) and one.match.id == match_id), None)


async def go_to_room(session: Session, code: str) -> None:
    """Go back to a room one is in, or join it by its code."""
    code = code.strip().upper()
    if not _is_back_in_room(session, code):
        room = await session.services.lobby.join(session.identity.player, code, session.id)
        if not _is_back_in_room(session, code):  # a key that was pressed twice asked twice
            session.push(RoomPage(session, room))


def _is_back_in_room(session: Session, code: str) -> bool:
    """Go back to the page of a room, where it is open; return whether it is."""
    for page in session.pages:
        if isinstance(page, RoomPage) and page.room.code == code:
            session.pop_to(page)
            return True
    return False


async def go_to_replay(session: Session, match_id: str) -> None:
    """Open a match to go through it."""
    match = await session.services.matches.open(match_id)
    session.push(_page("replay", "ReplayPage")(session, match))


def go_to_profile(session: Session, handle: str) -> None:
    """Show somebody's matches and ratings."""
    session.push(_page("profile", "ProfilePage")(session, handle))


def go_to_decks(session: Session, game: str = "") -> None:
    """Show the person's own decks."""
    session.push(_page("decks", "DecksPage")(session, game))


def go_to_ladders(session: Session) -> None:
    """Show the ladders."""
    session.push(_page("ladders", "LaddersPage")(session))


def _page(module: str, name: str) -> Any:
    """Return a page's class; imported when it is first needed, because pages know of each other in circles."""
    return getattr(import_module(f"server.tui.screens.{module}"), name)


def go_to_tutorial(session: Session) -> None:
    """Begin a tutorial, asking which where there are several."""
    from server.tui.screens.tutorials import open_tutorial

    open_tutorial(session)


async def shown_rating(session: Session) -> str:
    """Return the rating the title line shows: that of the ladder played most; empty for who was never rated."""
    if session.identity.account_id is None:
        return ""
    ratings = (await session.services.ratings.all_of(session.identity.account_id)).values()
    best = max((rating for rating in ratings if rating.matches), key=lambda rating: rating.matches, default=None)
    return f"{best.shown}{'?' if best.provisional else ''}" if best is not None else ""

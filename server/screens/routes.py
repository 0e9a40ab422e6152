"""The routes: which page a place is, where a session begins, and what is read before a match or a room opens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from game.contract import Watcher
from server.boards.library import library_games
from server.errors import Refused
from server.lobby.stored_rooms import read_code
from server.matches.errors import MatchPaused
from server.matches.match import Match
from server.sanitize import clean
from server.screens import bringing, following
from server.screens.acceptance import AcceptancePage
from server.screens.bots import BotPage
from server.screens.calibrate import CalibratePage
from server.screens.cards import CardsPage
from server.screens.codes import CodesPage
from server.screens.conditional_moves import ConditionalMovesPage
from server.screens.deckchoice import DeckChoicePage
from server.screens.deckedit import DeckEditPage
from server.screens.decks import DecksPage
from server.screens.decktext import DeckTextPage
from server.screens.exhibition import ExhibitionPage
from server.screens.games import GamesPage
from server.screens.help import HelpPage
from server.screens.ladders import LaddersPage
from server.screens.lobby import LobbyPage
from server.screens.match import MatchPage
from server.screens.me import MePage
from server.screens.messages import MessagesPage
from server.screens.newroom import NewRoomPage, OptionsPage
from server.screens.news import may_have_missed
from server.screens.ownkeys import KeysPage
from server.screens.people import PeoplePage
from server.screens.playnow import deck_games
from server.screens.preview import PreviewedMatches
from server.screens.profile import ProfilePage
from server.screens.replay import ReplayPage
from server.screens.report import ReportPage
from server.screens.reports import ReportsPage
from server.screens.room import RoomPage
from server.screens.sanctions import SanctionsPage
from server.screens.seating import say_if_casual, viewer_of
from server.screens.tried_line import TriedLinePage
from server.screens.tutorial import TutorialPage
from server.screens.tutorials import TutorialsPage, tutorials
from server.screens.watch import WatchPage
from server.screens.welcome import WelcomePage
from server.session import places
from server.session.page import Page
from server.session.places import LostPage, NamedPlace, Place, StoredPlace
from server.session.reconnect import boards_to_go_back_to
from server.session.session import Session

MOTD_S = 60.0
MOST_BELOW = 8  # pages below the one that somebody comes back to
PAGES: Mapping[NamedPlace, Callable[[Session], Page]] = {
    NamedPlace.CALIBRATION: CalibratePage,
    NamedPlace.CODES: CodesPage,
    NamedPlace.REPORTS: ReportsPage,
    NamedPlace.EXHIBITION: ExhibitionPage,
    NamedPlace.SANCTIONS: SanctionsPage,
    NamedPlace.LADDERS: LaddersPage,
    NamedPlace.ME: MePage,
    NamedPlace.NEW_ROOM: NewRoomPage,
    NamedPlace.OWN_KEYS: KeysPage,
}


class ScreenRoutes:
    """The routes of one process, whose lobbies share what they preview."""

    def __init__(self) -> None:
        self._previewed = PreviewedMatches()

    def page(self, session: Session, place: Place) -> Page:
        """Return the page of a place. Raises NotWatchable for a match that this person may not see."""
        match place:
            case NamedPlace():
                return PAGES[place](session)
            case places.BotsPlace(game):
                return BotPage(session, game)
            case places.CardsPlace(game, spoken):
                return CardsPage(session, game, spoken)
            case places.ConditionsPlace(match, seat):
                return ConditionalMovesPage(session, match, seat)
            case places.DeckPlace(deck):
                return DeckEditPage(session, deck)
            case places.DeckTextPlace(deck):
                return DeckTextPage(session, deck)
            case places.DeckChoicePlace(room, seat):
                return DeckChoicePage(session, room, seat)
            case places.DecksPlace(game):
                return DecksPage(session, game)
            case places.GamesPlace(searcher):
                return GamesPage(session, searcher)
            case places.HelpPlace(over, rules):
                return HelpPage(session, over, rules)
            case places.JoinedRoomPlace(room):
                return RoomPage(session, room)
            case places.MessagesPlace(handle):
                return MessagesPage(session, handle)
            case places.OpenMatchPlace(match):
                return match_page(session, match)
            case places.PeoplePlace(names, channels, match_id, room):
                return PeoplePage(session, names, channels, match_id, room)
            case places.ProfilePlace(handle):
                return ProfilePage(session, handle)
            case places.ReportPlace(report):
                return ReportPage(session, report)
            case places.RoomOptionsPlace(room):
                return OptionsPage(session, room)
            case places.TriedLinePlace(line):
                return TriedLinePage(session, line)
            case places.TutorialPlace(game, part):
                return TutorialPage(session, game, part)
            case places.TutorialsPlace(games):
                found = tutorials(games)
                return TutorialPage(session, *found[0]) if len(found) == 1 else TutorialsPage(session, found)

    async def reach(self, session: Session, place: StoredPlace) -> None:
        """Read what a place needs and go there. Raises Refused where it is not for this person."""
        match place:
            case places.LobbyPlace():
                await self._enter_lobby(session)
            case places.MatchPlace(match_id, case):
                await _go_to_match(session, match_id, case)
            case places.OwnMatchPlace():
                await _go_to_own_match(session, place)
            case places.ReplayPlace(match_id, case):
                await _go_to_replay(session, match_id, case)
            case places.RoomPlace():
                await _go_to_room(session, place)

    async def begin(self, session: Session) -> None:
        """Show the first page: welcome to an unknown key, the calibration once, else straight where one asked to go."""
        session.register_newcomer()
        looks_on = session.landing.place in ("watch", "replay")
        has_new_key = session.identity.is_guest and session.identity.fingerprint is not None
        if has_new_key and (not looks_on or session.services.settings.guests == "off"):
            session.pages.home(WelcomePage(session))
            return
        lobby = LobbyPage(session, self._previewed)
        await asyncio.gather(lobby.load(), session.load_person())  # asked for together, read together
        is_browser = session.screen.means  # which shows what there is, and says so to who hears it
        if session.person.preferences.lines and not is_browser:
            session.show_in(lines=True)
        has_no_look = is_browser or session.dialogue is not None
        if has_no_look or session.person.preferences.calibrated or looks_on or session.landing.place == "join":
            await self._enter_lobby(session, lobby)
        else:
            session.pages.home(CalibratePage(session))

    async def _enter_lobby(self, session: Session, lobby: LobbyPage | None = None) -> None:
        """Show the lobby, and on top of it where one asked to go, or the match one comes back to."""
        session.arrive()
        if lobby is None:
            lobby = LobbyPage(session, self._previewed)
            await lobby.load()
        session.pages.home(lobby)
        _tell_message_of_the_day(session)
        if may_have_missed(session):
            session.lifetime.spawn(lobby.show_news(), draws=False)
        following.tell_waiting(session)
        place, argument, left = session.landing.place, session.landing.argument, session.landing.left
        if left is not None:
            await _go_to_those_below(session, left)
        elif place == "lobby":
            await _go_back_to_board(session, lobby)
            await _go_back_to_room(session)
        await _go_to_named(session, argument if place == "page" else f"{place} {argument}")
        if left is not None and (kept_s := max(page.kept_s() for page in session.pages)):
            session.prompts.notice("browser.back-as-guest", seconds=round(kept_s))


async def _go_to_those_below(session: Session, left: LostPage) -> None:
    """Open what was below the page that somebody comes back to, as far as they may still see it."""
    for had in left.under[:MOST_BELOW]:
        with suppress(Refused):
            await _go_to_named(session, had.place)


async def _go_to_named(session: Session, words: str) -> None:
    """Go to the place that its page calls so (`Page.landing`); nowhere where there is none for this person."""
    name, _, argument = clean(words).partition(" ")
    match name:
        case "join":
            await _go_to_room(session, places.RoomPlace(argument))
        case "watch":
            await _go_to_match(session, argument)
        case "replay":
            await _go_to_replay(session, argument)
        case "deck" if argument.isdecimal():
            await session.decks.load()
            if (deck := next((one for one in session.decks.all if str(one.stored.id) == argument), None)) is not None:
                session.go(places.DeckPlace(deck.stored))
        case _ if (wanted := _named(session, name, argument)) is not None:
            session.go(wanted)


def _named(session: Session, name: str, argument: str) -> Place | None:
    """Return a place that opens at once; None: there is none for this person."""
    is_guest, top = session.identity.is_guest, session.pages.top
    match name:
        case "help" if top is not None and not top.is_overlay:
            return places.HelpPlace(top)
        case "exhibition":
            return NamedPlace(name)
        case "games" if isinstance(top, LobbyPage):
            return places.GamesPlace(top)
        case "room-options" if isinstance(top, RoomPage):
            return places.RoomOptionsPlace(top.room)
        case "conditions" if isinstance(top, MatchPage) and top.seat is not None and top.table.has_conditions:
            return places.ConditionsPlace(top.match, top.seat)
        case "me" | "ladders" | "new-room":
            return NamedPlace(name)
        case "own-keys" if not is_guest:
            return NamedPlace(name)
        case "bots":
            return places.BotsPlace(argument)
        case "people":
            return places.PeoplePlace()
        case "profile":
            return places.ProfilePlace(argument)
        case "messages" if not is_guest:
            return places.MessagesPlace(argument)
        case "decks" if not is_guest and argument in deck_games():
            return places.DecksPlace(argument)
        case "cards" if argument in library_games():
            return places.CardsPlace(argument)
        case "tutorial":
            game, _, part = argument.partition(" ")
            return places.TutorialPlace(game, part) if (game, part) in tutorials(()) else None
        case "tutorials":
            return places.TutorialsPlace()
    return None


def _tell_message_of_the_day(session: Session) -> None:
    """Show the message of the day, for a while: a lobby in which something is said shares its frame with no other."""
    if not (text := session.services.motd()):
        return
    session.prompts.notice("server.motd", text=text)
    said = session.prompts.said

    def hush() -> None:
        if session.prompts.said is said:
            session.prompts.hush()

    session.display.later(MOTD_S, hush, is_coalesced=True)


async def _go_back_to_board(session: Session, lobby: LobbyPage) -> None:
    """Open the board of a match whose clock runs, one that waits for this person first."""
    for summary in boards_to_go_back_to(lobby.lists.mine, session.identity.player):
        try:
            opened = match_page(session, await session.services.matches.find(summary.id, session.identity))
        except MatchPaused as refusal:  # another one may still be played
            session.prompts.refused(refusal)
            continue
        if opened.seat is None or not opened.snapshot.seats[opened.seat].out:  # who is out is not called back
            session.pages.push(opened)
            return


async def _go_back_to_room(session: Session) -> None:
    """Open the room in which this person's seat was kept since the connection was lost, unless a board shows."""
    code = session.services.lobby.rooms.missing(session.identity.player)
    if code is not None and session.pages.top is session.pages.first:
        await _go_to_room(session, places.RoomPlace(code))


async def _go_to_match(session: Session, match_id: str, case: str | None = None) -> None:
    """Open a match: one's own seat, or looking on. `case`: the match of the report that one comes from."""
    match = await session.services.matches.find(match_id, session.identity, case)
    if (opened := open_page(session, match_id)) is None:
        session.pages.push(match_page(session, match, case))
    elif opened is not session.pages.top:
        session.pages.bring(opened)


def match_page(session: Session, match: Match, case: str | None = None) -> MatchPage:
    """Return the page of a match for this person. Raises NotWatchable where they may not look on."""
    viewer = viewer_of(session, match, case)
    if not isinstance(viewer, Watcher):
        return MatchPage(session, match, viewer)
    return WatchPage(session, match, viewer, case)


async def _go_to_own_match(session: Session, place: places.OwnMatchPlace) -> None:
    """Go to a match that was found or started for this person, from wherever they are at rest."""
    if place.again and (opened := open_page(session, place.id)) is not None:
        if opened is not session.pages.top:
            session.pages.bring(opened, by_itself=not place.by_key)
        return
    match = await session.services.matches.find(place.id, session.identity)
    top = session.pages.top
    if open_page(session, place.id) is not None:
        return
    if isinstance(top, MatchPage) and top.seat is not None and top.is_live:
        session.prompts.notice("match.another-started", game=session.look.game(match.game))
        return
    fresh = match_page(session, match)
    session.prompts.hush()  # what was said of waiting for it
    session.pages.push(fresh, by_itself=not place.by_key)
    for page in session.pages:
        if isinstance(page, MatchPage) and _is_followed_by(page, fresh):
            session.pages.remove(page)
    say_if_casual(session, fresh.snapshot, place.wished_rated)


def _is_followed_by(page: MatchPage, fresh: MatchPage) -> bool:
    """Tell whether a match that is over goes on in this one: a rematch, or the next one of the same room."""
    before, now = page.snapshot, fresh.snapshot
    is_same_room = before.room is not None and before.room == now.room
    return page is not fresh and not page.is_live and (is_same_room or before.next_match == now.match)


def open_page(session: Session, match_id: str) -> MatchPage | None:
    """Return the page on which a match is open already."""
    return next((one for one in session.pages if isinstance(one, MatchPage) and one.match.id == match_id), None)


async def _go_to_room(session: Session, place: places.RoomPlace) -> None:
    """Go back to a room one is in, or join it by its code; who accepts a challenge by that chooses decks first."""
    code, rooms, me = read_code(place.code), session.services.lobby.rooms, session.identity.player
    if _is_back_in_room(session, code):
        return
    await session.decks.load()
    if not place.accepts:
        room = await rooms.find(me, code, session.identity.source, has_code=place.has_code)
        if bringing.side_names(room.snapshot().agreement.game) and room.accepted_on(me) is not None:
            session.pages.push(AcceptancePage(session, room, place.has_code))
            return
    wished = bringing.wished(session)
    room = await rooms.join(me, code, session.id, has_code=place.has_code, wished=wished)
    if not _is_back_in_room(session, code):  # a key that was pressed twice asked twice
        session.pages.push(RoomPage(session, room))


def _is_back_in_room(session: Session, code: str) -> bool:
    """Go back to the page of a room, where it is open; return whether it is, for this person too."""
    for one in session.pages:
        if isinstance(one, RoomPage) and one.room.code == code:
            session.pages.pop_to(one)
            return session.pages.top is one
    return False


async def _go_to_replay(session: Session, match_id: str, case: str | None = None) -> None:
    """Open a match to go through it from its beginning. Raises NotWatchable where one may not look at it yet."""
    match = await session.services.matches.find(match_id, session.identity, case)
    match.sight(session.identity, case=case)
    top = session.pages.top
    if not (isinstance(top, ReplayPage) and top.match.id == match_id):  # a key that was pressed twice asked twice
        session.pages.push(ReplayPage(session, match, case=case))

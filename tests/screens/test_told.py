"""Every page tells what it shows: all of it, in words that can be spoken, in every language."""

from __future__ import annotations

import importlib
import pkgutil
import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace

import pytest

import server.screens
from game.contract import Seat, Watcher
from server.accounts.decks import StoredDeck
from server.accounts.identity import MODERATOR, Player
from server.accounts.preferences import Preferences
from server.boards import keymap
from server.i18n.catalogues import CHOICES
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.matches.agreement import Agreement
from server.ratings.bradley_terry import Rating
from server.screens.acceptance import AcceptancePage
from server.screens.bots import BotPage
from server.screens.calibrate import CalibratePage
from server.screens.cards import CardsPage
from server.screens.challenging import ChallengePage
from server.screens.codes import CodesPage
from server.screens.conditional_moves import ConditionalMovesPage
from server.screens.deckchoice import DeckChoicePage
from server.screens.deckedit import DeckEditPage
from server.screens.decks import DecksPage, StartersPage
from server.screens.decktext import DeckTextPage
from server.screens.exhibition import ExhibitionPage
from server.screens.form import FormPage
from server.screens.games import GamesPage
from server.screens.help import HelpPage
from server.screens.ladders import LaddersPage
from server.screens.listpage import ListPage
from server.screens.lobby import LobbyPage
from server.screens.match import MatchPage
from server.screens.me import MePage
from server.screens.messages import MessagesPage
from server.screens.newroom import NewRoomPage, OptionsPage, RoomForm
from server.screens.ownkeys import KeysPage
from server.screens.people import PeoplePage
from server.screens.playedalone import PlayedAlone
from server.screens.profile import ProfilePage
from server.screens.replay import ReplayPage
from server.screens.report import ReportPage
from server.screens.reports import ModerationList, ReportsPage
from server.screens.room import RoomPage
from server.screens.sanctionform import SanctionForm
from server.screens.sanctions import SanctionsPage
from server.screens.sessionpage import SessionPage
from server.screens.tried_line import TriedLinePage
from server.screens.tutorial import StepsPage, TutorialPage
from server.screens.tutorials import TutorialsPage, tutorials
from server.screens.watch import WatchPage
from server.screens.welcome import WelcomePage
from server.session.page import Page
from server.store.ratings import RatingChange
from server.terminal.items import Empty, Heading, Item, ListRow, Offer, PlayerCard, Said, SettingRow, SparkLine, Tabs
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.screens.test_archive import PlayedMatch
from tests.screens.test_reports import OTHER, REPORT, muted_before
from tests.session.evening import MIDDLE, busy
from tests.session.fakeserver import FakeServer, Seated, account, new_key
from tests.session.stage import StagedMatch

BASES = frozenset((Page, SessionPage, ListPage, FormPage, RoomForm, ModerationList, PlayedAlone))
WITH_PICTURES = (
    CalibratePage,
    ConditionalMovesPage,
    ExhibitionPage,
    HelpPage,
    MatchPage,
    ReplayPage,
    TriedLinePage,
    TutorialPage,
    WatchPage,
    WelcomePage,
)
SIGNS = frozenset(".,:;!?'\"()[]{}+-*/%=&#@_<>|~" + "，。、；：！？“”‘’（）《》「」…·–—×")
EMBLEMS = frozenset("lvox")  # the letters of the games' emblems
TAKES = frozenset(("15", "20", "25", "45", "min"))  # how long a game takes, the lobby tells
# heads of columns, keys, and that nothing was written
DRAWN_ALONE: Mapping[type[Page], set[str]] = {
    HelpPage: {"keys", "rainet", "relati", "passage", "netrunner", "all", "games"},  # the names of its leaves
    **{kind: {*EMBLEMS} for kind in (NewRoomPage, ChallengePage, OptionsPage)},
    CodesPage: {"rainet", "relati", "passage", "netrunner", *EMBLEMS, *TAKES},
    DecksPage: {*map(str, range(9)), "enter", *"nperxv"},  # below the curve of costs
    DeckEditPage: {*map(str, range(9))},  # below the curve of costs
    BotPage: {"press", "a", "digit", "to", "play", "1", "2", "netrunner", *EMBLEMS},
    KeysPage: {"key", "open", *"xolr"},
    LaddersPage: {"player", *EMBLEMS, *TAKES},
    MePage: {"unicode"},
    MessagesPage: {"enter", "rainet", "netrunner", *EMBLEMS, *TAKES},
    LobbyPage: {*EMBLEMS, "1", "b", "n", "p", "u", "tab", "g", "games", "chat", *"12345678"},  # a board's ranks
    PeoplePage: {"enter", *"cwfmx"},
    ProfilePage: {"ladder", "game", "enter", "left", "right", *"fmnxr"},
    ReportPage: set("bdlmnw"),
    ReportsPage: {"when", "utc", "enter", "s"},
    RoomPage: {*EMBLEMS, *"beiy", "tab", "no", "messages", "yet"},
    SanctionsPage: {"whom", "l"},
    StepsPage: {*EMBLEMS},
    TutorialsPage: {*EMBLEMS},
}
Way = Callable[[FakeServer, str], Awaitable[Seated]]


@pytest.fixture(autouse=True)
def two_games(monkeypatch: pytest.MonkeyPatch, one_game: None) -> None:
    """Let the screens offer RaiNet and Netrunner, which has decks and cards."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))


def page_classes() -> Iterator[type[Page]]:
    """Yield every class of pages that there is."""
    for module in pkgutil.iter_modules(server.screens.__path__, "server.screens."):
        found = vars(importlib.import_module(module.name)).values()
        yield from (one for one in found if isinstance(one, type) and issubclass(one, Page) and one not in BASES)


async def connected(server: FakeServer, language: str, name: str = "mira", *roles: str) -> Seated:
    server.add(name)
    server.prefer(name, Preferences(calibrated=True, language=language))
    return await server.connect(replace(account(name), roles=frozenset(roles)), 100, 60)


async def typed(server: FakeServer, language: str, *keys: str) -> Seated:
    """Go from a busy lobby to where keys lead."""
    await busy(server)
    server.said("lobby", "tarn", "who plays?")
    seated = await connected(server, language)
    await seated.type("esc", *keys)
    return seated


async def welcome(server: FakeServer, language: str) -> Seated:
    seated = await server.connect(new_key("mira"), 100, 60)
    seated.session.display.use(language=language)
    return seated


async def calibration(server: FakeServer, language: str) -> Seated:
    seated = await welcome(server, language)
    await seated.type("f2")
    return seated


def pushed(make: Callable[[FakeServer, Seated], Page | Awaitable[Page]], *roles: str) -> Way:
    """Return the way to a page that is put on the lobby."""

    async def way(server: FakeServer, language: str) -> Seated:
        muted_before(server)
        server.report(REPORT)
        server.report(OTHER)
        server.rate("mira", {"rainet": Rating(27.0, 3.0, 14)})
        await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "first", STARTER, NOON))
        await busy(server)
        server.rated(RatingChange("m9", 1, "rainet", 0, 1, 25.0, 1.0, 27.0, 1.0))
        server.matches.add(PlayedMatch())
        seated = await connected(server, language, "mira", *roles)
        await seated.session.decks.load()
        page = make(server, seated)
        seated.session.pages.push(page if isinstance(page, Page) else await page)
        await seated.settle()
        return seated

    return way


STARTER = 'Kate "Mac" McCaffrey: Digital Tinker\n3 Diesel\n3 Sure Gamble\n'
DECK = StoredDeck(0, "netrunner", 1, "first", STARTER, NOON)


def room(server: FakeServer, game: str = "rainet") -> Awaitable[Room]:
    return server.room("mira", RoomSettings(Agreement(game, speed="slow"), title="friday"))


async def deck_choice(server: FakeServer, seated: Seated) -> Page:
    return DeckChoicePage(seated.session, await room(server, "netrunner"), Seat(1))


async def acceptance(server: FakeServer, seated: Seated) -> Page:
    return AcceptancePage(seated.session, await room(server, "netrunner"), has_code=True)


async def room_options(server: FakeServer, seated: Seated) -> Page:
    return OptionsPage(seated.session, await room(server))


async def room_page(server: FakeServer, seated: Seated) -> Page:
    return RoomPage(seated.session, await room(server))


def sanction_form(server: FakeServer, seated: Seated) -> SanctionForm:
    async def close() -> None:
        """Leave the report open."""

    return SanctionForm(seated.session, "ban", REPORT, "tarn", [("account", "tarn"), ("key", "SHA256:abc")], close)


def alone(server: FakeServer) -> StagedMatch:
    """Return a casual match against a bot."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), Player("bot", "bot:easy")), "m7", MIDDLE))
    match.agree(rated=False)
    return match


def conditions(server: FakeServer, seated: Seated) -> ConditionalMovesPage:
    match = server.matches.all["m1"]
    match.agree(speed="daily")
    return ConditionalMovesPage(seated.session, match, Seat(0))


def replayed(server: FakeServer, seated: Seated) -> ReplayPage:
    page = ReplayPage(seated.session, server.matches.all["m9"])
    page.go(3)
    return page


def keyed(*keys: str) -> Way:
    return lambda server, language: typed(server, language, *keys)


WAYS: Mapping[type[Page], Way] = {
    AcceptancePage: pushed(acceptance),
    BotPage: keyed("b"),
    CalibratePage: calibration,
    CardsPage: pushed(lambda server, seated: CardsPage(seated.session, "netrunner")),
    ChallengePage: pushed(lambda server, seated: ChallengePage(seated.session, "tarn", is_away=True)),
    CodesPage: pushed(lambda server, seated: CodesPage(seated.session)),
    ConditionalMovesPage: pushed(conditions),
    DeckChoicePage: pushed(deck_choice),
    DeckEditPage: pushed(lambda server, seated: DeckEditPage(seated.session, DECK)),
    DeckTextPage: pushed(lambda server, seated: DeckTextPage(seated.session, DECK)),
    DecksPage: pushed(lambda server, seated: DecksPage(seated.session, "netrunner")),
    ExhibitionPage: pushed(lambda server, seated: ExhibitionPage(seated.session)),
    GamesPage: keyed("g"),
    HelpPage: keyed("?"),
    KeysPage: pushed(lambda server, seated: KeysPage(seated.session)),
    LaddersPage: pushed(lambda server, seated: LaddersPage(seated.session)),
    LobbyPage: keyed(),
    MatchPage: keyed("enter"),
    MePage: keyed("m"),
    MessagesPage: pushed(lambda server, seated: MessagesPage(seated.session, "tarn")),
    NewRoomPage: keyed("n"),
    OptionsPage: pushed(room_options),
    PeoplePage: keyed("o"),
    ProfilePage: pushed(lambda server, seated: ProfilePage(seated.session, "mira")),
    ReplayPage: pushed(replayed),
    ReportPage: pushed(lambda server, seated: ReportPage(seated.session, REPORT), MODERATOR),
    ReportsPage: pushed(lambda server, seated: ReportsPage(seated.session), MODERATOR),
    RoomPage: pushed(room_page),
    SanctionForm: pushed(sanction_form, MODERATOR),
    SanctionsPage: pushed(lambda server, seated: SanctionsPage(seated.session), MODERATOR),
    StepsPage: pushed(lambda server, seated: StepsPage(TutorialPage(seated.session, "rainet"))),
    StartersPage: pushed(lambda server, seated: StartersPage(seated.session, "netrunner")),
    TriedLinePage: pushed(
        lambda server, seated: TriedLinePage(seated.session, alone(server).try_line(Seat(0), bytes(32)))
    ),
    TutorialPage: pushed(lambda server, seated: TutorialPage(seated.session, "rainet")),
    TutorialsPage: pushed(lambda server, seated: TutorialsPage(seated.session, tutorials(("rainet", "netrunner")))),
    WatchPage: pushed(lambda server, seated: WatchPage(seated.session, server.matches.all["m2"], Watcher.PUBLIC)),
    WelcomePage: welcome,
}


def test_there_is_a_way_to_every_page() -> None:
    assert {one.__name__ for one in WAYS} == {one.__name__ for one in page_classes()}


def unspoken(text: str) -> set[str]:
    """Return the characters of a text that nobody speaks."""
    return {char for char in text if not (char == " " or char in SIGNS or unicodedata.category(char)[0] in "LNM")}


def words(item: Item) -> list[str]:
    """Return the texts of which an item is made."""
    match item:
        case Heading(text) | Said(text) | ListRow(text):
            return [text]
        case SettingRow():
            return [one for one in (item.name, item.value, item.note) if one]
        case Empty(text, offers):
            return [text, *(said for offer in offers for said in words(offer))]
        case Offer():
            return [item.label, item.why]
        case Tabs(names):
            return list(names)
        case SparkLine(values):
            return [str(value) for value in values]
        case PlayerCard():
            held = (*(text_of(line).strip() for line in item.holds), *item.aside)
            return [one for one in (item.name, item.rating, item.note, *held) if one]


def numbered(items: list[Item]) -> list[ListRow | SettingRow]:
    return [one for one in items if isinstance(one, ListRow | SettingRow)]


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: kind.__name__)
async def test_every_page_tells_what_it_shows(server: FakeServer, kind: type[Page], language: str) -> None:
    seated = await WAYS[kind](server, language)
    page, look = seated.session.pages.top, seated.session.look
    assert type(page) is kind, seated.text
    assert look.language == language
    drawn = facts("\n".join(text_of(line) for line in page.body(100, 60).lines))
    seated.session.display.use(glyph_set="words")
    items = list(page.items())
    said = [text for item in items for text in words(item)]
    assert said
    assert all(said)
    assert not unspoken("".join(said)), said
    assert not [one for one in said if "  " in one]
    if kind not in WITH_PICTURES and language == "en":
        written = [f"{line.name} {line.text}" for line in page.chat()]
        assert drawn - facts(" ".join((*said, *written))) - DRAWN_ALONE.get(kind, set()) == set()
    assert len(numbered(items)) == _count(page)
    for number in range(1, _count(page) + 1):
        assert page.choose(number)
        assert [one.is_chosen for one in numbered(list(page.items()))].index(True) == number - 1
    assert not page.choose(0)
    assert not page.choose(_count(page) + 1)


def facts(text: str) -> set[str]:
    """Return the words and numbers of a text, without those that have no room."""
    return set(re.findall(r"\w+\b(?!…)", text.casefold()))


def _count(page: Page) -> int:
    """Return how many things may be chosen on a page."""
    match page:
        case DeckTextPage():
            return 0
        case ListPage():
            return len(page.listed())
        case FormPage():
            return len(page.rows())
        case LobbyPage():
            return len(page.rows())
        case RoomPage():
            return len(page.view.seats)
        case DeckEditPage():
            return len(page.cards())
        case WelcomePage():
            return 1
        case _:
            return 0


@pytest.mark.parametrize("language", CHOICES)
def test_every_key_has_its_words(language: str) -> None:
    look = Look(language=language)
    for binding in keymap.BINDINGS:
        assert look.has(binding.label), binding
        assert look.has(binding.help), binding
        assert not unspoken(look.t(binding.label) + look.t(binding.help)), binding

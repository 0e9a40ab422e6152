"""The places of a session: where it begins, and values that pages ask for; the routes turn them into pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol

from game.contract import Seat
from server.accounts import moderation
from server.accounts.decks import StoredDeck
from server.address import LOCAL, Address
from server.lobby.room import Room
from server.matches.match import Match
from server.matches.tried_line import TriedLine
from server.session.page import Page

LandingPlace = Literal["lobby", "join", "watch", "replay", "page"]


@dataclass(frozen=True, slots=True)
class LeftPlace:
    """A place as somebody has left it.

    `place`: as `Page.landing` says it; `cursor`: `Page.cursor`; `row`: what the chosen row is called.
    """

    place: str = ""
    cursor: int = -1
    row: str = ""


@dataclass(frozen=True, slots=True)
class LostPage(LeftPlace):
    """What a page in a browser had when its connection was lost.

    `under`: the places below it, the lowest first. `half_done`: as `Page.half_done` says it. Of a line being typed,
    `command`: what asked for it, `label`: how it is called, `text`: what was typed.
    """

    under: tuple[LeftPlace, ...] = ()
    half_done: tuple[str, ...] = ()
    command: str = ""
    label: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Landing:
    """A place, and its `argument`: the invite code, the match id, or the words of a page (`Page.landing`).

    `lang`: the client's LANG as it came, which chooses the first language. `session`: the name of the connection's
    terminal among all that one person may have open. `reached_at`: how they got here, and how others will. `lines`: as
    a dialogue, without a cursor. `left`: what was there when the connection was lost, for who comes back in a browser.
    """

    place: LandingPlace = "lobby"
    argument: str = ""
    lang: str = ""
    session: str = ""
    reached_at: Address = LOCAL
    lines: bool = False
    left: LostPage | None = None


class PlayStarter(Protocol):
    """Who looks for players when the choice of games is made."""

    def do_play(self) -> None: ...


# Places that open at once


class NamedPlace(Enum):
    """Places that need no more than their name."""

    CALIBRATION = "calibration"  # what the terminal can show
    CODES = "codes"  # the recovery codes of a new account
    REPORTS = "reports"  # the reports that wait, for moderators
    EXHIBITION = "exhibition"  # the match of built-in players that lobbies show while nobody else plays
    SANCTIONS = "sanctions"  # the sanctions in force
    LADDERS = "ladders"  # the ladders
    ME = "me"  # the person's settings
    NEW_ROOM = "new-room"  # the form of a new room
    OWN_KEYS = "own-keys"  # the account's keys and sessions


@dataclass(frozen=True, slots=True)
class BotsPlace:
    """The choice of a bot to play against; of a game where one is named, else of the one played last."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class CardsPlace:
    """The cards of a game; `spoken`: the titles that a match's log has named, the newest first."""

    game: str
    spoken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckPlace:
    """One deck, to be changed; a new one has no id."""

    deck: StoredDeck


@dataclass(frozen=True, slots=True)
class DeckTextPlace:
    """One deck as text."""

    deck: StoredDeck


@dataclass(frozen=True, slots=True)
class DeckChoicePlace:
    """The decks that may be brought to a seat of a room."""

    room: Room
    seat: Seat


@dataclass(frozen=True, slots=True)
class DecksPlace:
    """The person's own decks; of one game, or (empty) of the first that has decks."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class GamesPlace:
    """The games to be paired in; `searcher` looks for players then."""

    searcher: PlayStarter


@dataclass(frozen=True, slots=True)
class HelpPlace:
    """Help over a page: its keys, or the rules of its game."""

    over: Page
    rules: bool = False


@dataclass(frozen=True, slots=True)
class JoinedRoomPlace:
    """A room that the person is in already."""

    room: Room


@dataclass(frozen=True, slots=True)
class TriedLinePlace:
    """A branch of a match that one plays for all sides."""

    line: TriedLine


@dataclass(frozen=True, slots=True)
class ConditionsPlace:
    """One's own conditional moves in a match."""

    match: Match
    seat: Seat


@dataclass(frozen=True, slots=True)
class MessagesPlace:
    """What the person and one other have written to each other."""

    handle: str


@dataclass(frozen=True, slots=True)
class OpenMatchPlace:
    """A match that was read already, from where the person may see it."""

    match: Match


@dataclass(frozen=True, slots=True)
class PeoplePlace:
    """Everybody connected, or the people of one match or room and those who speak in its channels."""

    names: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    match_id: str | None = None
    room: Room | None = None


@dataclass(frozen=True, slots=True)
class ProfilePlace:
    """Somebody's matches and ratings."""

    handle: str


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """One report, for moderators."""

    report: moderation.Report


@dataclass(frozen=True, slots=True)
class RoomOptionsPlace:
    """The settings of an open room."""

    room: Room


@dataclass(frozen=True, slots=True)
class TutorialPlace:
    """The tutorial of one game, or of one side of it."""

    game: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class TutorialsPlace:
    """The tutorials of some games (none: of all that are played here); one alone begins at once."""

    games: Sequence[str] = ()


# Places that open once something was read


@dataclass(frozen=True, slots=True)
class LobbyPlace:
    """The lobby, and on top of it where the session's landing leads."""


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """A match by its id: one's own seat, or looking on. `case`: the match of the report that one comes from."""

    id: str
    case: str | None = None


@dataclass(frozen=True, slots=True)
class OwnMatchPlace:
    """A match that begins for this person: shown unless they sit at another; `again`: also where it is open already.

    `by_key`: a key of theirs brought it about, so it is no surprise.
    """

    id: str
    wished_rated: bool = False
    again: bool = False
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """A match to go through. `case`: the match of the report that one comes from."""

    id: str
    case: str | None = None


@dataclass(frozen=True, slots=True)
class RoomPlace:
    """A room by its code: joined, unless one is in it. `has_code`: the code is theirs, not one that a page knows.

    `accepts`: a challenge to a game with decks is accepted, with those one has chosen; else they are asked for.
    """

    code: str
    has_code: bool = True
    accepts: bool = False


Place = (
    NamedPlace
    | BotsPlace
    | CardsPlace
    | ConditionsPlace
    | DeckPlace
    | DeckTextPlace
    | DeckChoicePlace
    | DecksPlace
    | GamesPlace
    | HelpPlace
    | JoinedRoomPlace
    | MessagesPlace
    | OpenMatchPlace
    | PeoplePlace
    | TriedLinePlace
    | ProfilePlace
    | ReportPlace
    | RoomOptionsPlace
    | TutorialPlace
    | TutorialsPlace
)
StoredPlace = LobbyPlace | MatchPlace | OwnMatchPlace | ReplayPlace | RoomPlace
